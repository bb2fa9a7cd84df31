"""The floor about who is away, changes seats or plays over: sheets, taps, and the to-do before and at a limit."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from casino.cage.models import Slip
from casino.floor.views import render_map
from casino.waiting.services.lists import join_list
from tables.models import Seating
from tables.services.absence_limits import set_long_break
from tables.services.seat_change import ask_seat_change
from tables.services.seating import hold_seat
from tables.views.dealer import render_table as tablet_of
from tables.views.floor import render_table
from tests.tables.conftest import House
from tests.tables.test_absence import by_orbits
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses
TABLE = "/floor/tables/1/"


@pytest.fixture
def floor(house: House) -> Client:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(20_00)
    return at_desktop(house.cast.frans)


def seat_of(nickname: str) -> Seating:
    return Seating.objects.get(player__nickname=nickname, left_at=None)


def goes(house: House, nickname: str) -> Seating:
    seating = seat_of(nickname)
    house.tap(hold_seat, house.cast.anna, table_id=seating.table_id, seating_id=seating.pk, is_held=True)
    return seat_of(nickname)


def of(seating: Seating, what: str) -> str:
    return f"{TABLE}seatings/{seating.pk}/{what}/"


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@pytest.mark.helsinki
@pytest.mark.rule("H1.8", "H1.10")
def test_the_to_do_tells_of_an_absence_before_the_limit_and_at_it(house: House, floor: Client) -> None:
    kai = goes(house, "Kai")
    limit = kai.away_limit_at
    assert limit is not None

    for html in (render_map(room_id=house.room_id), render_table(room_id=house.room_id, number=1)):
        before, over = re.findall(r'<li class="todo-line [^>]+data-from[^>]+>', html)[:2]
        lines = sorted([before, over], key=lambda line: "wrong" in line)
        assert f'data-from="{(limit - timedelta(minutes=5)).isoformat()}"' in lines[0]
        assert f'data-until="{limit.isoformat()}"' in lines[0]
        assert f'data-from="{limit.isoformat()}"' in lines[1]
        assert "data-until" not in lines[1]
        assert "is away too long" in html


@pytest.mark.rule("R-§4")
def test_where_buttons_are_counted_the_to_do_waits_for_the_button_and_for_the_list(house: House, floor: Client) -> None:
    by_orbits(house)
    house.open(2, Mika=1, Jo=2, Sara=3, Pekka=4)
    mika = seat_of("Mika")
    house.tap(hold_seat, table_id=mika.table_id, seating_id=mika.pk, is_held=True)
    Seating.objects.filter(pk=mika.pk).update(buttons_passed=2)

    assert "is away" not in render_map(room_id=house.room_id)
    assert "pick it up" in render_table(room_id=house.room_id, number=2)
    assert 'data-late="over"' not in tablet_of(room_id=house.room_id, number=2)
    assert '"late":"over"' in tablet_of(room_id=house.room_id, number=2)


@pytest.mark.rule("H2.13")
def test_the_to_do_names_the_first_whose_wish_a_free_seat_answers(house: House, floor: Client) -> None:
    for nickname, seat in (("Lee", 3), ("Timo", 8), ("Kai", None)):
        seating = seat_of(nickname)
        house.tap(ask_seat_change, table_id=seating.table_id, seating_id=seating.pk, seat_number=seat)

    text = words(render_table(room_id=house.room_id, number=1))

    assert "would like seat 8, which is free" in text
    why = "Seats are changed with the floor’s leave, in the order of asking."
    assert text.count(seat_of("Timo").opening.book.leads("seat_change", why)) == 1


@pytest.mark.rule("H4.46", "H4.47")
def test_the_floor_sees_what_a_seat_costs_and_moves_the_player(house: House, floor: Client) -> None:
    house.seat("Mika", 5)
    timo = seat_of("Timo")

    sheet = words(floor.get(of(timo, "change/sheet")).content.decode())
    assert "4 costs nothing" in sheet
    assert "9 further: BB" in sheet
    assert tap(floor, of(timo, "change/ask"), asks="1", seat_number="9").status_code == 200
    assert seat_of("Timo").change_to == 9
    version = seat_of("Timo").version
    assert tap(floor, of(timo, "change"), seat_number="9", posts="1", version=version).status_code == 200
    assert (seat_of("Timo").seat_number, seat_of("Timo").entry) == (9, "posts")
    assert "it was not meant" in words(floor.get(of(timo, "change/sheet")).content.decode())
    assert tap(floor, of(timo, "change/back")).status_code == 200
    assert (seat_of("Timo").seat_number, seat_of("Timo").entry) == (3, "in")


@pytest.mark.helsinki
@pytest.mark.rule("H1.9", "H1.10")
def test_the_floor_gives_the_long_break_and_more_time(house: House, floor: Client) -> None:
    kai = seat_of("Kai")
    assert tap(floor, of(kai, "long-break"), has_break="1").status_code == 200
    sheet = words(floor.get(f"{TABLE}seats/2/sheet/").content.decode())
    assert "long break" in sheet
    assert tap(floor, of(kai, "long-break")).status_code == 200
    assert seat_of("Kai").long_break_at is None
    assert tap(floor, of(kai, "limit"), minutes="10").status_code == 200
    assert seat_of("Kai").away_limit_at is not None
    house.tap(set_long_break, table_id=kai.table_id, seating_id=kai.pk)
    refused = tap(floor, of(kai, "long-break"), has_break="1")
    assert refused.status_code == 422
    assert "H1.9" in refused.content.decode()


@pytest.mark.rule("H1.8", "R-§4")
def test_the_floor_picks_up_a_stack_with_a_second_person_and_the_cage_knows(house: House, floor: Client) -> None:
    kai = goes(house, "Kai")
    # For longer than any book has it, and somebody would have the seat.
    Seating.objects.filter(pk=kai.pk).update(away_limit_at=house.at - timedelta(minutes=1), buttons_passed=2)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Mika").pk)
    assert "Mari" in floor.get(of(kai, "pick-up/sheet")).content.decode()

    wrong = tap(floor, of(kai, "pick-up"), stack="180", username="mari", pin="9999")
    assert wrong.status_code == 422
    assert tap(floor, of(kai, "pick-up"), stack="180", username="mari", pin="1357").status_code == 200

    assert not Seating.objects.filter(pk=kai.pk, left_at=None).exists()
    assert Slip.objects.get(kind="cash_out").amount_cents == 180_00
    cage = at_desktop(house.cast.carla).get("/cage/1/").content.decode()
    assert "stack picked up" in cage
    assert 'data-kind="cash_out"' in cage


@pytest.mark.rule("H4.48")
def test_the_floor_lets_somebody_play_over_and_sees_both(house: House, floor: Client) -> None:
    kai = goes(house, "Kai")
    assert "Mika" in floor.get(of(kai, "over/sheet")).content.decode()

    mika = house.player("Mika").pk
    assert tap(floor, of(kai, "over"), player_id=mika, chips="200", version=kai.version).status_code == 200

    sheet = words(floor.get(f"{TABLE}seats/2/sheet/").content.decode())
    assert "Plays over for" in sheet
    assert "over for" in words(render_table(room_id=house.room_id, number=1))
    assert "over for" in words(tablet_of(room_id=house.room_id, number=1).split("<script")[0])
    assert len(tablet_of(room_id=house.room_id, number=1)) < 12_000
    assert tap(floor, f"{TABLE}seatings/{kai.pk}/hold/").status_code == 200
    assert seat_of("Kai").seat_number == 2
