"""`manage.py ledger check`: prove the ledger whole, or say where it is not."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.ledger.proof import problems
from casino.rooms.models import Room


class Command(BaseCommand):
    help = "check: hold balances, transfers, promises, contra accounts and reversals against the postings"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["check"])
        parser.add_argument("--room", help="the slug of one room; default: every room")

    def handle(self, *args: Any, **options: Any) -> None:
        rooms = Room.objects.order_by("id")
        if options["room"]:
            rooms = rooms.filter(slug=options["room"])
        wrong = 0
        for room in rooms:
            for problem in problems(room.id):
                wrong += 1
                self.stderr.write(f"{room.slug}: {problem.what}: {problem.detail}")
        if wrong:
            raise CommandError(f"The ledger does not hold: {wrong} problem{'s' if wrong > 1 else ''}.")
        self.stdout.write("The ledger holds.")
