"""What was found over or short at tables on a gaming day: stated, in their racks, or carried and not stated."""

from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlencode

from django.db.models import Exists, Max, OuterRef, Sum
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.cage.day_counts import ToCount
from casino.cage.models import CarriedItem
from casino.cage.selectors.carried_over import OPERATIONS
from casino.ledger.models import Transfer
from casino.ledger.selectors.of_day import moved_on
from casino.rooms.models import GamingDay
from tables.chart import OWNER, RACK_CASH_MISSING, RACK_MISSING
from tables.models import Opening, Table, TableDifference, TipCount
from tables.open_items import IN_PLAY, OVER_SHORT, UNCOUNTED

_MISSING = frozenset({RACK_MISSING, RACK_CASH_MISSING})


def found_at_tables(day: GamingDay) -> Iterator[ToCount]:
    """
    Yield the tables that are over or short on a day, their tip boxes and their racks, with what that comes to: what was
    posted on it, and what nobody had stated when it ended, or has by now. A few queries, whatever was found.
    """
    yield from _at_play(day)
    yield from _tip_boxes(day)
    yield from _racks(day)


def _at_play(day: GamingDay) -> Iterator[ToCount]:
    """
    Yield the tables where chips were missing in play, or too many. What explains a difference of the same opening is
    nothing together with it; what another opening has is another one, and both stand there.
    """
    found: dict[int, Counter[int]] = {}
    stated = TableDifference.objects.filter(room_id=day.room_id, day=day)
    for number, opening_id, cents in stated.values_list("table__number", "opening_id", "cents"):
        found.setdefault(number, Counter())[opening_id] -= cents
    unstated = _unstated(day)
    newest = Opening.objects.filter(table__room_id=day.room_id, table__number__in=unstated, day_id__lte=day.pk)
    for number, opening_id in newest.values_list("table__number").annotate(Max("id")) if unstated else ():
        found.setdefault(number, Counter())[opening_id] += unstated[number]
    for number, by_opening in sorted(found.items()):
        if any(by_opening.values()):
            cents = by_opening.total()
            yield _line(day, number, "table", _("table %(number)s"), 0, cents, chips_cancel_out=not cents)


def _tip_boxes(day: GamingDay) -> Iterator[ToCount]:
    posted = Exists(Transfer.objects.filter(id=OuterRef("transfer_id"), day=day))
    counts = TipCount.objects.filter(posted, room_id=day.room_id, missing_cents__gt=0)
    missing = counts.order_by("table__number").values_list("table__number").annotate(Sum("missing_cents"))
    for number, cents in missing:
        yield _line(day, number, "tip_box", _("tip box of table %(number)s"), 0, -cents)


def _racks(day: GamingDay) -> Iterator[ToCount]:
    moved = {key[1:]: cents for key, cents in moved_on(day, _MISSING).items() if key[0] == OWNER}
    tables = Table.objects.filter(id__in={table_id for table_id, _account in moved}) if moved else Table.objects.none()
    for table_id, number in tables.order_by("number").values_list("id", "number"):
        rack, cash = (-moved.get((table_id, account), 0) for account in (RACK_MISSING, RACK_CASH_MISSING))
        if rack or cash:
            yield _line(day, number, "rack", _("rack of table %(number)s"), cash, rack)


def _line(
    day: GamingDay,
    number: int,
    kind: str,
    words: str,
    money_cents: int,
    chips_cents: int,
    *,
    chips_cancel_out: bool = False,
) -> ToCount:
    log = urlencode({"day": day.date.isoformat(), "chain": Table(number=number).chain})
    name, address = words % {"number": number}, f"{reverse('log')}?{log}"
    return ToCount(
        kind, number, name, 1, address, money_cents, chips_cents, may_wait=False, chips_cancel_out=chips_cancel_out
    )


def _unstated(day: GamingDay) -> Counter[int]:
    """Return by table how much nobody had stated when the day ended, where no stack was left uncounted."""
    rows: dict[tuple[str, int], list[int]] = {}
    for kind, number, ids in _left_open(day):
        rows.setdefault((kind, number), []).extend(ids)
    found: Counter[int] = Counter()
    for items, sign in ((OVER_SHORT, 1), (IN_PLAY, -1)):
        mine = {
            row: number
            for (kind, number), ids in rows.items()
            if kind == items.kind and (UNCOUNTED.kind, number) not in rows
            for row in ids
        }
        assert items.cents is not None
        for row, cents in items.cents(list(mine), day.pk).items() if mine else ():
            found[mine[row]] += sign * cents
    return found


def _left_open(day: GamingDay) -> Iterator[tuple[str, int, list[int]]]:
    """Yield what a day carried of these kinds, or has open by now, as (kind, number, rows)."""
    kinds = (OVER_SHORT, IN_PLAY, UNCOUNTED)
    if day.closed_at is None:
        yield from ((items.kind, number, [row]) for items in kinds for number, row in items.rows(day.room_id))
        return
    carried = CarriedItem.objects.filter(day=day, stage=OPERATIONS, kind__in=[items.kind for items in kinds])
    yield from carried.order_by("id").values_list("kind", "number", "rows")
