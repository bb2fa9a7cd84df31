"""A house of before had rake and drop in its hands: the upgrade finds every cent again, and so does the way back."""

import importlib
from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.migrations.loader import MigrationLoader

from tables.services.corrections import undo_hand
from tests.support.owner import as_owner
from tests.tables.conftest import House

MIGRATION = importlib.import_module("tables.migrations.0008_charges_of_a_hand")
BEFORE = {
    "tables_hand": "number, rake_due_cents, rake_taken_cents, drop_due_cents, drop_taken_cents",
    "tables_handpot": "index, cents, rake_cents, drop_cents",
    "tables_boxdifference": "rake_cents, drop_cents, reason",
}
NOW = {
    "tables_handcharge": "kind, due_cents, taken_cents, by_pot",
    "tables_boxdifference": "kind, cents, reason",
    "tables_game": "name, charges",
}


def rows(columns: dict[str, str]) -> dict[str, list[Sequence[Any]]]:
    found = {}
    with connection.cursor() as cursor:
        for table, names in columns.items():
            cursor.execute(f"SELECT {names} FROM {table} ORDER BY {names}")
            found[table] = cursor.fetchall()
    return found


def test_rows_of_before_are_rows_of_now(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=4, Pekka=5, Jo=6)
    house.settle(24_00, 16_00, winners=(2,))
    house.settle(86_00, taken={"rake": 3_00})
    house.settle()
    unknown = house.settle(10_00)
    house.tap(undo_hand, house.cast.anna, table_id=house.table_id(), hand_id=unknown.hand_id)
    now = rows(NOW)
    loader = MigrationLoader(connection)
    migration = loader.get_migration("tables", MIGRATION.__name__.rsplit(".", 1)[-1])
    before = loader.project_state(list(migration.dependencies))

    # As if the rows had been there since long: judged, and each migration defers what it writes itself.
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    with as_owner(), connection.schema_editor() as editor:
        migration.unapply(before.clone(), editor)
    was = rows(BEFORE)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    with as_owner(), connection.schema_editor() as editor:
        migration.apply(before.clone(), editor)

    assert was["tables_hand"] == [
        (1, 200, 200, 100, 100),
        (2, 400, 300, 100, 100),
        (3, 0, 0, 0, 0),
        (4, 0, 0, 100, 100),
    ]
    assert (0, 2400, 200, 100) in was["tables_handpot"]
    with as_owner():
        assert rows(NOW) == now
    assert [len(found) for found in now.values()][:2] == [5, 1]
    assert house.game().charges.keys() == {"rake", "drop"}
