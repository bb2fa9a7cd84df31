"""What a table is told of what it pays by the time instead of a charge of its hands (H7.18)."""

from datetime import datetime
from zoneinfo import ZoneInfo

from casino import clock
from casino.money import format_cents
from casino.rooms.models import Room
from tables.charges import kind_of
from tables.models import Opening


def sentences_by_time(opening: Opening, room: Room) -> list[str]:
    """Return a sentence for what a table pays by the time, and for what it has paid so until later. No query."""
    sentences = []
    if (agreed := opening.agreed) is not None:
        money = format_cents(agreed.charge.due_cents, currency=room.currency, locale=room.locale)
        values = {"money": money, "minutes": agreed.charge.period_minutes}
        sentences.append(str(kind_of(agreed.kind).words.by_time["paying"]) % values)
    for kind, until in opening.free_until.items():
        ends = datetime.fromisoformat(until)
        if ends > clock.now() and (agreed is None or agreed.kind != kind):
            time = f"{ends.astimezone(ZoneInfo(room.time_zone)):%H:%M}"
            sentences.append(str(kind_of(kind).words.by_time["paid"]) % {"time": time})
    return sentences
