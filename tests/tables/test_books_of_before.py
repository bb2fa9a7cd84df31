"""A next rule book that waited for its signature before it was called requested waits on, and names alone change."""

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from casino.rooms.models import NextBook
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_books import Office

NAMES_ALONE = [("people", "0019_own_limits_are_wished"), ("tables", "0035_changes_are_wished")]


def status() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT status FROM rooms_nextbook ORDER BY id DESC LIMIT 1")
        row: tuple[str] = cursor.fetchone()
    return row[0]


def test_a_book_that_waited_before_waits_on_and_is_signed(house: House) -> None:
    office = Office(house)
    office.edit()
    office.ask()
    loader = MigrationLoader(connection)
    migration = loader.get_migration("rooms", "0006_a_book_is_requested")
    before = loader.project_state(list(migration.dependencies))
    # As if the row had been there since long: judged.
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")

    with as_owner():
        with connection.schema_editor() as editor:
            migration.unapply(before.clone(), editor)
        was = status()
        with connection.schema_editor() as editor:
            migration.apply(before.clone(), editor)

    assert (was, status()) == ("asked", "requested")
    office.approve()
    assert office.next.status == NextBook.Status.APPROVED


@pytest.mark.slow
@pytest.mark.parametrize("named", NAMES_ALONE)
def test_what_is_called_otherwise_keeps_its_column(house: House, named: tuple[str, str]) -> None:
    loader = MigrationLoader(None)
    migration = loader.disk_migrations[named]

    with connection.schema_editor(collect_sql=True) as editor:
        migration.apply(loader.project_state(named, at_end=False), editor, collect_sql=True)

    assert [line for line in editor.collected_sql if not line.startswith("--")] == []
