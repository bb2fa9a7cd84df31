"""Somebody is called or seated while the floor closes the table, or joins a list while the manager closes the day."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, connections

from casino.cage.days import close_day
from casino.errors import Refusal
from casino.people.models import Staff
from casino.rooms.models import GamingDay
from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player, join_list
from tables.models import Seating, Table
from tables.services.closing import announce_last_orbit
from tests.cast import command
from tests.support.locks import without_lock
from tests.support.patience import PATIENCE_SECONDS
from tests.tables.conftest import House, make_house
from tests.tables.test_lock_order import meet

pytestmark = pytest.mark.smoke


def at_once(house: House, *acts: tuple[Callable[..., Any], Staff, dict[str, Any]]) -> list[str]:
    together = Barrier(len(acts))

    def act(service: Callable[..., Any], by: Staff, said: dict[str, Any]) -> str:
        together.wait(PATIENCE_SECONDS)
        try:
            service(command(by, at=house.at), **said)
        except Refusal as refusal:
            return refusal.code
        finally:
            connections.close_all()
        return "done"

    with ThreadPoolExecutor(len(acts)) as pool:
        return [each.result(timeout=PATIENCE_SECONDS) for each in [pool.submit(act, *each) for each in acts]]


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


@pytest.mark.slow
def test_without_the_tables_lock_somebody_would_be_called_to_a_table_that_closes(
    committing_db: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = make_house()
    table_id = house.open(1, Lee=1, Kai=2).pk
    waits = house.tap(join_list, game_id=house.game().pk, player_id=house.player("Timo").pk).data["waiting"]
    without_lock(monkeypatch, Table)
    by = partial(command, house.cast.frans, at=house.at)

    # The call waits for the table's chain in the log, and has looked by then.
    meet(
        lambda: announce_last_orbit(by(), table_id=table_id),
        lambda: call_player(by(), waiting_id=waits, table_id=table_id, seat_number=4),
    )

    assert Waiting.objects.get().status == "called"


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


@pytest.mark.slow
def test_without_the_days_lock_somebody_would_wait_on_a_day_that_is_closed(
    committing_db: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = make_house()
    house.close_drawer()
    without_lock(monkeypatch, GamingDay)
    told: dict[str, Any] = {"game_id": house.game().pk, "player_id": house.player("Timo").pk}

    meet(
        lambda: join_list(command(house.cast.frans, at=house.at), **told),
        lambda: close_day(command(house.cast.mari, at=house.at)),
        waits=False,
    )

    assert Waiting.objects.get().status == "waiting"
    assert GamingDay.objects.get().closed_at is not None
