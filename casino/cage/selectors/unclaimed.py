"""Questions about chips and cash that nobody has claimed."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import F, QuerySet

from casino.cage.models import Unclaimed
from casino.people.standing import ids_of
from casino.rulebooks import RuleBook


def unclaimed_of(
    room_id: int, *, player_id: int | None = None, offset: int = 0, most: int = 100
) -> Sequence[Unclaimed]:
    """
    Return what lies unclaimed, the oldest first, and after it what has ended, the newest first. One query.

    `player_id`: what was found in that player's name alone, and in the names of records that were merged into theirs.
    """
    unclaimed = _whole(Unclaimed.objects.filter(room_id=room_id))
    if player_id is not None:
        unclaimed = unclaimed.filter(ids_of(player_id))
    return list(unclaimed.order_by(F("ended_at").desc(nulls_first=True), "number")[offset : offset + most])


def unclaimed_by_name(player_id: int) -> Sequence[Unclaimed]:
    """Return what lies unclaimed in a player's name, or of a record merged into theirs, oldest first. One query."""
    return list(Unclaimed.objects.filter(ids_of(player_id), ended_as="").order_by("number"))


def unclaimed_by_id(room_id: int, unclaimed_id: int) -> Unclaimed | None:
    """Return an unclaimed find with the staff named on its slip, None where the room has none. One query."""
    return _whole(Unclaimed.objects.filter(room_id=room_id, id=unclaimed_id)).first()


def may_be_kept_from(each: Unclaimed, book: RuleBook) -> datetime:
    """Return the moment from which the house may keep it, by the book's `cage.unclaimed_days`."""
    return each.taken_in_at + timedelta(days=book.cage.unclaimed_days)


def _whole(rows: QuerySet[Unclaimed]) -> QuerySet[Unclaimed]:
    return rows.select_related(
        "player", "drawer", "taken_in_by", "approved_by", "ended_by", "end_approved_by", "claimed_by"
    )
