"""Say what a tap would miss; the health check of a container without a web process."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino.health import what_is_late, what_is_missing


class Command(BaseCommand):
    """`manage.py health` fails when database, Redis or worker are missing; `--only worker` looks at that alone, and
    `--only seals` whether they are late."""

    help = "Fail when the database, Redis or the worker's heartbeat is missing."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare `--only`."""
        parser.add_argument("--only", choices=["database", "redis", "worker", "seals"], help="look at this one alone")

    def handle(self, *args: Any, only: str | None, **options: Any) -> None:
        """Look, and tell."""
        if only == "seals":
            if late := what_is_late():
                raise CommandError(f"late: {', '.join(late)}")
            self.stdout.write("sealed")
            return
        missing = [name for name in what_is_missing() if only in (None, name)]
        if missing:
            raise CommandError(f"missing: {', '.join(missing)}")
        self.stdout.write("ready")
