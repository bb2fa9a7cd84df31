"""`manage.py sealer`: seal the log once a minute, until it is stopped. `manage.py sealer turn`: a new key."""

import signal
import threading
import time
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino import grants
from casino.audit.sealing.copies import NoLogHost, NoStore
from casino.audit.sealing.key import NoKey, turn_key
from casino.audit.sealing.sealer import SECONDS, TRY_AGAIN_SECONDS, Sealer

if TYPE_CHECKING:
    from casino.audit.sealing.storing import StoreCopy

# How long `once` waits for the store.
ONCE_SECONDS_MAX = 60


class Command(BaseCommand):
    help = "Seal the log once a minute with a key that only the sealer reads; `turn` puts a new key in its place."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", nargs="?", choices=["run", "once", "turn"], default="run")
        parser.add_argument("--every", type=float, default=SECONDS, metavar="SECONDS", help=f"default: {SECONDS}")

    def handle(self, *args: Any, action: str, every: float, **options: Any) -> None:
        if action == "turn":
            self._turn()
            return
        try:
            store = _store()
            sealer = Sealer(settings.SEALER_DIR, file=settings.SEALS_FILE, syslog=settings.SEALS_SYSLOG, store=store)
        except NoLogHost as problem:
            raise CommandError(f"BRUSH_SEALS_SYSLOG: {problem}") from problem
        except NoStore as problem:
            raise CommandError(f"BRUSH_SEALS_S3: {problem}") from problem
        grants.connect_as_sealer()
        if action == "once":
            sealer.seal_rooms()
            if store is not None:
                store.wait(ONCE_SECONDS_MAX)
            sealer.close()
            return
        grants.say_if_not_apart()
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        while not stop.is_set():
            began = time.monotonic()
            was_there = sealer.seal_rooms()
            pause = every if was_there else min(every, TRY_AGAIN_SECONDS)
            stop.wait(max(0.0, began + pause - time.monotonic()))
        sealer.close()

    def _turn(self) -> None:
        try:
            key = turn_key(settings.SEALER_DIR)
        except NoKey as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"Key {key.version} seals from now on; the one before it signed it, and is gone.")


def _store() -> "StoreCopy | None":
    """Return the store's copy, None where no store is named. :raises NoStore: what is named is none."""
    if not settings.SEALS_S3:
        return None
    from casino.audit.sealing.store import SealStore
    from casino.audit.sealing.storing import StoreCopy

    return StoreCopy(SealStore(settings.SEALS_S3, settings.SEALS_S3_KEY), settings.SEALER_DIR)
