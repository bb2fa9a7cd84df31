"""
What must hold of all that two people count: each account is what the felt says, less what is stated to be gone.

`CHECKS` is asked after every step; another part is another line of it.
"""

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from casino.simulation.broken import Broken
from casino.simulation.fills import WHAT

if TYPE_CHECKING:
    from casino.simulation.night import Night

Rows = Callable[..., list[Any]]

CARRIED = "what lies with each runner, and is missing of it, is what they were given and lost"
SLIPS = "each fill slip says what was given and counted"
CARRIED_OVER = "each day stands closed as staff have closed it, with what they carried over"
PROMISED = "what the house owes on vouchers is what the papers come to that nobody has spent"
APART = "the tips that lie apart are what two have counted and nobody has handed on"
RACKED = "what lies in each rack, and is missing there, is what was put there and stolen"

_OWNED = "SELECT owner_id, kind, balance_cents FROM ledger_account WHERE owner_kind = 'runner'"
_SLIPS = """
    SELECT id, status, coalesce(runner_id, 0), coalesce(sent_cash_cents, 0), coalesce(sent_chips_cents, 0),
        coalesce(got_cash_cents, 0), coalesce(got_chips_cents, 0), unjudged
    FROM cage_fillslip WHERE id = ANY(%s)
"""
_RACKS = """
    SELECT tables_table.number, account.kind, account.balance_cents
    FROM ledger_account account JOIN tables_table ON tables_table.id = account.owner_id
    WHERE account.owner_kind = 'table' AND account.kind IN ('float', 'rack_over_short')
"""
_DAYS = "SELECT id, counts_wait FROM rooms_gamingday WHERE id = ANY(%s)"
_CARRIED = "SELECT day_id, stage, kind || '.' || number, reason FROM cage_carrieditem WHERE day_id = ANY(%s)"
_OWED = "SELECT coalesce(sum(balance_cents), 0)::bigint FROM ledger_account WHERE owner_kind = 'house' AND kind = %s"
_VOUCHERS = """
    SELECT id, amount_cents,
        CASE WHEN ended_as <> '' THEN ended_as WHEN taken_with_id IS NULL THEN 'open' ELSE 'taken' END, taken_with_id
    FROM cage_voucher WHERE id = ANY(%s)
"""
# On a runner's accounts: where what is carried lies, and what of it is missing.
_ACCOUNTS = {"cash": ("carried_cash", "over_short"), "chips": ("carried", "chips_over_short")}


def check_fills(rows: Rows, night: "Night") -> None:
    """Hold runners' accounts and the slips against what was given, lost and counted."""
    fills, now = night.fills, {(owner, kind): cents for owner, kind, cents in rows(_OWNED)}
    if fills.before is None:
        fills.before = now
    ours: Counter[tuple[int, str]] = Counter(fills.before)
    for what in WHAT:
        for sums, kind in zip((fills.carried(), fills.missing()), _ACCOUNTS[what], strict=True):
            for (runner, carried), cents in sums.items():
                ours[runner, kind] += cents if carried == what else 0
    _same(
        CARRIED, {key: cents for key, cents in now.items() if cents}, {key: each for key, each in ours.items() if each}
    )
    slips = [
        (
            fill.id,
            fill.status,
            fill.runner_id,
            *(load[what] for load in (fill.sent, fill.got) for what in WHAT),
            fill.differs,
        )
        for fill in fills.all
    ]
    _same(SLIPS, sorted(rows(_SLIPS, [fill.id for fill in fills.all])), sorted(slips))


def check_racks(rows: Rows, night: "Night") -> None:
    """Hold the racks' accounts against what lies there, what was stolen since its last count, and before."""
    racks, now = night.racks, {(number, kind): cents for number, kind, cents in rows(_RACKS)}
    if racks.before is None:
        racks.before = now
    ours: Counter[tuple[int, str]] = Counter(racks.before)
    for number, rack in racks.at.items():
        ours[number, "float"] += rack.lies + rack.stolen
        ours[number, "rack_over_short"] += rack.short
    _same(
        RACKED, {key: cents for key, cents in now.items() if cents}, {key: each for key, each in ours.items() if each}
    )


def check_days(rows: Rows, night: "Night") -> None:
    """Hold the closed days against what was carried over their ends, and which are closed as counted."""
    days = night.days.all
    ids = [day.id for day in days]
    _same(CARRIED_OVER, sorted(rows(_DAYS, ids)), sorted((day.id, not day.is_counted) for day in days))
    carried = [(day.id, stage, word, reason) for day in days for (stage, word), reason in day.carried.items()]
    _same(CARRIED_OVER, sorted(rows(_CARRIED, ids)), sorted(carried))


def check_vouchers(rows: Rows, night: "Night") -> None:
    """Hold what the house owes on vouchers, and how each stands, against the papers."""
    vouchers, owes = night.vouchers, rows(_OWED, "vouchers")[0][0]
    if vouchers.before is None:
        vouchers.before = owes
    _same(PROMISED, owes, vouchers.before + vouchers.owed)
    ours = [(each.id, each.cents, each.state, each.slip) for each in vouchers.all]
    _same(PROMISED, sorted(rows(_VOUCHERS, [each.id for each in vouchers.all])), sorted(ours))


def check_tips(rows: Rows, night: "Night") -> None:
    """Hold what lies apart for dealers against what two have counted and nobody has handed on."""
    tips, lies = night.tips, rows(_OWED, "tips")[0][0]
    if tips.before is None:
        tips.before = lies
    _same(APART, lies, tips.before + tips.chips)


CHECKS: tuple[Callable[[Rows, "Night"], None], ...] = (check_fills, check_racks, check_days, check_vouchers, check_tips)


def _same(check: str, found: Any, ours: Any) -> None:
    if found != ours:
        raise Broken(check, f"{found}, on the felt {ours}")
