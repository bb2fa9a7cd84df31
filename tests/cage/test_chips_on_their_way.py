"""Chips that the cage was paid for are on their way, with whoever has them, until somebody says that they came."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.cage import open_items, services
from casino.cage.api.slips import note_chips_by_two
from casino.cage.errors_banks import ChipsNotOnWay
from casino.cage.models import PaidChips, Slip
from casino.cage.selectors import chips
from casino.errors import Malformed, NotPermitted
from casino.ledger.proof import problems
from casino.live.render import fragment
from casino.people.models import Staff
from casino.rooms.models import GamingDay
from tables.models import Seating
from tables.services.moving import move_player, take_back_move
from tables.services.seat_change import change_seat, take_back_seat_change
from tests.cage.banking import adds_bank, gives_bank
from tests.cage.delivering import asks_whether_they_came, pays
from tests.cage.filling import Filling
from tests.cage.test_money_of_requests import asks
from tests.cast import actor, command, demo_person, enrolled
from tests.tables.conftest import House, house
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

__all__ = ["house"]


def paid(house: House) -> int:
    """Have a seat's request of 200 € paid in a house that asks whether chips came; return its slip's id."""
    asks_whether_they_came(house.room_id)
    slip_id = asks(house)
    pays(house, slip_id)
    return slip_id


def says(house: House, slip_id: int, by: Staff, chips_with: str) -> Any:
    return house.tap(services.note_chips, by, slip_id=slip_id, chips_with=chips_with)


def on_way(house: House) -> list[int]:
    return [each.number for each in open_items.may_be_carried(house.room_id) if each.kind == "on_way"]


def test_from_the_cashier_by_a_runner_to_the_seat_and_back_again(house: House) -> None:
    slip_id, cast = paid(house), house.cast
    carla = f"at the cage: {cast.carla.display_name}"
    assert "Seat 5: 200" in fragment(house.room_id, "table.1.dealer", "en").html
    assert cast.carla.display_name not in fragment(house.room_id, "table.1.dealer", "en").html
    assert carla in fragment(house.room_id, "cage", "en").html
    assert carla in at_desktop(cast.carla).get("/cage/money/1/").content.decode()
    assert on_way(house) == [slip_id]
    house.at += timedelta(minutes=3)
    assert "are paid and not delivered" in fragment(house.room_id, "floor", "en").html

    carried = says(house, slip_id, cast.dan, "runner")
    assert (carried.data["chips_with"], carried.data["chips_staff_id"]) == ("runner", cast.dan.pk)
    assert f"with a runner: {cast.dan.display_name}" in fragment(house.room_id, "cage", "en").html

    came = says(house, slip_id, cast.anna, "player")
    assert came.data["is_delivered"] is True
    assert on_way(house) == []
    assert "not delivered" not in fragment(house.room_id, "cage", "en").html
    assert "Seat 5: 200" not in fragment(house.room_id, "table.1.dealer", "en").html
    receipt = at_desktop(cast.carla).get(f"/cage/slips/{slip_id}/").content.decode()
    assert cast.anna.display_name in receipt
    # Said again it is said already; whoever did not say it does not take it back.
    says(house, slip_id, cast.dan, "player")
    assert PaidChips.objects.get().delivered_by == cast.anna
    with pytest.raises(NotPermitted):
        says(house, slip_id, cast.dan, "not_there")
    with pytest.raises(ChipsNotOnWay):
        says(house, slip_id, cast.dan, "runner")

    says(house, slip_id, cast.anna, "not_there")
    assert on_way(house) == [slip_id]
    assert f"with a runner: {cast.dan.display_name}" in fragment(house.room_id, "cage", "en").html
    says(house, slip_id, cast.carla, "cage")
    tapped = tap(at_desktop(cast.frans), f"/cage/slips/{slip_id}/chips/", on="floor", chips_with="player")
    assert tapped.status_code == 200
    assert on_way(house) == []
    # What the cashier decided on, and what the ledger says, is as it was paid.
    assert Slip.objects.get(pk=slip_id).version == 2
    assert list(problems(house.room_id)) == []


def sits(house: House) -> Seating:
    return Seating.objects.select_related("table").get(player__nickname="Mika", left_at=None)


def shown_at(house: House, slip_id: int) -> str:
    """Return where chips go, as the floor's to-do calls it; the cage's list, the tablet and the sheet say the same."""
    house.at += timedelta(minutes=3)
    with clock.frozen(house.at):
        (line,) = (each for each in chips.lines(room_id=house.room_id) if each.key == f"on_way.{slip_id}")
    felts = [number for number in (1, 2) if " came ✓" in fragment(house.room_id, f"table.{number}.dealer", "en").html]
    pages = {number: at_desktop(house.cast.carla).get(f"/cage/money/{number}/").text for number in (1, 2)}
    sheets = [number for number, text in pages.items() if f"/slips/{slip_id}/" in text]
    table, seat = re.findall(r"T(\d)/(\d) 200", fragment(house.room_id, "cage", "en").html)[0]
    assert line.where == f"Table {table}, seat {seat}"
    assert felts == sheets == [line.table_number]
    return line.where


@pytest.mark.slow
def test_they_follow_who_changes_seats_or_tables_and_back_again(house: House) -> None:
    slip_id = paid(house)
    house.open(2)
    at_table_2 = actor(house.cast.anna, device=enrolled(house.cast.room, "table", 2))
    came: dict[str, Any] = {"slip_id": slip_id, "chips_with": "player"}
    was = shown_at(house, slip_id)

    house.tap(change_seat, table_id=house.table_id(), seating_id=sits(house).pk, seat_number=7)
    assert shown_at(house, slip_id) == "Table 1, seat 7"
    with pytest.raises(NotPermitted):
        services.note_chips(command(at_table_2, at=house.at), **came)
    # Another house keeps its tables even: there the floor lets it be.
    to = {"to_table_id": house.table_id(2), "seat_number": 4}
    arguments: dict[str, Any] = {**to, "stack_cents": 200_00, "overrule": "manager"}
    house.tap(move_player, table_id=house.table_id(), seating_id=sits(house).pk, **arguments)
    assert shown_at(house, slip_id) == "Table 2, seat 4"
    house.tap(take_back_move, table_id=house.table_id(2), seating_id=sits(house).pk)
    assert shown_at(house, slip_id) == "Table 1, seat 7"
    house.tap(take_back_seat_change, table_id=house.table_id(), seating_id=sits(house).pk)
    assert shown_at(house, slip_id) == was == "Table 1, seat 5"
    house.tap(move_player, table_id=house.table_id(), seating_id=sits(house).pk, **arguments)

    services.note_chips(command(at_table_2, at=house.at), **came)
    assert on_way(house) == []
    # What was sold, and where to, is as it was paid.
    assert "Table 1, seat 5" in at_desktop(house.cast.carla).get(f"/cage/slips/{slip_id}/").text
    assert list(problems(house.room_id)) == []


def test_what_was_reversed_is_on_no_way(house: House) -> None:
    slip_id, frans = paid(house), house.cast.frans
    signing = Filling(house.cast, at=house.at).signed(
        house.cast.carla, frans, "cage.approve_reversal", f"slip.{slip_id}"
    )
    services.reverse_slip(signing, slip_id=slip_id, reason="wrong_amount", approved_by_id=frans.pk)
    at = house.at

    assert on_way(house) == []
    assert "not delivered" not in fragment(house.room_id, "cage", "en").html
    with pytest.raises(ChipsNotOnWay):
        says(house, slip_id, house.cast.anna, "player")
    # A day that carried it is told what became of it.
    rows = list(PaidChips.objects.values_list("pk", flat=True))
    assert open_items.done_of("on_way", rows, 1) == {rows[0]: at}


def test_what_came_before_the_day_began_is_taken_back_no_more(house: House) -> None:
    slip_id, anna = paid(house), house.cast.anna
    says(house, slip_id, anna, "player")
    PaidChips.objects.update(delivered_at=GamingDay.objects.get(closed_at=None).opened_at - timedelta(seconds=1))

    with pytest.raises(ChipsNotOnWay):
        says(house, slip_id, anna, "not_there")

    assert on_way(house) == []


def test_only_what_a_window_was_paid_for_a_seat_is_on_a_way(house: House) -> None:
    slip_id = asks(house)
    assert "is_delivered" not in pays(house, slip_id)
    asks_whether_they_came(house.room_id)
    lee = house.player("Lee").pk
    sold = house.tap(
        services.buy_in, house.cast.carla, drawer_id=house.drawer_id, player_id=lee, amount_cents=50_00, method="cash"
    )
    assert not PaidChips.objects.exists()
    for given in (slip_id, sold.data["slip_id"]):
        with pytest.raises(ChipsNotOnWay):
            says(house, given, house.cast.anna, "player")


def test_a_runners_bank_sells_at_the_seat(house: House) -> None:
    asks_whether_they_came(house.room_id)
    gives_bank(house.cast.carla, house.cast.dan, adds_bank(house.cast, at=house.at), at=house.at)

    house.tap(services.sell_from_bank, house.cast.dan, slip_id=asks(house))

    assert not PaidChips.objects.exists()


def test_each_says_it_where_they_stand(house: House) -> None:
    slip_id, cast = paid(house), house.cast
    elsewhere = command(actor(cast.anna, device=enrolled(cast.room, "table", 2)), at=house.at)
    for refused in (
        lambda: says(house, slip_id, cast.anna, "cage"),
        lambda: says(house, slip_id, cast.olavi, "runner"),
        lambda: services.note_chips(elsewhere, slip_id=slip_id, chips_with="player"),
    ):
        with pytest.raises(NotPermitted):
            refused()
    with pytest.raises(Malformed):
        says(house, slip_id, cast.anna, "dealer")
    anna = actor(cast.anna, device=enrolled(cast.room, "table", 1))
    second = {"username": "dan", "pin": demo_person("dan").pin}

    answer = note_chips_by_two(command(anna, at=house.at), slip_id=slip_id, chips_with="runner", second=second)

    assert (answer.data["chips_staff_id"], answer.data["approved_by_id"]) == (cast.dan.pk, cast.dan.pk)


def test_it_takes_few_statements(house: House) -> None:
    slip_id = paid(house)

    with CaptureQueriesContext(connection) as queries:
        says(house, slip_id, house.cast.anna, "player")

    assert len([each for each in queries if "cage_" in each["sql"] or "tables_" in each["sql"]]) == 7
