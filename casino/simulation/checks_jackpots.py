"""
What must hold of jackpots: each sum by the ledger, on every page and in the report is what the simulation reckons.

    rows     after every step: the pools' accounts, every share and whether it is paid, which tables wait
    pages    every so many steps: the interface, the lobby, the public page of each, and the report of all nights
"""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from casino.simulation.broken import Broken
from casino.simulation.jackpots import Claim, Jackpots, Pool
from casino.simulation.promotions import HIGH, SPLASH, Promotions
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

HELD = "each jackpot holds what came and went"
SHOWN = "each jackpot shows what it holds"
SHARES = "each share is paid once, and by the table as printed"
CLAIMS = "claims stand as on the felt"
FUNDS = "each promotion's fund holds what came and went"
WAITS = "a table waits for the floor while its bad beat is looked at"

_POOLS = """
    SELECT pool.code, pool.state, account.kind, account.balance_cents,
        (SELECT coalesce(sum(cents), 0)::bigint FROM jackpot_movement WHERE pool_id = pool.id)
    FROM jackpot_pool pool JOIN ledger_account account
        ON account.owner_kind = 'jackpot' AND account.owner_id = pool.id
"""
_SHARES = """
    SELECT share.claim_id, share.player_id, share.cents, share.paid_at IS NOT NULL, share.is_disputed
    FROM jackpot_claimshare share
"""
_AT_THE_END = """
    SELECT (about ->> 'jackpot'), player_id, amount_cents, status = 'paid', false
    FROM cage_slip WHERE destination = 'jackpot_end' AND status <> 'void'
"""
_PAID = """
    SELECT coalesce(sum(amount_cents), 0)::bigint FROM cage_slip
    WHERE kind = 'prize' AND status = 'paid' AND destination <> 'promotion'
"""
_CLAIMS = "SELECT id, status, code, disputed_at IS NOT NULL, paid_cents FROM jackpot_claim"
_WAITING = "SELECT number FROM tables_table WHERE held_for <> ''"
_FUNDS = """
    SELECT fund.code, account.kind, account.balance_cents FROM promotions_fund fund JOIN ledger_account account
        ON account.owner_kind = 'promotion' AND account.owner_id = fund.id
"""
_FIGURE = re.compile(r'id="lobby-jackpot-\d+"[^>]*>([^<]*)<')
_PUBLIC = re.compile(r'class="jackpot-sum-figure">([^<]*)<')


def check_rows(rows: Callable[[str], list[Any]], jackpots: Jackpots, tables: Iterable[Table]) -> None:
    """Hold the rows against what each jackpot really holds. :raises Broken: they do not agree."""
    found: dict[str, dict[str, int]] = {}
    for code, state, kind, cents, displayed in rows(_POOLS):
        found.setdefault(code, {"displayed": displayed, "is_open": int(state == "open")})[kind] = cents
    _same(HELD, set(found), set(jackpots.pools), "jackpots")
    for code, pool in jackpots.pools.items():
        ours = {"sum": pool.sum, "displayed": pool.sum, "pending": pool.pending, "takings": pool.waits}
        ours |= {"is_open": int(pool.is_open), "seed": -pool.seed_left}
        _same(HELD, {kind: found[code][kind] for kind in ours}, ours, code)
    of_claims = [(each.claim, each.player.id, each.cents, each.is_paid, each.is_disputed) for each in jackpots.shares]
    _same(SHARES, sorted(rows(_SHARES)), sorted(share for share in of_claims if share[0]), "shares of claims")
    at_the_end = [
        (each.pool.code, each.player.id, each.cents, each.is_paid, False) for each in jackpots.shares if not each.claim
    ]
    _same(SHARES, sorted(rows(_AT_THE_END)), sorted(at_the_end), "shares of what has ended")
    _same(SHARES, rows(_PAID)[0][0], sum(each.cents for each in jackpots.shares if each.is_paid), "paid in all")
    claims = [_row(each) for each in jackpots.claims]
    _same(CLAIMS, sorted(row[:4] for row in rows(_CLAIMS)), sorted(claims), "claims")
    held = {table.number for table in tables if table.is_held}
    _same(WAITS, {number for (number,) in rows(_WAITING)}, held, "tables")


def check_funds(rows: Callable[[str], list[Any]], promotions: Promotions) -> None:
    """Hold the funds of promotions against what was put in, promised, won and splashed. :raises Broken: they differ."""
    found: dict[str, dict[str, int]] = {HIGH: {}, SPLASH: {}}
    for code, kind, cents in rows(_FUNDS):
        found[code][kind] = cents
    high = {kind: promotions.high[kind] for kind in found[HIGH]}
    _same(FUNDS, found[HIGH], high, HIGH)
    if splash := found[SPLASH]:
        # What time has drawn or passed over is promised or free: no tap tells.
        booked = (splash["put_in"], splash["splashed"], splash["free"] + splash["reserved"])
        put_in, splashed = promotions.splash_put_in, promotions.splashed
        _same(FUNDS, booked, (-put_in, splashed, put_in - splashed), SPLASH)


def _row(claim: Claim) -> tuple[int, str, str, bool]:
    return claim.id, claim.status, claim.pool.code, claim.is_disputed


def check_sums_shown(night: "Night") -> None:
    """Hold every place that shows a sum against what is there. :raises Broken: one shows another figure."""
    jackpots, desktop, lobby = night.jackpots, night.staff.desktop, night.staff.lobby
    shown = {pool["jackpot"]: pool["sum_cents"] for pool in desktop.get("/api/v1/jackpot/pools").body}
    _same(SHOWN, shown, {code: pool.sum for code, pool in jackpots.pools.items()}, "by the interface")
    walls = [_cents(each) for each in _FIGURE.findall(lobby.get("/lobby/").text)]
    _same(SHOWN, walls, [pool.sum for pool in jackpots.open_pools()], "in the lobby")
    for code, pool in jackpots.pools.items():
        page = lobby.get(f"/jackpot/sums/{code}/").text
        _same(SHOWN, [_cents(each) for each in _PUBLIC.findall(page)], [pool.sum], f"on the page of {code}")
        _same(SHOWN, "jackpot-agrees" in page, True, f"the ledger says the same of {code}")
    _check_report(night)


def _check_report(night: "Night") -> None:
    first, last = night.first_day, night.newest_day
    report = night.staff.desktop.get(f"/api/v1/jackpot/report?first_date={first}&last_date={last}").body
    _same(SHOWN, report["agrees"], True, "the report agrees")
    found = {pool["jackpot"]: pool["history"] for pool in report["pools"]}
    for code, pool in night.jackpots.pools.items():
        ours = _figures(pool)
        _same(SHOWN, {name: found[code][name] for name in ours}, ours, f"the report of {code}")


def _figures(pool: Pool) -> dict[str, int]:
    names = ("takings", "seed", "claims", "paid_out", "corrections", "seed_recovered", "moved_in", "moved_out")
    return {name: pool.lines[name] for name in names} | {
        "opening": 0,
        "closing": pool.sum,
        "owed_closing": pool.pending,
        "waited_closing": pool.waits,
        "covered": pool.covered,
    }


def _cents(shown: str) -> int:
    """Return what a page says in money, in cents: it writes them where there are some."""
    digits = re.sub(r"[^\d,]", "", shown)
    euros, _, cents = digits.partition(",")
    return int(euros) * 100 + int(cents or 0)


def _same(check: str, found: Any, ours: Any, what: str) -> None:
    if found != ours:
        raise Broken(check, f"{what}: {found}, on the felt {ours}")
