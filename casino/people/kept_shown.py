"""What is kept about people, as its page and its call show it; and what time removed last."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from casino.audit.models import Event
from casino.commands.carrying_out import DONE
from casino.people.kept import Kind, kinds
from casino.people.services.forgetting import CHAIN
from casino.rooms.selectors import rule_book_in_force
from casino.rulebooks.schema import PeoplesData


@dataclass(frozen=True)
class KindShown:
    """
    A kind, for how many days it is kept (None: as long as the books), how much there is, how much is due and how much
    of it went last; None where it was not counted, or nobody is told.
    """

    kind: Kind
    days: int | None
    kept: int | None
    due: int | None
    removed: int | None

    @property
    def code(self) -> str:
        return self.kind.code

    @property
    def title(self) -> str:
        return str(self.kind.title)

    @property
    def purpose(self) -> str:
        return str(self.kind.purpose)

    @property
    def counts_from(self) -> str:
        return str(self.kind.retention.counts_from) if self.kind.retention else ""

    @property
    def removes(self) -> str:
        return str(self.kind.retention.removes) if self.kind.retention else ""


@dataclass(frozen=True)
class KeptData:
    """All kinds, whether all was counted, and when time last removed what was due (None: never yet)."""

    kinds: Sequence[KindShown]
    is_counted: bool
    removed_at: datetime | None

    @property
    def removed(self) -> int:
        """How much of what is shown went then: else the sum would tell of a kind of which nobody is told."""
        return sum(each.removed or 0 for each in self.kinds)


def kept_data(room_id: int, *, at: datetime, counts: bool = False) -> KeptData:
    """
    Return what a room keeps about people. Three queries; where it `counts`, which reads all of years, one more for each
    kind and two for each with a retention.
    """
    book = rule_book_in_force(room_id, at=at)[1].peoples_data
    removed_at, removed = _last_removed(room_id)
    all_kinds = [_shown(kind, room_id, at, book, removed, counts=counts) for kind in kinds()]
    return KeptData(all_kinds, counts, removed_at)


def _shown(
    kind: Kind, room_id: int, at: datetime, book: PeoplesData, removed: Counter[str], *, counts: bool
) -> KindShown:
    days = kind.retention.days(book) if kind.retention else None
    if kind.count is None:
        return KindShown(kind, days, kept=None, due=None, removed=None)
    kept = due = None
    if counts:
        kept, due = kind.count(room_id), 0
        if kind.retention is not None and days is not None:
            due = kind.retention.due(room_id, at - timedelta(days=days)).count()
    return KindShown(kind, days, kept, due, removed=removed[kind.code])


def _last_removed(room_id: int) -> tuple[datetime | None, Counter[str]]:
    """Return when what was due was removed last, and how much of each kind: all batches of that one time."""
    runs = Event.objects.filter(room_id=room_id, chain=CHAIN, result=DONE).order_by("-id")
    last = runs.first()
    if last is None:
        return None, Counter()
    removed: Counter[str] = Counter()
    for text in runs.filter(at=last.at).values_list("text", flat=True):
        removed.update(json.loads(text)["data"]["removed"])
    return last.at, removed
