"""Wishes for another seat of the table among the floor's next steps: their order, the tap, and what is overruled."""

from typing import Any

import pytest
from django.test import Client

from casino.errors import NotPermitted
from casino.live.areas import TODO
from casino.live.todo import ToDoLine
from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player
from tables.rules.newcomers import Why
from tables.selectors.next_steps import steps_by_game
from tables.services.closing import announce_last_orbit
from tables.services.playing_over import play_over
from tables.services.requests import ask_table_change
from tables.services.seat_change import ask_seat_change, change_seat, take_back_seat_change
from tables.services.seating import hold_seat
from tables.views.floor import render_table
from tests.tables.conftest import House
from tests.tables.test_missed_blinds import Evening
from tests.tables.test_moving import move, sits
from tests.tables.test_next_steps import joins, overrules, steps
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


@pytest.fixture
def floor(house: House) -> Client:
    return at_desktop(house.cast.frans)


def asks(house: House, nickname: str, seat: int | None = None) -> None:
    seating = sits(house, nickname)
    house.tap(ask_seat_change, table_id=seating.table_id, seating_id=seating.pk, seat_number=seat)


def line_of(house: House, nickname: str) -> ToDoLine:
    pk = sits(house, nickname).pk
    return next(line for line in TODO.gather(room_id=house.room_id) if line.key == f"change.{pk}")


@pytest.mark.rule("H2.13", "H4.45", "H2.11", "H2.12")
def test_who_asked_for_another_seat_comes_after_rights_and_before_other_tables_and_the_list(house):
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.open(2, Jo=1, Mika=2, Pekka=3, Ville=4)
    joins(house, "Sara")
    asks(house, "Timo", 8)
    asks(house, "Kai")
    asks(house, "Lee", 8)
    jo = sits(house, "Jo")
    house.tap(ask_table_change, table_id=jo.table_id, seating_id=jo.pk, to_table_id=house.table_id(1))

    assert steps(house) == [
        ("Timo", "seat_change", 1, 8),
        ("Kai", "seat_change", 1, 4),
        ("Jo", "table_change", 1, 5),
        ("Sara", "fewest_players", 2, 5),
    ]
    house.tap(announce_last_orbit, table_id=house.table_id(2))
    assert steps(house) == [
        ("Jo", "closing_table", 1, 4),
        ("Mika", "closing_table", 1, 5),
        ("Pekka", "closing_table", 1, 6),
        ("Ville", "closing_table", 1, 7),
        ("Timo", "seat_change", 1, 8),
        ("Kai", "seat_change", 1, 9),
        ("Sara", "only_table", 1, 10),
    ]


def test_wishes_that_cannot_be_met_hold_nobody_up(house):
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    sara, pekka = joins(house, "Sara", "Pekka")
    house.tap(call_player, waiting_id=sara, table_id=table.pk, seat_number=5)
    asks(house, "Lee", 5)
    asks(house, "Kai", 3)
    timo = sits(house, "Timo")
    house.tap(hold_seat, table_id=table.pk, seating_id=timo.pk, is_held=True)
    over = house.tap(play_over, table_id=table.pk, seating_id=timo.pk, player_id=house.player("Mika").pk)
    house.tap(ask_seat_change, table_id=table.pk, seating_id=over.data["seating"])

    assert [each[:2] for each in steps(house)] == [("Pekka", "only_table")]
    assert Waiting.objects.get(id=pekka).status == "waiting"


@pytest.mark.rule("H4.47", "H4.45")
def test_a_seat_that_costs_nothing_is_changed_with_one_tap(house, floor):
    house.open(1, Lee=1, Kai=2, Timo=3)
    asks(house, "Timo", 5)

    line = line_of(house, "Timo")
    fields: dict[str, Any] = dict(line.values)
    answer = tap(floor, line.address, on="floor", **fields)

    assert (line.how, answer.status_code) == ("post", 200)
    assert (sits(house, "Timo").seat_number, sits(house, "Timo").change_wished_at) == (5, None)
    assert steps(house) == []
    assert overrules() == []


@pytest.mark.rule("H4.46")
def test_a_seat_further_from_the_blinds_is_asked_about_first(house, floor):
    Evening(house)
    asks(house, "Ville")

    line = line_of(house, "Ville")
    assert line.how == "sheet"
    sheet = floor.get(line.address).text

    assert 'name="seat_number" value="6" required checked' in sheet
    assert "further: BB" in sheet


@pytest.mark.rule("H2.13")
def test_a_promised_seat_is_neither_offered_nor_named(house, floor):
    table = house.open(1, Lee=1, Kai=2)
    (sara,) = joins(house, "Sara")
    house.tap(call_player, waiting_id=sara, table_id=table.pk, seat_number=3)
    asks(house, "Lee", 3)

    assert "which is free" not in render_table(room_id=house.room_id, number=1)
    sheet = floor.get(f"/floor/tables/1/seatings/{sits(house, 'Lee').pk}/change/sheet/").text
    assert 'name="seat_number" value="3" required' not in sheet
    assert 'name="seat_number" value="4" required' in sheet


@pytest.mark.rule("H2.13")
def test_a_seat_given_to_somebody_else_than_who_asked_for_it_is_an_overrule(house, floor):
    house.open(1, Lee=1, Kai=2, Timo=3)
    (sara,) = joins(house, "Sara")
    asks(house, "Timo", 5)

    assert tap(floor, f"/floor/waiting/{sara}/call/", table_number="1", seat_number="5").status_code == 200

    (noted,) = overrules()
    proposed = noted["proposed"]
    assert isinstance(proposed, dict)
    assert (proposed["why"], proposed["ref"]) == (Why.SEAT_CHANGE, sits(house, "Timo").pk)
    assert proposed["reason"] == "seat_change"


@pytest.mark.rule("H2.13")
@pytest.mark.parametrize(("seat", "why"), [(4, None), (5, Why.SEAT_CHANGE), (6, None)])
def test_a_change_nobody_asked_for_before_passes_over_earlier_wishes_and_not_the_list(house, floor, seat, why):
    """It takes nobody's seat: the one that is left goes to the list."""
    house.open(1, Lee=1, Kai=2, Timo=3)
    joins(house, "Sara")
    asks(house, "Timo", 5)

    kai = sits(house, "Kai")
    assert tap(floor, f"/floor/tables/1/seatings/{kai.pk}/change/", seat_number=str(seat)).status_code == 200

    assert [each["proposed"]["why"] for each in overrules()] == ([why] if why else [])  # type: ignore[index]


def test_who_asked_for_a_seat_and_a_table_moves_without_an_overrule(house, floor):
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.open(2, Jo=1)
    asks(house, "Kai", 5)
    kai = sits(house, "Kai")
    house.tap(ask_table_change, table_id=kai.table_id, seating_id=kai.pk)
    kai.refresh_from_db()
    assert len([step for step in steps_by_game(house.room_id)[house.game().name] if step.claim.ref == kai.pk]) == 2

    sheet = floor.get(f"/floor/tables/1/seatings/{kai.pk}/move/sheet/").text
    assert 'class="button seat-choice primary" name="to" value="2/2/' in sheet
    answer = tap(floor, f"/floor/tables/1/seatings/{kai.pk}/move/", to="2/2", stack="200", version=str(kai.version))

    assert answer.status_code == 200
    assert overrules() == []


def test_a_wish_ends_with_the_seat(house):
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.open(2, Jo=1)
    asks(house, "Kai", 5)

    move(house, "Kai", 4, stack=200_00)

    assert steps(house) == []


@pytest.mark.rule("H2.13", "H4.45")
def test_the_dealer_notes_the_wish_and_the_floor_gives_the_seat(house):
    house.open(1, Lee=1, Kai=2)
    kai = sits(house, "Kai")
    args = {"table_id": kai.table_id, "seating_id": kai.pk}
    house.tap(ask_seat_change, house.cast.anna, **args, seat_number=8)

    for service, more in ((change_seat, {"seat_number": 8}), (take_back_seat_change, {})):
        with pytest.raises(NotPermitted):
            house.tap(service, house.cast.anna, **args, **more)

    assert house.tap(change_seat, **args, seat_number=8).data["seat"] == 8
