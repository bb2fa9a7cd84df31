"""
Who carries what across the room: fills on their way, the money of requests, runners' banks.

How much a fill or a bank comes to is no part of it, for both are counted blind; what the ledger expects in a bank is
said to whoever reads the ledger, and never to the runner who holds it.
"""

from collections.abc import Container
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.cage import deliveries
from casino.cage.chart import DRAWER
from casino.cage.models import DrawerSession, RequestMoney
from casino.cage.models_fills import FillSlip
from casino.cage.rules import CASH, CHIPS
from casino.cage.selectors.blind import held_open
from casino.cage.selectors.fills import Shown, named_by_place
from casino.ledger.models import Account
from casino.patience import FILL_TAKES, REQUEST_TAKES

FILL, MONEY, BANK = "fill", "money", "bank"


@dataclass(frozen=True)
class Carried:
    """
    One thing that somebody carries, by the number of its fill slip, request or bank, in words, since when.

    `late_from`: from when on it takes longer than it should; None of a bank, which is held through a shift. `cents` is
    the money of a request. `expected_…` is what the ledger expects in a bank, None for whoever may not know.
    """

    kind: str
    number: int
    words: str
    since: datetime
    late_from: datetime | None = None
    cents: int | None = None
    address: str = ""
    expected_cash_cents: int | None = None
    expected_chips_cents: int | None = None


@dataclass(frozen=True)
class Carrier:
    """A runner, and what they carry, what they have had longest first."""

    staff_id: int
    name: str
    carries: list[Carried] = field(default_factory=list)


def carriers(room_id: int, *, may: Container[str] = (), shown_to: int | None = None) -> list[Carrier]:
    """
    Return who carries what, by name: to whoever `may` read the ledger with what is expected in the banks of others
    than `shown_to`. Three queries, and one for what is expected.
    """
    by_staff: dict[int, Carrier] = {}

    def add(staff_id: int, name: str, carried: Carried) -> None:
        by_staff.setdefault(staff_id, Carrier(staff_id, name)).carries.append(carried)

    under_way = FillSlip.objects.filter(room_id=room_id, status=FillSlip.Status.DELIVERED)
    for fill in named_by_place(under_way.select_related("runner")):
        assert fill.runner is not None, "somebody has signed for it"
        assert fill.sent_at is not None
        goes, comes = _("fill slip %(number)s to %(place)s"), _("fill slip %(number)s from %(place)s")
        text = goes if fill.kind == FillSlip.Kind.FILL else comes
        carried = Carried(
            FILL,
            fill.number,
            text % {"number": fill.number, "place": Shown.read(fill).place},
            fill.sent_at,
            fill.sent_at + FILL_TAKES,
            address=reverse("cage_fill", args=[fill.pk]),
        )
        add(fill.runner.pk, fill.runner.display_name, carried)
    held = RequestMoney.objects.filter(slip__room_id=room_id, is_held=True, money_with=RequestMoney.With.RUNNER)
    for money in held.select_related("staff", "slip"):
        assert money.staff is not None, "somebody answers for it"
        words = _("money of %(place)s") % {"place": deliveries.of(money.slip).label(money.slip.where_player_sits())}
        late = money.since + REQUEST_TAKES
        carried = Carried(MONEY, money.slip_id, words, money.since, late, money.slip.amount_cents)
        add(money.staff.pk, money.staff.display_name, carried)
    banks = open_banks(room_id)
    expected = _expected(banks) if banks and "read.ledger" in may else {}
    hidden = held_open(room_id, shown_to) if expected and shown_to is not None else set()
    for bank in banks:
        assert bank.holder is not None, "a bank is somebody's"
        carried = Carried(
            BANK,
            bank.drawer.number,
            _("bank %(number)s") % {"number": bank.drawer.number},
            bank.opened_at,
        )
        if bank.drawer_id in expected and bank.drawer_id not in hidden:
            cash, chips = expected[bank.drawer_id]
            carried = replace(carried, expected_cash_cents=cash, expected_chips_cents=chips)
        add(bank.holder.pk, bank.holder.display_name, carried)
    for each in by_staff.values():
        each.carries.sort(key=lambda carried: (carried.since, carried.kind, carried.number))
    return sorted(by_staff.values(), key=lambda each: (each.name, each.staff_id))


def open_banks(room_id: int) -> list[DrawerSession]:
    """Return the banks that runners hold now, by number, each with its drawer and its holder. One query."""
    sessions = DrawerSession.objects.filter(drawer__room_id=room_id, closed_at=None, holder__isnull=False)
    return list(sessions.select_related("drawer", "holder").order_by("drawer__number"))


@dataclass(frozen=True)
class Sellers:
    """Out of which banks a request may be sold; `is_own`: one of them is held by whoever looks."""

    banks: list[DrawerSession]
    is_own: bool


def sellers(money: RequestMoney | None, banks: list[DrawerSession], *, shown_to: int | None) -> Sellers:
    """Return out of which of the open banks a request may be sold: what somebody carries is in no other's. No query."""
    if money is not None and money.is_held and money.money_with == RequestMoney.With.CAGE:
        banks = []
    elif money is not None and money.is_held and money.money_with == RequestMoney.With.RUNNER:
        banks = [bank for bank in banks if bank.holder_id == money.staff_id]
    return Sellers(banks, any(bank.holder_id == shown_to for bank in banks))


def _expected(banks: list[DrawerSession]) -> dict[int, tuple[int, int]]:
    lies = Account.objects.filter(
        owner_kind=DRAWER, owner_id__in=[bank.drawer_id for bank in banks], kind__in=(CASH, CHIPS)
    )
    by_kind: dict[tuple[int, str], int] = {
        (owner_id, kind): cents for owner_id, kind, cents in lies.values_list("owner_id", "kind", "balance_cents")
    }
    return {
        bank.drawer_id: (by_kind.get((bank.drawer_id, CASH), 0), by_kind.get((bank.drawer_id, CHIPS), 0))
        for bank in banks
    }
