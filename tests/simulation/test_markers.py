"""The felt's own count of who missed which blinds, and what it says of a log that has counted otherwise."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis.strategies import booleans, dictionaries, integers, lists, tuples

from casino.poker.blinds import after, as_last, next_hand
from casino.poker.positions import BlindTerms, Entry, Occupant
from casino.simulation.broken import Broken
from casino.simulation.markers import AS_ON_THE_FELT, COST, NO_THIRD, Away, InFront, Markers

SEATS = 6
# Seatings are ten times their seats, players a hundred times.
EVERYBODY = range(1, SEATS + 1)


def played(markers: Markers, *, big_blind: int, away: tuple[int, ...] = (), played_over: tuple[int, ...] = ()) -> None:
    absent = [Away(seat, seat * 10, seat * 100) for seat in away]
    absent += [Away(seat, seat * 10, seat * 100, is_holder=True) for seat in played_over]
    there = [seat * 10 for seat in EVERYBODY if seat not in {*away, *played_over}]
    markers.deal(SEATS, dealt_in=there, big_blind=(big_blind, big_blind * 100), away=absent)
    markers.played()


@pytest.fixture
def markers() -> Markers:
    made = Markers()
    played(made, big_blind=2)
    return made


@pytest.mark.rule("H4.36", "H4.37", "H4.38")
def test_whom_the_big_blind_passes_misses_both_and_never_a_third(markers):
    for big_blind in (4, 6, 2, 4, 6, 2, 4):
        played(markers, big_blind=big_blind, away=(3,))

    assert markers.known[30] == InFront("both", was_in=True)
    assert markers.laid_down == 1


@pytest.mark.rule("H4.36")
def test_who_has_paid_the_big_blind_misses_the_small_one_alone(markers):
    played(markers, big_blind=3, away=(2,))

    assert markers.known[20].missed == "small"
    assert markers.owed(20, small_blind=2_00, big_blind=5_00) == (2_00, 0)


@pytest.mark.rule("H4.40", "H4.50")
def test_a_seat_in_which_another_plays_has_its_turns_too_and_its_holder_owes_what_nobody_paid(markers):
    markers.sits_down(31)
    played(markers, big_blind=3, played_over=(3,))

    assert markers.known[30].missed == "both"
    assert markers.owed(30, small_blind=2_00, big_blind=5_00) == (5_00, 2_00)

    # The other one's big blind is the holder's own (A40): nothing is owed, and the small one is the next turn there.
    markers.comes_back(30, 300, over=31, over_player=300)
    assert markers.owed(30, small_blind=2_00, big_blind=5_00) == (0, 0)
    assert markers.big_blind == (3, 300)


@pytest.mark.rule("H4.50")
@pytest.mark.parametrize("leaves", [False, True])
def test_what_was_missed_in_another_orbit_is_owed_and_what_lies_before_a_seat_that_is_left(markers, leaves):
    markers.sits_down(31)
    played(markers, big_blind=3, played_over=(3,))
    if leaves:
        markers.is_alone(30)
    else:
        played(markers, big_blind=2, played_over=(3,))
        played(markers, big_blind=3, played_over=(3,))

    markers.comes_back(30, 300, over=31, over_player=300)

    assert markers.owed(30, small_blind=2_00, big_blind=5_00) == (5_00, 2_00)


@pytest.mark.rule("H4.36", "H4.50")
def test_a_holder_owes_what_the_other_one_has_missed_since(markers):
    markers.sits_down(31)
    played(markers, big_blind=3, played_over=(3,))
    markers.known[31] = InFront("small", was_in=True)

    markers.comes_back(30, 300, over=31, over_player=300)

    assert markers.owed(30, small_blind=2_00, big_blind=5_00) == (2_00, 0)


@pytest.mark.rule("H4.24", "H4.31")
def test_who_is_new_misses_nothing_and_who_is_dealt_in_owes_nothing(markers):
    markers.sits_down(77)
    markers.deal(SEATS, dealt_in=[10, 20], big_blind=(5, 500), away=[Away(4, 77, 700)])
    markers.played()

    assert markers.known[77].missed == ""
    assert markers.owed(77, small_blind=2_00, big_blind=5_00) == (5_00, 0)
    assert markers.owed(10, small_blind=2_00, big_blind=5_00) == (0, 0)


def test_a_void_hand_lays_nothing_down_and_a_hand_without_its_positions_is_not_followed(markers):
    markers.deal(SEATS, dealt_in=[10], big_blind=(4, 400), away=[Away(3, 30, 300)])
    played(markers, big_blind=3)
    assert markers.known[30].missed == ""

    markers.loses_track()
    markers.played()
    assert markers.owed(10, small_blind=2_00, big_blind=5_00) is None


@pytest.mark.parametrize(
    ("row", "check"),
    [
        ((30, "", "waits"), AS_ON_THE_FELT),
        ((30, "small", "waits"), AS_ON_THE_FELT),
        ((30, "three", "waits"), NO_THIRD),
        ((30, "both", "in"), NO_THIRD),
    ],
)
def test_a_log_that_has_counted_otherwise_is_broken(markers, row, check):
    played(markers, big_blind=4, away=(3,))
    markers.follow([(30, "both", "waits")], is_log_current=True)

    with pytest.raises(Broken, match=check):
        markers.follow([row], is_log_current=True)


def test_a_log_that_has_not_been_told_yet_is_behind_and_not_wrong(markers):
    played(markers, big_blind=4, away=(3,))

    markers.follow([(30, "", "in")], is_log_current=False)


@pytest.mark.rule("H4.40")
def test_another_price_in_the_log_than_the_player_has_paid_is_broken(markers):
    played(markers, big_blind=4, away=(3,))
    markers.pays("a", 300, 30, (5_00, 2_00))

    with pytest.raises(Broken, match=COST):
        markers.check_paid([("a", 300, 5_00, 0), ("a", 100, 0, 0)])


@given(lists(tuples(dictionaries(integers(1, SEATS), booleans(), max_size=3), booleans()), min_size=2, max_size=12))
def test_the_felts_count_and_the_houses_rule_agree_through_any_evening(evening):
    """Players go and come back, wait or post: two who count apart come to the same markers, and the same price."""
    terms = BlindTerms(seats=SEATS, small_blind_cents=2_00, big_blind_cents=5_00)
    there = tuple(Occupant(seat_number=seat, player_id=seat * 100, entry=Entry.IN) for seat in EVERYBODY)
    felt, last = Markers(), None
    for moves, posts in evening:
        way = Entry.POSTS if posts else Entry.WAITS
        there = tuple(_moved(each, moves.get(each.seat_number), way) for each in there)
        hand = next_hand(there, last, terms=terms, first_button=1)
        if hand is None:
            continue
        away = [Away(each.seat_number, each.seat_number * 10, each.player_id) for each in there if each.is_held]
        in_blinds = {hand.small_blind, hand.big_blind}
        for seat in set(hand.dealt_in) - in_blinds:
            owed = felt.owed(seat * 10, small_blind=2_00, big_blind=5_00)
            amounts = [(post.live_cents, post.dead_cents) for post in hand.posts if post.seat_number == seat]
            assert owed is None or owed == (amounts[0] if amounts else (0, 0))
        big_blind = (hand.big_blind, hand.big_blind * 100)
        felt.deal(SEATS, dealt_in=[seat * 10 for seat in hand.dealt_in], big_blind=big_blind, away=away)
        felt.played()
        there, last = after(hand, there), as_last(hand, there)
        rows = [(each.seat_number * 10, each.missed.value, each.entry.value) for each in there]
        felt.follow(rows, is_log_current=True)


def _moved(occupant: Occupant, is_held: bool | None, way: Entry) -> Occupant:
    if is_held is None:
        return occupant
    comes_back = occupant.is_held and not is_held and occupant.entry is not Entry.IN
    return replace(occupant, is_held=is_held, entry=way if comes_back else occupant.entry)
