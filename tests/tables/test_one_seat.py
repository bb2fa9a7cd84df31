"""One person, one seat: who sits at another table moves over, and two floors at once do not seat anybody twice."""

from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from casino.audit.models import Event
from casino.people.models import Player
from casino.waiting.errors import AlreadyCalled
from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player, join_list
from tables.errors_seats import SitsElsewhere
from tables.models import Seating
from tables.services.opening import open_table
from tables.services.playing_over import play_over
from tables.services.seating import hold_seat, leave_seat, seat_player, take_back_leaving
from tables.services.setup import add_table
from tests.support.locks import meet, without_lock
from tests.tables.conftest import House, make_house
from tests.tables.test_lock_order import tap_of
from tests.tables.test_moving import move, open_with, sits
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


@pytest.fixture
def floor(house: House) -> Client:
    return at_desktop(house.cast.frans)


def called(house: House, nickname: str, *, number: int, seat: int) -> int:
    waits = house.tap(join_list, game_id=house.game().pk, player_id=house.player(nickname).pk).data["waiting"]
    house.tap(call_player, waiting_id=waits, table_id=house.table_id(number), seat_number=seat)
    return int(waits)


@pytest.mark.helsinki
@pytest.mark.django_db
@pytest.mark.rule("H2.9")
@pytest.mark.parametrize("moves", [True, False])
def test_a_table_that_kept_a_seat_hears_that_its_player_sits_at_another_one(house: House, moves: bool) -> None:
    house.tap(add_table, house.cast.mari, number=3)
    house.open(1, Lee=1)
    house.open(2, Mika=1)
    house.tap(open_table, table_id=house.table_id(3), game_id=house.game("No limit hold'em 5/5").pk)
    if moves:
        house.seat("Kai", 4, number=3, chips=500_00)
    called(house, "Kai", number=1, seat=5)

    if moves:
        move(house, "Kai", 6, stack=500_00, chips_cents=400_00)
    else:
        house.seat("Kai", 6, number=2)

    assert {"table.1.dealer", "table.1.floor"} <= set(Event.objects.latest("id").audiences)
    assert Waiting.objects.get().status == "seated"


@pytest.mark.helsinki
@pytest.mark.django_db
@pytest.mark.rule("H2.8", "U45", "H1.65")
def test_who_sits_elsewhere_is_not_seated_a_second_time_but_moves_with_the_stack(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    called(house, "Kai", number=2, seat=5)

    with pytest.raises(SitsElsewhere) as refused:
        house.seat("Kai", 5, number=2, chips=100_00)
    assert refused.value.data == {"table_number": 1, "seat_number": 2}
    assert (Seating.objects.filter(player=house.player("Kai")).count(), Waiting.objects.get().status) == (1, "called")

    new = move(house, "Kai", 5, stack=340_00)
    assert (new.chips_in_cents, Waiting.objects.get().status) == (340_00, "seated")


@pytest.mark.helsinki
@pytest.mark.django_db
def test_who_plays_over_or_is_away_has_a_seat_too(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    kai = sits(house, "Kai")
    house.tap(hold_seat, table_id=table.pk, seating_id=kai.pk, is_held=True)
    house.tap(play_over, table_id=table.pk, seating_id=kai.pk, player_id=house.player("Timo").pk, chips_cents=200_00)

    for nickname in ("Timo", "Kai"):
        with pytest.raises(SitsElsewhere):
            house.seat(nickname, 5, number=2)
        assert move(house, nickname, 5, stack=200_00).table.number == 2
        new = sits(house, nickname)
        house.tap(leave_seat, table_id=new.table_id, seating_id=new.pk, stack_cents=200_00)


@pytest.mark.django_db
def test_a_leaving_is_not_taken_back_of_who_sits_elsewhere_by_now(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    kai = sits(house, "Kai")
    house.tap(leave_seat, table_id=table.pk, seating_id=kai.pk, stack_cents=200_00)
    house.seat("Kai", 5, number=2, chips=200_00)
    kai.refresh_from_db()

    with pytest.raises(SitsElsewhere):
        house.tap(take_back_leaving, table_id=table.pk, seating_id=kai.pk, version=kai.version)


@pytest.mark.django_db
def test_the_database_lets_nobody_sit_twice(house: House) -> None:
    house.open(1, Lee=1)
    house.open(2, Mika=1)

    with pytest.raises(IntegrityError, match="one_seat_per_person"), transaction.atomic():
        Seating.objects.filter(player=house.player("Mika")).update(player=house.player("Lee"))


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_of_two_tables_that_seat_one_player_at_once_one_wins(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    house = make_house()
    seat: dict[str, Any] = {"seat_number": 5, "player_id": house.player("Lee").pk, "chips_cents": 200_00}
    first, second = [partial(seat_player, tap_of(house), table_id=house.open(each).pk, **seat) for each in (1, 2)]
    if not is_locked:
        without_lock(monkeypatch, Player)

    # The constraint has the last word.
    with pytest.raises(SitsElsewhere) if is_locked else pytest.raises(IntegrityError, match="one_seat_per_person"):
        meet(first, second)

    assert Seating.objects.get().table.number == 1


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_of_two_lists_that_call_one_player_at_once_one_wins(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    house = make_house()
    games = [house.game(), house.game("No limit hold'em 5/5")]
    tables = [house.open(1, Lee=1).pk, open_with(house, 2, "No limit hold'em 5/5").pk]
    first, second = [
        partial(
            call_player,
            tap_of(house),
            waiting_id=house.tap(join_list, game_id=game.pk, player_id=house.player("Timo").pk).data["waiting"],
            table_id=table_id,
            seat_number=5,
        )
        for game, table_id in zip(games, tables, strict=True)
    ]
    if not is_locked:
        without_lock(monkeypatch, Player)

    # The constraint has the last word.
    with pytest.raises(AlreadyCalled) if is_locked else pytest.raises(IntegrityError, match="called_to_two_seats"):
        meet(first, second)

    assert list(Waiting.objects.filter(status="called").values_list("table__number", flat=True)) == [1]


@pytest.mark.helsinki
@pytest.mark.django_db
def test_the_seat_button_of_a_called_player_who_sits_elsewhere_opens_the_move(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    called(house, "Kai", number=2, seat=5)
    kai = sits(house, "Kai")

    sheet = floor.get("/floor/tables/2/seats/5/sheet/?on=floor", follow=True).text

    assert f'hx-post="/floor/tables/1/seatings/{kai.pk}/move/"' in sheet
    assert "Called to table 2, seat 5." in sheet
    assert '<button class="button seat-choice primary" name="to" value="2/5/' in sheet
    done = tap(floor, f"/floor/tables/1/seatings/{kai.pk}/move/", to="2/5", stack="200", on="floor")
    assert done.status_code == 200
    assert sits(house, "Kai").table.number == 2


@pytest.mark.helsinki
@pytest.mark.django_db
def test_a_player_of_another_table_is_offered_as_a_move_and_the_page_is_the_one_that_was_open(house, floor) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    kai = sits(house, "Kai")
    address = f"/floor/tables/1/seatings/{kai.pk}/move/sheet/?on=table.2.floor&amp;to=2/5"

    assert address in floor.get("/floor/tables/2/seats/5/sheet/").text
    found = floor.get("/floor/tables/2/players/?seat=5&on=table.2.floor&q=Ka").text
    assert address in found
    sheet = floor.get(address.replace("&amp;", "&")).text
    assert '<button class="button seat-choice primary" name="to" value="2/5/' in sheet
    assert 'name="on" value="table.2.floor"' in sheet
    answer = tap(floor, "/floor/tables/2/seats/5/", player_id=str(house.player("Kai").pk))
    assert answer.status_code == 409
    assert "sits at table 1, in seat 2" in answer.text
    done = tap(floor, f"/floor/tables/1/seatings/{kai.pk}/move/", to="2/5", stack="200", on="table.2.floor")
    assert 'data-audience="table.2.floor"' in done.text or "table.2.floor" in done.text
    # A page that there is none of is its own table's: the tap was carried out.
    elsewhere = tap(floor, f"/floor/tables/2/seatings/{sits(house, 'Kai').pk}/ask/", on="table.77.floor")
    assert (elsewhere.status_code, "table.2.floor" in elsewhere.text) == (200, True)
