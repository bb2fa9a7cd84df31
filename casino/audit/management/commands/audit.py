"""`manage.py audit verify`: prove the log whole, or name the first broken link of each chain."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.audit.models import Event
from casino.audit.selectors import breaks
from casino.rooms.models import Room


class Command(BaseCommand):
    help = "Prove the audit log whole: every chain from its first event to its head, and every seal."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["verify"])

    def handle(self, *args: Any, **options: Any) -> None:
        broken = 0
        for room in Room.objects.order_by("id"):
            for found in breaks(room.pk):
                broken += 1
                self.stderr.write(f"{room.slug}: {found.chain} breaks at {found.number}: {found.problem}")
            self.stdout.write(f"{room.slug}: {Event.objects.filter(room_id=room.pk).count()} events read")
        if broken:
            raise CommandError(f"{broken} broken links")
        self.stdout.write("The log is whole.")
