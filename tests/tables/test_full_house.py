"""What the floor's screens and taps ask of the database in a full house and in a small one: the same."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext

from casino.live.render import fragment
from casino.waiting.models import Waiting
from casino.waiting.selectors.games import LISTED
from tests.tables.conftest import House
from tests.tables.full_house import fill
from tests.taps import at_desktop
from tests.taps import tap as plain_tap

# As the map sends its taps.
tap = partial(plain_tap, headers={"X-Shown-On": "floor"})
# Queries of each, however many tables are open and players wait.
QUERIES = {
    "map": 32, "one table": 14, "lobby": 11, "list": 8, "whole list": 5, "player on it": 9, "call": 63, "seat": 53,
    "strike": 46, "join": 50, "close": 14, "dealers": 9,
}  # fmt: skip


def queries_needed(answer: Callable[[], HttpResponse | object]) -> int:
    with CaptureQueriesContext(connection) as queries:
        found = answer()
    assert getattr(found, "status_code", 200) == 200
    return len(queries)


@pytest.mark.parametrize(("tables", "waiting"), [pytest.param(2, 6, marks=pytest.mark.slow), (40, 300)])
def test_a_full_house_asks_as_many_queries_as_a_small_one(house: House, tables: int, waiting: int) -> None:
    fill(house, tables=tables, waiting=waiting)
    floor = at_desktop(house.cast.frans)
    game, number, room_id = house.game(), tables - 1, house.room_id
    at, on_list, last = f"/floor/tables/{number}", f"/floor/lists/{game.pk}", game.seats
    first, second = Waiting.objects.filter(waiting_list__game=game).order_by("place")[:2]
    one, two = f"/floor/waiting/{first.pk}", f"/floor/waiting/{second.pk}"
    # What a process reads once.
    tap(floor, f"{one}/call/", table_number=number, seat_number=last)
    tap(floor, f"{one}/call/back/", version=Waiting.objects.get(pk=first.pk).version)

    assert {
        "map": queries_needed(lambda: fragment(room_id, "floor", "en")),
        "one table": queries_needed(lambda: fragment(room_id, f"table.{number}.floor", "en")),
        "lobby": queries_needed(lambda: fragment(room_id, "lobby", "en")),
        "list": queries_needed(lambda: floor.get(f"{on_list}/sheet/")),
        "whole list": queries_needed(lambda: floor.get(f"{on_list}/rest/")),
        "player on it": queries_needed(lambda: floor.get(f"{one}/sheet/")),
        "call": queries_needed(lambda: tap(floor, f"{one}/call/", table_number=number, seat_number=last)),
        "seat": queries_needed(
            lambda: tap(floor, f"{at}/seats/{last}/", player_id=first.player_id, chips="200", source="cage")
        ),
        "strike": queries_needed(lambda: tap(floor, f"{two}/strike/", version=second.version)),
        "join": queries_needed(lambda: tap(floor, f"{on_list}/join/", player_id=house.player("Lee").pk)),
        "close": queries_needed(lambda: floor.get(f"{at}/close/sheet/")),
        "dealers": queries_needed(lambda: floor.get("/floor/dealers/")),
    } == QUERIES


def test_the_map_shows_the_beginning_of_a_long_list_and_the_sheet_all_of_it(house: House) -> None:
    fill(house, tables=2, waiting=120)
    floor = at_desktop(house.cast.frans)

    on_map = floor.get("/floor/").content.decode()
    whole = floor.get(f"/floor/lists/{house.game().pk}/rest/").content.decode()

    assert on_map.count('class="entry-number num"') == 2 * LISTED
    assert "40 more on the list" in on_map
    assert whole.count('class="entry-number num"') == 60
