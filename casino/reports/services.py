"""Making an auditor's pack, which the log keeps the digest of."""

from datetime import date
from typing import IO

from casino.commands.carrying_out import Command, Outcome, service
from casino.ledger.owners import held_by
from casino.reports.errors import PackOfOwnDrawer, PackTooLong
from casino.reports.pack.making import Made, make_pack
from casino.reports.pack.span import span_of
from casino.rooms.selectors import room_of

# As many days as somebody waits for at a screen: a month of big days takes about a minute.
DAYS_MAX = 31
# Who is shown which packs were made.
PACKS = "packs"


def pack_of_days(
    command: Command, *, first_date: str, last_date: str, file: IO[bytes], days_max: int | None = DAYS_MAX
) -> Made:
    """
    Write the auditor's pack of the closed gaming days between two dates (ISO 8601) into a file, and log its digest.

    It is made before the command, from a snapshot of its own: a transaction that writes does not wait for it. Who has
    no right to it is kept out by whoever calls this. With `days_max` None a pack may be of years.

    :raises PackTooLong: these are more days than that.
    :raises PackOfNoDay: no gaming day has these dates.
    :raises PackOfOpenDay: one of them is still open.
    :raises PackOfOwnDrawer: a drawer of whoever asks for it was carried over their end, and is not counted yet.
    """
    first, last = date.fromisoformat(first_date), date.fromisoformat(last_date)
    days = (last - first).days + 1
    if days_max is not None and days > days_max:
        raise PackTooLong(days=days, most=days_max)
    room = room_of(command.room_id)
    # A drawer that is open over several days is open at the end of the last of them.
    span = span_of(room, first, last)
    if held_by(room.pk, command.by.staff_id, day_id=span[-1].day.pk):
        raise PackOfOwnDrawer
    made = make_pack(room, span, file)
    log_pack(
        command, first_date=first_date, last_date=last_date, digest=made.digest, days=made.days, events=made.events
    )
    return made


@service("reports.make_pack")
def log_pack(command: Command, *, first_date: str, last_date: str, digest: str, days: int, events: int) -> Outcome:
    """Log that a pack of these days was made, and its digest: by that the house knows it again."""
    return Outcome(
        chain="packs",
        audiences=(PACKS,),
        data={"first_date": first_date, "last_date": last_date, "digest": digest, "days": days, "events": events},
    )
