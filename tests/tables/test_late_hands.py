"""Hands that come late, in another order, or about which two tablets disagree: no newer hand is moved by them."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.commands.carrying_out import Answer
from casino.ledger.models import Transfer
from casino.rooms.errors import WaitsForDay
from tables.errors import NothingToUndo
from tables.models import Hand, Opening, Seating, ToDo
from tables.rules.logged import LoggedHand
from tables.selectors.dealer import dealer_screen
from tables.services.corrections import supply_hand, undo_hand
from tables.services.hands import deal_hand, settle_hand, skip_hand, void_hand
from tables.services.opening import close_table, open_table
from tables.services.seating import leave_seat
from tests.cast import command
from tests.tables.conftest import House
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses

FOUR = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 4}


def tapped(house: House, service: Any, at: datetime, **args: Any) -> Answer:
    """Let a tap arrive now that was made at `at`, on a tablet that had no connection."""
    house.at += timedelta(seconds=1)
    late = replace(command(house.cast.anna, at=house.at), tapped_at=at)
    answer: Answer = service(late, table_id=house.table_id(), **args)
    return answer


def open_todos(house: House) -> list[str]:
    return list(ToDo.objects.filter(room_id=house.room_id, done_at=None).order_by("id").values_list("kind", flat=True))


def closed_and_opened_again(house: House) -> datetime:
    """Close table 1 and open it with other stakes and other players; return a moment of its first game."""
    before = house.at
    for seating in Seating.objects.filter(table=house.table(), left_at=None):
        house.tap(leave_seat, table_id=house.table_id(), seating_id=seating.pk, stack_cents=0)
    house.tap(close_table, table_id=house.table_id())
    other = house.game("No limit hold'em 5/5")
    house.tap(open_table, table_id=house.table_id(), game_id=other.pk)
    for nickname, seat in (("Pekka", 1), ("Jo", 2), ("Sara", 3)):
        house.seat(nickname, seat, chips=500_00)
    return before


def next_day(house: House) -> None:
    """Close table, drawer and day, and open the next one."""
    close_the_day(house)
    house.next_day(hours=20)


def close_the_day(house: House) -> None:
    for seating in Seating.objects.filter(table=house.table(), left_at=None):
        house.tap(leave_seat, table_id=house.table_id(), seating_id=seating.pk, stack_cents=200_00)
    house.tap(close_table, table_id=house.table_id())
    house.count_drawer()
    house.close_day()


@pytest.mark.helsinki
def test_an_older_hand_moves_neither_button_nor_blinds_of_newer_ones(house: House) -> None:
    house.open(1, **FOUR)
    house.settle(20_00)
    missing = house.at
    house.at += timedelta(minutes=5)
    house.settle(20_00)
    before = house.positions()

    older = house.logged(40_00, dealt_in=(1, 2, 3, 4), button=1, small_blind=2, big_blind=3)
    tapped(house, settle_hand, missing + timedelta(minutes=1), hand=older)

    row = Hand.objects.get(hand_id=older.hand_id)
    assert house.positions() == before
    assert (row.status, row.number, row.button_seat, row.taken("rake")) == ("settled", 3, 1, 2_00)
    assert sorted(row.seats.values_list("seat_number", flat=True)) == [1, 2, 3, 4]
    assert house.figures()["rake_box"] == 4_00
    assert open_todos(house) == ["late_fact"]


@pytest.mark.helsinki
def test_whether_the_log_has_a_hand_or_a_newer_one_can_be_found_by_index(house: House) -> None:
    house.open(**FOUR)
    house.settle(40_00)
    hand = Hand.objects.get()
    first = {field.attname: getattr(hand, field.attname) for field in Hand._meta.concrete_fields if field.name != "id"}
    # Nights of hands at this one table: among a few rows any index serves, and which one hangs on what was counted.
    Hand.objects.bulk_create(
        Hand(**first | {"hand_id": uuid4(), "number": number, "dealt_at": house.at - timedelta(minutes=number)})
        for number in range(1000, 3000)
    )
    with CaptureQueriesContext(connection) as queries:
        house.deal()
    query = next(each["sql"] for each in queries if "dealt_at > " in each["sql"])
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {query}")
        plan = "\n".join(line for (line,) in cursor.fetchall())

    # More than one index begins with the id.
    for used in ("hand_made_once_on_its_tablet", "hand_by_opening_and_time", "Index Cond: (id = ANY"):
        assert used in plan, plan


@pytest.mark.helsinki
def test_an_older_hand_leaves_the_hand_in_progress_alone(house: House) -> None:
    house.open(1, **FOUR)
    missing = house.at
    house.at += timedelta(minutes=5)
    now = house.deal()

    tapped(house, settle_hand, missing, hand=house.logged(40_00))
    house.tap(settle_hand, house.cast.anna, table_id=house.table_id(), hand=replace(now, pots=(60_00,)))

    current = Hand.objects.get(hand_id=now.hand_id)
    assert (current.status, current.taken("rake")) == ("settled", 3_00)
    assert house.figures()["rake_box"] == 5_00
    assert house.settle(20_00).number == 3


def test_a_misdeal_after_a_late_hand_leaves_its_number_alone(house: House) -> None:
    house.open(1, **FOUR)
    missing = house.at
    house.at += timedelta(minutes=5)
    now = house.deal()
    tapped(house, settle_hand, missing, hand=house.logged(40_00))

    house.tap(void_hand, house.cast.anna, table_id=house.table_id(), hand=now, reason="misdeal")

    numbers = [house.settle(20_00).number, house.settle(20_00).number]
    assert numbers == [3, 4]


@pytest.mark.helsinki
@pytest.mark.parametrize("is_dealt", [True, False])
def test_hands_after_the_clock_was_set_back_are_not_late(house: House, is_dealt: bool) -> None:
    """What the log has of the time that comes once more is no newer hand."""
    house.open(1, **FOUR)
    house.settle(20_00)
    house.settle(20_00)
    house.at -= timedelta(minutes=30)
    button = house.positions()[0]

    for number in (3, 4):
        hand = house.deal() if is_dealt else house.logged(20_00)
        assert house.tap(settle_hand, house.cast.anna, table_id=house.table_id(), hand=hand).data["number"] == number

    assert house.positions()[0] == {1: 2, 2: 3, 3: 4, 4: 1}[{1: 2, 2: 3, 3: 4, 4: 1}[button]]
    assert open_todos(house) == []


def test_table_drawer_and_day_close_after_the_clock_was_set_back(house: House) -> None:
    house.open(1, **FOUR)
    house.at -= timedelta(hours=3)

    next_day(house)

    opening = Opening.objects.get()
    assert opening.closed_at == opening.opened_at


def test_progress_that_comes_late_changes_nothing(house: House) -> None:
    house.open(1, **FOUR)
    missing = house.at
    house.at += timedelta(minutes=5)
    now = house.deal()

    tapped(house, deal_hand, missing, hand=house.logged())

    assert house.table().hand is not None
    assert Hand.objects.get().hand_id == now.hand_id
    assert open_todos(house) == []


def test_a_hand_not_logged_that_comes_late_is_asked_for_and_moves_nothing(house: House) -> None:
    house.open(1, **FOUR)
    missing = house.at
    house.at += timedelta(minutes=5)
    house.settle(20_00)
    before = house.positions()

    tapped(house, skip_hand, missing, hand=house.logged())

    assert house.positions() == before
    assert open_todos(house) == ["hand_not_logged"]


def test_undo_passes_by_what_came_late(house: House) -> None:
    house.open(1, **FOUR)
    missing = house.at
    house.at += timedelta(minutes=5)
    before = house.positions()
    newest = house.settle(20_00)
    late = house.logged(40_00)
    tapped(house, settle_hand, missing, hand=late)

    last = dealer_screen(room_id=house.room_id, number=1).last
    assert last is not None
    assert (last.hand_id, last.can_undo) == (str(newest.hand_id), True)
    with pytest.raises(NothingToUndo):
        house.tap(undo_hand, house.cast.anna, table_id=house.table_id(), hand_id=late.hand_id)
    house.tap(undo_hand, house.cast.anna, table_id=house.table_id(), hand_id=newest.hand_id)

    assert house.positions() == before
    assert house.settle(20_00).number == 3


@pytest.mark.rule("L-O26")
@pytest.mark.helsinki
def test_a_settlement_supplies_the_hand_that_was_given_up_meanwhile(house: House) -> None:
    house.open(1, **FOUR)
    dealt = house.deal()
    house.settle(20_00)
    before = house.positions()
    assert open_todos(house) == ["hand_abandoned"]

    house.tap(settle_hand, house.cast.anna, table_id=house.table_id(), hand=replace(dealt, pots=(60_00,)))

    row = Hand.objects.get(hand_id=dealt.hand_id)
    assert (row.status, row.pot_cents, row.taken("rake")) == ("settled", 60_00, 3_00)
    assert house.figures()["rake_box"] == 4_00
    assert house.positions() == before
    assert open_todos(house) == []


def test_a_settlement_that_the_log_has_otherwise_is_left_to_the_floor(house: House) -> None:
    table = house.open(1, **FOUR)
    dealt = house.deal()
    house.settle(20_00)
    row = Hand.objects.get(hand_id=dealt.hand_id)
    house.tap(supply_hand, table_id=table.pk, hand_row_id=row.pk, taken={"rake": 3_00, "drop": 0})

    house.tap(settle_hand, house.cast.anna, table_id=table.pk, hand=replace(dealt, pots=(80_00,)))

    assert house.figures()["rake_box"] == 4_00
    assert open_todos(house) == ["late_fact"]
    assert ToDo.objects.get(done_at=None).data == {"hand": 1, "hand_row": row.pk}


def test_a_hand_of_a_game_that_was_closed_belongs_to_that_game(house: House) -> None:
    house.open(1, **FOUR)
    house.settle(20_00)
    first = house.table().opening_id
    played_at = closed_and_opened_again(house)
    before = house.positions()

    late = house.logged(40_00, winners=(4,), dealt_in=(1, 2, 3, 4), button=1, small_blind=2, big_blind=3)
    tapped(house, settle_hand, played_at, hand=late)

    row = Hand.objects.get(hand_id=late.hand_id)
    players = [house.player(name).pk for name in ("Lee", "Kai", "Timo", "Mika")]
    assert row.opening_id == first
    assert list(row.seats.order_by("seat_number").values_list("player_id", flat=True)) == players
    assert house.positions() == before
    assert house.seat("Ville", 4, chips=500_00).entry == "in"
    assert open_todos(house) == ["late_fact"]


@pytest.mark.helsinki
def test_a_hand_that_comes_after_the_table_closed_is_recorded_and_left_to_the_floor(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    for seating in Seating.objects.filter(table=house.table()):
        house.tap(leave_seat, table_id=house.table_id(), seating_id=seating.pk, stack_cents=200_00)
    house.tap(close_table, table_id=house.table_id())

    hand = house.settle(40_00, dealt_in=(2, 1), button=1, small_blind=1, big_blind=2)

    assert hand.status == "settled"
    assert house.figures()["rake_box"] == 2_00
    assert open_todos(house) == ["late_fact"]
    assert house.table().opening is None


def test_a_hand_by_a_wrong_clock_that_does_not_fit_the_game_of_then_is_of_the_game_of_now(house: House) -> None:
    nine_seats = house.game("No limit hold'em 5/5")
    house.tap(open_table, table_id=house.table_id(), game_id=nine_seats.pk)
    played_at = house.at
    house.tap(close_table, table_id=house.table_id())
    house.open(1, Lee=1, Kai=2, Timo=10)

    hand = house.logged(40_00, winners=(10,), dealt_in=(1, 2, 10), button=1, small_blind=2, big_blind=10)
    tapped(house, settle_hand, played_at, hand=hand)

    row = Hand.objects.get(hand_id=hand.hand_id)
    assert row.opening_id == house.table().opening_id
    assert [seat.seat_number for seat in row.seats.order_by("seat_number")] == [1, 2, 10]


@pytest.mark.helsinki
def test_a_hand_that_nobody_can_place_is_recorded_and_moves_nothing(house: House) -> None:
    table = house.open(1)
    house.seat("Lee", 1, chips=0)

    hand = LoggedHand(house.logged().hand_id, winners=((1,),), pots=(40_00,))
    house.tap(settle_hand, house.cast.anna, table_id=table.pk, hand=hand)

    assert house.figures()["rake_box"] == 2_00
    assert ToDo.objects.get(kind="hand_differs").data["what"] == ["positions_unsaid", "winner_not_dealt_in"]
    opening = house.table().opening
    assert opening is not None
    assert opening.last is None


def test_a_late_hand_that_tells_no_positions_has_no_button(house: House) -> None:
    house.open(1, **FOUR)
    missing = house.at
    house.at += timedelta(minutes=5)
    house.settle(20_00)

    late = house.logged(40_00, dealt_in=(1, 2))
    tapped(house, settle_hand, missing, hand=late)
    half = house.logged(20_00, button=3)
    tapped(house, settle_hand, missing, hand=half)

    rows = [Hand.objects.get(hand_id=hand.hand_id) for hand in (late, half)]
    assert [(row.button_seat, row.small_blind_seat, row.big_blind_seat) for row in rows] == [
        (None,) * 3,
        (3, None, None),
    ]
    sheet = at_desktop(house.cast.frans).get(f"/floor/tables/1/hands/{rows[1].pk}/sheet/").content.decode()
    assert ("BTN 3" in sheet, "None" in sheet) == (True, False)
    unsaid = [todo.data["what"] for todo in ToDo.objects.filter(kind="hand_differs").order_by("id")]
    assert unsaid == [["positions_unsaid"], ["positions_unsaid", "winner_not_dealt_in"]]


def test_what_is_found_the_day_after_is_posted_then_and_names_its_day(house: House) -> None:
    house.open(1, **FOUR)
    played_on = house.table().opening.day_id  # type: ignore[union-attr]  # the table is open
    skipped = house.logged()
    house.tap(skip_hand, house.cast.anna, table_id=house.table_id(), hand=skipped)
    row = Hand.objects.get()
    next_day(house)

    house.tap(supply_hand, table_id=row.table_id, hand_row_id=row.pk, taken={"rake": 2_00, "drop": 0})

    transfer = Transfer.objects.get(kind="hand")
    assert transfer.day_id != played_on
    assert transfer.about["of_day"] == played_on


@pytest.mark.helsinki
def test_a_fact_without_an_open_day_waits_and_its_id_stays_free(house: House) -> None:
    house.open(1, **FOUR)
    house.settle(20_00)
    hand = house.logged(40_00, dealt_in=(1, 2, 3, 4), button=2, small_blind=3, big_blind=4)
    tap, table_id = command(house.cast.anna, at=house.at), house.table_id()
    close_the_day(house)

    with pytest.raises(WaitsForDay, match="waits on the tablet"):
        settle_hand(tap, table_id=table_id, hand=hand)
    house.next_day(hours=20)
    settle_hand(tap, table_id=table_id, hand=hand)

    assert Hand.objects.get(hand_id=hand.hand_id).taken("rake") == 2_00
