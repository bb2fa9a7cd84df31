"""Twenty people for one seat."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import IntegrityError, connection, connections

from casino.commands.carrying_out import Command
from casino.errors import Refusal
from casino.people.models import Player
from casino.people.services import add_player
from tables.models import Seating, Table
from tables.services.seating import seat_player
from tests.cast import actor, command
from tests.support.locks import without_lock
from tests.support.patience import PATIENCE_SECONDS
from tests.tables.conftest import make_house
from tests.tables.test_lock_order import meet

pytestmark = pytest.mark.smoke

THREADS = 20


def test_twenty_players_race_for_one_seat_and_one_sits(committing_db: object) -> None:
    house = make_house()
    table = house.open(1)
    players = [house.tap(add_player, nickname=f"Racer {n}").data["player_id"] for n in range(THREADS)]
    start = Barrier(THREADS, timeout=PATIENCE_SECONDS)
    floor = actor(house.cast.frans)

    def race(player_id: int) -> str:
        command = Command(id=uuid.uuid4(), by=floor, tapped_at=house.at, at=house.at)
        start.wait()
        try:
            seat_player(command, table_id=table.pk, seat_number=5, player_id=player_id, chips_cents=200_00)
        except Refusal as refused:
            return refused.code
        finally:
            connections.close_all()
        return "seated"

    with ThreadPoolExecutor(THREADS) as pool:
        ended = list(pool.map(race, players))

    assert sorted(set(ended)) == ["seat_taken", "seated"]
    assert ended.count("seated") == 1
    assert Seating.objects.filter(table=table, seat_number=5, left_at=None).count() == 1
    assert house.figures()["in_play"] == 200_00
    connection.close()


def test_twenty_taps_with_one_command_id_seat_once(committing_db: object) -> None:
    house = make_house()
    table = house.open(1)
    start = Barrier(THREADS, timeout=PATIENCE_SECONDS)
    command = Command(id=uuid.uuid4(), by=actor(house.cast.frans), tapped_at=house.at, at=house.at)
    player = Player.objects.get(nickname="Lee")

    def race(_: int) -> bool:
        start.wait()
        try:
            answer = seat_player(command, table_id=table.pk, seat_number=5, player_id=player.pk, chips_cents=200_00)
        finally:
            connections.close_all()
        return answer.is_replay

    with ThreadPoolExecutor(THREADS) as pool:
        replays = list(pool.map(race, range(THREADS)))

    assert replays.count(False) == 1
    assert house.figures()["in_play"] == 200_00


@pytest.mark.slow
def test_without_the_tables_lock_only_the_database_would_keep_two_from_one_seat(
    committing_db: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = make_house()
    table_id = house.open(1).pk
    without_lock(monkeypatch, Table)

    def sits(nickname: str) -> None:
        arguments: dict[str, Any] = {"table_id": table_id, "seat_number": 5, "chips_cents": 200_00}
        seat_player(command(house.cast.frans, at=house.at), player_id=house.player(nickname).pk, **arguments)

    with pytest.raises(IntegrityError, match="seating_one_player_per_seat"):
        meet(lambda: sits("Lee"), lambda: sits("Kai"))

    assert Seating.objects.get().player.nickname == "Lee"
