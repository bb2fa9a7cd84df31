"""What follows from a hand as it was dealt, by itself: facts in, decision out."""

import uuid
from typing import Any

import pytest

from casino.poker.blinds import next_hand
from casino.poker.positions import BlindTerms, Entry, LastHand, Occupant
from tables.rules.dealing import Dealing, DealtIn, dealing_of, dealt_in_really
from tables.rules.logged import LoggedHand

BLINDS = BlindTerms(2_00, 5_00, seats=9)
SEATED = {1: 101, 2: 102, 3: 103, 5: 105}
# Seat 5 posts; the blinds are due in seats 2 and 3.
EXPECTED = next_hand(
    [Occupant(seat, player, Entry.POSTS if seat == 5 else Entry.IN) for seat, player in SEATED.items()],
    LastHand(3, 103, 1, 101, 2, 102),
    terms=BLINDS,
)


def dealt(*, expected: Any = EXPECTED, is_table_held: bool = False, **arguments: Any) -> Dealing:
    hand = LoggedHand(hand_id=uuid.uuid4(), winners=(), **arguments)
    return dealing_of(hand, seated=SEATED, expected=expected, blinds=BLINDS, is_table_held=is_table_held)


@pytest.mark.rule("H4.9", "H4.31")
def test_a_hand_of_which_nothing_is_told_is_the_one_that_the_rules_asked_for() -> None:
    dealing = dealt()

    assert dealing.dealt_in == (
        DealtIn(2, 102, "small_blind", 2_00),
        DealtIn(3, 103, "big_blind", 5_00),
        DealtIn(5, 105, "new_player", 5_00),
        DealtIn(1, 101),
    )
    assert dealing.to_judge == ()


def test_the_felt_wins_and_the_floor_is_told_what_differs() -> None:
    dealing = dealt(dealt_in=(3, 7, 2), big_blind=2, is_table_held=True)

    assert [each.seat_number for each in dealing.dealt_in] == [3, 2]
    assert dealing.played.big_blind == 2
    assert dealing.to_judge == ("positions", "dealt_in", "empty_seat_dealt_in", "while_held")


def test_of_a_hand_that_no_rule_asked_for_only_what_is_told_is_known() -> None:
    dealing = dealt(expected=None, dealt_in=(1, 2))

    assert dealing.players == {1: 101, 2: 102}
    assert (dealing.played.positions, dealing.to_judge) == (None, ("positions_unsaid",))


def test_a_correction_names_who_was_dealt_in_and_keeps_what_they_posted() -> None:
    before = {2: DealtIn(2, 102, "big_blind", 5_00), 3: DealtIn(3, 103)}

    assert dealt_in_really(before, named=(), seated={}) == tuple(before.values())
    # Who is written in seat 2 had sat in seat 4 as well: dealt in once.
    assert dealt_in_really(before, named=(5, 2, 4, 6), seated={4: 102, 5: 105}) == (DealtIn(5, 105), before[2])
