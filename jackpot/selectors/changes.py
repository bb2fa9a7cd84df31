"""
What a correction, a recovery of seed and a wind-down would make of a pool's sum; they write nothing.

The page shows it to who asks and who signs, and the services ask the same of the locked pool.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from casino.errors import Malformed, NotFound
from casino.rooms.selectors import open_day, rule_book_in_force
from casino.rulebooks import RuleBook
from casino.rulebooks.jackpots import Jackpot
from jackpot.drop import Drop
from jackpot.errors import NoJackpot, PoolNotOpen
from jackpot.errors_pools import (
    BelowGuarantee,
    ClaimsOpen,
    SeedOverMost,
    SeedStays,
    SharesDiffer,
    StillFed,
    SumIsSo,
)
from jackpot.models import Claim, Pool
from jackpot.selectors.pools import figures
from jackpot.selectors.takings import pending_by_pool
from tables.models import Opening


@dataclass(frozen=True)
class SumChange:
    """
    A pool's sum before and after, in cents, and the account that has the other end (`jackpot.chart`).

    `to` is the pool that takes it, with its own sum before and after.
    """

    before_cents: int
    after_cents: int
    account: str
    to: Pool | None = None
    to_before_cents: int = 0
    to_after_cents: int = 0

    @property
    def cents(self) -> int:
        return self.after_cents - self.before_cents


def corrected(pool: Pool, *, new_sum_cents: int, at: datetime) -> SumChange:
    """
    Return what a correction to this sum would change.

    :raises SumIsSo: nothing.
    :raises BelowGuarantee: it would leave less than the house guarantees.
    Rules: H7.33, L-P43.
    """
    now, jackpot = figures(pool.pk)["sum"], _in_book(pool, at)
    if new_sum_cents == now:
        raise SumIsSo(sum_cents=now)
    if jackpot is not None and new_sum_cents < min(now, jackpot.seed_cents):
        raise BelowGuarantee(guarantee_cents=jackpot.seed_cents)
    return SumChange(now, new_sum_cents, "corrected")


def recoverable(pool: Pool, *, at: datetime) -> int | None:
    """Return what the house may take back of what it put in, in cents; None where the book in force lets it stay."""
    jackpot, held = _in_book(pool, at), figures(pool.pk)
    if jackpot is None or not jackpot.seed_is_recovered:
        return None
    return max(min(-held["seed"], held["sum"] - jackpot.seed_cents), 0)


def recovered(pool: Pool, *, amount_cents: int, at: datetime) -> SumChange:
    """
    Return what it would change if the house took so much back.

    :raises SeedStays: the book gives nothing back.
    :raises SeedOverMost: it is more than the house put in, or the sum would lie below the guarantee.
    :raises ClaimsOpen: a claim may be paid of the sum as it stands.
    Rules: H7.33, L-P43.
    """
    most = recoverable(pool, at=at)
    if most is None:
        raise SeedStays
    check_no_claims(pool)
    if amount_cents > most:
        raise SeedOverMost(most_cents=most)
    now = figures(pool.pk)["sum"]
    return SumChange(now, now - amount_cents, "seed")


def wound_down(pool: Pool, *, moved_to: str, shares: Mapping[int, int], at: datetime) -> SumChange:
    """
    Return what it would change if the pool were closed: all of it goes to another jackpot, or out in `shares`.

    `shares` are cents by the player's id. What was dropped today joins the sum before, and goes with it.

    :raises Malformed: both were said, or the jackpot itself.
    :raises NotFound, PoolNotOpen: there is no such other jackpot, or it has ended.
    :raises NoJackpot: the book in force lacks it, so nobody would win what is moved there.
    :raises ClaimsOpen: a claim waits.
    :raises SharesDiffer: they are not the whole sum.
    :raises StillFed: nobody would get what is still dropped for it.
    """
    if (moved_to and shares) or moved_to == pool.code:
        raise Malformed(field="moved_to")
    check_no_claims(pool)
    _version_id, book = rule_book_in_force(pool.room_id, at=at)
    held, day = figures(pool.pk), open_day(pool.room_id)
    dropped = pending_by_pool(pool.room_id, day.pk, book).get(pool.pk, 0) if day is not None else 0
    before = held["sum"] + max(held["takings"] + dropped, 0)
    if moved_to:
        other = Pool.objects.filter(room_id=pool.room_id, code=moved_to).first()
        if other is None:
            raise NotFound(what="jackpot")
        if other.state != Pool.State.OPEN:
            raise PoolNotOpen(jackpot=moved_to)
        if _in(book, moved_to) is None:
            raise NoJackpot
        there = figures(other.pk)["sum"]
        return SumChange(before, 0, "moved", other, there, there + before)
    if sum(shares.values()) != before:
        raise SharesDiffer(shares_cents=sum(shares.values()), sum_cents=before)
    check_not_fed(pool, book)
    return SumChange(before, 0, "pending")


def check_no_claims(pool: Pool) -> None:
    """Let a pool pass that no open claim may win. One query. :raises ClaimsOpen: one may; it names them."""
    open_claims = Claim.objects.filter(room_id=pool.room_id, code=pool.code, status__in=Claim.OPEN)
    claims = list(open_claims.order_by("called_at", "id").values_list("table__number", "hand__number"))
    if claims:
        raise ClaimsOpen(claims=[list(each) for each in claims])


def check_not_fed(pool: Pool, book: RuleBook) -> None:
    """
    Let a pool pass that can be paid out: no game drops any more, or another pool takes what is dropped (`fed_by`).

    The last pool takes what is dropped for those before it too; a jackpot of the book that is new has a pool by the
    day's close.

    :raises StillFed: neither; the money would lie in the boxes for nobody.
    """
    pools = Pool.objects.filter(room_id=pool.room_id)
    if pools.filter(state=Pool.State.OPEN).exclude(pk=pool.pk).exists():
        return
    running = Opening.objects.filter(table__room_id=pool.room_id, closed_at=None, game__charges__has_key=Drop.code)
    if pools.filter(code__in=[each.code for each in book.jackpots]).exists() or running.exists():
        raise StillFed


def _in_book(pool: Pool, at: datetime) -> Jackpot | None:
    return _in(rule_book_in_force(pool.room_id, at=at)[1], pool.code)


def _in(book: RuleBook, code: str) -> Jackpot | None:
    return next((each for each in book.jackpots if each.code == code), None)
