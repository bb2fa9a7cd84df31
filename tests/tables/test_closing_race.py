"""Somebody is called or seated while the floor closes the table, or joins a list while the manager closes the day."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, connections

from casino.cage.days import close_day
from casino.errors import Refusal
from casino.people.models import Staff
from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player, join_list
from tables.models import Seating
from tables.services.closing import announce_last_orbit
from tests.cast import command
from tests.tables.conftest import House, make_house

pytestmark = pytest.mark.smoke


def at_once(house: House, *acts: tuple[Callable[..., Any], Staff, dict[str, Any]]) -> list[str]:
    together = Barrier(len(acts))

    def act(service: Callable[..., Any], by: Staff, said: dict[str, Any]) -> str:
        together.wait(10)
        try:
            service(command(by, at=house.at), **said)
        except Refusal as refusal:
            return refusal.code
        finally:
            connections.close_all()
        return "done"

    with ThreadPoolExecutor(len(acts)) as pool:
        return [each.result(timeout=30) for each in [pool.submit(act, *each) for each in acts]]


@pytest.mark.rule("H2.22")
def test_nobody_is_left_called_to_a_table_whose_last_orbit_is_announced_meanwhile(committing_db: object) -> None:
    house = make_house()
    table, frans = house.open(1, Lee=1, Kai=2).pk, house.cast.frans
    game = house.game().pk
    waits = [
        house.tap(join_list, game_id=game, player_id=house.player(name).pk).data["waiting"]
        for name in ("Timo", "Mika", "Ville")
    ]
    calls = [
        (call_player, frans, {"waiting_id": each, "table_id": table, "seat_number": seat})
        for seat, each in enumerate(waits, 4)
    ]

    announced, *called = at_once(house, (announce_last_orbit, frans, {"table_id": table}), *calls)

    assert announced == "done"
    assert set(called) <= {"done", "table_closes"}
    assert set(Waiting.objects.values_list("status", flat=True)) == {"waiting"}
    assert Seating.objects.filter(table=table, left_at=None).count() == 2
    connection.close()


def test_nobody_is_left_on_a_list_when_the_day_closes_meanwhile(committing_db: object) -> None:
    house = make_house()
    house.close_drawer()
    game = house.game().pk
    joins = [
        (join_list, house.cast.frans, {"game_id": game, "player_id": house.player(name).pk})
        for name in ("Timo", "Mika", "Ville")
    ]

    closed, *joined = at_once(house, (close_day, house.cast.mari, {}), *joins)

    assert closed == "done"
    assert set(joined) <= {"done", "no_open_day"}
    assert not Waiting.objects.filter(status__in=Waiting.LIVE).exists()
    connection.close()
