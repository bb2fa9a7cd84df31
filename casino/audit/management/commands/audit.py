"""`manage.py audit verify`: prove the log whole, or name the first broken link of each chain."""

import sys
from argparse import ArgumentTypeError
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino import clock
from casino.audit.breaks import Break
from casino.audit.models import Event, Seal
from casino.audit.sealing.copies import NoStore, NotStored
from casino.audit.sealing.proof import Copy, compare, has_code, key_breaks, keys_that_began_anew, signed_since
from casino.audit.selectors import breaks, last_seal
from casino.rooms.models import Room

UNCOMPARED = "No copy of the seals was compared (--copy): who has the sealer's key, or the database, can make others."


def _printed(text: str) -> tuple[int, str]:
    number, _, code = text.partition(":")
    if not number.isdecimal() or not code:
        raise ArgumentTypeError(
            "a seal as it is printed: its number, a colon, its code (1234:7F3A-22C9-01BD-9E44-C0D5)"
        )
    return int(number), code


class Command(BaseCommand):
    help = (
        "Prove the audit log whole: every chain from its first event to its head, every seal, and each transfer, slip "
        "and count against its event; with --copy against the seals as they were written elsewhere."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["verify"])
        parser.add_argument(
            "--copy", metavar="FILE",
            help="seals from elsewhere: the sealer's file, a log; - for stdin; a store's address as in BRUSH_SEALS_S3",
        )  # fmt: skip
        parser.add_argument(
            "--printed", metavar="NUMBER:CODE", type=_printed, action="append", default=[],
            help="a seal as it stands on a day's report; with several rooms, --room",
        )  # fmt: skip
        parser.add_argument("--room", help="the slug of one room; default: every room")

    def handle(self, *args: Any, **options: Any) -> None:
        self._broken = 0
        rooms = Room.objects.order_by("id")
        if options["room"]:
            rooms = rooms.filter(slug=options["room"])
        slugs = {room.pk: room.slug for room in rooms}
        if not slugs and options["room"]:
            raise CommandError(f"There is no room {options['room']}.")
        for room_id, slug in slugs.items():
            for broken in breaks(room_id):
                self._tell(slug, broken)
            self.stdout.write(f"{slug}: {Event.objects.filter(room_id=room_id).count()} events read{_sealed(room_id)}")
        for broken in key_breaks():
            self._tell("keys", broken)
        for key in keys_that_began_anew():
            self.stdout.write(
                f"Key {key.version} was not signed by the one before it. A restored house begins like that, on its "
                f"first day ({key.at:%Y-%m-%d %H:%M}); otherwise somebody has put a key of their own there."
            )
        for number, code in options["printed"]:
            if not any(has_code(room_id, number, code) for room_id in slugs):
                self._tell("printed", Break("seal", number, "it has another code, or is not here"))
        if options["copy"]:
            self._compare(options["copy"], slugs, every_room=not options["room"])
        elif not options["printed"]:
            self.stdout.write(UNCOMPARED)
        if self._broken:
            raise CommandError(f"{self._broken} broken links")
        self.stdout.write("The log is whole.")

    def _compare(self, name: str, slugs: dict[int, str], *, every_room: bool) -> None:
        try:
            copy = _from_store(name) if name.lower().startswith(("https:", "http:")) else _from_file(name)
        except (OSError, NoStore, NotStored) as problem:
            raise CommandError(f"The copy cannot be read: {problem}") from problem
        if not copy.ends:
            raise CommandError(f"There are no seals in {name}.")
        for room_id, broken in copy.breaks:
            if every_room or room_id is None or room_id in slugs:
                self._tell(slugs.get(room_id or 0, f"room {room_id}"), broken)
        for room_id, number, put_at in copy.rivals:
            if every_room or room_id in slugs:
                moments = ", ".join(f"{at:%Y-%m-%d %H:%M:%S}" for at in put_at)
                self.stdout.write(
                    f"{slugs.get(room_id, f'room {room_id}')}: the store has several seals {number}: put {moments}"
                )
        for room_id, slug in slugs.items():
            last, newest = copy.ends.get(room_id, 0), last_seal(room_id)
            newer = max(0, (newest.number or 0) - last) if newest else 0
            more = f"; {newer} newer ones stand in no copy" if newer else ""
            self.stdout.write(f"{slug}: the copy ends with seal {last}{more}")

    def _tell(self, where: str, broken: Break) -> None:
        self._broken += 1
        self.stderr.write(f"{where}: {broken.chain} breaks at {broken.number}: {broken.problem}")


def _from_file(name: str) -> Copy:
    # A byte that is no text spoils its line, not the file.
    with nullcontext(sys.stdin) if name == "-" else Path(name).open(errors="replace") as lines:
        return compare(lines)


def _from_store(address: str) -> Copy:
    """:raises NoStore, NotStored: it cannot be read, with the key in BRUSH_SEALS_S3_KEY."""
    from casino.audit.sealing.store import SealStore

    store = SealStore(address, settings.SEALS_S3_KEY)
    copy = compare(store.lines())
    copy.breaks.extend(store.unlocked(_made_at, now=clock.now()))
    copy.rivals = store.rivals
    return copy


def _made_at(room_id: int, number: int, signature: str) -> datetime | None:
    return Seal.objects.filter(room_id=room_id, number=number, signature=signature).values_list("at", flat=True).first()


def _sealed(room_id: int) -> str:
    newest, since = last_seal(room_id), signed_since(room_id)
    if newest is None or newest.number is None or since is None:
        return ", no signed seal"
    return f", {newest.number} seals signed since {since:%Y-%m-%d %H:%M}, the last at {newest.at:%Y-%m-%d %H:%M}"
