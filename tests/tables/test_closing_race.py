"""Somebody is called or seated while the floor closes the table, or joins a list while the manager closes the day."""

from contextlib import nullcontext
from functools import partial
from typing import Any

import pytest

from casino.audit.models import Event
from casino.cage.services import close_day
from casino.rooms.errors import NoOpenDay
from casino.rooms.models import GamingDay
from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player, join_list
from tables.errors_moves import TableCloses
from tables.models import Opening, Table
from tables.services.closing import announce_last_orbit
from tests.cast import command
from tests.support.locks import meet, without_lock
from tests.tables.conftest import make_house
from tests.tables.test_lock_order import tap_of

pytestmark = pytest.mark.smoke


@pytest.mark.rule("H2.22")
@pytest.mark.parametrize("is_announced_first", [True, False])
def test_nobody_is_left_called_to_a_table_whose_last_orbit_is_announced_meanwhile(
    committing_db: object, is_announced_first: bool
) -> None:
    house = make_house()
    table_id = house.open(1, Lee=1, Kai=2).pk
    waits = house.tap(join_list, game_id=house.game().pk, player_id=house.player("Timo").pk).data["waiting"]
    announces = partial(announce_last_orbit, tap_of(house), table_id=table_id)
    calls = partial(call_player, tap_of(house), waiting_id=waits, table_id=table_id, seat_number=4)

    with pytest.raises(TableCloses) if is_announced_first else nullcontext():
        meet(*((announces, calls) if is_announced_first else (calls, announces)))

    assert Waiting.objects.get().status == "waiting"
    assert Event.objects.filter(name="waiting.call_player", result="done").count() == (0 if is_announced_first else 1)
    assert Opening.objects.get().last_hand_number is not None


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


@pytest.mark.parametrize("is_closed_first", [True, False])
def test_nobody_is_left_on_a_list_when_the_day_closes_meanwhile(committing_db: object, is_closed_first: bool) -> None:
    house = make_house()
    house.close_drawer()
    closes = partial(close_day, tap_of(house, "mari"))
    joins = partial(join_list, tap_of(house), game_id=house.game().pk, player_id=house.player("Timo").pk)

    with pytest.raises(NoOpenDay) if is_closed_first else nullcontext():
        meet(*((closes, joins) if is_closed_first else (joins, closes)))

    assert list(Waiting.objects.values_list("status", flat=True)) == ([] if is_closed_first else ["dropped"])
    assert GamingDay.objects.get().closed_at is not None


@pytest.mark.slow
def test_without_the_days_lock_somebody_would_wait_on_a_day_that_is_closed(
    committing_db: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = make_house()
    house.close_drawer()
    without_lock(monkeypatch, GamingDay)
    arguments: dict[str, Any] = {"game_id": house.game().pk, "player_id": house.player("Timo").pk}

    meet(
        lambda: join_list(command(house.cast.frans, at=house.at), **arguments),
        lambda: close_day(command(house.cast.mari, at=house.at)),
        waits=False,
    )

    assert Waiting.objects.get().status == "waiting"
    assert GamingDay.objects.get().closed_at is not None
