"""When a jackpot was hit."""

from datetime import UTC, datetime

import pytest

from jackpot.rules.order import hit_at


def at(clock: str) -> datetime:
    return datetime.fromisoformat(f"2026-11-23T{clock}+00:00").astimezone(UTC)


@pytest.mark.rule("H7.14", "H7.15")
def test_it_is_hit_when_both_hands_are_seen_and_no_card_is_left():
    at_showdown = hit_at(winning_shown_at=at("21:04:10"), losing_shown_at=at("21:04:25"), last_card_at=at("21:03:00"))
    all_in = hit_at(winning_shown_at=at("21:03:50"), losing_shown_at=at("21:03:50"), last_card_at=at("21:04:20"))

    # E-H7.14a
    assert (at_showdown, all_in) == (at("21:04:25"), at("21:04:20"))
