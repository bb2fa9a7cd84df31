"""Changing tables: chips and blinds by the book, who may, and how it is taken back."""

import json
from typing import Any

import pytest

from casino.audit.models import Event
from casino.ledger.proof import problems
from casino.rooms.models import RuleBookVersion
from casino.rulebooks.reading import text_of
from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player, join_list
from tables.errors import HandInProgress, SeatTaken
from tables.errors_moves import (
    ChangeNotAllowed,
    HandDealtSince,
    MovesWithStack,
    StackNotCounted,
    StackToBring,
    StackTooShort,
    TableCloses,
)
from tables.errors_seats import OtherGame, SeatPromised
from tables.models import Seating, Table, TableChange, TableMove
from tables.services import choosing
from tables.services.absence_limits import set_long_break
from tables.services.chips import bring_chips
from tables.services.closing import announce_last_orbit
from tables.services.moving import move_player, take_back_move
from tables.services.opening import open_table
from tables.services.requests import ask_table_change, end_table_change
from tables.services.seating import hold_seat, leave_seat
from tables.services.setup import add_table, offer_games
from tables.services.stacks import count_stack
from tests.support.owner import as_owner
from tests.tables.conftest import House

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


def open_with(house: House, number: int, game: str) -> Table:
    house.tap(open_table, table_id=house.table_id(number), game_id=house.game(game).pk)
    return house.table(number)


def sits(house: House, nickname: str) -> Seating:
    return Seating.objects.get(player=house.player(nickname), left_at=None)


def move(house: House, nickname: str, seat: int, *, stack: int, to: int = 2, **more: Any) -> Seating:
    seating = sits(house, nickname)
    answer = house.tap(
        move_player,
        table_id=seating.table_id,
        seating_id=seating.pk,
        to_table_id=house.table_id(to),
        seat_number=seat,
        stack_cents=stack,
        **more,
    )
    return Seating.objects.get(id=answer.data["to_seating"])


def by_royal_rules(house: House) -> None:
    text = """
[house]
name = "Two tables"
source = "a test"
currency = "EUR"
languages = ["en"]
[timers]
call_seconds = 180
clock_seconds = 30
clock_aloud_seconds = 10
long_break_minutes = 30
[moving]
stack_kept = "not"
other_structure_frees_stack = false
two_fewer = true
table_one_first = true
closed_table_pays = false
"""
    with as_owner():
        RuleBookVersion.objects.filter(room_id=house.room_id).delete()
    RuleBookVersion.objects.create(room_id=house.room_id, book="test", number=9, text=text, holds_from=house.at)


@pytest.mark.helsinki
@pytest.mark.rule("H1.65", "H2.8")
def test_the_whole_stack_goes_along_and_the_mover_is_new_there(house):
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.open(2, Mika=1, Pekka=2)
    house.settle(40_00, number=2)

    new = move(house, "Kai", 5, stack=730_00)

    assert (new.table.number, new.seat_number, new.chips_in_cents, new.entry) == (2, 5, 730_00, "waits")
    old = Seating.objects.get(player=house.player("Kai"), table__number=1)
    assert (old.left_stack_cents, old.left_at is None) == (730_00, False)
    assert house.figures(1)["in_play"] == 600_00 - 730_00
    assert house.figures(2)["in_play"] == 400_00 - 2_00 + 730_00
    assert list(problems(house.room_id)) == []


@pytest.mark.helsinki
@pytest.mark.rule("H1.66")
def test_at_other_stakes_what_is_above_the_maximum_stays_in_the_players_hands(house):
    house.open(1, Lee=1, Kai=2)
    open_with(house, 2, "No limit hold'em 2/4")

    new = move(house, "Kai", 5, stack=1_100_00)

    assert new.chips_in_cents == 800_00
    assert house.figures(1)["hands"] + house.figures(2)["hands"] == -400_00 + 1_100_00 - 800_00


OMAHA = """
[[games]]
code = "plo-2-2"
name = "Pot limit Omaha 2/2"
variant = "omaha"
structure = "pot_limit"
small_blind_cents = 2_00
big_blind_cents = 2_00
buy_in_min_cents = 100_00
buy_in_max_cents = 400_00
seats = 9
smallest_chip_cents = 1_00
"""


@pytest.mark.rule("H1.67")
def test_at_another_structure_of_the_same_stakes_the_minimum_is_enough(house):
    RuleBookVersion.objects.create(
        room_id=house.room_id, book="helsinki", number=9, text=text_of("helsinki") + OMAHA, holds_from=house.at
    )
    house.tap(offer_games, house.cast.mari)
    house.open(1, Lee=1, Kai=2, Timo=3)
    open_with(house, 2, "Pot limit Omaha 2/2")

    for chips in (99_00, 401_00):
        with pytest.raises(MovesWithStack) as refused:
            move(house, "Kai", 5, stack=730_00, chips_cents=chips)
        assert refused.value.data["reason"] == "moves_to_other_structure"
    assert move(house, "Kai", 5, stack=730_00, chips_cents=100_00).chips_in_cents == 100_00
    # What did not go along stays in the player's hands.
    assert house.figures(1)["hands"] + house.figures(2)["hands"] == -600_00 + 730_00 - 100_00
    assert list(problems(house.room_id)) == []


@pytest.mark.helsinki
def test_a_short_stack_needs_more_chips_for_a_mover_by_own_wish(house):
    """A11."""
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)

    with pytest.raises(StackTooShort) as refused:
        move(house, "Kai", 5, stack=40_00)
    assert refused.value.data["more_cents"] == 60_00
    assert move(house, "Kai", 5, stack=40_00, chips_cents=100_00).chips_in_cents == 100_00


@pytest.mark.helsinki
@pytest.mark.rule("H1.65")
def test_no_chips_are_left_behind(house):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)

    with pytest.raises(MovesWithStack):
        move(house, "Kai", 5, stack=300_00, chips_cents=200_00)


@pytest.mark.rule("H1.1")
def test_nobody_moves_out_of_a_hand_that_is_being_played(house):
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.open(2, Mika=1)
    house.deal()

    with pytest.raises(HandInProgress):
        move(house, "Kai", 5, stack=200_00)


def test_a_seat_that_is_taken_and_a_table_that_closes_refuse(house):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)

    with pytest.raises(SeatTaken):
        move(house, "Kai", 1, stack=200_00)
    house.tap(announce_last_orbit, table_id=house.table_id(2))
    with pytest.raises(TableCloses):
        move(house, "Kai", 5, stack=200_00)


@pytest.mark.rule("R-§3-2", "R6")
def test_nobody_leaves_a_table_two_fewer_unless_the_floor_overrules(house):
    by_royal_rules(house)
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1, Pekka=2)

    with pytest.raises(ChangeNotAllowed):
        move(house, "Kai", 5, stack=200_00)
    assert move(house, "Kai", 5, stack=200_00, overrule="manager").seat_number == 5


@pytest.mark.rule("R-§3-2")
def test_a_change_that_the_book_forbids_is_noted_as_overruled_though_nobody_was_passed_over(house):
    by_royal_rules(house)
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1, Pekka=2)
    to = {"here": house.table(1), "there": house.table(2), "seat_number": 5, "stack_cents": 200_00}

    house.tap(choosing.move, seating_id=sits(house, "Kai").pk, overrule="manager", **to)

    ((text,),) = Event.objects.filter(name="tables.note_overrule").values_list("text")
    noted = json.loads(text)["data"]
    assert (noted["proposed"], noted["reason"]) == ({"forbidden": "change_not_allowed"}, "manager")


@pytest.mark.rule("H1.9", "H1.10", "R-§3-4")
def test_who_is_away_stays_away_at_the_new_table(house):
    by_royal_rules(house)
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1, Pekka=2, Jo=3)
    house.settle(40_00, number=2)
    kai = sits(house, "Kai")
    house.tap(set_long_break, table_id=kai.table_id, seating_id=kai.pk)
    kai.refresh_from_db()
    house.tap(announce_last_orbit, table_id=house.table_id(1))

    new = move(house, "Kai", 5, stack=200_00)

    carried = ("is_held", "away_since", "away_limit_at")
    assert [getattr(new, name) for name in carried] == [getattr(kai, name) for name in carried]
    assert (new.entry, new.away_since is None) == ("in", False)
    hand = house.settle(40_00, number=2)
    assert not hand.seats.filter(player=kai.player_id).exists()


@pytest.mark.helsinki
def test_who_is_there_again_owes_the_new_table_no_absence(house):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    kai = sits(house, "Kai")
    house.tap(set_long_break, table_id=kai.table_id, seating_id=kai.pk)
    house.tap(hold_seat, table_id=kai.table_id, seating_id=kai.pk, is_held=False)

    new = move(house, "Kai", 5, stack=200_00)

    assert (new.is_held, new.away_since, new.away_limit_at) == (False, None, None)


@pytest.mark.rule("R-§3-1", "R-§3-4", "R5")
def test_players_of_a_closing_table_pay_no_blind_where_the_book_says_so(house):
    by_royal_rules(house)
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1, Pekka=2, Jo=3)
    house.settle(40_00, number=2)
    house.tap(announce_last_orbit, table_id=house.table_id(1))

    new = move(house, "Kai", 5, stack=30_00)

    assert (new.entry, new.chips_in_cents) == ("in", 30_00)


def test_a_move_ends_the_wish_and_the_place_on_the_list(house):
    house.open(1, Lee=1, Kai=2)
    open_with(house, 2, "No limit hold'em 5/5")
    house.tap(join_list, game_id=house.table(2).opening.game_id, player_id=house.player("Kai").pk)

    move(house, "Kai", 3, stack=500_00)

    assert Waiting.objects.get().status == "seated"


@pytest.mark.helsinki
def test_a_move_is_taken_back_as_if_it_had_not_been(house):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    kai = sits(house, "Kai")
    house.tap(ask_table_change, table_id=kai.table_id, seating_id=kai.pk)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Kai").pk)
    before = house.figures(1), house.figures(2)
    new = move(house, "Kai", 5, stack=300_00)
    assert TableChange.objects.get().ended_why == "moved"

    house.tap(take_back_move, table_id=new.table_id, seating_id=new.pk)

    kai.refresh_from_db()
    assert (kai.left_at, kai.left_stack_cents, kai.entry) == (None, None, "in")
    assert (house.figures(1), house.figures(2)) == before
    assert TableChange.objects.get().ended_at is None
    assert Waiting.objects.get().status == "waiting"
    assert list(problems(house.room_id)) == []
    # And he may be moved again, to the same seat.
    assert move(house, "Kai", 5, stack=300_00).seat_number == 5
    assert TableMove.objects.filter(taken_back_at=None).count() == 1


@pytest.mark.helsinki
def test_once_a_hand_is_dealt_a_move_stands(house):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1, Pekka=2)
    new = move(house, "Kai", 5, stack=200_00)
    house.deal(number=2)

    with pytest.raises(HandDealtSince):
        house.tap(take_back_move, table_id=new.table_id, seating_id=new.pk)


@pytest.mark.helsinki
@pytest.mark.rule("H2.6")
def test_nobody_moves_back_to_a_seat_that_is_promised_since(house):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    new = move(house, "Lee", 5, stack=200_00)
    waits = house.tap(join_list, game_id=house.game().pk, player_id=house.player("Jo").pk).data["waiting"]
    house.tap(call_player, waiting_id=waits, table_id=house.table_id(1), seat_number=1)

    with pytest.raises(SeatPromised):
        house.tap(take_back_move, table_id=new.table_id, seating_id=new.pk)


def test_a_wish_is_kept_to_one_and_to_the_own_game(house):
    house.open(1, Lee=1, Kai=2)
    open_with(house, 2, "No limit hold'em 5/5")
    kai = sits(house, "Kai")

    with pytest.raises(OtherGame):
        house.tap(ask_table_change, table_id=kai.table_id, seating_id=kai.pk, to_table_id=house.table_id(2))
    house.tap(ask_table_change, table_id=kai.table_id, seating_id=kai.pk)
    house.tap(end_table_change, table_id=kai.table_id, seating_id=kai.pk, why="withdrawn")

    assert TableChange.objects.get().ended_why == "withdrawn"


# ---- one night, one stack


def left_with(house: House, nickname: str, cents: int) -> None:
    seating = sits(house, nickname)
    house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=cents)


@pytest.mark.helsinki
@pytest.mark.rule("H1.63", "H1.64", "H2.18")
def test_who_left_comes_back_with_that_stack_at_any_table_of_the_stakes(house):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    left_with(house, "Kai", 350_00)

    with pytest.raises(StackToBring) as refused:
        house.seat("Kai", 5, number=2, chips=200_00)
    assert refused.value.data == {"stack_cents": 350_00, "asked_cents": 200_00, "reason": "stack_comes_back"}
    seating = house.seat("Kai", 5, number=2, chips=0)
    with pytest.raises(StackToBring):
        house.tap(bring_chips, table_id=seating.table_id, seating_id=seating.pk, chips_cents=100_00)
    house.tap(bring_chips, table_id=seating.table_id, seating_id=seating.pk, chips_cents=350_00)


@pytest.mark.helsinki
@pytest.mark.rule("H1.64")
def test_a_stack_above_the_maximum_comes_back_whole(house):
    """A10."""
    house.open(1, Lee=1, Kai=2)
    left_with(house, "Kai", 900_00)

    with pytest.raises(StackToBring):
        house.seat("Kai", 5, chips=400_00)
    assert house.seat("Kai", 5, chips=900_00).chips_in_cents == 900_00


@pytest.mark.helsinki
def test_who_left_broke_buys_in_like_anybody(house):
    house.open(1, Lee=1, Kai=2)
    left_with(house, "Kai", 0)

    with pytest.raises(StackToBring):
        house.seat("Kai", 5, chips=50_00)
    assert house.seat("Kai", 5, chips=100_00).chips_in_cents == 100_00


@pytest.mark.helsinki
@pytest.mark.rule("H1.64")
def test_who_left_uncounted_comes_back_once_the_stack_is_known(house):
    """Else one tap on "not counted" would be the way around one night, one stack."""
    house.open(1, Lee=1, Kai=2)
    lee = sits(house, "Lee")
    house.tap(leave_seat, table_id=lee.table_id, seating_id=lee.pk)

    for chips in (50_00, 100_00, 400_00):
        with pytest.raises(StackNotCounted) as refused:
            house.seat("Lee", 1, chips=chips)
    assert refused.value.data["table_number"] == 1
    house.tap(count_stack, table_id=lee.table_id, seating_id=lee.pk, stack_cents=350_00)
    with pytest.raises(StackToBring):
        house.seat("Lee", 1, chips=100_00)
    assert house.seat("Lee", 1, chips=350_00).chips_in_cents == 350_00


@pytest.mark.rule("H1.64")
def test_other_stakes_know_nothing_of_it(house):
    house.open(1, Lee=1, Kai=2)
    open_with(house, 2, "No limit hold'em 2/4")
    left_with(house, "Kai", 390_00)

    assert house.seat("Kai", 5, number=2, chips=200_00).chips_in_cents == 200_00


def test_three_tables_are_locked_in_one_order(house):
    house.tap(add_table, house.cast.mari, number=3)
    house.open(3, Lee=1, Kai=2)
    house.open(1, Mika=1)

    assert move(house, "Kai", 5, stack=200_00, to=1).table.number == 1
