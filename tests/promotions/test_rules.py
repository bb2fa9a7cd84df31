"""Who wins a promotion, and what: worked examples, and what holds of any hands."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis.strategies import builds, integers, lists, sampled_from

from casino.poker.ranking import Made, Worth, rank_hand
from casino.poker.variants import Variant
from casino.promotions.rules import Shown, qualifies, shares, winners
from casino.rulebooks.jackpots import LeastHand
from casino.rulebooks.promotions import Ties

BEGINS = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
KINGS_FULL, QUADS = Worth(Made.FULL_HOUSE, (13, 2)), Worth(Made.FOUR, (2, 14))
LEAST = LeastHand(variants=(Variant.HOLDEM,), made=Made.FULL_HOUSE, ranks="AT", own_cards_min=2)


def shown(id: int, worth: Worth, *, player: int, after: int = 0) -> Shown:
    return Shown(id, player, worth, BEGINS + timedelta(seconds=after))


@pytest.mark.parametrize(
    ("own", "board", "takes_part"),
    [
        ("As Ad", "Ac Th Ts 2d 7c", True),
        ("As Ad", "Ac 9h 9s 2d 7c", False),
        ("As Td", "Ac Ah Ts 2d 7c", True),
        ("As 3d", "Ac Ah Ts Td 7c", False),
        ("2s 2h", "2d 2c As Kd 9h", True),
    ],
    ids=["at the line", "just below it", "one of each", "one own card", "better than a full house"],
)
def test_a_hand_takes_part_from_the_least_one_on_with_both_hole_cards(own: str, board: str, takes_part: bool) -> None:
    hand = rank_hand(Variant.HOLDEM, own.split(), board.split())

    assert qualifies(hand, LEAST) is takes_part


def test_of_equal_hands_the_first_wins_or_all_share_each_player_once() -> None:
    late, early, again = (
        shown(1, QUADS, player=7, after=20),
        shown(2, QUADS, player=8, after=10),
        shown(3, QUADS, player=8, after=15),
    )
    hands = [late, early, again, shown(4, KINGS_FULL, player=9)]

    assert winners(hands, ties=Ties.FIRST) == (early,)
    assert winners(hands, ties=Ties.SHARED) == (early, late)
    assert winners([], ties=Ties.SHARED) == ()
    assert shares(100_00, 3, coin_cents=1) == (33_33, 1)
    assert shares(100_00, 3, coin_cents=1_00) == (33_00, 1_00)


HANDS = builds(shown, integers(1, 99), sampled_from([KINGS_FULL, QUADS]), player=integers(1, 4), after=integers(0, 9))


@given(hands=lists(HANDS, max_size=12), amount=integers(1, 10**9))
def test_nobody_beats_a_winner_and_no_cent_is_lost(hands: list[Shown], amount: int) -> None:
    one, all_equal = winners(hands, ties=Ties.FIRST), winners(hands, ties=Ties.SHARED)

    assert one == all_equal[:1]
    assert bool(one) is bool(hands)
    assert all(hand.worth <= won.worth for hand in hands for won in all_equal)
    assert len({won.player_id for won in all_equal}) == len(all_equal)
    if all_equal:
        each, left = shares(amount, len(all_equal), coin_cents=1)
        assert (each * len(all_equal) + left, 0 <= left < len(all_equal)) == (amount, True)
