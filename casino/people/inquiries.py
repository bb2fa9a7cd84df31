"""Whom an inquiry holds: nothing that is kept about them goes meanwhile."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.db.models import Q

from casino.people.models import Inquiry
from casino.people.selectors import nicknames, staff_names
from casino.people.standing import last_day_of

# So many of those that are over are read.
OVER_SHOWN = 200


def standing_at(at: datetime) -> Q:
    """Return the condition "holds at this moment" for inquiries."""
    return Q(lifted_at=None) & (Q(until=None) | Q(until__gt=at))


def held_by_inquiry(player_ids: Collection[int], *, at: datetime) -> set[int]:
    """Return which of these players an inquiry holds. One query."""
    inquiries = Inquiry.objects.filter(standing_at(at), player_id__in=player_ids)
    return {each for each in inquiries.values_list("player_id", flat=True) if each is not None}


def staff_held_by_inquiry(staff_ids: Collection[int], *, at: datetime) -> set[int]:
    """Return which of these members of staff an inquiry holds. One query."""
    inquiries = Inquiry.objects.filter(standing_at(at), staff_id__in=staff_ids)
    return {each for each in inquiries.values_list("staff_id", flat=True) if each is not None}


@dataclass(frozen=True)
class InquiryRow:
    """
    An inquiry as compliance reads it, about a player or about somebody on staff, by `name`; `last_day` is ISO 8601, ""
    where two persons have to lift it.
    """

    id: int
    player_id: int | None
    staff_id: int | None
    name: str
    reason: str
    began_at: datetime
    made_by: str
    last_day: str
    lifted_at: datetime | None
    holds: bool

    @property
    def last_date(self) -> date | None:
        return date.fromisoformat(self.last_day) if self.last_day else None


def inquiries_of(room_id: int, *, zone: ZoneInfo, at: datetime, shown_to: int | None = None) -> list[InquiryRow]:
    """
    Return a room's inquiries, all that hold first, then the newest of those that are over. Four queries.

    Nobody is `shown_to` what is about themselves.
    """
    newest = Inquiry.objects.filter(room_id=room_id).exclude(staff_id=shown_to or 0).order_by("-id")
    standing = list(newest.filter(standing_at(at)))
    rows = [*standing, *newest.exclude(id__in=[each.pk for each in standing])[:OVER_SHOWN]]
    names = nicknames(each.player_id for each in rows if each.player_id is not None)
    staff = staff_names({each.made_by_id for each in rows} | {each.staff_id for each in rows if each.staff_id})
    return [
        InquiryRow(
            id=each.pk,
            player_id=each.player_id,
            staff_id=each.staff_id,
            name=names.get(each.player_id, "") if each.player_id else staff.get(each.staff_id or 0, ""),
            reason=each.reason,
            began_at=each.began_at,
            made_by=staff.get(each.made_by_id, ""),
            last_day=last_day_of(each.until, zone),
            lifted_at=each.lifted_at,
            holds=each.lifted_at is None and (each.until is None or each.until > at),
        )
        for each in rows
    ]
