"""A migration that lets taps write is no transaction: broken off anywhere, it is begun again where it stood."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import connection, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from tests.conftest import Database
from tests.support.owner import as_owner

# What is there of 0002 of the cage in the end, and nothing after it changes: an index, a rule that was judged.
INDEX, RULE = "cage_slip_approved_by_id_01f5ee5b", "slip_signed_by_another"


def found() -> tuple[object, ...]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)),"
            " (SELECT convalidated FROM pg_constraint WHERE conname = %s)",
            [INDEX, RULE],
        )
        row: tuple[object, ...] = cursor.fetchone()
    return row


def carry_out() -> None:
    loader = MigrationLoader(None)
    migration = loader.disk_migrations["cage", "0002_fills_signed_by_two"]
    before: ProjectState = loader.project_state(("cage", "0002_fills_signed_by_two"), at_end=False)
    with connection.schema_editor(atomic=False) as editor:
        migration.apply(before, editor)


@pytest.fixture
def owner(committing_db: Database) -> Iterator[None]:
    with as_owner():
        yield


def test_a_migration_that_was_broken_off_is_begun_again_where_it_stood(owner: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX {INDEX}; ALTER TABLE cage_slip DROP CONSTRAINT {RULE}")
        cursor.execute(f"ALTER TABLE cage_slip ADD CONSTRAINT {RULE} CHECK (approved_by_id <> paid_by_id) NOT VALID")
    assert found() == (None, False)

    carry_out()
    assert found() == (True, True)

    carry_out()
    assert found() == (True, True)


@pytest.mark.django_db
def test_a_foreign_key_without_an_index_has_none(subtests: pytest.Subtests) -> None:
    """Migrations drop them by the names that Django made, and nothing else would tell if one were mistyped."""
    without = [
        field
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.ForeignKey) and not (field.unique or vars(field)["db_index"])
    ]
    assert without
    with connection.cursor() as cursor:
        for field in without:
            there = connection.introspection.get_constraints(cursor, field.model._meta.db_table)
            # A partial index is listed like a whole one.
            declared = {index.name for index in field.model._meta.indexes}
            with subtests.test(field=str(field)):
                assert not [
                    name
                    for name, found in there.items()
                    if found["index"]
                    and not found["unique"]
                    and found["columns"] == [field.column]
                    and name not in declared
                ]
