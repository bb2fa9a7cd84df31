# ruff: noqa: T201 - it talks to a person in a terminal.
"""
Fail when a model has changed and no migration says so, or when a migration would keep a full house waiting.

The first is what `makemigrations --check` does, but without a database: that command asks the database for its
history first, and where none runs it waits ten seconds and warns.
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django

# Tables of so few rows, at five million hands too, that reading or indexing all of them takes no time; and those that
# no tap writes. Every other table of ours grows with hands, players and taps.
FEW = {
    "audit.seal", "audit.sealkey", "cage.doubt", "cage.drawer", "cage.drawercount", "cage.drawersession",
    "cage.fillslip", "cage.vault", "compliance.compliancenote",
    "jackpot.claim", "jackpot.collection", "jackpot.pool", "people.apitoken", "people.device", "people.inquiry",
    "people.staff",
    "promotions.fund", "promotions.period", "promotions.prize", "rooms.gamingday", "rooms.nextbook", "rooms.place",
    "rooms.room", "rooms.rulebookversion", "tables.game", "tables.table", "tables.closedtips", "tables.tipcount",
    "waiting.waitinglist",
}  # fmt: skip
# What makes an index of a field.
INDEXED = ("db_index", "unique")


def unsaid() -> Iterator[str]:
    """Yield what models say and no migration does."""
    from django.core.management.commands.makemigrations import Command
    from django.db.migrations.loader import MigrationLoader
    from django.db.migrations.state import ProjectState

    loader = MigrationLoader(None)
    for app, names in loader.detect_conflicts().items():
        yield f"{app}: two migrations come last: {', '.join(sorted(names))}"
    # The command's own detector: pgtrigger teaches that one to see triggers.
    changes = Command.autodetector(loader.project_state(), ProjectState.from_apps(django.apps.apps)).changes(
        loader.graph
    )
    for app, migrations in changes.items():
        for operation in (operation for migration in migrations for operation in migration.operations):
            yield f"{app}: no migration says: {operation.describe()}"


def held_up() -> Iterator[str]:
    """Yield what of our migrations reads, writes or indexes all of a long table while nobody else may write it."""
    from django.apps import apps
    from django.db.migrations.loader import MigrationLoader

    ours = {app.label for app in apps.get_app_configs() if "site-packages" not in app.path}
    for (app, name), migration in sorted(MigrationLoader(None).disk_migrations.items()):
        if app in ours:
            for what in _holds_up(migration, app):
                yield f"{app}.{name}: {what}"


def _holds_up(migration: Any, app: str) -> Iterator[str]:
    from django.db.migrations import operations as of

    new, alters, writes = set(), False, False
    for operation in _carried_out(migration.operations):
        if isinstance(operation, of.CreateModel):
            new.add(operation.name.lower())
            continue
        model = getattr(operation, "model_name", "").lower()
        if f"{app}.{model}" in FEW or model in new:
            continue
        alters = alters or bool(model)
        is_indexed = any(getattr(getattr(operation, "field", None), what, False) for what in INDEXED)
        if type(operation) in (of.AddIndex, of.AddConstraint) or (isinstance(operation, of.AddField) and is_indexed):
            yield f"{operation.describe()}: in WhileTapsWrite (casino/migrating.py)"
        elif isinstance(operation, of.RunPython):
            writes = True
        elif isinstance(operation, of.RunSQL):
            writes = writes or bool(re.search(r"\b(UPDATE|DELETE|INSERT)\b", str(operation.sql)))
    if migration.atomic and alters and writes:
        yield "rows are written in the transaction that alters tables: in batches, before it (tables/migrations/0008)"


def _carried_out(operations: list[Any]) -> Iterator[Any]:
    """Yield operations on the database, those within others too, but for those that keep nobody waiting."""
    from casino.migrating import WhileTapsWrite

    for operation in operations:
        if isinstance(operation, WhileTapsWrite):
            continue
        within = getattr(operation, "database_operations", getattr(operation, "operations", None))
        if within is None:
            yield operation
        else:
            yield from _carried_out(within)


def main() -> int:
    """Print what is wrong, app by app; return 1 if something is."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()

    found = [*unsaid(), *held_up()]
    for line in found:
        print(line)
    if found:
        return 1
    print("The migrations say all that the models do, and keep no full house waiting.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
