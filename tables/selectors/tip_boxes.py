"""The tip boxes where tips are each dealer's own: whose the box is that hangs, and which wait for a count."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import LiteralString

from django.db.models import DateTimeField, Max, Q, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce

from casino import seldom
from casino.ledger.models import Posting
from casino.people.erased import shown_staff_name
from casino.people.selectors import staff_names
from casino.rooms.models import GamingDay
from casino.rulebooks.dealers import Tips
from tables.chart import OWNER
from tables.models import ClosedTips, Down, Table, TipCount
from tables.owners import table_figures
from tables.selectors.tip_receipts import hours
from tables.terms import dealers_at

# Whether a down has ended since a box was emptied, as `Emptied.since` says it.
_SINCE: LiteralString = """CASE WHEN {box}.at IS NULL THEN true
        WHEN {box}.last_down_id IS NULL OR left_.tips_place IS NULL THEN left_.ended_at > {box}.at
        ELSE left_.id > {box}.last_down_id END"""
# Of each table where somebody deals, who dealt there before and has not closed their tips: the longest ago first.
# Nobody is reminded of more than a week; the floor's sheet knows what is older.
_LEFT: LiteralString = """SELECT left_.table_id, left_.id, left_.dealer_id, staff.display_name, left_.ended_at
    FROM tables_down now_
    LEFT JOIN LATERAL (SELECT last_down_id, until AS at FROM tables_closedtips
        WHERE table_id = now_.table_id AND taken_back_at IS NULL ORDER BY number DESC LIMIT 1) closed ON true
    LEFT JOIN LATERAL (SELECT last_down_id, at FROM tables_tipcount
        WHERE table_id = now_.table_id AND closed_id IS NULL ORDER BY number DESC LIMIT 1) counted ON true
    JOIN tables_down left_ ON left_.table_id = now_.table_id AND left_.room_id = now_.room_id
        AND left_.began_at > now_.began_at - interval '7 days' AND left_.ended_at IS NOT NULL
        AND {since_closed} AND {since_counted}
        AND EXISTS (SELECT FROM tables_down next_ WHERE next_.table_id = left_.table_id
            AND next_.room_id = left_.room_id AND next_.began_at >= left_.began_at
            AND next_.dealer_id <> left_.dealer_id
            AND CASE WHEN next_.from_sheet IS NULL AND left_.from_sheet IS NULL THEN next_.id > left_.id
                ELSE next_.began_at >= left_.ended_at END)
    JOIN people_staff staff ON staff.id = left_.dealer_id
    WHERE now_.room_id = %s AND now_.ended_at IS NULL ORDER BY left_.ended_at, left_.id"""
_UNCLOSED = _LEFT.format(since_closed=_SINCE.format(box="closed"), since_counted=_SINCE.format(box="counted"))
# Nobody knows what had been noted then (`Down.tips_place`), nor of what an older release ended: moments tell.
_ENDED_ON_PAPER = Q(tips_place=None, ended_at__isnull=False)
# How many downs the floor's sheet offers as those at whose end the box may have been taken along.
_OFFERED = 20
# Where none was ever counted, nobody knows since when it hangs: what was dealt before that is no part of it.
_NEVER_COUNTED = timedelta(days=31)


@dataclass(frozen=True)
class Emptied:
    """
    That the box that hangs at a table began empty: after which down (0: before the first; None: an older release knew
    no more than the moment), and when.

    Downs that follow each other do so by their ids, under the table's lock, whatever the clock is set to meanwhile.
    """

    last_down_id: int | None
    at: datetime

    @property
    def since(self) -> Q:
        """Return the condition, on downs of that table, that they went on after it."""
        if self.last_down_id is None:
            return Q(ended_at=None) | Q(ended_at__gt=self.at)
        # Of what ended on paper the ids are newer than the ends.
        in_order = Q(tips_place__isnull=False, id__gt=self.last_down_id)
        return Q(ended_at=None) | in_order | _ENDED_ON_PAPER & Q(ended_at__gt=self.at)


@dataclass(frozen=True)
class Unclosed:
    """A down whose dealer has left the table and not closed their tips, which lie in the box with the next dealer's."""

    table_id: int
    down_id: int
    dealer_id: int
    name: str
    ended_at: datetime


@dataclass(frozen=True)
class BoxApart:
    """Closed tips that nobody has counted yet, and by name who has dealt for how long: [(name, "1:05"), ...]."""

    closed: ClosedTips
    dealt: Sequence[tuple[str, str]]

    @property
    def names(self) -> str:
        return ", ".join(name for name, _time in self.dealt)


def unclosed(room_id: int) -> list[Unclosed]:
    """Return the downs of tables where another dealer deals by now, whose tips nobody has closed. One query."""
    rows = seldom.rows(_UNCLOSED, room_id)
    return [Unclosed(table, down, dealer, shown_staff_name(name), at) for table, down, dealer, name, at in rows]


def emptied(table: Table) -> list[Emptied]:
    """Return how the box that hangs at a table began: the last one was taken along, or counted there. Two queries."""
    closed = ClosedTips.objects.filter(table=table, taken_back_at=None).order_by("-number")
    counted = TipCount.objects.filter(table=table, closed=None).order_by("-number")
    newest = closed.values_list("last_down_id", "until").first(), counted.values_list("last_down_id", "at").first()
    return [Emptied(*each) for each in newest if each is not None]


def dealt_since(table: Table, boxes: Sequence[Emptied], *, at: datetime) -> QuerySet[Down]:
    """
    Return the downs that went on after a table's box was `emptied`, all of whose tips are in it or some.

    Where none was ever counted or taken along: those that began in the `_NEVER_COUNTED` before `at`.
    """
    downs = Down.objects.filter(table=table, room_id=table.room_id)
    if not boxes:
        return downs.filter(began_at__gt=at - _NEVER_COUNTED)
    for each in boxes:
        downs = downs.filter(each.since)
    return downs


def tips_at(table: Table, boxes: Sequence[Emptied], *, at: datetime) -> Tips:
    """
    Return whose the tips are in the box that hangs at a table since `boxes` were `emptied` there: as the book says
    under which they were dealt (L-P23).

    That is the book of the opening of the first down in it, though the table has closed or opened again under another;
    where nobody has dealt since, what `dealers_at` says. One query.
    """
    in_box = dealt_since(table, boxes, at=at).exclude(opening=None)
    first = in_box.select_related("opening__game").order_by("id").first()
    opening = first.opening if first else None
    return (opening.terms.dealers if opening else dealers_at(table, at=at)).tips


def last_down_of_box(table: Table, down: Down | None = None, boxes: Sequence[Emptied] = ()) -> int:
    """
    Return the id of the last down whose tips are in the box that hangs at a locked table whole, 0 for none: of what has
    ended by now, or, where a box was taken along at the end of `down`, by then. One query.

    What lay in one of `boxes`, which were emptied there before, lies in none after them, whatever moments say.
    """
    ended = Down.objects.filter(table=table, tips_place__isnull=False)
    if down is not None and down.ended_at is not None:
        if down.tips_place is not None:
            return down.pk
        ended = ended.filter(ended_at__lte=down.ended_at)
    ended_id = ended.order_by("-id").values_list("id", flat=True).first()
    return max([ended_id or 0, *(each.last_down_id or 0 for each in boxes)])


def dealers_of(table: Table, day: GamingDay) -> list[int]:
    """
    Return whose the tips in the box that hangs at a table may be, the newest first: of who has dealt there since it was
    hung, on whichever day, or on this one. Three queries.
    """
    meanwhile = dealt_since(table, emptied(table), at=day.opened_at)
    there = meanwhile | Down.objects.filter(table=table, room_id=table.room_id, day=day)
    newest = there.values("dealer_id").annotate(at=Max("began_at"), id=Max("id")).order_by("-at", "-id")
    return list(newest.values_list("dealer_id", flat=True))


def dealers_of_closed(closed: ClosedTips) -> list[int]:
    """
    Return whose the tips in a box that was taken along may be, if not of who is said to have dealt into it: the newest
    first, of who dealt at its table on the day of that down or of the tap. Two queries.
    """
    there = Down.objects.filter(day__in=(closed.day_id, closed.down.day_id), table=closed.table_id)
    newest = there.values("dealer_id").annotate(at=Max("began_at"), id=Max("id")).order_by("-at", "-id")
    return list(dict.fromkeys([*closed.dealt, *newest.values_list("dealer_id", flat=True)]))


def dealt_into(table: Table, *, until: datetime, last: Down | None = None) -> dict[int, int]:
    """
    Return how long each dealer has dealt into the box that hangs at a table, in seconds, since it was hung and on
    whichever days (`dealt_since`): until a moment, which is the end of the down `last` where one is named.

    Each has dealt for a second at least: a clock that is set back takes time away, and nobody's part. Three queries.
    """
    boxes = emptied(table)
    downs = dealt_since(table, boxes, at=until)
    if last is not None:
        # One of no length that ends then lies in it whole, as `last` may be; who deals from then on has no part in it.
        by_then = Q(began_at__lt=until) | Q(ended_at__lte=until)
        in_order = Q(tips_place__isnull=False, id__lte=last.pk) if last.tips_place is not None else by_then
        downs = downs.filter(in_order | _ENDED_ON_PAPER & by_then)
    hung_at = max(boxes, key=lambda each: (each.last_down_id or 0, each.at)).at if boxes else None
    seconds: Counter[int] = Counter()
    rows = downs.order_by("id").values_list("dealer_id", "began_at", "ended_at", "tips_place")
    for number, (dealer, began, ended, place) in enumerate(rows):
        # Only the first may have begun before the box was hung; on paper moments tell.
        begins = max(began, hung_at) if hung_at and (number == 0 or (ended and place is None)) else began
        seconds[dealer] += max(1, int((min(ended or until, until) - begins).total_seconds()))
    return dict(sorted(seconds.items()))


def noted_in_box(table: Table, *, until: datetime | None = None, place: int | None = None) -> int:
    """
    Return what was noted to lie in the box that hangs at a table, in cents, by now or by a moment. What lies in boxes
    that were taken along is none of it. Two queries, three with a moment.

    `place` is the place in the log up to which was noted by that moment: what came later is of after it, but for what a
    tablet had kept. None where nobody knows: then moments alone tell.
    """
    apart = waiting(table.room_id, table).aggregate(cents=Sum("noted_cents"))["cents"] or 0
    noted: int = table_figures(table.pk).get("tip_box", 0) - apart
    if until is None:
        return noted
    # By when it was tapped, which is never after it was posted; what older releases posted says nothing of that.
    tapped_at = Cast(KeyTextTransform("tapped_at", "transfer__about"), DateTimeField())
    since = _noted(table.room_id, table.pk).annotate(noted_at=Coalesce(tapped_at, "transfer__at"))
    if place is None:
        since = since.filter(transfer__at__gt=until, noted_at__gt=until)
    else:
        # What was posted before that moment and yet after it was so by a clock that was set back: nothing was kept.
        since = since.filter(Q(transfer__at__lt=until) | Q(noted_at__gte=until), id__gt=place)
    return max(0, noted - (since.aggregate(cents=Sum("cents"))["cents"] or 0))


def taken_along_by(room_id: int, staff_id: int) -> list[tuple[ClosedTips, str]]:
    """Return the boxes that wait and of which this person said that they were taken along, with whose. Two queries."""
    boxes = list(waiting(room_id).filter(by_id=staff_id).select_related("table", "down").order_by("id"))
    names = staff_names({each.down.dealer_id for each in boxes})
    return [(each, names.get(each.down.dealer_id, "?")) for each in boxes]


def noted_since(closed: ClosedTips) -> bool:
    """Say whether anybody has noted tips at the table since it was said that a box was taken along. One query."""
    noted = _noted(closed.room_id, closed.table_id)
    since = noted.filter(transfer__at__gt=closed.at) if closed.place is None else noted.filter(id__gt=closed.place)
    return since.exists()


def _noted(room_id: int, table_id: int) -> QuerySet[Posting]:
    """Return the postings that noted tips at a table."""
    return Posting.objects.filter(
        account__room_id=room_id,
        account__owner_kind=OWNER,
        account__owner_id=table_id,
        account__kind="tip_box",
        transfer__kind="tips_counted",
    )


def waiting(room_id: int, table: Table | None = None) -> QuerySet[ClosedTips]:
    """Return the closed tips that wait for a count, of one table or all, by an index of those alone."""
    boxes = ClosedTips.objects.filter(room_id=room_id, waits=True)
    return boxes if table is None else boxes.filter(table=table)


def box_of(table: Table, *, at: datetime, now: datetime) -> ClosedTips | None:
    """
    Return the box in which lie tips that were noted at a moment, of those that were taken along from a table and wait
    for a count; None where they lie in the one that hangs there, or in one that was counted since. Two queries.

    What was taken along after `now` was so before the clock was set back, and its moment tells nothing.
    """
    box = waiting(table.room_id, table).filter(until__gt=at, until__lte=now).order_by("until", "id").first()
    if box is None:
        return None
    # The box of that moment is the first that was emptied after it, whether a dealer took it along or two counted it.
    earlier = ClosedTips.objects.filter(table=table, taken_back_at=None, until__gt=at, until__lt=box.until)
    counted = TipCount.objects.filter(table=table, closed=None, at__gt=at, at__lt=box.until)
    return None if earlier.exists() or counted.exists() else box


def boxes_apart(room_id: int, table: Table | None = None) -> list[BoxApart]:
    """Return the closed tips that wait for a count, of one table or all, the longest ago first. Two queries."""
    rows = list(waiting(room_id, table).select_related("table").order_by("until", "id"))
    names = staff_names({dealer for each in rows for dealer in each.dealt})
    return [BoxApart(each, named(each.dealt, names)) for each in rows]


@dataclass(frozen=True)
class TipBoxes:
    """
    A table's tip boxes where tips are each dealer's own: who has dealt into the one that hangs, [(name, "1:05"), ...];
    whose box may still be said to have been taken along; which were, and wait for a count.
    """

    dealt: Sequence[tuple[str, str]]
    unclosed: Sequence[tuple[Down, str]]
    apart: Sequence[BoxApart]


def tip_boxes(table: Table, *, at: datetime) -> TipBoxes:
    """Return the tip boxes of a table whose tips are each dealer's own. Nine queries at most."""
    apart = boxes_apart(table.room_id, table)
    left = dealt_since(table, emptied(table), at=at).filter(ended_at__isnull=False)
    downs = list(left.order_by("-ended_at", "-id")[:_OFFERED])[::-1]
    dealt = dealt_into(table, until=at)
    names = staff_names({*dealt, *(down.dealer_id for down in downs)})
    return TipBoxes(named(dealt, names), [(down, names.get(down.dealer_id, "?")) for down in downs], apart)


def named(dealt: Mapping[int, int], names: Mapping[int, str]) -> list[tuple[str, str]]:
    """Return how long each has dealt by name, in hours and minutes, in the order of the ids."""
    return [(names.get(dealer, "?"), hours(seconds)) for dealer, seconds in sorted(dealt.items())]
