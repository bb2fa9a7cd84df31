"""
What is open when a gaming day closes for operations: what must be finished first, and what a manager may carry over.

Other apps add theirs from their AppConfig (`tables`: tables that are still open, what the floor has yet to judge), and
`floor` says where the floor judges.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.db.models import Model, Q
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from casino.cage.chart import CARRIED, RUNNER
from casino.cage.models import CarriedItem, Doubt, DrawerSession, PaidChips, RequestMoney, Slip
from casino.cage.models_fills import FillSlip
from casino.cage.selectors.blind import held_sessions, own_doubts
from casino.ledger.models import Account
from casino.ledger.selectors.accounts import emptied_since
from casino.people.selectors import staff_names

REASON = CarriedItem.Reason
# Why most things are carried.
REASONS = (REASON.LOOKED_INTO, REASON.SOMEBODY_GONE, REASON.NO_TIME, REASON.NOTHING_TO_FIND)
# From row ids and the id of the day that closed over them.
Done = Callable[[Collection[int], int], Mapping[int, datetime | None]]
# From row ids and the id of that day: how much each was about when it was over.
Amounts = Callable[[Collection[int], int], Mapping[int, int]]
Names = Callable[[Collection[int]], Mapping[int, str]]
# What addresses are made of, by number, of those of a room: what is not among them has no page.
MadeOf = Callable[[int, Collection[int]], Mapping[int, tuple[int, ...]]]


def by_number(_room_id: int, numbers: Collection[int]) -> Mapping[int, tuple[int, ...]]:
    """Return for each its number, of which its address is made."""
    return {number: (number,) for number in numbers}


def one_for_all(_room_id: int, numbers: Collection[int]) -> Mapping[int, tuple[int, ...]]:
    """Return nothing for each: all are on one page."""
    return dict.fromkeys(numbers, ())


@dataclass(frozen=True)
class Page:
    """Where things of a kind are done: what whoever goes there must be allowed, and the name of the address."""

    needs: str
    name: str
    made_of: MadeOf = by_number


@dataclass(frozen=True)
class OpenItems:
    """
    One kind of thing that keeps a day open: its label with %(number)s, and which numbers are open in a room.

    `named`: what the label says instead of each number. `title`: its line of the checklist, which stands there also
    where nothing is open, but for what `is_rare` or has no title: of that nobody reads where nothing is.
    """

    kind: str
    label: str | Promise
    numbers: Callable[[int], list[int]]
    named: Names | None = None
    title: str | Promise = ""
    is_rare: bool = False
    page: Page | None = None


@dataclass(frozen=True)
class CarriedItems:
    """
    One kind of thing over which a day may close, where a manager carries each with one of the `reasons`.

    `rows` returns (number, row id) of what is open in a room; `done` of such rows those that are open no more, each
    with when that was, None where nobody knows: it is told what became of them since the day's end. `own` returns
    which rows somebody may not carry, by room and person: what they may not count or judge themselves. `open_cents` is
    by how much rows are of which no account tells: the checklist has it, and no report, whose figures postings prove.
    """

    kind: str
    label: str | Promise
    rows: Callable[[int], list[tuple[int, int]]]
    done: Done
    reasons: tuple[CarriedItem.Reason, ...] = REASONS
    named: Names | None = None
    title: str | Promise = ""
    is_rare: bool = False
    page: Page | None = None
    cents: Amounts | None = None
    open_cents: Amounts | None = None
    own: Callable[[int, int], set[int]] | None = None


@dataclass(frozen=True)
class OpenItem:
    """One thing that is open and may be carried: its kind and number, and the rows that are open under it."""

    kind: str
    number: int
    rows: list[int]

    @property
    def word(self) -> str:
        return word(self.kind, self.number)

    @property
    def reasons(self) -> tuple[CarriedItem.Reason, ...]:
        items = _kinds[self.kind]
        return items.reasons if isinstance(items, CarriedItems) else ()


@dataclass(frozen=True)
class Check:
    """A line of the checklist: what of a kind is to be finished `first`, by number, and what may be carried over."""

    kind: str
    title: str
    first: list[int]
    carried: list[OpenItem]


_kinds: dict[str, OpenItems | CarriedItems] = {}
_pages: dict[str, Page] = {}


def register(items: OpenItems | CarriedItems) -> None:
    """Add a kind of thing that keeps a day open."""
    assert items.kind not in _kinds, f"{items.kind} is registered twice"
    _kinds[items.kind] = items


def lead(kinds: Collection[str], page: Page) -> None:
    """Say where things of these kinds are done, from the app of that page: it may stand above theirs."""
    _pages.update(dict.fromkeys(kinds, page))


def still_open(room_id: int) -> list[tuple[str, int]]:
    """Return (kind, number) of all that must be finished before the room's day closes. One query for each kind."""
    return [(check.kind, number) for check in checklist(room_id, of=OpenItems) for number in check.first]


def may_be_carried(room_id: int) -> list[OpenItem]:
    """Return what is open and may be carried over the day's end, by kind and number. A query or so for each kind."""
    return [each for check in checklist(room_id, of=CarriedItems) for each in check.carried]


def checklist(room_id: int, *, of: type[OpenItems] | type[CarriedItems] | None = None) -> list[Check]:
    """Return the lines of what closes with the day, those of one sort where it is named. A query or so for each."""
    kinds = [items for items in _kinds.values() if of is None or isinstance(items, of)]
    checks = [_check(items, room_id) for items in kinds]
    return [check for check in checks if check.first or check.carried or _stands(_kinds[check.kind])]


def _stands(items: OpenItems | CarriedItems) -> bool:
    return bool(items.title) and not items.is_rare


def _check(items: OpenItems | CarriedItems, room_id: int) -> Check:
    title = str(items.title)
    if isinstance(items, OpenItems):
        return Check(items.kind, title, items.numbers(room_id), [])
    by_number: dict[int, list[int]] = {}
    for number, row_id in items.rows(room_id):
        by_number.setdefault(number, []).append(row_id)
    open_items = [OpenItem(items.kind, number, sorted(rows)) for number, rows in sorted(by_number.items())]
    return Check(items.kind, title, [], open_items)


def own_of(items: Collection[OpenItem], room_id: int, staff_id: int) -> list[OpenItem]:
    """Return what of this somebody may not carry themselves. A query for each kind of which there is some."""
    own = {kind: _own(kind, room_id, staff_id) for kind in {each.kind for each in items}}
    return [each for each in items if own[each.kind].intersection(each.rows)]


def _own(kind: str, room_id: int, staff_id: int) -> set[int]:
    items = _kinds[kind]
    return items.own(room_id, staff_id) if isinstance(items, CarriedItems) and items.own else set()


def done_of(kind: str, rows: Collection[int], day_id: int) -> Mapping[int, datetime | None]:
    """Return which of the rows of a thing that a day carried are open no more, and since when. A query."""
    items = _kinds.get(kind)
    return items.done(rows, day_id) if isinstance(items, CarriedItems) and rows else {}


def cents_of(kind: str, rows: Collection[int], day_id: int) -> Mapping[int, int]:
    """Return by row how much it is about, of what is about an amount: at a day's end, or now while it is open."""
    items = _kinds.get(kind)
    read_cents = items.cents if isinstance(items, CarriedItems) else None
    return read_cents(rows, day_id) if read_cents and rows else {}


def open_cents_of(kind: str, rows: Collection[int], day_id: int) -> Mapping[int, int]:
    """Return the amounts by row, as `cents_of`, of what is open on the open day, with what no account tells."""
    items = _kinds[kind]
    if isinstance(items, CarriedItems) and items.open_cents and rows:
        return items.open_cents(rows, day_id)
    return cents_of(kind, rows, day_id)


def word(kind: str, number: int) -> str:
    """Return the word by which calls name a thing of this kind: "doubt.1"."""
    return f"{kind}.{number}"


def label(kind: str, number: int) -> str:
    """Return what people call it ("drawer 1"), in the active language."""
    return labels(kind, [number])[number]


def labels(kind: str, numbers: Collection[int]) -> dict[int, str]:
    """Return what people call things of one kind, by number, in the active language. A query where they have names."""
    items = _kinds[kind]
    names = items.named(numbers) if items.named else {}
    return {number: str(items.label) % {"number": names.get(number, number)} for number in numbers}


def page_of(kind: str) -> Page | None:
    """Return where things of one kind are done, None where nobody has said."""
    return _pages.get(kind) or _kinds[kind].page


def addresses(kind: str, numbers: Collection[int], *, room_id: int, may: Collection[str]) -> dict[int, str]:
    """
    Return where things of one kind are done by whoever is allowed so much, by number; without those that have no page,
    or not for them. A query where an address is made of something else than the number.
    """
    page = page_of(kind)
    if page is None or page.needs not in may or not numbers:
        return {}
    return {number: reverse(page.name, args=args) for number, args in page.made_of(room_id, numbers).items()}


def rows_done(model: type[Model], *moments: str) -> Done:
    """Return `CarriedItems.done` for rows that are done once one of these moments is there."""
    when = Coalesce(*moments) if len(moments) > 1 else moments[0]

    def done(rows: Collection[int], _day_id: int) -> Mapping[int, datetime | None]:
        ended = model._default_manager.filter(pk__in=rows).values_list("pk", when)
        return {pk: at for pk, at in ended if at is not None}

    return done


def _drawers(room_id: int, *, is_bank: bool = False) -> list[tuple[int, int]]:
    sessions = DrawerSession.objects.filter(drawer__room_id=room_id, drawer__is_bank=is_bank, closed_at=None)
    return list(sessions.order_by("drawer__number").values_list("drawer__number", "id"))


def _runners(room_id: int) -> list[tuple[int, int]]:
    """Return (id of the runner, id of the account) of who carries something that no fill slip of theirs says."""
    by_slip: Counter[tuple[int | None, str]] = Counter()
    slips = FillSlip.objects.filter(room_id=room_id, status=FillSlip.Status.DELIVERED)
    for runner_id, cash, chips in slips.values_list("runner_id", "sent_cash_cents", "sent_chips_cents"):
        by_slip.update({(runner_id, "carried_cash"): cash or 0, (runner_id, "carried"): chips or 0})
    accounts = Account.objects.filter(room_id=room_id, owner_kind=RUNNER, kind__in=CARRIED).exclude(balance_cents=0)
    lie = accounts.order_by("owner_id", "id").values_list("owner_id", "id", "kind", "balance_cents")
    return [(runner_id, pk) for runner_id, pk, kind, cents in lie if cents != by_slip[runner_id, kind]]


def _own_carried(room_id: int, staff_id: int) -> set[int]:
    return {pk for runner_id, pk in _runners(room_id) if runner_id == staff_id}


def _slips(room_id: int) -> list[tuple[int, int]]:
    # A prize waits for whoever won it, however long that is.
    slips = Slip.objects.filter(room_id=room_id, status=Slip.Status.REQUESTED).exclude(kind=Slip.Kind.PRIZE)
    return [(slip_id, slip_id) for slip_id in slips.order_by("id").values_list("id", flat=True)]


def _owed_back(room_id: int) -> list[tuple[int, int]]:
    owed = RequestMoney.objects.filter(slip__room_id=room_id, is_held=True)
    owed = owed.exclude(slip__status=Slip.Status.REQUESTED).order_by("slip_id")
    return list(owed.values_list("slip_id", "id"))


def _given_back(rows: Collection[int], _day_id: int) -> Mapping[int, datetime | None]:
    return dict(RequestMoney.objects.filter(pk__in=rows, is_held=False).values_list("pk", "since"))


def _on_way(room_id: int) -> list[tuple[int, int]]:
    chips = PaidChips.objects.filter(slip__room_id=room_id, slip__status=Slip.Status.PAID, delivered_at=None)
    return list(chips.order_by("slip_id").values_list("slip_id", "id"))


def _fills(room_id: int) -> list[tuple[int, int]]:
    slips = FillSlip.objects.filter(FillSlip.OPEN, room_id=room_id)
    return list(slips.order_by("number").values_list("number", "id"))


def _fills_unjudged(room_id: int) -> list[tuple[int, int]]:
    slips = FillSlip.objects.filter(room_id=room_id, unjudged=True)
    return list(slips.order_by("number").values_list("number", "id"))


def _own_fills(room_id: int, staff_id: int) -> set[int]:
    """Return what somebody gave out or carries, which others count, and what differs that they had in hand."""
    slips = FillSlip.objects.filter(FillSlip.OPEN | Q(unjudged=True), FillSlip.is_handled_by(staff_id), room_id=room_id)
    return set(slips.values_list("id", flat=True))


def _own_doubts(room_id: int, staff_id: int) -> set[int]:
    return set(own_doubts(room_id, staff_id).filter(judged_at=None).values_list("id", flat=True))


def _doubts(room_id: int, *, is_bank: bool = False) -> list[tuple[int, int]]:
    doubts = Doubt.objects.filter(room_id=room_id, judged_at=None, drawer__is_bank=is_bank)
    doubts = doubts.order_by("drawer__number", "id")
    return list(doubts.values_list("drawer__number", "id"))


def _doubts_by(rows: Collection[int], _day_id: int) -> Mapping[int, int]:
    """
    Return by how much doubts are, whichever way. What a drawer gave that never lay there is part of what its count
    differs by, where the floor judges both.
    """
    doubts = list(Doubt.objects.filter(id__in=rows))
    differ = {doubt.count_id for doubt in doubts if doubt.kind == Doubt.Kind.COUNT_DIFFERS}
    return {
        doubt.pk: doubt.cents
        for doubt in doubts
        if doubt.kind != Doubt.Kind.BELOW_NOTHING or doubt.count_id not in differ
    }


def _fill_ids(room_id: int, numbers: Collection[int]) -> Mapping[int, tuple[int, ...]]:
    slips = FillSlip.objects.filter(room_id=room_id, number__in=numbers).values_list("number", "id")
    return {number: (fill_id,) for number, fill_id in slips}


def _tables_of(room_id: int, slip_ids: Collection[int]) -> Mapping[int, tuple[int, ...]]:
    """Return the tables for whose seats chips were asked."""
    slips = (slip.where_player_sits() for slip in Slip.objects.filter(room_id=room_id, id__in=slip_ids))
    return {slip.pk: (slip.seat.table_number,) for slip in slips if slip.seat is not None}


_WINDOW, _BANK = Page("page.cage", "cage_window"), Page("page.cage", "cage_bank")
_FILL = Page("page.fills", "cage_fill", _fill_ids)
# Why a drawer is counted on a later day: the session goes on, and whoever moves something in it stays blind to it.
_UNCOUNTED = (REASON.STAYS_OPEN, REASON.UNDER_SEAL, REASON.SOMEBODY_GONE, REASON.LOOKED_INTO, REASON.NO_TIME)
register(
    CarriedItems(
        "drawer",
        _("drawer %(number)s"),
        _drawers,
        rows_done(DrawerSession, "closed_at"),
        _UNCOUNTED,
        title=_("Drawers are counted and closed"),
        page=_WINDOW,
        own=held_sessions,
    )
)
# A room without banks reads nothing of them.
register(
    CarriedItems(
        "bank",
        _("bank %(number)s"),
        partial(_drawers, is_bank=True),
        rows_done(DrawerSession, "closed_at"),
        _UNCOUNTED,
        title=_("Runners’ banks are counted and closed"),
        is_rare=True,
        page=_BANK,
        own=held_sessions,
    )
)
# What is on its way stays with its runner, and is posted on the day on which it is counted.
register(
    CarriedItems(
        "fill",
        _("fill slip %(number)s"),
        _fills,
        rows_done(FillSlip, "ended_at"),
        title=_("Fill slips have come to their end"),
        page=_FILL,
        own=_own_fills,
    )
)
register(
    CarriedItems(
        "runner",
        pgettext_lazy("an open item of the day", "what %(number)s carries across the room"),
        _runners,
        emptied_since,
        named=staff_names,
        title=_("Runners carry nothing beside fill slips"),
        page=Page("page.fills", "cage_fills", one_for_all),
        own=_own_carried,
    )
)
register(
    CarriedItems(
        "request",
        _("request %(number)s"),
        _slips,
        rows_done(Slip, "paid_at", "cancelled_at"),
        title=_("Requests are paid or cancelled"),
        page=Page("page.cage", "cage", one_for_all),
    )
)
register(
    CarriedItems(
        "owed_back",
        _("money of request %(number)s"),
        _owed_back,
        _given_back,
        title=_("Money of requests that are over went back"),
        page=Page("cage.note_money", "cage_money_at", _tables_of),
    )
)
# A house that does not ask whether chips came has none.
register(
    CarriedItems(
        "on_way",
        _("chips of request %(number)s, paid and not delivered"),
        _on_way,
        rows_done(PaidChips, "delivered_at", "slip__voided_at"),
        title=_("Chips that were paid came to their seats"),
        is_rare=True,
        page=Page("cage.note_money", "cage_money_at", _tables_of),
    )
)
register(
    CarriedItems(
        "doubt",
        _("what the floor has to judge of drawer %(number)s"),
        _doubts,
        rows_done(Doubt, "judged_at"),
        title=_("The cage’s sums are judged"),
        open_cents=_doubts_by,
        own=_own_doubts,
    )
)
register(
    CarriedItems(
        "bank_doubt",
        _("what the floor has to judge of bank %(number)s"),
        partial(_doubts, is_bank=True),
        rows_done(Doubt, "judged_at"),
        title=_("The sums of runners’ banks are judged"),
        is_rare=True,
        open_cents=_doubts_by,
        own=_own_doubts,
    )
)
register(
    CarriedItems(
        "fill_differs",
        _("what differs on fill slip %(number)s"),
        _fills_unjudged,
        rows_done(FillSlip, "judged_at"),
        title=_("What differs on fill slips is judged"),
        page=_FILL,
        own=_own_fills,
    )
)
