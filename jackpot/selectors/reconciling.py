"""
The jackpots' books over a span of gaming days: what each sum was, what came and went, and what it was then.

Each figure is taken from the pools' own history and from the ledger's postings, and a report says whether both say the
same and whether its lines add up. Nothing is written.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Max, Q, Sum

from casino import clock
from casino.ledger.models import Posting
from casino.reading import snapshot
from casino.rooms.models import GamingDay, Room
from jackpot.chart import OWNER
from jackpot.errors_reports import NoDayInSpan, SpanAhead, SpanBackwards
from jackpot.models import Collection, Movement, Pool
from jackpot.selectors.counted import InBoxes, in_boxes

# What lies between a sum's beginning and its end: by the kind of movement, which its transfer is named for.
LINES = {
    "takings": Movement.Kind.TAKINGS,
    "seed": Movement.Kind.SEED,
    "claims": Movement.Kind.CLAIM,
    "paid_out": Movement.Kind.PAID_OUT,
    "corrections": Movement.Kind.CORRECTION,
    "seed_recovered": Movement.Kind.SEED_RECOVERED,
    "moved_in": Movement.Kind.MOVED_IN,
    "moved_out": Movement.Kind.MOVED_OUT,
}
# What adds up to what: the beginning, what came and went, the end.
EQUATIONS: Sequence[tuple[str, Sequence[str], str]] = (
    ("opening", tuple(LINES), "closing"),
    ("owed_opening", ("won", "paid"), "owed_closing"),
    ("waited_opening", ("dropped", "covered", "joined"), "waited_closing"),
)
FIGURES = tuple(name for opening, lines, closing in EQUATIONS for name in (opening, *lines, closing))
ZEROS = dict.fromkeys(FIGURES, 0)
# Beside them: what was counted in the drop boxes, what of it differs from the log, and what is still to be counted.
COUNTED = ("counted", "over_short", "uncounted")
_WON = {"jackpot_claim", "jackpot_paid_out"}


@dataclass(frozen=True)
class PoolFigures:
    """
    One pool over the span, in cents by `FIGURES`: what came is positive, what went negative.

    `history` is what its own history says, or the ledger where the history has no word of it; `ledger` what was posted.
    `counted` is by `COUNTED` what was found in the drop boxes, None where none was counted: the drops that were logged
    and what was over or short are what was counted and what is not counted yet. It makes nothing disagree: what
    differs there is the house's, and the pool follows the log.
    """

    pool_id: int
    code: str
    history: Mapping[str, int]
    ledger: Mapping[str, int]
    counted: Mapping[str, int] | None = None

    @property
    def all_figures(self) -> dict[str, int]:
        """Its figures with what was counted; where nobody counted, all drops are still to be."""
        nothing = {"counted": 0, "over_short": 0, "uncounted": self.history["dropped"]}
        return {**self.history, **(self.counted or nothing)}

    @property
    def agrees(self) -> bool:
        """Whether history and ledger say the same, and each line adds up."""
        return dict(self.history) == dict(self.ledger) and all(
            self.history[opening] + sum(self.history[each] for each in lines) == self.history[closing]
            for opening, lines, closing in EQUATIONS
        )


@dataclass(frozen=True)
class Report:
    """All pools that held or moved money until the last day; `has_open_day`: what comes today will still change it."""

    first: date
    last: date
    days: int
    has_open_day: bool
    pools: Sequence[PoolFigures]

    @property
    def agrees(self) -> bool:
        """Whether history and ledger agree in every pool."""
        return all(pool.agrees for pool in self.pools)

    @property
    def seen(self) -> str:
        """The fingerprint of all figures: who signs says which they have seen."""
        text = json.dumps([str(self.first), str(self.last), self.as_json()], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """Return what is kept of it once it is signed."""
        return {
            "days": self.days,
            "has_open_day": self.has_open_day,
            "pools": [_as_json(pool) for pool in self.pools],
        }


def _as_json(pool: PoolFigures) -> dict[str, Any]:
    """Return what is kept of a pool; without what was counted where nobody did, as reports of before were signed."""
    kept = {"pool": pool.pool_id, "jackpot": pool.code, "history": dict(pool.history), "ledger": dict(pool.ledger)}
    return kept if pool.counted is None else kept | {"counted": dict(pool.counted)}


def report_of(first: date, last: date, figures: Mapping[str, Any]) -> Report:
    """Return a report as it was kept (`Report.as_json`)."""
    pools = [
        PoolFigures(each["pool"], each["jackpot"], each["history"], each["ledger"], each.get("counted"))
        for each in figures["pools"]
    ]
    return Report(first, last, figures["days"], figures["has_open_day"], pools)


def reconciled(room: Room, first: date, last: date) -> Report:
    """
    Return the report of a span of gaming days, both included, as of one moment. Seven queries, and one more
    where drop boxes were counted.

    :raises SpanBackwards, SpanAhead, NoDayInSpan: as they say.
    """
    # History and ledger are read one after the other: what is written meanwhile must be in both or in neither.
    with snapshot():
        days = _days(room, first, last)
        movements, sums_after = _movements(room.pk, first, last)
        posted, dropped = _posted(room.pk, first, last), _dropped(room.pk, first, last)
        boxes = in_boxes(room.pk, first, last)
        every = list(Pool.objects.filter(room_id=room.pk).order_by("id"))
    _check_span(room, first, last, days)
    pools = []
    for pool in every:
        ledger = _by_ledger(posted[pool.pk])
        moved = movements[pool.pk]
        history = ledger | {name: moved.get(kind, (0, 0))[1] for name, kind in LINES.items()}
        history["opening"] = sum(before for before, _within in moved.values())
        history["closing"] = sums_after.get(pool.pk, 0)
        history["won"], history["dropped"] = -history["claims"] - history["paid_out"], dropped.get(pool.pk, 0)
        history["joined"] = -history["takings"]
        if any(history.values()) or any(ledger.values()):
            counted = _counted(history["dropped"], boxes.get(pool.pk))
            pools.append(PoolFigures(pool.pk, pool.code, history, ledger, counted))
    return Report(first, last, days["days"], days["open"] > 0, pools)


def _days(room: Room, first: date, last: date) -> dict[str, int]:
    """Return how many `days` lie in the span, how many of them are `open`, and the room's `newest`. One query."""
    within = Q(date__gte=first, date__lte=last)
    return GamingDay.objects.filter(room=room).aggregate(
        days=Count("id", filter=within), open=Count("id", filter=within & Q(closed_at=None)), newest=Max("date")
    )


def _check_span(room: Room, first: date, last: date, days: Mapping[str, Any]) -> None:
    """Refuse a span that cannot be. :raises SpanBackwards, SpanAhead, NoDayInSpan: as they say."""
    if last < first:
        raise SpanBackwards
    today = clock.now().astimezone(ZoneInfo(room.time_zone)).date()
    if last > max(today, days["newest"] or today):
        raise SpanAhead
    if not days["days"]:
        raise NoDayInSpan


# By pool and kind: what was before the span, and what was within it.
_Sums = dict[int, dict[Any, tuple[int, int]]]


def _movements(room_id: int, first: date, last: date) -> tuple[_Sums, dict[int, int]]:
    """Return what the pools' histories say, and what each says that its sum is after the last day. Two queries."""
    until = Movement.objects.filter(room_id=room_id, day__date__lte=last)
    sums: _Sums = defaultdict(dict)
    by_kind = until.values_list("pool_id", "kind").order_by("pool_id", "kind")
    for pool_id, kind, before, within in by_kind.annotate(
        before=Sum("cents", filter=Q(day__date__lt=first), default=0),
        within=Sum("cents", filter=Q(day__date__gte=first), default=0),
    ):
        sums[pool_id][kind] = before, within
    newest = until.order_by("pool_id", "-number").distinct("pool_id")
    return sums, dict(newest.values_list("pool_id", "sum_after_cents"))


def _posted(room_id: int, first: date, last: date) -> _Sums:
    """Return what was posted on the pools' accounts, by (account, transfer). One query."""
    postings = Posting.objects.filter(
        account__room_id=room_id, account__owner_kind=OWNER, transfer__day__date__lte=last
    ).values_list("account__owner_id", "account__kind", "transfer__kind")
    sums: _Sums = defaultdict(dict)
    for pool_id, account, transfer, before, within in postings.order_by("account__owner_id").annotate(
        before=Sum("cents", filter=Q(transfer__day__date__lt=first), default=0),
        within=Sum("cents", filter=Q(transfer__day__date__gte=first), default=0),
    ):
        sums[pool_id][account, transfer] = before, within
    return sums


def _dropped(room_id: int, first: date, last: date) -> dict[int, int]:
    """Return what was collected for the pools out of the logs of hands. One query."""
    collections = Collection.objects.filter(room_id=room_id, day__date__gte=first, day__date__lte=last)
    return dict(collections.values_list("pool_id").annotate(cents=Sum("cents")).order_by("pool_id"))


def _counted(dropped_cents: int, boxes: InBoxes | None) -> dict[str, int] | None:
    """Return what was counted of so many logged cents, by `COUNTED`; None where nobody counted."""
    if boxes is None:
        return None
    counted, uncounted = boxes.logged + boxes.over_short, dropped_cents - boxes.logged
    return {"counted": counted, "over_short": boxes.over_short, "uncounted": uncounted}


def _by_ledger(posted: Mapping[tuple[str, str], tuple[int, int]]) -> dict[str, int]:
    """Return a pool's figures by its accounts alone (`jackpot.chart`)."""

    def before(kind: str) -> int:
        return sum(cents for (account, _), (cents, _within) in posted.items() if account == kind)

    def within(kind: str, *transfers: str) -> int:
        return sum(
            cents
            for (account, transfer), (_before, cents) in posted.items()
            if account == kind and (not transfers or transfer in transfers)
        )

    won = within("pending", *_WON)
    return {
        "opening": before("sum"),
        **{name: within("sum", f"jackpot_{kind}") for name, kind in LINES.items()},
        "closing": before("sum") + within("sum"),
        "owed_opening": before("pending"),
        "won": won,
        # A share that was paid and whose slip is reversed is owed again.
        "paid": within("pending") - won,
        "owed_closing": before("pending") + within("pending"),
        "waited_opening": before("takings"),
        "dropped": -within("collected"),
        "covered": within("takings", "jackpot_covered"),
        "joined": within("takings", "jackpot_takings"),
        "waited_closing": before("takings") + within("takings"),
    }
