"""`manage.py restore FILE`: an empty house becomes that of a backup, and the proofs say whether it is whole."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from casino.backups import CannotBackUp, database_at_hand, restore, settings_that_differ
from casino.embedded.home import CannotStart

# Each is a command of ours that proves something, and fails with what does not hold.
PROOFS = (("audit", "verify"), ("ledger", "check"))


class Command(BaseCommand):
    help = "Restore a backup into an empty house that nobody uses, and prove log and ledger."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file."""
        parser.add_argument("file", type=Path, help="what manage.py backup wrote")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Restore it, then prove it; a proof that fails leaves the house restored, for people to look at."""
        try:
            with database_at_hand(must_stand_still=True):
                manifest = restore(file)
                self.stdout.write(f"The house of {manifest['made_at']} is restored.")
                self._prove()
        except (CannotBackUp, CannotStart) as problem:
            raise CommandError(str(problem)) from problem
        for setting in settings_that_differ(manifest):
            self.stdout.write(f"That house ran with {setting}; this one does not.")

    def _prove(self) -> None:
        failed = []
        for proof in PROOFS:
            try:
                call_command(*proof, stdout=self.stdout, stderr=self.stderr)
            except CommandError as problem:
                failed.append(f"{' '.join(proof)}: {problem}")
        if failed:
            raise CommandError("The backup does not prove whole. " + " ".join(failed))
