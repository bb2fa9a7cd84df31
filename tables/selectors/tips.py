"""A gaming day's tips: what was counted, what was handed to payroll, and what each dealer is owed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Sum

from casino.ledger.models import Transfer
from casino.people.selectors import staff_names
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day
from tables.models import ClosedTips, Down, Table, TipCount, TipPayroll, TipShare
from tables.rules.tips import shares_by_time
from tables.selectors.tip_boxes import BoxApart, boxes_apart, dealers_of, dealers_of_closed, named
from tables.selectors.tip_receipts import Receipt, hours, receipts_on

DAYS_SHOWN, OWN_DAYS_SHOWN = 31, 5


@dataclass(frozen=True)
class TipsOwed:
    """
    A day's tips that are not handed on yet: `cents`, and by dealer what they get of it.

    `seconds` is how long each has dealt on the day. What is pooled where nobody has dealt is nobody's yet.
    """

    cents: int
    shares: Mapping[int, int]
    seconds: Mapping[int, int]

    @property
    def typed(self) -> str:
        """Return the sum as a form takes it, in units with two decimals: "12.50"."""
        return f"{self.cents // 100}.{self.cents % 100:02d}"

    @property
    def is_anybodys(self) -> bool:
        return self.cents > 0 and sum(self.shares.values()) == self.cents


@dataclass(frozen=True)
class DealersTips:
    """What a dealer gets of a day's tips: already handed to payroll, and still owed."""

    dealer_id: int
    name: str
    seconds: int
    handed_cents: int
    owed_cents: int

    @property
    def cents(self) -> int:
        return self.handed_cents + self.owed_cents

    @property
    def dealt(self) -> str:
        return hours(self.seconds)


@dataclass(frozen=True)
class OwnTips(DealersTips):
    """What one dealer gets of a gaming day's tips, and the numbers of the receipts for what payroll has of it."""

    day: date
    receipts: Sequence[int]


@dataclass(frozen=True)
class CountOfTips:
    """A count as the office reads it: by which two, and whose it is, one dealer's or of several by the time dealt."""

    count: TipCount
    by: str
    approved_by: str
    whose: str


@dataclass(frozen=True)
class DayOfTips:
    """
    A day's tips as the office reads them; `deals` says whether somebody still deals on it. `apart` are closed tips of
    any day that nobody has counted yet.
    """

    day: GamingDay
    counts: Sequence[CountOfTips]
    receipts: Sequence[Receipt]
    apart: Sequence[BoxApart]
    dealers: Sequence[DealersTips]
    owed: TipsOwed
    handed_cents: int
    deals: bool

    @property
    def counted_cents(self) -> int:
        return sum(each.count.cents for each in self.counts)

    @property
    def closed(self) -> list[ClosedTips]:
        return [each.closed for each in self.apart]


def seconds_dealt(day: GamingDay, *, at: datetime, until: datetime | None = None) -> dict[int, int]:
    """
    Return how long each dealer has dealt on a gaming day, until a moment where the down goes on. One query.

    What was dealt after `until` does not count.
    """
    seconds: Counter[int] = Counter()
    for dealer_id, began, ended in Down.objects.filter(room_id=day.room_id, day=day).values_list(
        "dealer_id", "began_at", "ended_at"
    ):
        seconds[dealer_id] += max(0, int((min(ended or at, until or ended or at) - began).total_seconds()))
    return dict(seconds)


def owed_of(day: GamingDay, *, at: datetime, as_closed: bool = False) -> TipsOwed:
    """Return what of a day's tips is still to be handed on, and to whom; or was when it closed. Three queries."""
    until = day.closed_at if as_closed else None
    last = last_payroll(day, on_it=until is not None)
    counts = TipCount.objects.filter(room_id=day.room_id, day=day, id__gt=last.last_count_id if last else 0)
    if until is not None:
        # Moments do not tell: the clock may have been set back since. What moved nothing has no part in it.
        posted = Transfer.objects.filter(room_id=day.room_id, day=day, kind="tips_taken").order_by()
        counts = counts.filter(transfer_id__in=posted.values("id"))
    seconds, pooled, shares, whole = seconds_dealt(day, at=at, until=until), 0, Counter[int](), 0
    for dealer_id, dealt, cents in counts.order_by("id").values_list("dealer_id", "seconds", "cents"):
        whole += cents
        if dealer_id is not None:
            shares[dealer_id] += cents
        elif dealt is not None:
            shares.update(shares_by_time(cents, {int(dealer): each for dealer, each in dealt.items()}))
        else:
            pooled += cents
    shares.update(shares_by_time(pooled, seconds))
    return TipsOwed(whole, {dealer: cents for dealer, cents in sorted(shares.items()) if cents}, seconds)


def dealers_tips(
    day: GamingDay, *, at: datetime, owed: TipsOwed | None = None, as_closed: bool = False
) -> list[DealersTips]:
    """
    Return what each dealer gets of a day's tips, by name; whoever has dealt is there too. Five queries at most.

    `as_closed`: as it stood when the day closed, without what was counted and handed on since.
    """
    owed = owed or owed_of(day, at=at, as_closed=as_closed)
    shares = TipShare.objects.filter(payroll__day=day).order_by()
    shares = shares.filter(payroll__posted_on=day) if as_closed else shares
    handed = dict(shares.values_list("dealer_id").annotate(cents=Sum("cents")))
    dealers = owed.shares.keys() | handed.keys() | owed.seconds.keys()
    names = staff_names(dealers)
    rows = [
        DealersTips(
            dealer, names.get(dealer, "?"), owed.seconds.get(dealer, 0), handed.get(dealer, 0),
            owed.shares.get(dealer, 0),
        )
        for dealer in dealers
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (row.name, row.dealer_id))


def tips_of(day: GamingDay, *, at: datetime) -> DayOfTips:
    """Return a day's tips with names. Twelve queries."""
    owed = owed_of(day, at=at)
    counts = list(TipCount.objects.filter(room_id=day.room_id, day=day).select_related("table").order_by("id"))
    dealers = dealers_tips(day, at=at, owed=owed)
    names = staff_names({who for each in counts for who in (each.by_id, each.approved_by_id, *_whose(each))})
    return DayOfTips(
        day=day,
        counts=[
            CountOfTips(
                each,
                names.get(each.by_id, ""),
                names.get(each.approved_by_id, ""),
                ", ".join(name for name, _time in named(_whose(each), names)),
            )
            for each in counts
        ],
        receipts=receipts_on(day),
        apart=boxes_apart(day.room_id),
        dealers=dealers,
        owed=owed,
        handed_cents=sum(each.handed_cents for each in dealers),
        deals=Down.objects.filter(room_id=day.room_id, day=day, ended_at=None).exists(),
    )


def days_with_tips(room_id: int) -> list[GamingDay]:
    """Return the newest days on which tips were counted, the newest first. One query."""
    days = GamingDay.objects.filter(room_id=room_id, tipcount__isnull=False).distinct()
    return list(days.order_by("-id")[:DAYS_SHOWN])


def own_tips(room_id: int, dealer_id: int, *, at: datetime) -> list[OwnTips]:
    """Return what one dealer gets of the newest days with tips, and nobody else's. Six queries for each of the days."""
    tips = []
    for day in days_with_tips(room_id)[:OWN_DAYS_SHOWN]:
        owed = owed_of(day, at=at)
        receipts = receipts_on(day, dealer_id=dealer_id)
        handed, mine = sum(each.cents for each in receipts), owed.shares.get(dealer_id, 0)
        if handed or mine or dealer_id in owed.seconds:
            numbers = [each.number for each in receipts]
            dealt = owed.seconds.get(dealer_id, 0)
            tips.append(OwnTips(dealer_id, "", dealt, handed, mine, day=day.date, receipts=numbers))
    return tips


def dealers_there(table: Table, box: BoxApart | None = None) -> list[tuple[int, str]]:
    """
    Return whose the tips of the box may be that hangs at a table (`dealers_of`), or of one that was taken along
    (`dealers_of_closed`), with names. Five queries at most.
    """
    if box is not None:
        dealers = dealers_of_closed(box.closed)
    else:
        day = open_day(table.room_id)
        dealers = dealers_of(table, day) if day else []
    names = staff_names(dealers)
    return [(dealer, names.get(dealer, "?")) for dealer in dealers]


def last_payroll(day: GamingDay, *, on_it: bool = False) -> TipPayroll | None:
    """Return the newest handing on of a day's tips; `on_it`: the newest while that day was open. One query."""
    payrolls = TipPayroll.objects.filter(day=day)
    return (payrolls.filter(posted_on=day) if on_it else payrolls).order_by("-number").first()


def tips_since(then: Sequence[DealersTips], now: Sequence[DealersTips]) -> list[DealersTips]:
    """Return by how much what each dealer gets and has is other now than it was then; who has the same is left out."""
    before = {each.dealer_id: each for each in then}
    tips = []
    for each in now:
        was = before.get(each.dealer_id)
        handed = each.handed_cents - (was.handed_cents if was else 0)
        owed = each.owed_cents - (was.owed_cents if was else 0)
        if handed or owed:
            seconds = each.seconds - (was.seconds if was else 0)
            tips.append(DealersTips(each.dealer_id, each.name, seconds, handed, owed))
    return tips


def _whose(count: TipCount) -> dict[int, int]:
    """Return whose a count is, by dealer how long they have dealt into the box; {} where all who deal share it."""
    if count.dealer_id is not None:
        return {count.dealer_id: 0}
    return {int(dealer): seconds for dealer, seconds in (count.seconds or {}).items()}
