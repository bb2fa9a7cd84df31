"""What is kept for a while of the documents of guests who wished to be forgotten: compliance alone reads it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Q

from casino.people.erased import ERASED
from casino.people.identity import DOCUMENTS
from casino.people.kept import KIND_OF_ERASED, Kind, kind_of, last_here
from casino.people.models import IdentityCheck, Player
from casino.people.selectors import staff_names
from casino.people.standing import persons_of
from casino.rooms.models import Room
from casino.rooms.selectors import rule_book_in_force


@dataclass(frozen=True)
class KeptDocument:
    """A document that was seen of an erased guest: who saw it, and the last day on which it is kept by the book."""

    check: IdentityCheck
    checked_by: str
    kept_until: date

    @property
    def called(self) -> str:
        """Return what such a document is called, in the active language."""
        return str(DOCUMENTS[self.check.document])


@dataclass(frozen=True)
class KeptDocuments:
    """A part of these documents, the newest first, of `count`; what kind of data they are, kept for how many `days`."""

    shown: Sequence[KeptDocument]
    count: int
    kind: Kind
    days: int


def kept_documents(room: Room, *, at: datetime, offset: int = 0, most: int = 50) -> KeptDocuments:
    """
    Return a part of what is kept of erased guests' documents, from `offset` on. Six queries, whatever there is.

    It goes a while after they were last here, by any of their records, and the first night after `kept_until`.
    """
    book, kind = rule_book_in_force(room.pk, at=at)[1].peoples_data, kind_of(KIND_OF_ERASED)
    assert kind.retention is not None, "it is kept for a while"
    days = kind.retention.days(book)
    kept = IdentityCheck.objects.filter(room=room, player__erased_at__isnull=False).exclude(number=ERASED)
    checks = list(kept.select_related("player").order_by("-id")[offset : offset + most])
    here = _last_here({each.player_id for each in checks})
    staff = staff_names({each.checked_by_id for each in checks})
    zone = ZoneInfo(room.time_zone)
    documents = [
        KeptDocument(
            each,
            staff.get(each.checked_by_id, ""),
            (here[each.player_id] + timedelta(days=days)).astimezone(zone).date(),
        )
        for each in checks
    ]
    return KeptDocuments(documents, kept.count(), kind, days)


def _last_here(player_ids: set[int]) -> dict[int, datetime]:
    """Return when each of these players was last here, by whichever of the records that are one. Two queries."""
    persons = persons_of(player_ids)
    records = Player.objects.filter(Q(id__in=persons.values()) | Q(merged_into__in=persons.values()))
    newest: dict[int, datetime] = {}
    for record, kept, moment in records.order_by().values_list("id", "merged_into_id", last_here()):
        newest[kept or record] = max(moment, newest.get(kept or record, moment))
    return {each: newest[person] for each, person in persons.items()}
