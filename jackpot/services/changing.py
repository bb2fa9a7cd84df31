"""
What two managers do to a pool besides paying claims: correct its sum, take the seed back, wind it down.

One asks and another signs, each by their own sign-in. The sum changes at that moment, the movement says why, and the
public page with it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from casino.cage.audiences import EVERY_WINDOW
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound, Stale
from casino.people.models import Player
from casino.people.services.signatures import check_signed
from casino.rooms.selectors import lock_open_day, lock_open_day_alone
from jackpot.models import Movement, Pool
from jackpot.prizes import wait_at_end
from jackpot.push import sum_news
from jackpot.selectors.changes import corrected, recovered, wound_down
from jackpot.services.pool import change, cover, lock_pool
from jackpot.services.takings import join_now

# What who signs must be allowed to do; whoever asks is a manager too.
NEEDS = "jackpot.sign_pool"


def correction_signs(jackpot: str, *, version: int, new_sum_cents: int, reason: str) -> str:
    """Return what is signed: which jackpot, as it stands, to which sum, and why."""
    return f"correct_sum.{jackpot}.{version}.{new_sum_cents}.{reason}"


def recovery_signs(jackpot: str, *, version: int, amount_cents: int) -> str:
    """Return what is signed: which jackpot, as it stands, and how much the house takes back."""
    return f"recover_seed.{jackpot}.{version}.{amount_cents}"


def end_signs(jackpot: str, *, version: int, moved_to: str, shares: Sequence[Mapping[str, int]]) -> str:
    """Return what is signed: which jackpot, as it stands, and to whom its money goes."""
    each = ",".join(f"{share['player_id']}:{share['amount_cents']}" for share in shares)
    return f"wind_down.{jackpot}.{version}.{moved_to}.{each}"


@service("jackpot.correct_sum")
def correct_sum(
    command: Command, *, jackpot: str, version: int, new_sum_cents: int, reason: str, approved_by_id: int
) -> Outcome:
    """
    Correct a jackpot's sum, up or down, with a reason that the public page shows.

    `version` is the pool's. `approved_by_id` has signed `correction_signs` (`people.services.second_person`, before
    this command).

    :raises Malformed: the reason is none of `Movement.Reason`.
    :raises NeedsSecondSignature: nobody signed it, or not this.
    :raises NoOpenDay, NoPool, PoolNotOpen, Stale: as they say.
    :raises SumIsSo, BelowGuarantee: as `changes.corrected`.
    """
    if reason not in Movement.Reason.values:
        raise Malformed(field="reason")
    signs = correction_signs(jackpot, version=version, new_sum_cents=new_sum_cents, reason=reason)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    day = lock_open_day(command.room_id)
    pool = _locked(command, jackpot, version=version)
    planned = corrected(pool, new_sum_cents=new_sum_cents, at=command.at)
    change(
        command,
        pool,
        kind=Movement.Kind.CORRECTION,
        cents=planned.cents,
        day_id=day.pk,
        approved_by_id=approved_by_id,
        about={"reason": reason},
    )
    hears = sum_news(command.room_id, {pool.pk}, at=command.at)
    after = planned.after_cents
    return _done(pool, planned.before_cents, after, why=reason, approved_by_id=approved_by_id, hears=hears)


@service("jackpot.recover_seed")
def recover_seed(command: Command, *, jackpot: str, version: int, amount_cents: int, approved_by_id: int) -> Outcome:
    """
    Have the house take back what it put in, where the book says so, out of what lies above the guarantee.

    `version` is the pool's. `approved_by_id` has signed `recovery_signs`.

    :raises Malformed: the amount is nothing.
    :raises NeedsSecondSignature: nobody signed it, or not this.
    :raises NoOpenDay, NoPool, PoolNotOpen, Stale: as they say.
    :raises SeedStays, SeedOverMost, ClaimsOpen: as `changes.recovered`.
    """
    if amount_cents <= 0:
        raise Malformed(field="amount_cents")
    signs = recovery_signs(jackpot, version=version, amount_cents=amount_cents)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    # Alone: no claim is called while it is looked for one.
    day = lock_open_day_alone(command.room_id)
    pool = _locked(command, jackpot, version=version)
    planned = recovered(pool, amount_cents=amount_cents, at=command.at)
    change(
        command,
        pool,
        kind=Movement.Kind.SEED_RECOVERED,
        cents=planned.cents,
        day_id=day.pk,
        approved_by_id=approved_by_id,
    )
    hears = sum_news(command.room_id, {pool.pk}, at=command.at)
    return _done(pool, planned.before_cents, planned.after_cents, approved_by_id=approved_by_id, hears=hears)


@service("jackpot.wind_down")
def wind_down(
    command: Command,
    *,
    jackpot: str,
    version: int,
    approved_by_id: int,
    moved_to: str = "",
    shares: Sequence[Mapping[str, int]] = (),
) -> Outcome:
    """
    Close a jackpot: its money is `moved_to` another one, or goes out to players by name.

    What was dropped today joins the sum before. `shares` ({"player_id", "amount_cents"}) are the whole sum; each waits
    at the cage, as what was won and not fetched goes on waiting. From then on its games feed the jackpot that took the
    money, and bad beats there are claims to that one. `version` is the pool's; `approved_by_id` has signed `end_signs`.

    :raises Malformed: both `moved_to` and `shares`, somebody twice, or a share of nothing.
    :raises NeedsSecondSignature: nobody signed it, or not this.
    :raises NoOpenDay, NoPool, PoolNotOpen, NotFound, Stale: as they say.
    :raises NoJackpot, ClaimsOpen, SharesDiffer, StillFed: as `changes.wound_down`.
    """
    signs = end_signs(jackpot, version=version, moved_to=moved_to, shares=shares)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    cents = {share["player_id"]: share["amount_cents"] for share in shares}
    if len(cents) < len(shares) or any(each <= 0 for each in cents.values()):
        raise Malformed(field="shares")
    # Alone: no hand drops and no claim is called while the pool ends.
    day = lock_open_day_alone(command.room_id)
    # Both, by id.
    pools = Pool.objects.select_for_update(no_key=True).filter(room_id=command.room_id, code__in=[jackpot, moved_to])
    list(pools.order_by("id"))
    pool = _locked(command, jackpot, version=version)
    planned = wound_down(pool, moved_to=moved_to, shares=cents, at=command.at)
    join_now(command, pool, day_id=day.pk)
    cover(command, pool, day_id=day.pk)
    common: dict[str, Any] = {"day_id": day.pk, "approved_by_id": approved_by_id}
    slips: list[int] = []
    if planned.before_cents and planned.to is not None:
        change(command, pool, kind=Movement.Kind.MOVED_OUT, cents=planned.cents, about={"to": planned.to.pk}, **common)
        change(
            command, planned.to, kind=Movement.Kind.MOVED_IN, cents=-planned.cents, about={"from": pool.pk}, **common
        )
    elif planned.before_cents:
        change(command, pool, kind=Movement.Kind.PAID_OUT, cents=planned.cents, **common)
        slips = [wait_at_end(command, pool, player, cents[player.pk]).pk for player in _players(command, cents)]
    # The tables that feed them now: afterwards those of the one that ends feed another.
    both = {each.pk for each in (pool, planned.to) if each}
    hears = (*sum_news(command.room_id, both, at=command.at), EVERY_WINDOW)
    pool.state, pool.closed_at, pool.moved_to = Pool.State.CLOSED, command.at, planned.to
    pool.save(update_fields=["state", "closed_at", "moved_to"])
    how = {"how": "moved" if moved_to else "paid_out", "moved_to": moved_to, "slips": slips}
    return _done(pool, planned.before_cents, 0, approved_by_id=approved_by_id, hears=hears, **how)


def _locked(command: Command, jackpot: str, *, version: int) -> Pool:
    """Lock a pool that is still at `version`. :raises NoPool, PoolNotOpen, Stale: as they say."""
    pool = lock_pool(command.room_id, jackpot)
    if pool.version != version:
        raise Stale(what="jackpot", version=pool.version)
    return pool


def _players(command: Command, cents: Mapping[int, int]) -> list[Player]:
    """Return who gets a share, locked, by id. :raises NotFound: the room has no such player."""
    locked = Player.objects.select_for_update(no_key=True).filter(room_id=command.room_id, id__in=cents)
    players = list(locked.order_by("id"))
    if len(players) < len(cents):
        raise NotFound(what="player")
    return players


def _done(pool: Pool, before: int, after: int, *, hears: Sequence[str], **data: Any) -> Outcome:
    """Return the outcome, and who hears it."""
    changed = {"pool": pool.pk, "jackpot": pool.code, "sum_cents": before, "new_sum_cents": after, **data}
    return Outcome(chain=pool.chain, data=changed, version=pool.version, audiences=hears)
