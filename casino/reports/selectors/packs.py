"""Which packs were made: the log says it, and nothing else keeps it."""

import json
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from casino.audit.selectors import LogFilter, log_page
from casino.commands.carrying_out import DONE
from casino.people.selectors import staff_names

COMMAND = "reports.make_pack"


@dataclass(frozen=True)
class PackRow:
    """A pack that was made: by which command, when, by whom ("" on the machine itself), of which dates, its digest."""

    command_id: UUID
    at: datetime
    by: str
    first: date
    last: date
    digest: str


def last_packs(room_id: int, *, most: int) -> list[PackRow]:
    """Return the packs that were made last, the newest first. Two queries."""
    events = log_page(room_id, LogFilter(name=COMMAND, result=DONE), limit=most)
    names = staff_names(event.staff_id for event in events if event.staff_id is not None)
    packs = []
    for event in events:
        data = json.loads(event.text)["data"]
        first, last = (date.fromisoformat(data[which]) for which in ("first_date", "last_date"))
        packs.append(
            PackRow(event.command_id, event.at, names.get(event.staff_id or 0, ""), first, last, data["digest"])
        )
    return packs
