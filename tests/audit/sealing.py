"""The sealer in a test: as its role, with a key and a copy in a folder of the test's."""

from pathlib import Path

from casino.audit.sealing.sealer import Sealer
from tests.support.owner import as_sealer


def sealer_in(folder: Path, *, syslog: str = "") -> Sealer:
    return Sealer(folder / "key", file=folder / "copy.jsonl", syslog=syslog)


def seal(folder: Path, sealer: Sealer | None = None, *, times: int = 1) -> Sealer:
    """Seal every room, as often as asked; return the sealer, who remembers."""
    sealer = sealer or sealer_in(folder)
    with as_sealer():
        for _ in range(times):
            assert sealer.seal_rooms()
    return sealer
