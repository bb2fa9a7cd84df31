# ruff: noqa: T201 - it talks to a person in a terminal.
"""
Fail when a model has changed and no migration says so.

What `makemigrations --check` does, but without a database: that command asks the database for its
history first, and where none runs it waits ten seconds and warns.
"""

import os
import sys
from pathlib import Path

import django


def main() -> int:
    """Print what changed, app by app; return 1 if something did."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()

    from django.apps import apps
    from django.core.management.commands.makemigrations import Command
    from django.db.migrations.loader import MigrationLoader
    from django.db.migrations.state import ProjectState

    loader = MigrationLoader(None)
    conflicts = loader.detect_conflicts()
    for app, names in conflicts.items():
        print(f"{app}: two migrations come last: {', '.join(sorted(names))}")
    # The command's own detector: pgtrigger teaches that one to see triggers.
    changes = Command.autodetector(loader.project_state(), ProjectState.from_apps(apps)).changes(loader.graph)
    for app, migrations in changes.items():
        for operation in (operation for migration in migrations for operation in migration.operations):
            print(f"{app}: no migration says: {operation.describe()}")
    if changes or conflicts:
        return 1
    print("The migrations say all that the models do.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
