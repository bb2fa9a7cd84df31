"""`manage.py backup FILE`: the whole house in one file, while it goes on."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino import clock
from casino.backups import DUMP, CannotBackUp, back_up, database_at_hand
from casino.embedded.home import CannotStart


class Command(BaseCommand):
    help = "Write database, key and settings into a new file that only its owner can read."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file."""
        parser.add_argument("file", type=Path, help="a file that is not there yet")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Write it, and say what is in it."""
        try:
            with database_at_hand(must_stand_still=False):
                manifest = back_up(file, at=clock.now())
        except (CannotBackUp, CannotStart) as problem:
            raise CommandError(str(problem)) from problem
        of_dump = manifest["files"][DUMP]
        self.stdout.write(f"{file}: the house of {manifest['made_at']}, {of_dump['bytes']} bytes of database.")
        self.stdout.write("Whoever has this file has the house, its key included: keep it where nobody else reads it.")
