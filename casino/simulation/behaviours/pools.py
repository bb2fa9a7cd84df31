"""What two managers do to a jackpot: correct its sum, take the house's seed back, end it."""

from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.faults import may_travel_badly
from casino.simulation.jackpots import SEED, Pool, Share

if TYPE_CHECKING:
    from casino.simulation.night import Night

REASONS = ("takings", "drops", "claim", "opening", "complaint", "authority")
CORRECTED_MOST = 15_000_00


@behaviour("a jackpot's sum is corrected", weight=10, of="jackpots")
def is_corrected(night: "Night") -> str | None:
    """
    Have mari correct a jackpot's sum, signed by petra; refused on the first evening, on which mari took petra on.

    Refused too: the floor's signature, a sum below the guarantee, the sum as it is, and a second time as stale.
    """
    pool = night.rng.choice(night.jackpots.open_pools())
    path, mari = f"{_of(pool)}/correct", night.staff.desktop
    new = night.rng.randint(SEED, CORRECTED_MOST)
    body: dict[str, Any] = {
        "new_sum_cents": new,
        "reason": night.rng.choice(REASONS),
        "second": night.staff.second("petra"),
    }
    version = _version(night, pool)
    if not night.number:
        night.refused(mari, path, body, code="signature_prepared", version=version)
        return f"{pool.code}: not tonight"
    frans = {**body, "second": night.staff.second("frans")}
    night.refused(mari, path, frans, code="second_may_not", version=version)
    low = {**body, "new_sum_cents": SEED - 1}
    night.refused(mari, path, low, code="jackpot_below_guarantee", version=version)
    if new == pool.sum:
        return night.refused(mari, path, body, code="jackpot_sum_is_so", version=version)
    night.done(mari, path, body, version=version)
    pool.lines["corrections"] += new - pool.sum
    night.refused(mari, path, {**body, "new_sum_cents": new + 1}, code="stale", version=version)
    night.jackpots.played["corrected"] += 1
    return f"{pool.code}: {new / 100:.2f} €"


@behaviour("the house takes its seed back", weight=10, of="jackpots")
def is_recovered(night: "Night") -> str | None:
    if not night.number:
        return None
    pool = night.rng.choice(night.jackpots.open_pools())
    most = max(min(pool.seed_left, pool.sum - SEED), 0)
    path, version = f"{_of(pool)}/recover-seed", _version(night, pool)
    body: dict[str, Any] = {"amount_cents": most + 1, "second": night.staff.second("petra")}
    if any(claim.pool is pool for claim in night.jackpots.open_claims()):
        return night.refused(night.staff.desktop, path, body, code="jackpot_claims_open", version=version)
    night.refused(night.staff.desktop, path, body, code="jackpot_seed_over_most", version=version)
    if not most:
        return f"{pool.code}: there is none"
    body["amount_cents"] = night.rng.randint(1, most)
    night.done(night.staff.desktop, path, body, version=version)
    pool.lines["seed_recovered"] -= body["amount_cents"]
    night.jackpots.played["seed taken back"] += 1
    return f"{pool.code}: {body['amount_cents'] / 100:.2f} €"


@behaviour("a jackpot ends", weight=4, of="jackpots")
def ends(night: "Night") -> str | None:
    """
    Have two managers end a jackpot: its sum, with today's drops, goes to another jackpot or in shares to three players.

    Refused while a claim on it is open, or where the shares leave some of the sum. Nothing on the first evening, nor
    where one jackpot is left.
    """
    pools = night.jackpots.open_pools()
    if not night.number or len(pools) < 2:
        return None
    pool = night.rng.choice(pools)
    before = pool.sum + max(night.jackpots.uncollected(night.drops(), pool), 0)
    others = [other for other in pools if other is not pool]
    to = night.rng.choice(others) if night.rng.random() < 0.5 else None
    getting = [] if to else night.rng.sample(night.felt.by_name(), 3)
    parts = [before // 2, before // 3, before - before // 2 - before // 3]
    shares = [{"player_id": each.id, "amount_cents": part} for each, part in zip(getting, parts, strict=False)]
    body: dict[str, Any] = {"moved_to": to.code if to else "", "shares": shares, "second": night.staff.second("petra")}
    path, mari, version = f"{_of(pool)}/wind-down", night.staff.desktop, _version(night, pool)
    if any(claim.pool is pool for claim in night.jackpots.open_claims()):
        return night.refused(mari, path, body, code="jackpot_claims_open", version=version)
    if shares:
        short = {**body, "shares": shares[:2]}
        night.refused(mari, path, short, code="jackpot_shares_differ", version=version)
    may_travel_badly(night)
    slips = night.done(mari, path, body, version=version).data["slips"]
    night.jackpots.collect(night.drops(), [pool])
    pool.is_open = False
    pool.covered += max(-pool.waits, 0)
    pool.waits = 0
    night.must_equal("what a jackpot ends with", pool.sum, before)
    if to is not None:
        pool.heir = to
        pool.lines["moved_out"] -= before
        to.lines["moved_in"] += before
        to.joins.append((night.jackpots.calls, before))
        to.joined_at = night.now()
    else:
        pool.lines["paid_out"] -= before
        pool.pending += before
        by_id = sorted(zip((each.id for each in getting), getting, parts, strict=True), key=lambda each: each[0])
        night.jackpots.shares += [
            Share(pool, player, part, slip) for (_, player, part), slip in zip(by_id, slips, strict=True)
        ]
    night.refused(mari, path, body, code="pool_not_open", version=version)
    night.jackpots.played["ended, moved" if to else "ended, paid out"] += 1
    return f"{pool.code}: {before / 100:.2f} €, {f'to {to.code}' if to else 'paid out'}"


def _of(pool: Pool) -> str:
    return f"/api/v1/jackpot/pools/{pool.code}"


def _version(night: "Night", pool: Pool) -> int:
    return night.staff.desktop.get(_of(pool)).version
