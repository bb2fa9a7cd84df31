"""A house of before had rake and drop in its hands: the upgrade finds every cent again, and so does the way back."""

import importlib
import uuid
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from tables.models import ToDo
from tables.services.corrections import undo_hand
from tables.services.kept_taps import enter_tap
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


def say_due_by_pot(due_by_pot: dict[int, tuple[int, ...]]) -> None:
    """Have pots say what rake they were due, by the hand's row: so it stood there, whatever was taken."""
    with connection.cursor() as cursor:
        for hand, due in due_by_pot.items():
            for index, cents in enumerate(due):
                text = "UPDATE tables_handpot SET rake_cents = %s WHERE hand_id = %s AND index = %s"
                cursor.execute(text, [cents, hand, index])


def tap_of_before(house: House, **arguments: Any) -> ToDo:
    """Plant a settlement of before that waits for the floor, with what the dealer said of the boxes."""
    hand = {
        "hand_id": str(uuid.uuid4()), "winners": [[2]], "pots": [86_00], "dealt_in": [1, 2, 3, 4, 5, 6], "button": None,
        "small_blind": None, "big_blind": None, "rake_taken_cents": None, "drop_taken_cents": None, "dealt_at": None,
        "opening_id": None,
    }  # fmt: skip
    data = {"tap": "tables.settle_hand", "arguments": {"hand": hand | arguments}, "doubt": "no_proof", "staff": None}
    data["tapped_at"] = house.at.isoformat()
    with as_owner():
        return ToDo.objects.create(
            room_id=house.room_id, table_id=house.table_id(), kind="tap_kept", raised_at=house.at, data=data
        )


@pytest.mark.slow
def test_rows_of_before_are_rows_of_now(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=4, Pekka=5, Jo=6)
    first = house.settle(24_00, 16_00, winners=(2,))
    less = house.settle(86_00, taken={"rake": 3_00})
    house.settle()
    unknown = house.settle(10_00)
    house.tap(undo_hand, house.cast.anna, table_id=house.table_id(), hand_id=unknown.hand_id)
    three: dict[str, Any] = {"winners": (1, 2, 3)}
    least = house.settle(18_00, 18_00, 18_00, taken={"rake": 1_00}, **three)
    more = house.settle(18_00, 18_00, 18_00, taken={"rake": 19_00, "drop": 2_00}, **three)
    due_by_pot = {less.pk: (4_00,), least.pk: (1_00, 1_00, 0), more.pk: (1_00, 1_00, 0)}
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
    taps = [tap_of_before(house, rake_taken_cents=3_00), tap_of_before(house)]
    copy, copied = MIGRATION._copy, list[int]()

    def copy_twice(cursor: Any, hands: Sequence[int]) -> None:
        if len(copied) == 4:
            raise InterruptedError
        copy(cursor, hands)
        copied.extend(hands)

    def taken_of_first(cents: int) -> None:
        with as_owner(), connection.cursor() as cursor:
            cursor.execute("UPDATE tables_hand SET drop_taken_cents = %s WHERE id = %s", [cents, first.pk])

    # Broken off after two times two hands; they are written again meanwhile, by the code of before.
    taken_of_first(7_00)
    monkeypatch.setattr(MIGRATION, "HANDS_AT_A_TIME", 2)
    monkeypatch.setattr(MIGRATION, "_copy", copy_twice)
    with as_owner(), pytest.raises(InterruptedError), connection.schema_editor(atomic=False) as editor:
        migration.apply(before.clone(), editor)
    monkeypatch.setattr(MIGRATION, "_copy", copy)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tables_hand SET reason = reason WHERE id = %s", [copied[-1]])
    taken_of_first(1_00)
    with as_owner():
        say_due_by_pot(due_by_pot)
    with as_owner(), connection.schema_editor() as editor:
        migration.apply(before.clone(), editor)
    # Killed before it was written down that it is done, it is begun once more.
    with as_owner(), connection.schema_editor() as editor:
        migration.apply(before.clone(), editor)

    assert was["tables_hand"] == [
        (1, 200, 200, 100, 100),
        (2, 400, 300, 100, 100),
        (3, 0, 0, 0, 0),
        (4, 0, 0, 100, 100),
        (4, 200, 100, 100, 100),
        (5, 200, 1900, 100, 200),
    ]
    assert (0, 2400, 200, 100) in was["tables_handpot"]
    # What the way there and back made anew is the owner's alone.
    with as_owner():
        assert rows(NOW) == now
        before_taps = house.figures()["rake_box"]
        for todo in taps:
            house.tap(enter_tap, table_id=house.table_id(), todo_id=todo.pk)
    assert [len(found) for found in now.values()][:2] == [9, 1]
    assert house.game().charges.keys() == {"rake", "drop"}
    # 3 € as the dealer said, and the 4 € that were due where nobody said anything.
    assert house.figures()["rake_box"] - before_taps == 7_00
