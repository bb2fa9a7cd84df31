"""`manage.py upgrade [FILE]`: bring the database to this code's state, after a backup and a rehearsal on a copy."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from casino import clock
from casino.backups import CannotBackUp, back_up, database_at_hand, has_rooms, rehearse, unapplied
from casino.embedded.home import CannotStart


class Command(BaseCommand):
    """
    `migrate`, for a house with something in it: backed up first, then migrated and proved as a copy, then itself.

    An empty house is only migrated, and one that is of this code's state already is left alone.
    """

    help = "Migrate, after a backup and a rehearsal on a copy of this house."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file, and the way without a rehearsal."""
        parser.add_argument("file", type=Path, nargs="?", help="where the backup goes; default: the data folder")
        parser.add_argument(
            "--no-rehearsal", action="store_true", help="where the role may make no database, or the disk holds no two"
        )

    def handle(self, *args: Any, file: Path | None, no_rehearsal: bool, verbosity: int, **options: Any) -> None:
        """Do it, and say each step."""
        try:
            with database_at_hand(must_stand_still=False):
                wanted = unapplied()
                if wanted and has_rooms():
                    self._make_sure(file or _file_in_data_folder(), wanted, no_rehearsal=no_rehearsal)
                # Also where nothing is wanted: what follows every migration follows.
                call_command("migrate", verbosity=0)
                if not wanted and verbosity:
                    self.stdout.write("The database is of this Brush already: nothing to upgrade.")
        except (CannotBackUp, CannotStart) as problem:
            raise CommandError(str(problem)) from problem

    def _make_sure(self, file: Path, wanted: list[str], *, no_rehearsal: bool) -> None:
        self.stdout.write(f"To be carried out: {', '.join(wanted)}.")
        back_up(file, at=clock.now())
        self.stdout.write(f"Backed up into {file}.")
        if not no_rehearsal:
            self.stdout.write(f"On a copy: {rehearse(file)}")


def _file_in_data_folder() -> Path:
    folder = Path(settings.DATA_DIR) / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / f"before-upgrade-{clock.now():%Y%m%d-%H%M%S}.brush"
