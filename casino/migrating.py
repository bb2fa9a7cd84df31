"""Operations of migrations: what Django's own lack, for tables that taps write while they are altered."""

import re
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class AtOnce(Operation):
    """
    Change tables that are there, with nothing between one statement and the next while they are locked.

    Django makes every model anew after each step of a migration, and a transaction keeps what its first step locked:
    thirty new columns kept everybody from the seats for seconds, however few seats there were. The models are made here
    before the first statement, and once for all steps, which may therefore not build on one another.
    """

    reduces_to_sql = True

    def __init__(self, operations: list[Any]) -> None:
        """Take the operations: columns and constraints of tables that an earlier operation made."""
        self.operations = operations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Say of the models what the operations do; they are made when they are next needed."""
        state.__dict__.pop("apps", None)
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Alter the tables."""
        from_state.apps, to_state.apps  # noqa: B018 - makes the models, before anything is locked
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Have the tables as they were."""
        from_state.apps, to_state.apps  # noqa: B018 - as above
        for operation in reversed(self.operations):
            operation.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        """Return what Django prints of it."""
        return "; ".join(str(operation.describe()) for operation in self.operations)


class Together(AtOnce):
    """
    Make tables, in one transaction of their own, in a migration that is none. Broken off later, they are passed over.

    What is asked of tables that are there (foreign keys) comes last, so that nobody waits for more than a moment.
    """

    atomic = True

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Make the tables, their indexes and their keys."""
        first = to_state.apps.get_model(app_label, self.operations[0].name)._meta.db_table
        if first in schema_editor.connection.introspection.table_names():
            return
        super().database_forwards(app_label, schema_editor, from_state, to_state)
        for statement in schema_editor.deferred_sql:
            schema_editor.execute(statement, None)
        schema_editor.deferred_sql.clear()


class WhileTapsWrite(AtOnce):
    """
    As `AtOnce`, for long tables: nobody who writes them waits while all rows are judged or indexed.

    First come columns, in one short transaction, and constraints that are not judged yet; then indexes, each built
    concurrently; then the constraints are judged, which keeps nobody from writing; at last, in another short
    transaction, what the operations drop is dropped, and a new index takes the name of the one before. So the migration
    is no transaction (`atomic = False`); broken off anywhere, it is begun again where it stood. The way back locks.
    """

    atomic = False

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Alter the tables."""
        assert not schema_editor.atomic_migration, "a migration with this operation says atomic = False"
        connection = schema_editor.connection
        with connection.schema_editor(collect_sql=True, atomic=False) as collects:
            super().database_forwards(app_label, collects, from_state, to_state)
        steps = _Steps([text.rstrip(";") for text in collects.collected_sql if text and not text.startswith("--")])
        with connection.cursor() as cursor:
            # A migration may build indexes alone.
            if steps.first and not steps.are_begun(cursor):
                _do(connection, cursor, steps.first)
            for name, statement in steps.indexes:
                _build(cursor, name, statement)
            for table, name in steps.unjudged:
                cursor.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}")
            _do(connection, cursor, steps.last)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Have the tables as they were."""
        with transaction.atomic(schema_editor.connection.alias):
            super().database_backwards(app_label, schema_editor, from_state, to_state)


class _Steps:
    """The statements of Django's own operations, in the order in which nobody waits for them."""

    _CHECK = re.compile(r"ALTER TABLE (\S+) ADD CONSTRAINT (\S+) CHECK ")
    _INDEX = re.compile(r'CREATE (UNIQUE )?INDEX "(\w+)" ON ')
    _READS_ALL = re.compile(r"ADD CONSTRAINT| UNIQUE| CHECK ")
    # A positive number's: PostgreSQL would look at each row for it.
    _POSITIVE = re.compile(r'(ALTER TABLE "(\w+)" ADD COLUMN "(\w+)" .*) CHECK (\("\w+" >= 0\))$')
    _COLUMN = re.compile(r'ALTER TABLE "(\w+)" ADD COLUMN "(\w+)" ')

    def __init__(self, statements: Sequence[str]) -> None:
        """Sort the statements."""
        self.first: list[str] = []
        self.indexes: list[tuple[str, str]] = []
        self.unjudged: list[tuple[str, str]] = []
        self.last = [each for each in statements if each.startswith("DROP INDEX")]
        self._columns = [match.groups() for match in map(self._COLUMN.match, statements) if match]
        for each in statements:
            if match := self._CHECK.match(each):
                self.first.append(f"{each} NOT VALID")
                self.unjudged.append((match[1], match[2]))
            elif match := self._POSITIVE.match(each):
                column, table, name = match[1], f'"{match[2]}"', f'"{match[2]}_{match[3]}_check"'
                self.first += [column, f"ALTER TABLE {table} ADD CONSTRAINT {name} CHECK {match[4]} NOT VALID"]
                self.unjudged.append((table, name))
            elif match := self._INDEX.match(each):
                self._index(match[1] or "", match[2], each[match.end() :])
            elif each not in self.last:
                assert not self._READS_ALL.search(each), f"this would keep everybody waiting: {each}"
                self.first.append(each)

    def _index(self, unique: str, name: str, what: str) -> None:
        is_taken = any(f'"{name}"' in dropped for dropped in self.last)
        built = f"{name}_new" if is_taken else name
        self.indexes.append((built, f'CREATE {unique}INDEX CONCURRENTLY "{built}" ON {what}'))
        if is_taken:
            self.last.append(f'ALTER INDEX "{built}" RENAME TO "{name}"')

    def are_begun(self, cursor: Any) -> bool:
        """Tell whether the first of the columns is there, or of the constraints where no column comes."""
        if not self._columns:
            table, name = self.unjudged[0]
            cursor.execute(
                "SELECT 1 FROM pg_constraint WHERE conrelid = to_regclass(%s) AND conname = %s",
                [table, name.strip('"')],
            )
            return cursor.fetchone() is not None
        cursor.execute(
            "SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass(%s) AND attname = %s AND NOT attisdropped",
            self._columns[0],
        )
        return cursor.fetchone() is not None


def _do(connection: Any, cursor: Any, statements: Sequence[str]) -> None:
    with transaction.atomic(connection.alias):
        for each in statements:
            cursor.execute(each)


def _build(cursor: Any, name: str, statement: str) -> None:
    """Build an index that is not there; one that was broken off is built anew."""
    cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [name])
    row = cursor.fetchone()
    if row is not None and row[0]:
        return
    cursor.execute(f'DROP INDEX IF EXISTS "{name}"')
    cursor.execute(statement)
