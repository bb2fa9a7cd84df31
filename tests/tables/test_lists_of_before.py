"""A house of before kept its lists among the tables: the upgrade finds every row again, and so does the way back."""

import importlib
import uuid
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from casino.audit.models import Event
from casino.audit.selectors import LogFilter, log_page
from casino.audit.sentences import Reader, sentences_of, title_of
from casino.waiting.models import Waiting
from casino.waiting.services.lists import join_list
from tables.models import Seating
from tables.services.moving import move_player, take_back_move
from tests.support.owner import as_owner
from tests.tables.conftest import House

MIGRATIONS = (
    ("tables", importlib.import_module("tables.migrations.0013_claims_are_kept_elsewhere")),
    ("waiting", importlib.import_module("casino.waiting.migrations.0001_lists_of_their_own")),
)
ROWS = {"waitinglist": "id, game_id, version, places_given", "waiting": "id, waiting_list_id, player_id, status, place"}


def join(house: House, nickname: str) -> int:
    answer = house.tap(join_list, game_id=house.game().pk, player_id=house.player(nickname).pk)
    return int(answer.data["waiting"])


def rows(app: str, move: str) -> list[Sequence[Any]]:
    found = []
    with connection.cursor() as cursor:
        for table, names in ROWS.items():
            cursor.execute(f"SELECT {names} FROM {app}_{table} ORDER BY id")
            found.append(cursor.fetchall())
        cursor.execute(f"SELECT id, {move} FROM tables_tablemove ORDER BY id")
        found.append(cursor.fetchall())
    return found


def steps() -> list[tuple[ProjectState, Any]]:
    """Return each migration, in order, with the state before it."""
    loader = MigrationLoader(connection)
    found = []
    for app, module in MIGRATIONS:
        migration = loader.get_migration(app, module.__name__.rsplit(".", 1)[-1])
        found.append((loader.project_state(list(migration.dependencies)), migration))
    return found


@pytest.mark.slow
def test_rows_of_before_are_rows_of_now(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    join(house, "Timo")
    kai = join(house, "Kai")
    seating = Seating.objects.get(player=house.player("Kai"))
    to: dict[str, Any] = {"to_table_id": house.table_id(2), "seat_number": 5, "stack_cents": 300_00}
    moved = house.tap(move_player, table_id=house.table_id(1), seating_id=seating.pk, **to)
    now = rows("waiting", "claim_ref")
    # As if the rows had been there since long: judged, and each migration defers what it writes itself.
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")

    with as_owner():
        for before, migration in reversed(steps()):
            with connection.schema_editor() as editor:
                migration.unapply(before.clone(), editor)
        was = rows("tables", "waiting_id")
        for before, migration in steps():
            with connection.schema_editor() as editor:
                migration.apply(before.clone(), editor)
        found = rows("waiting", "claim_ref")

    assert was == now == found
    assert [len(each) for each in found] == [1, 2, 1]
    assert found[2][0][1] == kai
    # What the move had ended begins again.
    house.tap(take_back_move, table_id=house.table_id(2), seating_id=moved.data["to_seating"])
    assert Waiting.objects.get(pk=kai).status == "waiting"


def test_events_of_before_are_read_and_found_under_the_name_of_now(house: House) -> None:
    join(house, "Timo")
    event = Event.objects.get(name="waiting.join_list")
    reader = Reader(house.room_id, "EUR", "fi_FI", frozenset())
    sentences = sentences_of([event], reader)
    event.pk, event.chain, event.name = None, "list.of_before", "tables.join_list"
    event.command_id = uuid.uuid4()
    with as_owner():
        event.save(force_insert=True)

    found = log_page(house.room_id, LogFilter(name="waiting.join_list"))

    assert [each.name for each in found] == ["tables.join_list", "waiting.join_list"]
    assert sentences_of(found, reader) == [*sentences, *sentences]
    assert title_of("tables.join_list") == title_of("waiting.join_list") != "waiting.join_list"
