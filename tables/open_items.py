"""
Tables that are still open keep the gaming day open, and disputed pots that nobody has decided.

A manager may carry over, with a reason, play at a table that was counted through between two hands and what differed
there, what the floor has not judged, stacks that left uncounted, chips in play where nobody sits any more, and tip
boxes that wait for a count.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from django.db.models import Exists, F, Min, OuterRef, Q, Subquery
from django.db.models.functions import Least
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.cage.open_items import REASON, CarriedItems, OpenItems, Page, rows_done
from casino.ledger.models import Account, Posting
from casino.ledger.selectors.accounts import balances_after, emptied_since
from casino.reading import read_once
from casino.rooms.selectors import open_day
from tables.chart import OWNER, RACK, RACK_CASH
from tables.models import (
    ClosedTips,
    CountedThrough,
    DisputedPot,
    Opening,
    RackCheck,
    Seating,
    Table,
    TableDifference,
    TipCount,
    ToDo,
)
from tables.selectors.counted_through import Running, running_tables
from tables.selectors.racks import counted_since_play
from tables.selectors.tip_boxes import waiting
from tables.selectors.todo_loose import uncounted

_TABLE = Page("page.table_floor", "floor_table")


@read_once
def _running(room_id: int) -> list[Running]:
    day = open_day(room_id)
    return running_tables(room_id, day_id=day.pk) if day is not None else []


def _open_tables(room_id: int) -> list[int]:
    return [each.table.number for each in _running(room_id) if not each.is_counted]


def _played_on(room_id: int) -> list[tuple[int, int]]:
    counted = [each.table for each in _running(room_id) if each.is_counted]
    return [(table.number, table.opening_id) for table in counted if table.opening_id is not None]


OPEN_TABLES = OpenItems(
    "table",
    _("table %(number)s"),
    _open_tables,
    title=_("Tables are closed, or counted through between two hands"),
    page=_TABLE,
)

# With the next day another opening continues it, and this one is over.
PLAY_ON = CarriedItems(
    "plays_on",
    _("play at table %(number)s, counted through between two hands"),
    _played_on,
    rows_done(Opening, "closed_at"),
    reasons=(REASON.PLAYS_ON,),
    title=_("Play over the day’s end goes on with the next day"),
    is_rare=True,
    page=_TABLE,
)


def _over_short(room_id: int) -> list[tuple[int, int]]:
    """
    Of the tables that were counted through, and hold: those where something else lies in play, which nobody has stated.
    One query more where some were.
    """
    counts = [(each.table, each.count) for each in _running(room_id) if each.count is not None]
    in_play = _in_play_at({table.pk for table, _count in counts})
    return [(table.number, count.pk) for table, count in counts if in_play[table.pk].balance_cents != count.cents]


def _in_play_at(tables: Collection[int]) -> dict[int, Account]:
    accounts = Account.objects.filter(owner_kind=OWNER, kind="in_play", owner_id__in=tables) if tables else ()
    return {account.owner_id: account for account in accounts}


def _over_short_cents(counts: Collection[int], day_id: int) -> Mapping[int, int]:
    counted = list(CountedThrough.objects.filter(id__in=counts))
    in_play = _in_play_at({count.table_id for count in counted})
    lay = balances_after({account.pk for account in in_play.values()}, day_id)
    return {count.pk: count.cents - lay[in_play[count.table_id].pk] for count in counted}


def _cleared_up(counts: Collection[int], day_id: int) -> Mapping[int, datetime | None]:
    """
    Return which of these counts are cleared up, and when: since that day the table's over/short was stated, it was
    counted through again and nothing differed, or it closed and nothing is in play there any more. By days, for a clock
    may be set back. Three queries.
    """
    since = {"table": OuterRef("table"), "day_id__gt": OuterRef("day_id")}
    stated = TableDifference.objects.filter(**since).order_by("id")
    agrees = CountedThrough.objects.filter(**since, cents=F("in_play_cents")).order_by("id")
    has_closed = Exists(Opening.objects.filter(**since, closed_at__isnull=False, continued_by=None))
    agreed_at = Least(Subquery(stated.values("at")[:1]), Subquery(agrees.values("at")[:1]))
    counted = list(CountedThrough.objects.filter(id__in=counts).values_list("id", "table_id", agreed_at, has_closed))
    in_play = _in_play_at({table_id for _count, table_id, *_rest in counted})
    emptied = emptied_since({account.pk for account in in_play.values()}, day_id)
    ends = {
        # While people sit there it may be nothing for a moment, where more lies there than the log has.
        count: (at, emptied.get(in_play[table_id].pk) if is_closed else None)
        for count, table_id, at, is_closed in counted
    }
    return {count: min(filter(None, moments)) for count, moments in ends.items() if any(moments)}


def left_unstated(table: Table) -> tuple[CountedThrough, int] | None:
    """
    Return the count of a table with which it played on over an earlier day's end, and what was over or short then, as
    long as nobody has stated it and no count has explained it. Six queries at most.
    """
    day = open_day(table.room_id)
    if day is None:
        return None
    counts = CountedThrough.objects.filter(
        table=table, day_id__lt=day.pk, opening__continued_by__day_id__gt=F("day_id")
    )
    last = counts.select_related("day").order_by("-id").first()
    if last is None or _cleared_up([last.pk], last.day_id):
        return None
    cents = _over_short_cents([last.pk], last.day_id)[last.pk]
    return (last, cents) if cents else None


OVER_SHORT = CarriedItems(
    "over_short",
    _("over/short of table %(number)s, counted through and not stated"),
    _over_short,
    _cleared_up,
    title=_("What differs at tables counted through is stated"),
    is_rare=True,
    page=_TABLE,
    cents=_over_short_cents,
)


def _disputed_pots(room_id: int) -> list[int]:
    # By id: hands are numbered by table.
    return list(
        DisputedPot.objects.filter(room_id=room_id, resolved_at=None).order_by("id").values_list("id", flat=True)
    )


def _pots_named(pots: Collection[int]) -> Mapping[int, str]:
    found = DisputedPot.objects.filter(id__in=pots).values_list("id", "hand__table__number", "hand__number")
    return {pot: gettext("table %(n)s, hand %(hand)s") % {"n": table, "hand": hand} for pot, table, hand in found}


def _pots_tables(room_id: int, pots: Collection[int]) -> Mapping[int, tuple[int, ...]]:
    found = DisputedPot.objects.filter(room_id=room_id, id__in=pots).values_list("id", "hand__table__number")
    return {pot: (table,) for pot, table in found}


# A room's own ids alone stand under this word, and are read again under it.
DISPUTED_POTS = OpenItems(
    "pot_aside",
    _("disputed pot (%(number)s)"),
    _disputed_pots,
    named=_pots_named,
    title=_("Disputed pots are decided"),
    page=replace(_TABLE, made_of=_pots_tables),
)

# What the log has of before: refusals that named pots by the number of their hand, which leads to no table.
DISPUTED_BEFORE = OpenItems(
    "disputed_pot",
    _("disputed pot of hand %(number)s"),
    lambda _room_id: [],
    page=replace(_TABLE, made_of=lambda _room_id, _numbers: {}),
)


def _rack_cash(room_id: int) -> list[int]:
    lying = Account.objects.filter(room_id=room_id, owner_kind=OWNER, kind=RACK_CASH).exclude(balance_cents=0)
    racks = list(lying.values_list("owner_id", flat=True))
    return list(Table.objects.filter(id__in=racks).order_by("number").values_list("number", flat=True)) if racks else []


# In most rooms nothing is sold out of racks.
RACK_CASH_LIES = OpenItems(
    "rack_cash",
    _("cash in the rack of table %(number)s, not at the cage yet"),
    _rack_cash,
    title=_("No cash lies in racks"),
    is_rare=True,
    page=Page("page.racks", "floor_rack"),
)


def _racks_uncounted(room_id: int) -> list[tuple[int, int]]:
    """
    Of the tables that ran on the open day and in whose racks something lies: those that nobody has counted since they
    closed, or on this day where play goes on. Two queries, and two more where there is such a rack.
    """
    day = open_day(room_id)
    if day is None:
        return []
    lying = Account.objects.filter(room_id=room_id, owner_kind=OWNER, kind=RACK).exclude(balance_cents=0)
    racks = list(lying.values_list("owner_id", flat=True))
    if not racks:
        return []
    ran = Opening.objects.filter(Q(day_id=day.pk) | Q(closed_at__gte=day.opened_at), table_id__in=racks)
    today = RackCheck.objects.filter(day=day, cents__isnull=False, table=OuterRef("pk"))
    tables = Table.objects.filter(id__in=ran.values("table_id")).order_by("number").annotate(is_today=Exists(today))
    counted = counted_since_play(racks)
    return [
        (table.number, table.pk) for table in tables if not (table.is_today if table.is_open else table.pk in counted)
    ]


def _racks_counted(tables: Collection[int], day_id: int) -> Mapping[int, datetime | None]:
    counted = RackCheck.objects.filter(table_id__in=tables, cents__isnull=False, day_id__gt=day_id)
    return dict(counted.values_list("table_id").annotate(Min("at")))


# In most rooms chips come from the cage.
RACKS_UNCOUNTED = CarriedItems(
    "rack",
    _("the rack of table %(number)s, not counted"),
    _racks_uncounted,
    _racks_counted,
    title=_("Racks are counted since their tables closed"),
    is_rare=True,
    page=Page("page.racks", "floor_rack"),
)


# What a rack's opening and its closing ask for (`tables.services.rack_pushes`).
_AT_OPENING_OR_CLOSING = {"opening", "closing"}


def _to_judge(room_id: int) -> list[tuple[int, int]]:
    """
    Return what the floor has yet to judge, but for the counts that are asked of racks that nobody has counted, which
    are carried as those. One query, and those of `_racks_uncounted` where any is asked.
    """
    found = ToDo.objects.filter(room_id=room_id, done_at=None).order_by("table__number", "id")
    rows = list(found.values_list("table__number", "id", "kind", "data"))
    rack_counts = {
        row_id
        for _number, row_id, kind, data in rows
        if kind == ToDo.Kind.RACK_NOT_COUNTED and _AT_OPENING_OR_CLOSING & {*data}
    }
    racks = {number for number, _table in _racks_uncounted(room_id)} if rack_counts else set()
    return [
        (number, row_id) for number, row_id, _kind, _data in rows if row_id not in rack_counts or number not in racks
    ]


TO_JUDGE = CarriedItems(
    "to_judge",
    _("what the floor has to judge at table %(number)s"),
    _to_judge,
    rows_done(ToDo, "done_at"),
    title=_("What happened at tables is judged"),
    page=_TABLE,
)


def _uncounted(room_id: int) -> list[tuple[int, int]]:
    return sorted((seating.table.number, seating.pk) for seating in uncounted(room_id))


def _counted(seatings: Collection[int], _day_id: int) -> Mapping[int, datetime | None]:
    counted = Seating.objects.filter(id__in=seatings, left_stack_cents__isnull=False)
    return dict.fromkeys(counted.values_list("id", flat=True))


UNCOUNTED = CarriedItems(
    "uncounted",
    _("a stack that left table %(number)s uncounted"),
    _uncounted,
    _counted,
    title=_("Stacks that left are counted"),
    page=_TABLE,
)


def _in_play(room_id: int) -> list[tuple[int, int]]:
    """
    Of the tables that ran on the open day and run no more, or where something was posted on it though they did not: a
    fact that came late, of a day that is over. Three queries, two more where chips lie at closed tables.
    """
    day = open_day(room_id)
    if day is None:
        return []
    numbers = dict(Table.objects.filter(room_id=room_id, opening=None).values_list("id", "number"))
    chips = Account.objects.filter(room_id=room_id, owner_kind=OWNER, kind="in_play", owner_id__in=numbers)
    left = dict(chips.exclude(balance_cents=0).values_list("owner_id", "id"))
    if not left:
        return []
    # Also one that was opened on a day before, and played on over its end.
    ran = Opening.objects.filter(Q(day_id=day.pk) | Q(closed_at__gte=day.opened_at), table__in=left)
    late = Posting.objects.filter(account__in=left.values(), transfer__day=day.pk)
    here = {*ran.values_list("table_id", flat=True), *late.order_by().values_list("account__owner_id", flat=True)}
    return sorted((numbers[table_id], account_id) for table_id, account_id in left.items() if table_id in here)


IN_PLAY = CarriedItems(
    "in_play",
    _("chips in play at table %(number)s, where nobody sits"),
    _in_play,
    emptied_since,
    title=_("No chips lie at closed tables"),
    page=_TABLE,
    cents=balances_after,
)


def _tip_boxes(room_id: int) -> list[tuple[int, int]]:
    return list(waiting(room_id).order_by("table__number", "id").values_list("table__number", "id"))


def _tips_counted(closed: Collection[int], _day_id: int) -> Mapping[int, datetime | None]:
    counted = TipCount.objects.filter(closed__in=closed).values_list("closed_id", "at")
    back = ClosedTips.objects.filter(id__in=closed, taken_back_at__isnull=False).values_list("id", "taken_back_at")
    return {**dict(counted), **dict(back)}


# A house whose tips are pooled has none.
TIP_BOXES = CarriedItems(
    "tip_box",
    _("a tip box that was taken along from table %(number)s, not counted"),
    _tip_boxes,
    _tips_counted,
    title=_("Tip boxes that were taken along are counted"),
    is_rare=True,
    page=_TABLE,
)
