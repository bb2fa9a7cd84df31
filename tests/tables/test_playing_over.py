"""Playing over: whose seat, whose chips, whose blinds, and how it ends."""

import pytest

from casino.live.areas import TODO
from casino.people.services import ban_player
from casino.poker.missed import Missed
from casino.waiting.models import Waiting
from casino.waiting.services.lists import join_list
from tables.errors import (
    AlreadySeated,
    BuyInUnderMinimum,
    HandInProgress,
    NotAway,
    OverPlayerPosts,
    SeatNotFree,
    SeatTaken,
)
from tables.models import Seating
from tables.services.corrections import undo_hand
from tables.services.hands import void_hand
from tables.services.playing_over import play_over
from tables.services.seat_change import change_seat
from tables.services.seating import choose_entry, hold_seat, leave_seat
from tests.tables.conftest import House
from tests.tables.test_absence import later, pick_up
from tests.tables.test_missed_blinds import Evening

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


@pytest.fixture
def evening(house: House) -> Evening:
    return Evening(house)


def over(evening: Evening, seat: int, nickname: str = "Mika", *, chips: int = 200_00) -> Seating:
    """Let somebody play over; the holder is the one who sits there."""
    house, holder = evening.house, Seating.objects.get(table=evening.table, seat_number=seat, left_at=None)
    answer = house.tap(
        play_over,
        table_id=evening.table.pk,
        seating_id=holder.pk,
        player_id=house.player(nickname).pk,
        chips_cents=chips,
    )
    return Seating.objects.get(id=answer.data["seating"])


def hold(evening: Evening, seating: Seating, *, is_held: bool) -> None:
    evening.house.tap(hold_seat, table_id=evening.table.pk, seating_id=seating.pk, is_held=is_held)


def missed_on_the_tablet(evening: Evening, seat: int) -> int | None:
    """Return for how many missed blinds the tablet lets the holder of a seat choose a way back."""
    holder = evening.screen().seats[seat - 1].holder
    assert holder is not None
    return holder.missed


def names(evening: Evening) -> dict[int, str]:
    return {seat.number: seat.name for seat in evening.screen().seats if seat.name}


@pytest.mark.helsinki
def test_whose_stack_is_picked_up_gives_up_the_seat_to_nobody(evening):
    """Who played over there leaves with it: the seat is free."""
    evening.hold(4, is_held=True)
    holder = evening.seating(4)
    mika = over(evening, 4)
    later(evening.house, 120)

    pick_up(evening.house, holder, 100_00)

    mika.refresh_from_db()
    assert mika.left_at is not None
    assert not Seating.objects.filter(table=evening.table, seat_number=4, left_at=None).exists()


@pytest.mark.rule("H4.48", "H4.49")
def test_who_plays_over_posts_and_is_dealt_in_and_the_chips_stay_apart(evening):
    evening.hold(4, is_held=True)
    holder = evening.seating(4)
    mika = over(evening, 4)

    hand = evening.settle()

    seat = hand.seats.get(seat_number=4)
    assert (seat.player_id, seat.live_cents) == (mika.player_id, 2_00)
    assert names(evening)[4].strip("\u2068\u2069") == "Mika"
    figures = evening.house.figures()
    assert figures["in_play"] + figures["rake_box"] + figures["jackpot_box"] == 6 * 200_00
    mika.refresh_from_db()
    holder.refresh_from_db()
    assert (mika.chips_in_cents, holder.chips_in_cents) == (200_00, 200_00)


@pytest.mark.rule("H4.50")
def test_the_holder_misses_blinds_although_the_other_one_pays_them(evening):
    evening.hold(4, is_held=True)
    holder = evening.seating(4)
    over(evening, 4)

    hand = evening.settle()
    assert hand.big_blind_seat == 4
    holder.refresh_from_db()
    assert (holder.entry, holder.missed) == ("waits", "both")

    evening.house.tap(undo_hand, evening.house.cast.anna, table_id=evening.table.pk, hand_id=hand.hand_id)
    holder.refresh_from_db()
    assert (holder.entry, holder.missed) == ("in", "")


@pytest.mark.rule("H4.50", "H4.37")
def test_the_small_one_first_and_never_more_than_two(evening):
    evening.hold(3, is_held=True)
    holder = evening.seating(3)
    over(evening, 3)

    evening.settle()
    holder.refresh_from_db()
    assert holder.missed == "small"
    for _ in range(9):
        evening.settle()
    holder.refresh_from_db()
    assert holder.missed == "both"


@pytest.mark.rule("H4.28", "H4.50")
@pytest.mark.parametrize("hands", [1, 2])
def test_a_holder_for_whom_the_big_blind_was_paid_owes_none_of_that_orbit_and_the_turns_go_on(evening, hands):
    """A40: back after the other one's big blind, or after both blinds."""
    evening.hold(4, is_held=True)
    holder = evening.seating(4)
    over(evening, 4)
    for _ in range(hands):
        evening.settle()

    assert missed_on_the_tablet(evening, 4) is None
    hold(evening, holder, is_held=False)

    assert evening.entry(4) == ("in", "")
    start = evening.next_start()
    # Seat 4 is the small blind after its big one, and then the button: nothing is paid there twice.
    assert (start.small_blind, start.big_blind) == ((4, 5) if hands == 1 else (5, 1))
    assert {post.seat for post in start.posts} == {start.small_blind, start.big_blind}
    assert (evening.settle().button_seat == 4) is (hands == 2)


@pytest.mark.rule("H4.35", "H4.50")
def test_a_holder_owes_what_was_missed_before_the_orbit_that_the_other_one_paid(evening):
    """A40: away for a whole orbit before, or since."""
    evening.hold(4, is_held=True)
    holder = evening.seating(4)
    over(evening, 4)
    for _ in range(6):
        evening.settle()

    assert missed_on_the_tablet(evening, 4) == 2
    hold(evening, holder, is_held=False)

    assert evening.entry(4) == ("waits", "both")


@pytest.mark.rule("H4.36", "H4.38", "H4.50")
@pytest.mark.parametrize(("hands", "owed"), [(1, "small"), (5, "both")])
def test_a_holder_owes_what_the_other_one_missed_after_having_paid(evening, hands, owed):
    """A40: nobody paid the small blind of that orbit, or any blind of the next."""
    evening.hold(4, is_held=True)
    holder = evening.seating(4)
    mika = over(evening, 4)
    evening.settle()
    hold(evening, mika, is_held=True)
    for _ in range(hands):
        evening.settle()

    assert missed_on_the_tablet(evening, 4) == Missed(owed).markers
    hold(evening, holder, is_held=False)

    assert evening.entry(4) == ("waits", owed)


@pytest.mark.rule("H4.48", "H4.50")
def test_a_void_hand_during_which_the_holder_came_back_leaves_the_blinds_of_before_paid(evening):
    evening.hold(4, is_held=True)
    holder = evening.seating(4)
    over(evening, 4)
    evening.settle()
    hand = evening.house.deal()
    hold(evening, holder, is_held=False)

    evening.house.tap(void_hand, evening.house.cast.anna, table_id=evening.table.pk, hand=hand, reason="misdeal")

    start = evening.next_start()
    assert (evening.entry(4), start.small_blind, start.big_blind) == (("in", ""), 4, 5)


@pytest.mark.rule("H4.48")
def test_the_holder_is_back_between_hands_at_once(evening):
    evening.hold(4, is_held=True)
    holder = evening.seating(4)
    mika = over(evening, 4)

    hold(evening, holder, is_held=False)

    mika.refresh_from_db()
    assert (mika.left_at, mika.left_stack_cents) == (evening.house.at, None)
    assert names(evening)[4].strip("\u2068\u2069") == "Ville"
    assert 4 in evening.next_start().dealt_in


@pytest.mark.rule("H4.48", "H1.1")
def test_during_a_hand_the_seat_goes_back_when_it_is_over(evening):
    evening.hold(4, is_held=True)
    holder = evening.seating(4)
    mika = over(evening, 4)
    evening.house.deal()

    hold(evening, holder, is_held=False)
    mika.refresh_from_db()
    assert mika.left_at is None

    evening.settle()
    mika.refresh_from_db()
    holder.refresh_from_db()
    assert mika.left_at is not None
    # What the other one paid with this hand is paid (A40).
    assert (holder.is_played_over, holder.is_held, holder.entry, holder.missed) == (False, False, "in", "")
    assert names(evening)[4].strip("\u2068\u2069") == "Ville"


@pytest.mark.rule("H4.48", "H1.1")
@pytest.mark.parametrize("reason", ["misdeal", "void"])
def test_the_seat_goes_back_too_when_that_hand_does_not_count(evening, reason):
    evening.hold(4, is_held=True)
    holder = evening.seating(4)
    mika = over(evening, 4)
    hand = evening.house.deal()
    hold(evening, holder, is_held=False)

    evening.house.tap(void_hand, evening.house.cast.anna, table_id=evening.table.pk, hand=hand, reason=reason)

    mika.refresh_from_db()
    holder.refresh_from_db()
    assert mika.left_at is not None
    assert (holder.is_played_over, holder.entry, holder.missed) == (False, "in", "")
    assert 4 in evening.next_start().dealt_in


@pytest.mark.rule("H4.48")
def test_a_holder_who_gives_the_seat_up_ends_it_too(evening):
    evening.hold(4, is_held=True)
    holder = evening.seating(4)
    mika = over(evening, 4)

    evening.house.tap(leave_seat, table_id=evening.table.pk, seating_id=holder.pk, stack_cents=200_00)

    mika.refresh_from_db()
    assert mika.left_at is not None
    assert not Seating.objects.filter(table=evening.table, seat_number=4, left_at=None).exists()


def test_who_sat_down_there_meanwhile_keeps_the_seat(evening):
    """The holder gives the seat up and who played over leaves, both during a hand: the seat is the next one's."""
    evening.hold(4, is_held=True)
    holder = evening.seating(4)
    mika = over(evening, 4)
    evening.house.deal()
    for seating in (holder, mika):
        evening.house.tap(leave_seat, table_id=evening.table.pk, seating_id=seating.pk, stack_cents=200_00)
    pekka = evening.house.seat("Pekka", 4)

    evening.settle()

    pekka.refresh_from_db()
    assert pekka.left_at is None
    assert names(evening)[4].strip("\u2068\u2069") == "Pekka"


def test_who_plays_over_leaves_and_the_seat_is_held_as_before(evening):
    evening.hold(4, is_held=True)
    holder = evening.seating(4)
    mika = over(evening, 4)

    evening.house.tap(leave_seat, table_id=evening.table.pk, seating_id=mika.pk, stack_cents=150_00)

    assert evening.seating(4) == holder
    assert evening.seating(4).is_held
    with pytest.raises(SeatTaken):
        evening.house.seat("Mika", 4)


@pytest.mark.rule("H4.49")
def test_who_plays_over_does_not_wait(evening):
    evening.hold(4, is_held=True)
    mika = over(evening, 4)

    with pytest.raises(OverPlayerPosts):
        evening.house.tap(choose_entry, table_id=evening.table.pk, seating_id=mika.pk, entry="waits")


@pytest.mark.rule("H4.48")
def test_the_place_on_the_list_is_kept(evening):
    house = evening.house
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Mika").pk)
    evening.hold(4, is_held=True)
    over(evening, 4)

    assert Waiting.objects.get(player=house.player("Mika")).status == "waiting"


@pytest.mark.rule("H4.48", "H2.14")
def test_only_in_an_absent_players_seat_and_only_without_a_seat_of_ones_own(evening):
    with pytest.raises(NotAway):
        over(evening, 4)
    evening.hold(4, is_held=True)
    with pytest.raises(AlreadySeated):
        over(evening, 4, "Kai")
    with pytest.raises(BuyInUnderMinimum):
        over(evening, 4, chips=50_00)
    holder = evening.seating(4)
    mika = over(evening, 4)
    with pytest.raises(SeatNotFree):
        evening.house.tap(
            play_over, table_id=evening.table.pk, seating_id=holder.pk, player_id=evening.house.player("Pekka").pk
        )
    with pytest.raises(SeatNotFree):
        evening.house.tap(change_seat, table_id=evening.table.pk, seating_id=holder.pk, seat_number=9)
    with pytest.raises(SeatTaken):
        evening.house.tap(change_seat, table_id=evening.table.pk, seating_id=mika.pk, seat_number=5)


def test_a_holder_who_is_banned_is_on_the_floors_to_do(evening):
    evening.hold(4, is_held=True)
    holder = evening.seating(4)
    over(evening, 4)

    evening.house.tap(ban_player, player_id=holder.player_id)

    assert f"barred.{holder.pk}" in {line.key for line in TODO.gather(room_id=evening.house.room_id)}


def test_nobody_begins_to_play_over_during_a_hand(evening):
    evening.hold(4, is_held=True)
    evening.house.deal()

    with pytest.raises(HandInProgress):
        over(evening, 4)
