"""Which of two jackpots was hit first, and from what each is paid."""

from datetime import UTC, datetime
from functools import partial

import pytest

from casino.rulebooks import load
from casino.rulebooks.jackpots import PaysBy
from jackpot.rules.order import Hit, SameMoment, hit_at, pay_in_order
from jackpot.rules.payout import Payout, payout

JACKPOT = load("helsinki").jackpots[0]


def at(clock: str) -> datetime:
    return datetime.fromisoformat(f"2026-11-23T{clock}+00:00").astimezone(UTC)


def pays(sum_cents: int, *, category: int) -> Payout:
    return payout(
        JACKPOT.categories[category],
        pays_by=PaysBy.PRINTED,
        participants=6,
        losers=1,
        winners=1,
        sum_cents=sum_cents,
    )


FIRST, SECOND = partial(pays, category=0), partial(pays, category=1)


@pytest.mark.rule("H7.14", "H7.15")
def test_it_is_hit_when_both_hands_are_seen_and_no_card_is_left():
    at_showdown = hit_at(winning_shown_at=at("21:04:10"), losing_shown_at=at("21:04:25"), last_card_at=at("21:03:00"))
    all_in = hit_at(winning_shown_at=at("21:03:50"), losing_shown_at=at("21:03:50"), last_card_at=at("21:04:20"))

    # E-H7.14a
    assert (at_showdown, all_in) == (at("21:04:25"), at("21:04:20"))
    hits = [Hit("1", at_showdown, FIRST), Hit("2", all_in, FIRST)]
    assert [hit.table for hit, *_rest in pay_in_order(hits, sum_cents=10_000_00, seed_cents=0)] == ["2", "1"]


@pytest.mark.rule("H7.5", "H7.14", "H7.33")
@pytest.mark.parametrize(
    ("opening", "first", "second", "paid", "last_base"),
    [
        # 80 % of 10,000; the 2,000 left are above the guarantee, and the later hit is paid from them.
        (10_000_00, FIRST, SECOND, (8_000_00, 380_00), 1_620_00),
        # 600 left of 3,000: the house makes it 1,000, and the later is paid from that (A-H7.7).
        (3_000_00, FIRST, FIRST, (2_400_00, 800_00), 1_000_00),
    ],
)
def test_the_later_is_paid_from_the_base_after_the_earlier_with_what_the_house_adds(
    opening, first, second, paid, last_base
):
    hits = [Hit("later", at("21:00:01"), second), Hit("earlier", at("21:00:00"), first)]

    done = pay_in_order(hits, sum_cents=opening, seed_cents=1_000_00)

    assert [hit.table for hit, *_rest in done] == ["earlier", "later"]
    assert tuple(payout.paid_cents for _hit, payout, _base in done) == paid
    assert done[-1][2].base_cents == last_base


def test_of_two_in_one_moment_no_rule_says_which_is_first():
    hits = [Hit("1", at("21:00:00"), FIRST), Hit("2", at("21:00:00"), FIRST)]

    with pytest.raises(SameMoment):
        pay_in_order(hits, sum_cents=10_000_00, seed_cents=0)
