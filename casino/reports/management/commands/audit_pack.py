"""`manage.py audit_pack FROM TO FILE`: the auditor's pack of closed gaming days, of a year as of a day."""

import os
import uuid
from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino import clock
from casino.commands.carrying_out import Command as Tap
from casino.errors import Refusal
from casino.people.demo import house_actor
from casino.reports.services import pack_of_days
from casino.rooms.models import Room


class Command(BaseCommand):
    help = (
        "Write a new file with the log, transfers, reports, rule books and seals of closed gaming days, and a script "
        "that verifies all of it without Brush. The log keeps the file's digest."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the dates and the file."""
        parser.add_argument("first", type=date.fromisoformat, metavar="FROM", help="a date, as 2026-11-01")
        parser.add_argument("last", type=date.fromisoformat, metavar="TO", help="a date, as 2026-11-30")
        parser.add_argument("file", type=Path, metavar="FILE", help="a file that is not there yet")
        parser.add_argument("--room", help="the slug of a room, where there are several")

    def handle(self, *args: Any, first: date, last: date, file: Path, **options: Any) -> None:
        """Make it, whole or not at all, and say its digest."""
        rooms = Room.objects.filter(slug=options["room"]) if options["room"] else Room.objects.all()
        if len(rooms) != 1:
            raise CommandError("Say with --room which room: " + ", ".join(room.slug for room in Room.objects.all()))
        at = clock.now()
        tap = Tap(id=uuid.uuid4(), by=house_actor(rooms[0].pk), tapped_at=at, at=at)
        draft = file.with_name(f"{file.name}.{os.getpid()}.draft")
        try:
            with os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "w+b") as opened:
                made = pack_of_days(
                    tap, first_date=first.isoformat(), last_date=last.isoformat(), file=opened, days_max=None
                )
            # Unlike a rename this never takes the place of a file that came meanwhile.
            os.link(draft, file)
        except OSError as problem:
            raise CommandError(f"{file} cannot be written: {problem}") from problem
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        finally:
            draft.unlink(missing_ok=True)
        self.stdout.write(
            f"{file}: {made.days} days, {made.events} events, {made.transfers} transfers, {made.seals} seals, "
            f"{made.size_bytes} bytes."
        )
        self.stdout.write(f"Digest: {made.digest}")
