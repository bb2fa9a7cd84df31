"""
What changes a pool: steps for services, inside their own transaction.

Whoever calls them holds the gaming day (`lock_open_day`) and whatever of the tables, drawers and slips they need, then
locks the pool (`lock_pool`), and only then posts: the one order of locks. Two pools are locked by id. The outcome of
the command names `jackpot.push.sum_news` among its audiences, for whoever shows the sum.
"""

from collections.abc import Mapping
from typing import Any

from casino.commands.carrying_out import Command
from casino.ledger.chart import PostingLine
from casino.ledger.services import open_accounts, post
from casino.rooms.selectors import room_of, rule_book_in_force
from casino.rulebooks.jackpots import Jackpot
from jackpot.chart import OWNER, of_pool
from jackpot.errors import NoPool, PoolNotOpen
from jackpot.models import Collection, Movement, Pool
from jackpot.selectors.pools import figures, sum_cents

# Which account holds the other end of each kind of movement.
_AGAINST = {
    Movement.Kind.SEED: "seed",
    Movement.Kind.TAKINGS: "takings",
    Movement.Kind.CLAIM: "pending",
    Movement.Kind.CORRECTION: "corrected",
    Movement.Kind.SEED_RECOVERED: "seed",
    Movement.Kind.MOVED_OUT: "moved",
    Movement.Kind.MOVED_IN: "moved",
    Movement.Kind.PAID_OUT: "pending",
}


def lock_pool(room_id: int, code: str) -> Pool:
    """
    Lock the pool of a jackpot's code, and return it. One query.

    :raises NoPool: there is none; it opens with the next gaming day.
    :raises PoolNotOpen: it was wound down.
    """
    pool = Pool.objects.select_for_update(no_key=True).filter(room_id=room_id, code=code).first()
    if pool is None:
        raise NoPool(jackpot=code)
    if pool.state != Pool.State.OPEN:
        raise PoolNotOpen(jackpot=code)
    return pool


def open_pool(command: Command, jackpot: Jackpot, *, day_id: int) -> Pool:
    """Return a new pool for a jackpot of the book, with the house's seed in it (H7.33)."""
    pool = Pool.objects.create(room_id=command.room_id, code=jackpot.code, opened_at=command.at)
    open_accounts(room_of(command.room_id), OWNER, pool.pk)
    top_up_to_seed(command, pool, day_id=day_id, seed_cents=jackpot.seed_cents)
    return pool


def reserve_for_claim(
    command: Command,
    pool: Pool,
    *,
    day_id: int,
    cents: int,
    claim_id: int,
    approved_by_id: int,
    rule_book_version_id: int | None = None,
) -> Movement:
    """
    Take what a claim pays out of the locked pool's sum, to what is to be paid: the moment at which the sum falls.

    `cents` is all that the claim's players get (more than 0); it waits on `pending` until the cage has paid each share
    (`jackpot.prizes`). The command's person asks, `approved_by_id` has signed; both stand in the
    movement. `rule_book_version_id` is the book under which the hand was played, without it the one in force.

    :raises PromiseTooSmall: the sum holds less.
    """
    return change(
        command,
        pool,
        kind=Movement.Kind.CLAIM,
        cents=-cents,
        day_id=day_id,
        approved_by_id=approved_by_id,
        rule_book_version_id=rule_book_version_id,
        about={"claim": claim_id},
    )


def share_lines(pool_id: int, cents: int) -> list[PostingLine]:
    """Return the pool's part of a transfer that pays a share: from what is to be paid, to what was. Sums to zero."""
    return [of_pool(pool_id, "pending", -cents), of_pool(pool_id, "paid", cents)]


def top_up_to_seed(
    command: Command, pool: Pool, *, day_id: int, seed_cents: int, claim_id: int | None = None
) -> Movement | None:
    """
    Have the house put into the locked pool what its sum lacks of the guarantee; None where it lacks nothing.

    The guarantee is judged by what is left alone, whatever today's takings are (H7.33, L-P43, A-H7.15). The new base is
    the movement's `sum_after_cents`.
    """
    lacks = seed_cents - sum_cents(pool.pk)
    if lacks <= 0:
        return None
    about = {"claim": claim_id} if claim_id is not None else None
    return change(command, pool, kind=Movement.Kind.SEED, cents=lacks, day_id=day_id, about=about)


def cover(command: Command, pool: Pool, *, day_id: int) -> bool:
    """
    Have the house cover drops that were taken back after they had joined the sum of a pool that ends, or has.

    No later drops will. The displayed sum does not fall for it, and nothing is left on the takings. Says whether it
    had to.
    """
    lacks = -figures(pool.pk)["takings"]
    if lacks <= 0:
        return False
    post(
        room_id=pool.room_id,
        day_id=day_id,
        kind="jackpot_covered",
        lines=[of_pool(pool.pk, "takings", lacks), of_pool(pool.pk, "seed", -lacks)],
        # Each follows a collection of its own.
        key=f"jackpot.{pool.pk}.covered.{Collection.objects.filter(pool=pool).count()}",
        made_by_id=command.by.staff_id,
        at=command.at,
        about={"pool": pool.pk},
    )
    return True


def change(
    command: Command,
    pool: Pool,
    *,
    kind: Movement.Kind,
    cents: int,
    day_id: int,
    about: Mapping[str, Any] | None = None,
    approved_by_id: int | None = None,
    rule_book_version_id: int | None = None,
) -> Movement:
    """
    Change the locked pool's sum by so many cents, and write the movement: the one way in which a sum changes.

    The movement is numbered by the pool's version, and its transfer by both. Kind, sign and signatures are judged by
    the database too.

    :raises PromiseTooSmall: the sum, or what is to be paid, would go below zero.
    """
    pool.version += 1
    about = dict(about or {})
    transfer_id = post(
        room_id=pool.room_id,
        day_id=day_id,
        kind=f"jackpot_{kind}",
        lines=[of_pool(pool.pk, "sum", cents), of_pool(pool.pk, _AGAINST[kind], -cents)],
        key=f"jackpot.{pool.pk}.{pool.version}",
        made_by_id=command.by.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
        about={"pool": pool.pk, **about},
    )
    if rule_book_version_id is None:
        rule_book_version_id, _book = rule_book_in_force(pool.room_id, at=command.at)
    pool.save(update_fields=["version"])
    return Movement.objects.create(
        room_id=pool.room_id,
        pool=pool,
        number=pool.version,
        day_id=day_id,
        kind=kind,
        cents=cents,
        sum_after_cents=sum_cents(pool.pk),
        at=command.at,
        made_by_id=command.by.staff_id,
        approved_by_id=approved_by_id,
        rule_book_version_id=rule_book_version_id,
        transfer_id=transfer_id,
        about=about,
    )
