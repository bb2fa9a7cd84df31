"""
What must hold of all that two people count: each account is what the felt says, less what is stated to be gone.

`CHECKS` is asked after every step; another part is another line of it.
"""

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from casino.simulation.broken import Broken
from casino.simulation.fills import WHAT
from casino.simulation.racks import CASH, CHIPS
from casino.simulation.tips import shared
from casino.simulation.vault import WHAT as IN_VAULT

if TYPE_CHECKING:
    from casino.simulation.night import Night

Rows = Callable[..., list[Any]]

CARRIED = "what lies with each runner, and is missing of it, is what they were given and lost"
BANKED = "what lies in each runner's bank, and is missing of it, is what was put there and taken"
HELD = "each bank is held by the runner who was given it"
OPENED = "each drawer and bank is of the day on which it was opened, and counted on the day of its count"
DRAWN_SHORT = "what counts of the drawer have found missing is what was taken out of it, and given out wrongly"
SLIPS = "each fill slip says what was given and counted"
CARRIED_OVER = "each day stands closed as staff have closed it, with what they carried over"
PROMISED = "what the house owes on vouchers is what the papers come to that nobody has spent"
NOTES = "the foreign notes in drawer and vault, and what is missing of them, are what was taken, counted and stolen"
EXCHANGED = "each exchange of foreign notes, and what was lost by them all, is what went and what was got for it"
APART = "the tips that lie apart are what two have counted and nobody has handed on"
OWN = "each dealer's tips are what was in the boxes into which they dealt"
SOLD = "the cash in each rack, and what is missing of it, is what chips were sold for there and what was taken"
BACK = "a tip box that was said by mistake to have been taken along waits until that is taken back, and no longer"
SHORT_SALES = "a rack that was asked for too much three times between two counts is the floor's, and no other is"
VAULT = "what the vault's counts have found, and what is missing there, is what was taken and counted out wrongly"
SIGNED = "the slips that move a deposit are signed where a cashier has said so, and no other is"
ON_WAY = "paid chips are with who has taken them, and came by who said so"
RACKED = "what lies in each rack, and is missing there, is what was put there and stolen"

_OWNED = "SELECT owner_id, kind, balance_cents FROM ledger_account WHERE owner_kind = 'runner'"
_BANKS = """
    SELECT drawer.number, account.kind, account.balance_cents
    FROM ledger_account account JOIN cage_drawer drawer ON drawer.id = account.owner_id
    WHERE account.owner_kind = 'drawer' AND drawer.is_bank AND drawer.number = ANY(%s)
        AND account.kind IN ('cash', 'chips', 'over_short', 'chips_over_short') AND account.balance_cents <> 0
"""
_HELD = """
    SELECT drawer.number, session.holder_id
    FROM cage_drawersession session JOIN cage_drawer drawer ON drawer.id = session.drawer_id
    WHERE drawer.is_bank AND session.closed_at IS NULL
"""
_OPENED = """
    SELECT session.id, drawer.number, session.day_id, coalesce(session.closed_day_id, 0)
    FROM cage_drawersession session JOIN cage_drawer drawer ON drawer.id = session.drawer_id WHERE session.id = ANY(%s)
"""
_DRAWER_SHORT = """
    SELECT coalesce(sum(account.balance_cents) FILTER (WHERE account.kind = 'over_short'), 0)::bigint,
        coalesce(sum(account.balance_cents) FILTER (WHERE account.kind = 'chips_over_short'), 0)::bigint
    FROM ledger_account account JOIN cage_drawer drawer ON drawer.id = account.owner_id
    WHERE account.owner_kind = 'drawer' AND drawer.number = 1 AND NOT drawer.is_bank
"""
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
_CASH = """
    SELECT tables_table.number, account.kind, account.balance_cents
    FROM ledger_account account JOIN tables_table ON tables_table.id = account.owner_id
    WHERE account.owner_kind = 'table' AND account.kind IN ('rack_cash', 'rack_cash_over_short')
        AND account.balance_cents <> 0
"""
_SALES = """
    SELECT drawer.place_number, slip.id, slip.amount_cents, slip.status, slip.paid_by_id
    FROM cage_slip slip JOIN cage_drawer drawer ON drawer.id = slip.drawer_id WHERE drawer.place_kind = 'table'
"""
_SHORT_SALES = """
    SELECT tables_table.number, count(*), count(*) FILTER (WHERE todo.done_at IS NULL)
    FROM tables_todo todo JOIN tables_table ON tables_table.id = todo.table_id WHERE todo.data ? 'asked' GROUP BY 1
"""
_DAYS = "SELECT id, counts_wait FROM rooms_gamingday WHERE id = ANY(%s)"
_CARRIED = "SELECT day_id, stage, kind || '.' || number, reason FROM cage_carrieditem WHERE day_id = ANY(%s)"
_OWED = "SELECT coalesce(sum(balance_cents), 0)::bigint FROM ledger_account WHERE owner_kind = 'house' AND kind = %s"
_VOUCHERS = """
    SELECT id, amount_cents,
        CASE WHEN ended_as <> '' THEN ended_as WHEN taken_with_id IS NULL THEN 'open' ELSE 'taken' END, taken_with_id
    FROM cage_voucher WHERE id = ANY(%s)
"""
_FOREIGN = """
    SELECT
        coalesce(sum(balance_cents) FILTER (WHERE kind = 'foreign_notes'), 0)::bigint,
        coalesce(sum(balance_cents) FILTER (WHERE kind = 'vault_foreign_notes'), 0)::bigint,
        coalesce(sum(balance_cents) FILTER (WHERE kind = 'exchange_difference'), 0)::bigint
    FROM ledger_account LEFT JOIN cage_drawer drawer ON owner_kind = 'drawer' AND drawer.id = owner_id
    WHERE owner_kind = 'house' OR (drawer.number = 1 AND NOT drawer.is_bank)
"""
_TAKEN = "SELECT slip_id, currency, face_cents, rate_id, value_cents FROM cage_notestaken WHERE slip_id = ANY(%s)"
_EXCHANGED = """
    SELECT id, currency, face_cents, worth_cents, got_cents, reversed_at IS NOT NULL
    FROM cage_notesexchanged WHERE id = ANY(%s)
"""
_FOUND = """
    SELECT count_id, currency, face_cents, expected_face_cents, cents, expected_cents
    FROM cage_notescounted WHERE count_id = ANY(%s)
"""
_ON_WAY = """
    SELECT chips.slip_id, chips.chips_with, chips.staff_id, chips.delivered_by_id
    FROM cage_paidchips chips JOIN cage_slip slip ON slip.id = chips.slip_id WHERE slip.status = 'paid'
"""
_SIGNED = """
    SELECT slip.id, signed.id IS NOT NULL
    FROM cage_slip slip LEFT JOIN cage_signedpaper signed ON signed.slip_id = slip.id WHERE slip.id = ANY(%s)
"""
_VAULT_SHORT = """
    SELECT coalesce(sum(balance_cents) FILTER (WHERE kind = 'vault_missing'), 0)::bigint,
        coalesce(sum(balance_cents) FILTER (WHERE kind = 'vault_chips_missing'), 0)::bigint
    FROM ledger_account WHERE owner_kind = 'house'
"""
_VAULT_COUNTS = """
    SELECT id, number, day_id, counted_by_id, counted_with_id, unjudged,
        cash_cents, card_slips_cents, foreign_cents, chips_cents,
        expected_cash_cents, expected_card_slips_cents, expected_foreign_cents, expected_chips_cents
    FROM cage_vaultcount WHERE id = ANY(%s)
"""
_VAULT_NOTES = """
    SELECT count_id, currency, face_cents, expected_face_cents, cents, expected_cents
    FROM cage_vaultnotescounted WHERE count_id = ANY(%s)
"""
_CLOSED = "SELECT id, noted_cents, seconds FROM tables_closedtips WHERE id = ANY(%s)"
_BACK = "SELECT id, seconds, waits, by_id, taken_back_by_id FROM tables_closedtips WHERE id = ANY(%s)"
_TIP_COUNTS = """
    SELECT counted.id, day.date::text, counted.cents, counted.noted_cents, counted.dealer_id, counted.seconds
    FROM tables_tipcount counted JOIN rooms_gamingday day ON day.id = counted.day_id WHERE counted.id = ANY(%s)
"""
_SHARES = """
    SELECT day.date::text, share.dealer_id, sum(share.cents)::bigint
    FROM tables_tipshare share JOIN tables_tippayroll payroll ON payroll.id = share.payroll_id
    JOIN rooms_gamingday day ON day.id = payroll.day_id WHERE day.date::text = ANY(%s) GROUP BY 1, 2
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


def check_banks(rows: Rows, night: "Night") -> None:
    """Hold each bank's accounts, and who holds it, against what was put there, sold, and taken by its runner."""
    banks = night.banks.at
    ours: dict[tuple[int, str], int] = {}
    for number, bank in banks.items():
        kinds = {"cash": bank.expected["cash"], "chips": bank.expected["chips"]}
        kinds |= {"over_short": bank.missing["cash"], "chips_over_short": bank.missing["chips"]}
        ours |= {(number, kind): cents for kind, cents in kinds.items() if cents}
    _same(BANKED, {(number, kind): cents for number, kind, cents in rows(_BANKS, list(banks))}, ours)
    held = [(bank.number, night.staff.id_of(bank.runner)) for bank in night.banks.open()]
    _same(HELD, sorted(rows(_HELD)), held)


def check_drawer(rows: Rows, night: "Night") -> None:
    """Hold the drawer's over/short, and all openings with their days, against what was taken, opened and counted."""
    felt, days, (money, chips) = night.felt, night.days, rows(_DRAWER_SHORT)[0]
    if days.short_before is None:
        days.short_before = (money, chips)
    found = felt.taken_found_missing
    short = (found["cash"] + night.notes.short, found["chips"] + felt.chips_found_missing)
    _same(DRAWN_SHORT, (money, chips), tuple(sum(each) for each in zip(days.short_before, short, strict=True)))
    ours = [(each.session, each.number, each.day, each.counted) for each in days.openings]
    _same(OPENED, sorted(rows(_OPENED, [each.session for each in days.openings])), sorted(ours))


def check_racks(rows: Rows, night: "Night") -> None:
    """Hold the racks' accounts against what lies there, what was stolen since its last count, and before."""
    racks, now = night.racks, {(number, kind): cents for number, kind, cents in rows(_RACKS)}
    if racks.before is None:
        racks.before = now
    ours: Counter[tuple[int, str]] = Counter(racks.before)
    for number, rack in racks.at.items():
        ours[number, "float"] += rack.expected_chips
        ours[number, "rack_over_short"] += rack.short[CHIPS]
    _same(
        RACKED, {key: cents for key, cents in now.items() if cents}, {key: each for key, each in ours.items() if each}
    )


def check_cash_plays(rows: Rows, night: "Night") -> None:
    """Hold the cash in each rack, and the slips of what was sold out of it, against the sales, counts and thefts."""
    ours: dict[tuple[int, str], int] = {}
    for number, rack in night.racks.at.items():
        kinds = {"rack_cash": rack.expected_cash, "rack_cash_over_short": rack.short[CASH]}
        ours |= {(number, kind): cents for kind, cents in kinds.items() if cents}
    _same(SOLD, {(number, kind): cents for number, kind, cents in rows(_CASH)}, ours)
    sold = [
        (number, sale.slip, sale.cents, "void" if sale.is_void else "paid", night.staff.id_of(sale.seller))
        for number, rack in night.racks.at.items()
        for sale in rack.sales
    ]
    _same(SOLD, sorted(rows(_SALES)), sorted(sold))


def check_short_sales(rows: Rows, night: "Night") -> None:
    """Hold the floor's to-do against how often each rack was asked for more than lies there."""
    racks = sorted(night.racks.at.items())
    ours = [(number, rack.left_to_floor, int(rack.is_on_todo)) for number, rack in racks if rack.left_to_floor]
    _same(SHORT_SALES, sorted(rows(_SHORT_SALES)), ours)


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


def check_notes(rows: Rows, night: "Night") -> None:
    """Hold the accounts of foreign notes, what paid each slip and what each count found, against the notes."""
    notes, (lies, vault, lost) = night.notes, rows(_FOREIGN)[0]
    if notes.before is None:
        notes.before = (vault, lost)
    _same(NOTES, (lies, vault), (notes.worth, notes.before[0] + notes.vault))
    taken = [(each.slip, each.currency, each.face, each.rate.id, each.worth) for each in notes.all]
    _same(NOTES, sorted(rows(_TAKEN, [each.slip for each in notes.all])), sorted(taken))
    found = [
        (count, each.currency, each.face, each.taken_face, each.cents, each.taken_cents)
        for count, each in notes.counted
    ]
    _same(NOTES, sorted(rows(_FOUND, [count for count, _ in notes.counted])), sorted(found))


def check_exchanges(rows: Rows, night: "Night") -> None:
    """Hold what left the vault to be exchanged, and the account of what was lost by it, against the notes."""
    notes, (*_, lost) = night.notes, rows(_FOREIGN)[0]
    assert notes.before is not None, "the notes are looked at before"
    _same(EXCHANGED, lost, notes.before[1] + notes.lost_by_exchanging)
    ours = [(each.id, each.currency, each.face, each.worth, each.got, each.is_back) for each in notes.exchanged]
    _same(EXCHANGED, sorted(rows(_EXCHANGED, [each.id for each in notes.exchanged])), sorted(ours))


def check_tips(rows: Rows, night: "Night") -> None:
    """Hold what lies apart for dealers against what two have counted and nobody has handed on."""
    tips, lies = night.tips, rows(_OWED, "tips")[0][0]
    if tips.before is None:
        tips.before = lies
    _same(APART, lies, tips.before + tips.chips)


def check_own_tips(rows: Rows, night: "Night") -> None:
    """
    Hold the boxes that dealers took along, the counts of all boxes, and each dealer's shares against who dealt into
    which box. Only for how long each did is the house's to know.
    """
    tips, ids = night.tips, night.staff.id_of
    if not night.plan.own_tips:
        return
    closed = {each.id: each for each in tips.closed if each.id is not None}
    ours = [(id, each.box.noted, {ids(name) for name in each.box.dealers}) for id, each in sorted(closed.items())]
    found = [(id, noted, set(map(int, seconds))) for id, noted, seconds in sorted(rows(_CLOSED, list(closed)))]
    _same(OWN, found, ours)
    counts, shares = {each.id: each for each in tips.counts}, Counter[tuple[str, int]]()
    for id, day, cents, noted, dealer, seconds in rows(_TIP_COUNTS, list(counts)):
        dealt = {dealer: 1} if dealer is not None else {int(each): time for each, time in (seconds or {}).items()}
        count = counts[id]
        mine = (count.day, count.cents, count.noted, {ids(name) for name in count.dealers})
        _same(OWN, (day, cents, noted, set(dealt)), mine)
        for each, share in shared(cents, dealt).items():
            shares[day, each] += share if id in tips.handed else 0
    handed = {(day, dealer): cents for day, dealer, cents in rows(_SHARES, sorted({day for day, _ in shares}))}
    _same(OWN, handed, {key: cents for key, cents in shares.items() if cents})


def check_tips_taken_back(rows: Rows, night: "Night") -> None:
    """
    Hold the tip boxes that were logged by mistake as taken along against who dealt into them, and who took that back.
    """
    mistakes, ids = night.tips.mistakes, night.staff.id_of
    ours = [
        (each.id, set(map(ids, each.dealers)), not each.taken_back_by, ids(each.taken_back_by or each.closed_by))
        for each in mistakes
    ]
    found = [
        (id, set(map(int, seconds)), waits, taken_back_by or by)
        for id, seconds, waits, by, taken_back_by in sorted(rows(_BACK, [each.id for each in mistakes]))
    ]
    _same(BACK, found, sorted(ours, key=lambda each: each[0]))


def check_vault(rows: Rows, night: "Night") -> None:
    """Hold what the vault's counts have found, and its over/short, against what was taken and counted out wrongly."""
    vault, now = night.vault, rows(_VAULT_SHORT)[0]
    if vault.before is None:
        vault.before = now
    _same(VAULT, now, tuple(sum(each) for each in zip(vault.before, vault.short(), strict=True)))
    ids = night.staff.id_of
    ours = [
        (
            each.id,
            each.number,
            each.day,
            ids(each.counter),
            ids(each.beside),
            each.is_open,
            *(each.lay[what] for what in IN_VAULT),
            *(each.lay[what] + each.missing[what] for what in IN_VAULT),
        )
        for each in vault.counts
    ]
    _same(VAULT, sorted(rows(_VAULT_COUNTS, [each.id for each in vault.counts])), ours)
    notes = [
        (each.id, found.currency, found.face, found.taken_face, found.cents, found.taken_cents)
        for each in vault.counts
        for found in each.notes
    ]
    _same(VAULT, sorted(rows(_VAULT_NOTES, [each.id for each in vault.counts])), sorted(notes))


def check_deliveries(rows: Rows, night: "Night") -> None:
    """
    Hold with whom paid chips are by the rows, and who has confirmed them, against the felt.

    :raises Broken: they differ.
    """
    ids = night.staff.id_of
    ours = [
        (each.slip, each.chips_with, ids(each.holder), ids(each.confirmed_by) if each.confirmed_by else None)
        for each in night.deliveries.all
    ]
    _same(ON_WAY, sorted(rows(_ON_WAY)), sorted(ours))


def check_papers(rows: Rows, night: "Night") -> None:
    """Hold which slips are signed against the papers that players have signed."""
    ours = [(each.slip, each.is_signed) for each in night.papers.all]
    _same(SIGNED, sorted(rows(_SIGNED, [each.slip for each in night.papers.all])), sorted(ours))


CHECKS: tuple[Callable[[Rows, "Night"], None], ...] = (
    check_fills,
    check_banks,
    check_drawer,
    check_racks,
    check_cash_plays,
    check_short_sales,
    check_days,
    check_vouchers,
    check_notes,
    check_exchanges,
    check_tips,
    check_own_tips,
    check_tips_taken_back,
    check_vault,
    check_deliveries,
    check_papers,
)


def _same(check: str, found: Any, ours: Any) -> None:
    if found != ours:
        raise Broken(check, f"{found}, on the felt {ours}")
