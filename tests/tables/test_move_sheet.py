"""What the sheet of a move asks: the ways into the blinds of the game that is entered, at its prices."""

from typing import Any

import pytest
from django.test import Client

from casino.ledger.templatetags.money import money
from tables.models import Game, Seating, Table
from tables.services.closing import announce_last_orbit
from tables.services.setup import add_table
from tables.services.stakes import change_stakes
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_moving import open_with, sits
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


@pytest.fixture
def floor(house: House) -> Client:
    return at_desktop(house.cast.frans)


def game_of(table: Table) -> Game:
    assert table.opening is not None
    return table.opening.game


def sheet(house: House, floor: Client, nickname: str = "Kai") -> str:
    seating = sits(house, nickname)
    return floor.get(f"/floor/tables/{seating.table.number}/seatings/{seating.pk}/move/sheet/").content.decode()


@pytest.mark.rule("H4.31")
def test_a_mover_is_told_the_price_of_the_game_that_is_entered(house, floor):
    house.open(1, Lee=1, Kai=2)
    high = game_of(open_with(house, 2, "No limit hold'em 5/5"))

    html = sheet(house, floor)

    assert f'name="entry_{high.pk}" value="posts"' in html
    assert f"posts {money(5_00, house.cast.room)}" in html
    assert f"posts {money(2_00, house.cast.room)}" not in html


def test_each_game_has_ways_of_its_own_and_the_tapped_ones_hold(house, floor):
    house.tap(add_table, house.cast.mari, number=3)
    house.open(1, Lee=1, Kai=2, Timo=4, Pekka=5)
    house.open(2, Jo=1, Mika=2)
    house.settle(20_00, number=2)
    high = game_of(open_with(house, 3, "No limit hold'em 5/5"))
    with as_owner():
        Game.objects.filter(pk=high.pk).update(may_post_to_come_in=False)

    html = sheet(house, floor)

    assert f'name="entry_{house.game().pk}" value="posts"' in html
    assert f'name="entry_{high.pk}" value="posts"' not in html
    kai = sits(house, "Kai")
    ways: dict[str, Any] = {f"entry_{house.game().pk}": "posts", f"entry_{high.pk}": "waits"}
    answer = tap(floor, f"/floor/tables/1/seatings/{kai.pk}/move/", to=f"2/5/{house.game().pk}", stack="200", **ways)
    assert answer.status_code == 200
    assert sits(house, "Kai").entry == "posts"


@pytest.mark.helsinki
def test_who_leaves_a_closing_table_chooses_too_where_the_book_has_them_pay(house, floor):
    table = house.open(1, Lee=1, Kai=2)
    house.open(2, Jo=1)
    house.tap(announce_last_orbit, table_id=table.pk)

    assert f'name="entry_{house.game().pk}" value="posts"' in sheet(house, floor)


def targets(house: House, floor: Client, nickname: str) -> str:
    seating = sits(house, nickname)
    return floor.get(f"/floor/tables/{seating.table.number}/seats/{seating.seat_number}/sheet/").content.decode()


@pytest.mark.rule("H2.8", "H4.45")
def test_a_seat_s_own_sheet_moves_with_one_tap_and_the_stack_as_it_was_put_in(house, floor):
    house.open(1, Lee=1, Kai=2, Timo=4, Pekka=5)
    house.open(2, Jo=1, Mika=2)

    html = targets(house, floor, "Kai")

    code = f"2/3/{house.game().pk}"
    assert f'value="{code}"' in html, [part for part in html.split("<") if "data-choice" in part]
    assert 'name="seat_number" value="3"' in html
    assert 'name="stack" inputmode="decimal" required value="200"' in html
    kai = sits(house, "Kai")
    move = f"/floor/tables/1/seatings/{kai.pk}/move/"
    assert tap(floor, move, to=code, stack="200", version=kai.version).status_code == 200
    moved = sits(house, "Kai")
    assert (moved.table.number, moved.seat_number, moved.chips_in_cents) == (2, 3, 200_00)
    jo = sits(house, "Jo")
    change = f"/floor/tables/2/seatings/{jo.pk}/change/"
    assert tap(floor, change, seat_number=9, version=jo.version).status_code == 200
    assert sits(house, "Jo").seat_number == 9


def test_a_stack_that_was_played_with_is_counted(house, floor):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Jo=1)
    house.settle(20_00)

    assert 'id="target-stack" class="amount" name="stack" inputmode="decimal" required>' in targets(house, floor, "Kai")


def test_a_stack_that_was_played_with_before_the_stakes_changed_is_counted_too(house, floor):
    table = house.open(1, Lee=1, Kai=2)
    house.open(2, Jo=1)
    house.settle(20_00)
    consents = list(Seating.objects.filter(table=table, left_at=None).values_list("id", flat=True))
    high = house.game("No limit hold'em 5/5")
    house.tap(change_stakes, table_id=table.pk, game_id=high.pk, consents=consents)

    assert 'id="target-stack" class="amount" name="stack" inputmode="decimal" required>' in targets(house, floor, "Kai")
