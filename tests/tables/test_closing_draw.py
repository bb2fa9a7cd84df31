"""What was drawn binds: who drew higher goes first, another choice is recorded; and what is taken back on the sheet."""

import json
from typing import Any

import pytest
from django.test import Client

from casino.audit.models import Event
from casino.people.services import add_player, keep_apart
from casino.waiting.models import Waiting
from casino.waiting.services.closing import wait_with_right
from casino.waiting.services.lists import join_list
from tables.models import SeatDraw, Seating
from tables.rules.newcomers import Proposal, SeatClaim, Step, Why, drawn_before
from tables.selectors.closing import closing
from tables.selectors.next_steps import steps_by_game
from tables.services.closing import announce_last_orbit
from tables.services.opening import open_table
from tables.services.seating import hold_seat, seat_player
from tests.tables.conftest import House
from tests.tables.test_moving import sits
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


@pytest.fixture
def floor(house: House) -> Client:
    return at_desktop(house.cast.frans)


def closes_with_two_seats(house: House) -> None:
    """Lee, Kai and Timo of table 1 drew: Timo the highest, then Lee; table 2 has seats 9 and 10 left."""
    house.open(2, Mika=1)
    house.open(1, Lee=1, Kai=2, Timo=3)
    for seat in range(2, 9):
        player_id = house.tap(add_player, nickname=f"Filler {seat}").data["player_id"]
        house.tap(seat_player, table_id=house.table_id(2), seat_number=seat, player_id=player_id, chips_cents=200_00)
    house.tap(announce_last_orbit, table_id=house.table_id(1), hands=0)
    SeatDraw.objects.create(
        room_id=house.room_id, opening_id=house.table(1).opening_id or 0, commitment="c", seed="s", seats=[1, 2, 3],
        prepared_at=house.at, drawn_at=house.at, cards={"1": "Kd", "2": "3c", "3": "As"}, order=[3, 1, 2],
    )  # fmt: skip


def moves(floor: Client, seating: Seating, to: str) -> Any:
    return tap(floor, f"/floor/tables/1/seatings/{seating.pk}/move/", to=to, stack="200", on="floor", flow="closing")


def overrules() -> list[dict[str, Any]]:
    texts = Event.objects.filter(name="tables.note_overrule").order_by("id").values_list("text", flat=True)
    return [json.loads(text)["data"] for text in texts]


@pytest.mark.django_db
@pytest.mark.rule("H2.10", "R-§3-5")
def test_steps_rank_by_the_card_and_a_move_against_the_draw_is_recorded(house: House, floor: Client) -> None:
    """A22."""
    closes_with_two_seats(house)
    lee, kai, timo = (sits(house, name) for name in ("Lee", "Kai", "Timo"))

    steps = [step for step in steps_by_game(house.room_id)[house.game().name] if step.claim.why is Why.CLOSING_TABLE]
    assert [(step.claim.ref, step.seat.seat_number) for step in steps] == [(timo.pk, 9), (lee.pk, 10)]
    assert moves(floor, timo, "2/10").status_code == 200
    assert overrules() == []

    assert moves(floor, kai, "2/9").status_code == 200

    (noted,) = overrules()
    assert (noted["proposed"]["ref"], noted["proposed"]["why"]) == (lee.pk, "closing_table")
    assert noted["done"] == {"of_list": False, "ref": kai.pk, "table": 2, "seat": 9}


@pytest.mark.django_db
def test_before_any_card_they_choose_among_themselves(house: House, floor: Client) -> None:
    closes_with_two_seats(house)
    SeatDraw.objects.all().delete()

    assert moves(floor, sits(house, "Timo"), "2/9").status_code == 200

    assert overrules() == []


def test_who_drew_highest_may_take_the_seat_that_was_proposed_to_another() -> None:
    def step(ref: int, seat: int) -> Step:
        return Step(SeatClaim(Why.CLOSING_TABLE, ref, ref, at_table=1), Proposal(2, seat, "H2.12"))

    steps = [step(1, 5), step(2, 6)]

    assert drawn_before(steps, seating_id=1, table_number=2, seat_number=6) is None
    assert drawn_before(steps, seating_id=2, table_number=2, seat_number=5) == steps[0]
    assert drawn_before(steps, seating_id=3, table_number=2, seat_number=6) == steps[1]
    assert drawn_before(steps, seating_id=3, table_number=3, seat_number=6) is None


@pytest.mark.django_db
def test_who_is_away_is_not_proposed_for_the_main_game(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    main = house.table_id(1)
    house.tap(open_table, table_id=house.table_id(2), game_id=house.game().pk, feeds_table_id=main)
    house.seat("Jo", 4, number=2)
    house.seat("Mika", 1, number=2)
    jo = sits(house, "Jo")
    house.tap(hold_seat, table_id=jo.table_id, seating_id=jo.pk, is_held=True)

    steps = steps_by_game(house.room_id)[house.game().name]

    assert [step.claim.ref for step in steps if step.claim.why is Why.MUST_MOVE] == [sits(house, "Mika").pk]


@pytest.mark.django_db
@pytest.mark.rule("H2.11")
def test_who_waits_first_is_taken_back_on_the_closing_sheet_and_off_the_list(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Timo").pk)
    house.tap(announce_last_orbit, table_id=house.table_id(1), hands=3)
    kai = sits(house, "Kai")
    house.tap(wait_with_right, table_id=kai.table_id, seating_id=kai.pk, stack_cents=200_00)
    kai.refresh_from_db()

    sheet = floor.get("/floor/tables/1/close/sheet/").text
    assert f'hx-post="/floor/tables/1/seatings/{kai.pk}/take-back/"' in sheet
    done = tap(floor, f"/floor/tables/1/seatings/{kai.pk}/take-back/", version=str(kai.version))

    assert done.status_code == 200
    assert sits(house, "Kai").pk == kai.pk
    live = Waiting.objects.filter(status__in=Waiting.LIVE)
    assert list(live.values_list("player__nickname", flat=True)) == ["Timo"]
    assert f"seatings/{kai.pk}/take-back/" not in floor.get("/floor/tables/1/close/sheet/").text


@pytest.mark.django_db
@pytest.mark.rule("H1.75", "H2.10")
def test_the_board_proposes_no_seat_that_the_tap_would_refuse(house: House, floor: Client) -> None:
    """Who is kept apart from somebody at the other table gets none, and the last seat goes to the next one."""
    closes_with_two_seats(house)
    timo = sits(house, "Timo")
    house.tap(keep_apart, player_ids=[timo.player_id, house.player("Mika").pk])

    board = closing(house.table(1))

    assert {each.seating.pk: each.proposed for each in board.leavers}[timo.pk] is None
    assert sum(each.proposed is not None for each in board.leavers) == 2
