"""Racks as they are read: the checks of a table, with whose downs a difference is."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Least

from casino.cage.models import Slip
from casino.cage.models_fills import FillSlip
from casino.ledger.models import Posting
from casino.people.selectors import staff_names
from casino.rooms.models import GamingDay
from tables.chart import OWNER, RACK, RACK_CASH
from tables.models import Down, Hand, RackCheck, RackFill, Table

CHECKS_SHOWN = 40
SOLD_SHOWN = 40


@dataclass(frozen=True)
class CheckRow:
    """
    A check as the floor reads it: who took over or counted, who signed, and the downs since the count before where
    chips differ; where cash does, those since its own, unless they are the same.
    """

    check: RackCheck
    by: str
    approved_by: str
    downs: Sequence[tuple[Down, str]]
    cash_downs: Sequence[tuple[Down, str]]


@dataclass(frozen=True)
class FillRow:
    """A fill of a rack, in cents, and which two counted it there; by which fill slip, None where it was one step."""

    at: datetime
    cents: int
    slip: FillSlip | None
    by_id: int | None
    approved_by_id: int | None
    by: str = ""
    approved_by: str = ""


def checks_of(table: Table, *, offset: int = 0, most: int = CHECKS_SHOWN) -> list[RackCheck]:
    """Return a table's checks, the newest first. One query."""
    checks = RackCheck.objects.filter(table=table).select_related("day")
    return list(checks.order_by("-number")[offset : offset + most])


def check_rows(table: Table) -> list[CheckRow]:
    """Return a table's newest checks with names. Three queries."""
    return _rows(checks_of(table))


def fill_rows(table: Table) -> list[FillRow]:
    """Return a table's newest fills with names, by slips and in one step. Three queries."""
    at_once = RackFill.objects.filter(table=table).order_by("-number")[:CHECKS_SHOWN]
    slips = FillSlip.objects.filter(
        room_id=table.room_id,
        place_kind=OWNER,
        place_id=table.pk,
        kind=FillSlip.Kind.FILL,
        status=FillSlip.Status.VERIFIED,
    ).order_by("-number")[:CHECKS_SHOWN]
    rows = [FillRow(each.at, each.cents, None, each.by_id, each.approved_by_id) for each in at_once]
    for slip in slips:
        assert slip.ended_at is not None
        rows.append(FillRow(slip.ended_at, slip.got_chips_cents or 0, slip, slip.ended_by_id, slip.ended_with_id))
    names = staff_names({who for row in rows for who in (row.by_id, row.approved_by_id) if who})
    newest = sorted(rows, key=lambda row: row.at, reverse=True)[:CHECKS_SHOWN]
    return [
        replace(row, by=names.get(row.by_id or 0, ""), approved_by=names.get(row.approved_by_id or 0, ""))
        for row in newest
    ]


def lies_as_counted(table_id: int) -> RackCheck | None:
    """Return the count of a table's rack since which the log has nothing moved there, None for none. Two queries."""
    counts = RackCheck.objects.filter(table=table_id, cents__isnull=False, is_late=False)
    check = counts.order_by("-number").first()
    if check is None:
        return None
    moved = Posting.objects.filter(
        account__owner_kind=OWNER, account__owner_id=table_id, account__kind__in=(RACK, RACK_CASH), id__gt=check.place
    )
    # What it found itself was posted after it.
    return None if moved.exclude(transfer_id=check.transfer_id or 0).exists() else check


def sold_slips(table: Table) -> list[Slip]:
    """Return the newest slips of what was sold out of a table's rack, with who sold it. One query."""
    slips = Slip.objects.filter(drawer__room_id=table.room_id, drawer__place_kind=OWNER, drawer__place_id=table.pk)
    return list(slips.select_related("paid_by", "drawer").order_by("-number")[:SOLD_SHOWN])


def counts_drawn_on(table: Table, day: GamingDay | None) -> int:
    """Return how many counts that were drawn at a push a table has had on a day. One query."""
    checks = RackCheck.objects.filter(room_id=table.room_id, day=day, table=table)
    return checks.filter(kind=RackCheck.Kind.UNANNOUNCED).count() if day else 0


def _rows(checks: Sequence[RackCheck]) -> list[CheckRow]:
    downs = _downs_of(checks)
    people = {who for each in checks for who in (each.by_id, each.approved_by_id) if who}
    names = staff_names(people | {down.dealer_id for down in downs})
    rows = []
    for check in checks:
        of_chips, of_cash = (
            [(down, names.get(down.dealer_id, "")) for down in downs if _is_within(check, down, span)]
            for span in _spans(check)
        )
        by, approved_by = names.get(check.by_id or 0, ""), names.get(check.approved_by_id or 0, "")
        rows.append(CheckRow(check, by, approved_by, of_chips, of_cash if of_cash != of_chips else ()))
    return rows


_Span = tuple[int, int] | None


def _spans(check: RackCheck) -> tuple[_Span, _Span]:
    """
    Return the downs under which a check's difference arose, as (first id, last id): of its chips and of its cash, None
    for what does not differ. Cash that was counted before its downs were kept has those of the chips.
    """
    chips = (check.first_down_id, check.last_down_id or 0) if check.first_down_id is not None else None
    cash = (check.cash_first_down_id, check.cash_last_down_id or 0) if check.cash_first_down_id is not None else None
    if not check.cash_difference_cents:
        return (chips if check.differs else None), None
    return (chips, cash) if check.difference_cents or cash is None else (None, cash)


def _is_within(check: RackCheck, down: Down, span: _Span) -> bool:
    return span is not None and down.table_id == check.table_id and span[0] <= down.pk <= span[1]


def _downs_of(checks: Iterable[RackCheck]) -> list[Down]:
    """Return the downs from the first to the last under which these checks' differences arose, by id. One query."""
    spans = [(check, span) for check in checks for span in _spans(check) if span is not None]
    if not spans:
        return []
    low, high = min(span[0] for _check, span in spans), max(span[1] for _check, span in spans)
    tables = {check.table_id for check, _span in spans}
    return list(Down.objects.filter(table_id__in=tables, id__range=(low, high)).order_by("id"))


def counted_since_play(tables: Collection[int]) -> set[int]:
    """
    Return those of some tables the chips of whose racks were counted after all that was played there, and after what
    was sold out of them: a count as of a closing, as it was left by which the table can open again. One query.
    """
    return _untouched_since(RackCheck.objects.filter(cents__isnull=False), tables)


def is_as_checked(check: RackCheck) -> bool:
    """Say whether nothing was played at its table, nor sold out of its rack, since a check. One query."""
    return bool(_untouched_since(RackCheck.objects.filter(id=check.pk), [check.table_id]))


def _untouched_since(checks: QuerySet[RackCheck], tables: Collection[int]) -> set[int]:
    """Return the tables of which the newest of these checks came after their hands and their racks' sales."""
    newest = checks.filter(table=OuterRef("pk")).order_by("-at", "-id")
    # Of a hand that nobody logged its end alone is known; one that was supplied or taken back was over before that.
    # By the day too: by its moments alone all hands that the table ever played would be looked at.
    played = Hand.objects.filter(table=OuterRef("pk"), day__gte=OuterRef("checked_on"))
    played = played.annotate(over_at=Least("settled_at", "ended_at")).filter(over_at__gt=OuterRef("checked_at"))
    sold = Slip.objects.filter(
        drawer__place_kind=OWNER, drawer__place_id=OuterRef("pk"), paid_at__gt=OuterRef("checked_at")
    )
    untouched = Table.objects.filter(id__in=tables).annotate(
        checked_at=Subquery(newest.values("at")[:1]), checked_on=Subquery(newest.values("day")[:1])
    )
    untouched = untouched.filter(~Exists(played), ~Exists(sold), checked_at__isnull=False)
    return set(untouched.values_list("id", flat=True))
