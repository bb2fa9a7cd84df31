"""What the floor is told to do: each line by its cause, in the order of urgency, gone when it is done."""

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest

from casino import clock
from casino.cage.about import AtSeat
from casino.cage.services import request_buy_in, take_money
from casino.floor.views import render_map
from casino.ledger.templatetags.money import difference, money
from casino.live.areas import TODO
from casino.live.audiences import heard_by
from casino.live.todo import ToDoLine
from casino.patience import LOGGED_AGAIN_WITHIN, REQUEST_TAKES, TABLE_EMPTY_FOR
from casino.people.models import Player, Staff
from casino.rooms.models import Room
from tables.models import Game, Opening, Seating, Table
from tables.selectors.floor import room_on_map
from tables.selectors.running import enough_play
from tables.selectors.todo import open_table_lines
from tables.services.corrections import judge, undo_hand, void_settled_hand
from tables.services.hands import skip_hand
from tables.services.seating import leave_seat
from tests.cast import TONIGHT, enrolled
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses


def lines(house: House) -> list[ToDoLine]:
    return list(TODO.gather(room_id=house.room_id))


def keys(house: House) -> list[str]:
    return [line.key.split(".")[0] for line in lines(house)]


def with_dealer(house: House, number: int = 1) -> None:
    device = enrolled(house.cast.room, "table", number)
    device.signed_in, device.signed_in_at = house.cast.anna, house.at
    device.sign_in_id = uuid.uuid4()
    device.save(update_fields=["signed_in", "signed_in_at", "sign_in_id"])


def ask_cage(house: House, seating: Seating) -> int:
    seat = AtSeat(
        table=seating.table_id,
        table_number=1,
        seating=seating.pk,
        seat_number=seating.seat_number,
    )
    request = house.tap(request_buy_in, player_id=seating.player_id, amount_cents=200_00, seat=seat)
    return int(request.data["slip_id"])


def test_when_all_is_well_it_says_so(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    with_dealer(house)

    assert lines(house) == []
    assert "All is well" in render_map(room_id=house.room_id)


def test_a_seat_without_chips_is_one_tap_from_a_buy_in(house: House) -> None:
    house.open(1)
    house.seat("Lee", 3, chips=0)

    (line,) = lines(house)

    assert (line.where, line.text, line.how) == ("Table 1, seat 3", "Lee has no chips", "sheet")
    assert line.address == "/floor/tables/1/seats/3/sheet/"
    assert line.cited == "no_chips"


def test_what_waits_at_the_cage_is_due_after_two_minutes_and_gone_when_paid(house: House) -> None:
    house.open(1)
    slip_id = ask_cage(house, house.seat("Lee", 3, chips=0))

    (line,) = lines(house)
    requested_at = house.at
    # The tile says nothing else than the to-do, which waits for two minutes.
    assert room_on_map(house.room_id).tiles[0].trouble == "too_few"
    assert line.text == f"Lee waits for {money(200_00, house.cast.room)}"
    assert line.shown_from == requested_at + REQUEST_TAKES
    house.tap(take_money, house.cast.carla, slip_id=slip_id, drawer_id=house.drawer_id, method="card")

    assert lines(house) == []


def test_who_waits_at_the_counter_itself_is_told_of_too(house: House) -> None:
    lee = house.player("Lee").pk
    request = house.tap(request_buy_in, player_id=lee, amount_cents=50_00)
    requested_at = house.at
    # The map hears of whatever changes at the cage.
    assert "floor" in heard_by("cage")

    (line,) = lines(house)

    assert (line.where, line.text) == ("at the counter", f"Lee waits for {money(50_00, house.cast.room)}")
    assert line.shown_from == requested_at + REQUEST_TAKES
    slip_id = int(request.data["slip_id"])
    house.tap(take_money, house.cast.carla, slip_id=slip_id, drawer_id=house.drawer_id, method="card")
    assert lines(house) == []


def test_players_without_a_dealer_are_told_of_and_one_player_is_not(house: House) -> None:
    house.open(1, Lee=1)
    assert keys(house) == []

    house.seat("Kai", 2)

    (line,) = lines(house)
    assert line.text == "2 players and no dealer"


@pytest.mark.rule("U12")
@pytest.mark.parametrize(
    "why", [{"players_min": 3}, {"is_held": True}, {"barred_since": TONIGHT}, {"chips_in_cents": 0}]
)
def test_no_dealer_is_sent_where_the_tile_says_that_too_few_play(why: dict[str, Any]) -> None:
    game = Game(name="Hold'em", players_min=why.pop("players_min", 2))
    opening = Opening(pk=1, game=game, opened_at=TONIGHT)
    table = Table(pk=1, number=1, place_id=1, opening=opening)
    lee, kai = (Seating(pk=seat, seat_number=seat, player=Player(), chips_in_cents=200_00) for seat in (1, 2))
    for name, value in why.items():
        setattr(kai, name, value)

    assert not enough_play(opening, [lee, kai])
    found = open_table_lines(table, {table.pk: [lee, kai]}, dealers={}, requested=())
    assert not [line for line in found if line.key.startswith("dealer")]


def test_an_open_table_may_stay_empty_for_a_while(house: House) -> None:
    house.open(1)

    (line,) = lines(house)

    assert line.key == "empty.1"
    assert line.shown_from == Opening.objects.get().opened_at + TABLE_EMPTY_FOR


def test_who_left_uncounted_stays_on_the_list_until_counted(house: House) -> None:
    table = house.open(1, Lee=1)
    lee = Seating.objects.get()
    house.tap(leave_seat, table_id=table.pk, seating_id=lee.pk)

    assert "left" in keys(house)
    assert room_on_map(house.room_id).tiles[0].trouble == "uncounted"


def test_who_left_without_ever_having_chips_is_nobody_s_business(house: House) -> None:
    table = house.open(1)
    lee = house.seat("Lee", 1, chips=0)
    house.tap(leave_seat, table_id=table.pk, seating_id=lee.pk)

    assert keys(house) == ["empty"]


def test_somebody_locked_out_is_one_tap_from_being_let_in(house: House) -> None:
    Staff.objects.filter(pk=house.cast.dan.pk).update(locked_at=house.at)

    (line,) = lines(house)

    assert (line.text, line.how) == ("Dan is locked out", "post")


def test_a_dealer_at_a_desktop_is_known_by_the_hands_logged_there(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    assert keys(house) == ["dealer"]

    house.settle(40_00)
    assert lines(house) == []
    (tile, *_) = room_on_map(house.room_id).tiles
    assert tile.dealing is not None
    assert (tile.dealing.name, tile.dealing.since) == ("Anna", None)

    enrolled(house.cast.room, "table", 1)
    assert keys(house) == ["dealer"]


def test_the_most_urgent_comes_first(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    enrolled(house.cast.room, "table", 1)
    house.open(2)
    hand = house.settle(40_00, taken={"rake": 3_00})
    house.tap(skip_hand, house.cast.anna, table_id=table.pk, hand=house.logged())
    house.tap(leave_seat, table_id=table.pk, seating_id=Seating.objects.get(seat_number=3).pk)
    ask_cage(house, house.seat("Mika", 5, chips=0))
    house.seat("Pekka", 6, chips=0)
    Staff.objects.filter(pk=house.cast.dan.pk).update(locked_at=house.at)

    assert keys(house) == ["slip", "staff", "dealer", "chips", "todo", "todo", "left", "empty"]
    supply, judged = (line for line in lines(house) if line.key.startswith("todo"))
    assert (supply.label, supply.text) == ("Supply", "Hand 2 was not logged")
    due, taken = (money(cents, house.cast.room) for cents in (hand.due("rake"), 3_00))
    assert judged.reason == f"Rake {due} was due, {taken} was taken."


def test_a_hand_that_differs_says_how_and_is_judged(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    with_dealer(house)
    house.settle(20_00, button=3, small_blind=1, big_blind=2, dealt_in=(1, 2), winners=(3,))

    (line,) = lines(house)
    assert line.text == "Hand 1 differs from the log"
    assert "Other players were dealt in." in line.reason
    assert "The winner was not dealt in." in line.reason
    todo_id = int(line.key.split(".")[1])
    house.tap(judge, table_id=table.pk, todo_id=todo_id)

    assert lines(house) == []


def test_what_an_undone_hand_left_in_the_box_is_judged_unless_it_is_logged_again(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    with_dealer(house)
    undone = house.settle(40_00)

    house.tap(undo_hand, house.cast.anna, table_id=table.pk, hand_id=undone.hand_id)

    (line,) = lines(house)
    assert line.text == "Hand 1 was taken back, and its chips lie in the box"
    rake = difference(undone.taken("rake"), house.cast.room)
    assert line.reason == f"Beyond the log: Rake box {rake}. Take it out, or count the box with it."
    assert line.shown_from == house.at + LOGGED_AGAIN_WITHIN
    # The tile does not say that the log differs while the to-do says that every log agrees.
    tile = room_on_map(house.room_id).tiles[0]
    assert (tile.trouble, tile.trouble_from) == ("log", line.shown_from)
    assert render_map(room_id=house.room_id).count(f'data-from="{line.shown_from.isoformat()}"') == 2
    assert at_desktop(house.cast.frans).get(line.address).status_code == 200
    again = house.settle(40_00, again_of=undone.hand_id)
    assert lines(house) == []

    house.tap(void_settled_hand, table_id=table.pk, hand_row_id=again.pk, reason="void")
    (line,) = lines(house)
    house.tap(judge, table_id=table.pk, todo_id=int(line.key.split(".")[1]))
    assert lines(house) == []


def test_every_line_s_sheet_opens(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(40_00, taken={"rake": 3_00}, button=3, small_blind=1, big_blind=2, dealt_in=(1, 2))
    house.tap(skip_hand, house.cast.anna, table_id=table.pk, hand=house.logged())
    house.tap(leave_seat, table_id=table.pk, seating_id=Seating.objects.get(seat_number=3).pk)
    house.seat("Mika", 5, chips=0)
    browser = at_desktop(house.cast.frans)

    for line in lines(house):
        if line.how != "post":
            assert browser.get(line.address).status_code == 200, line


@pytest.mark.parametrize("minutes", [0, 90])
def test_fragments_hold_moments_and_never_elapsed_time(house: House, minutes: int) -> None:
    house.open(1, Lee=1, Kai=2)
    house.settle(20_00)
    ask_cage(house, house.seat("Mika", 5, chips=0))

    with clock.frozen(house.at):
        before = render_map(room_id=house.room_id)
    with clock.frozen(house.at + timedelta(minutes=minutes)):
        after = render_map(room_id=house.room_id)

    assert before == after
    assert re.search(r"\bdata-from=", before)


def test_times_are_the_room_s(house: House) -> None:
    house.open(1)
    with as_owner():
        Room.objects.filter(pk=house.room_id).update(time_zone="America/New_York")

    assert "13:00" in render_map(room_id=house.room_id)
