"""A gaming day's tips: what was counted, what was handed to payroll, and what each dealer is owed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Sum

from casino.people.selectors import staff_names
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day
from tables.models import Down, Table, TipCount, TipPayroll, TipShare
from tables.rules.tips import shares_by_time

DAYS_SHOWN = 31


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
        """Return the sum as a form takes it."""
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
        minutes = self.seconds // 60
        return f"{minutes // 60}:{minutes % 60:02}"


@dataclass(frozen=True)
class DayOfTips:
    """A day's tips as the office reads them; `deals` says whether somebody still deals on it."""

    day: GamingDay
    counts: Sequence[tuple[TipCount, str, str, str]]
    dealers: Sequence[DealersTips]
    owed: TipsOwed
    handed_cents: int
    deals: bool

    @property
    def counted_cents(self) -> int:
        return sum(count.cents for count, *_names in self.counts)


def seconds_dealt(day: GamingDay, *, at: datetime) -> dict[int, int]:
    """Return how long each dealer has dealt on a gaming day, until a moment where the down goes on. One query."""
    found: Counter[int] = Counter()
    for dealer_id, began, ended in Down.objects.filter(room_id=day.room_id, day=day).values_list(
        "dealer_id", "began_at", "ended_at"
    ):
        found[dealer_id] += max(0, int(((ended or at) - began).total_seconds()))
    return dict(found)


def owed_of(day: GamingDay, *, at: datetime) -> TipsOwed:
    """Return what of a day's tips is still to be handed on, and to whom. Three queries."""
    last = last_payroll(day)
    counts = TipCount.objects.filter(room_id=day.room_id, day=day, id__gt=last.last_count_id if last else 0)
    by_dealer = dict(counts.order_by().values_list("dealer_id").annotate(cents=Sum("cents")))
    whole, seconds = sum(by_dealer.values()), seconds_dealt(day, at=at)
    shares = Counter(shares_by_time(by_dealer.pop(None, 0), seconds))
    shares.update(by_dealer)
    return TipsOwed(whole, {dealer: cents for dealer, cents in sorted(shares.items()) if cents}, seconds)


def tips_of(day: GamingDay, *, at: datetime) -> DayOfTips:
    """Return a day's tips with names. Seven queries."""
    owed = owed_of(day, at=at)
    counts = list(TipCount.objects.filter(room_id=day.room_id, day=day).select_related("table").order_by("id"))
    handed = dict(
        TipShare.objects.filter(payroll__day=day).order_by().values_list("dealer_id").annotate(cents=Sum("cents"))
    )
    people = {who for each in counts for who in (each.by_id, each.approved_by_id, each.dealer_id) if who}
    dealers = owed.shares.keys() | handed.keys() | owed.seconds.keys()
    names = staff_names(people | dealers)
    rows = [
        DealersTips(
            dealer, names.get(dealer, "?"), owed.seconds.get(dealer, 0), handed.get(dealer, 0),
            owed.shares.get(dealer, 0),
        )
        for dealer in dealers
    ]  # fmt: skip
    return DayOfTips(
        day=day,
        counts=[
            (each, names.get(each.by_id, ""), names.get(each.approved_by_id, ""), names.get(each.dealer_id or 0, ""))
            for each in counts
        ],
        dealers=sorted(rows, key=lambda row: (row.name, row.dealer_id)),
        owed=owed,
        handed_cents=sum(handed.values()),
        deals=Down.objects.filter(room_id=day.room_id, day=day, ended_at=None).exists(),
    )


def days_with_tips(room_id: int) -> list[GamingDay]:
    """Return the newest days on which tips were counted, the newest first. One query."""
    days = GamingDay.objects.filter(room_id=room_id, tipcount__isnull=False).distinct()
    return list(days.order_by("-id")[:DAYS_SHOWN])


def own_tips(room_id: int, dealer_id: int, *, at: datetime) -> list[tuple[GamingDay, DealersTips]]:
    """Return what one dealer gets of the newest two days with tips, and nobody else's. Nine queries at most."""
    found = []
    for day in days_with_tips(room_id)[:2]:
        owed = owed_of(day, at=at)
        handed = TipShare.objects.filter(payroll__day=day, dealer_id=dealer_id).aggregate(cents=Sum("cents"))["cents"]
        mine = owed.shares.get(dealer_id, 0)
        if handed or mine or dealer_id in owed.seconds:
            found.append((day, DealersTips(dealer_id, "", owed.seconds.get(dealer_id, 0), handed or 0, mine)))
    return found


def dealers_today(table: Table) -> list[tuple[int, str]]:
    """Return who has dealt at a table on the open day, the newest first, with names. Three queries."""
    day = open_day(table.room_id)
    downs = Down.objects.filter(table=table, day=day).order_by("-began_at", "-id") if day else Down.objects.none()
    dealers = list(dict.fromkeys(downs.values_list("dealer_id", flat=True)))
    names = staff_names(dealers)
    return [(dealer, names.get(dealer, "?")) for dealer in dealers]


def last_payroll(day: GamingDay) -> TipPayroll | None:
    """Return the newest handing on of a day's tips. One query."""
    return TipPayroll.objects.filter(day=day).order_by("-number").first()
