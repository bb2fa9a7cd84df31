"""What the floor is told to do next with free seats, and what is recorded where it does otherwise."""

import json

import pytest
from django.test import Client

from casino.audit.models import Event
from casino.floor.views import render_map
from casino.waiting.models import Waiting
from casino.waiting.services.closing import wait_with_right
from casino.waiting.services.lists import call_player, join_list, reorder_list
from tables.errors_seats import OtherGame
from tables.models import Seating
from tables.rules.newcomers import Why
from tables.selectors.next_steps import steps_by_game
from tables.services.closing import announce_last_orbit
from tables.services.opening import open_table
from tables.services.requests import ask_table_change
from tables.services.seating import take_back_leaving
from tests.tables.conftest import House
from tests.tables.test_moving import move, open_with, sits
from tests.taps import at_desktop, tap

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


@pytest.fixture
def floor(house: House) -> Client:
    return at_desktop(house.cast.frans)


def joins(house: House, *nicknames: str) -> list[int]:
    game_id = house.game().pk
    answers = [house.tap(join_list, game_id=game_id, player_id=house.player(name).pk) for name in nicknames]
    return [int(each.data["waiting"]) for each in answers]


def steps(house: House) -> list[tuple[str, str, int, int]]:
    found = []
    for step in steps_by_game(house.room_id).get(house.game().name, ()):
        rows = Waiting if step.claim.is_waiting else Seating
        row = rows.objects.select_related("player").get(id=step.claim.ref)
        found.append((row.player.nickname, step.reason, step.seat.table_number, step.seat.seat_number))
    return found


def overrules() -> list[dict[str, object]]:
    texts = Event.objects.filter(name="tables.note_overrule").order_by("id").values_list("text", flat=True)
    return [json.loads(text)["data"] for text in texts]


def test_the_main_game_is_fed_by_its_must_move_game(house):
    house.open(1, Lee=1, Kai=2)
    main = house.table_id(1)
    house.tap(open_table, table_id=house.table_id(2), game_id=house.game().pk, feeds_table_id=main)
    house.seat("Jo", 4, number=2)
    house.seat("Mika", 1, number=2)
    joins(house, "Timo")

    assert steps(house) == [("Jo", "must_move", 1, 3), ("Mika", "must_move", 1, 4), ("Timo", "fewest_players", 2, 2)]
    assert "Must-move" in render_map(room_id=house.room_id)
    move(house, "Jo", 3, stack=200_00, to=1)
    assert sits(house, "Jo").moved_from.why == Why.MUST_MOVE


def test_a_must_move_game_feeds_its_own_game(house):
    open_with(house, 1, "No limit hold'em 5/5")

    # No list is spoken of: there is none here.
    with pytest.raises(OtherGame, match=r"^Table 1 runs another game\.$"):
        house.tap(open_table, table_id=house.table_id(2), game_id=house.game().pk, feeds_table_id=house.table_id(1))


@pytest.mark.rule("H2.11", "H2.12", "H2.7", "H2.8")
def test_rights_come_before_wishes_and_wishes_before_the_list(house):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Jo=1, Mika=2, Pekka=3)
    joins(house, "Sara")
    jo = sits(house, "Jo")
    house.tap(ask_table_change, table_id=jo.table_id, seating_id=jo.pk)

    assert steps(house) == [("Jo", "table_change", 1, 3), ("Sara", "fewest_players", 2, 4)]
    table = house.table(1)
    house.tap(announce_last_orbit, table_id=table.pk)
    assert [each[:3] for each in steps(house)][:2] == [("Lee", "closing_table", 2), ("Kai", "closing_table", 2)]
    lee = sits(house, "Lee")
    house.tap(wait_with_right, table_id=table.pk, seating_id=lee.pk, stack_cents=200_00)
    assert ("Lee", "closed_table", 2, 5) in steps(house)


def test_a_right_ends_where_the_floor_puts_its_player_behind_others(house):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    joins(house, "Sara")
    house.tap(announce_last_orbit, table_id=house.table_id(1), hands=0)
    lee = sits(house, "Lee")
    waits = house.tap(wait_with_right, table_id=lee.table_id, seating_id=lee.pk, stack_cents=200_00).data["waiting"]
    version = Waiting.objects.get(id=waits).waiting_list.version

    house.tap(reorder_list, waiting_id=waits, before_id=None, reason="manager", version=version)

    assert [each[0] for each in steps(house)][-2:] == ["Sara", "Lee"]


@pytest.mark.rule("H2.5")
def test_calling_the_one_who_is_next_is_no_overrule_and_another_one_is(house, floor):
    house.open(1, Lee=1, Kai=2)
    for seat, nickname in enumerate(["Jo", "Mika", "Pekka"], 3):
        house.seat(nickname, seat)
    sara, timo, riku = joins(house, "Sara", "Timo", "Riku")

    assert tap(floor, f"/floor/waiting/{sara}/call/", table_number="1", seat_number="6").status_code == 200
    assert overrules() == []
    answer = tap(floor, f"/floor/waiting/{riku}/call/", table_number="1", seat_number="7", overrule="not_there")
    assert answer.status_code == 200

    (noted,) = overrules()
    assert noted["reason"] == "not_there"
    assert noted["proposed"] == {
        "why": "waiting_list", "ref": timo, "reason": "only_table", "table_number": 1, "seat_number": 7,
    }  # fmt: skip
    assert noted["done"] == {"of_list": True, "ref": riku, "table": 1, "seat": 7}


def test_a_refused_choice_records_nothing(house, floor):
    house.open(1, Lee=1, Kai=2)
    sara, timo = joins(house, "Sara", "Timo")
    house.tap(call_player, waiting_id=sara, table_id=house.table_id(), seat_number=3)

    assert tap(floor, f"/floor/waiting/{timo}/call/", table_number="1", seat_number="3").status_code == 409
    assert overrules() == []


def test_seating_somebody_who_never_waited_is_an_overrule(house, floor):
    house.open(1, Lee=1, Kai=2)
    joins(house, "Sara")

    tap(floor, "/floor/tables/1/seats/3/", player_id=str(house.player("Jo").pk), chips="200", source="hands")

    (noted,) = overrules()
    assert noted["done"] == {"of_list": True, "ref": 0, "table": 1, "seat": 3}


@pytest.mark.helsinki
def test_who_has_moved_has_not_left(house):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    old = sits(house, "Kai")
    move(house, "Kai", 5, stack=200_00)
    old.refresh_from_db()

    with pytest.raises(Exception, match="sits at table 2"):
        house.tap(take_back_leaving, table_id=old.table_id, seating_id=old.pk, version=old.version)
