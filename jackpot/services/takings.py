"""Pools open with the gaming day; what hands dropped joins their sums when it closes, or at once (H7.17, L-P41)."""

from casino.cage.day_ends import DayEnd
from casino.commands.carrying_out import Command, Outcome, service
from casino.ledger.services import post
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day, rule_book_in_force
from casino.rulebooks import RuleBook
from casino.rulebooks.jackpots import Joins
from jackpot.at_close import outlasts
from jackpot.chart import of_pool
from jackpot.models import Collection, Movement, Pool
from jackpot.push import sum_news
from jackpot.selectors.pools import figures
from jackpot.selectors.takings import Fed, not_collected, pools_for, taken_before
from jackpot.services.pool import change, cover, open_pool


def open_pools(command: Command, day_id: int) -> dict[str, list[int]]:
    """
    Open the pools that the book in force has and the room has not, and return their ids.

    With the room's first pools comes what a house of before had dropped until this day, added to their sums at once.
    The room's row or the day's is locked by whoever calls.
    """
    _version_id, book = rule_book_in_force(command.room_id, at=command.at)
    known = Pool.objects.filter(room_id=command.room_id)
    codes = set(known.values_list("code", flat=True))
    new = [open_pool(command, each, day_id=day_id) for each in book.jackpots if each.code not in codes]
    if new and not codes:
        for fed, by_table in taken_before(command.room_id, day_id).items():
            _collect(command, fed, by_table, book=book, day_id=day_id, is_before=True)
        for pool in new:
            _join(command, pool, day_id=day_id)
    return {"jackpots": [pool.pk for pool in new]}


def roll_takings(command: Command, day_id: int, *, only: Joins | None = None) -> list[int]:
    """
    Collect what hands have dropped on the day, add it to the sums, and return the ids of the pools that changed.

    `only` those whose takings join the sum so. A collection takes what was not collected before, whoever asks twice.
    Where hands that were put right leave less than nothing, that stays on the takings until later ones cover it: the
    displayed sum does not fall for it.
    """
    _version_id, book = rule_book_in_force(command.room_id, at=command.at)
    joins = {each.code: each.takings_join for each in book.jackpots}
    # Locked before anything is read, in the order of their ids: whoever rolls at the same moment waits, and finds none.
    pools = [
        pool
        for pool in Pool.objects.select_for_update(no_key=True).filter(room_id=command.room_id).order_by("id")
        if only is None or joins.get(pool.code) == only
    ]
    for fed, by_table in not_collected(command.room_id, day_id).items():
        _collect(command, fed, by_table, book=book, day_id=day_id, among=pools)
    # Of one that was paid out no later drops will cover what was taken back.
    covered = [pool.pk for pool in pools if pool.state == Pool.State.CLOSED and cover(command, pool, day_id=day_id)]
    return covered + [pool.pk for pool in pools if _join(command, pool, day_id=day_id) is not None]


def join_now(command: Command, pool: Pool, *, day_id: int) -> None:
    """Collect what was dropped today for the locked pool, and add it to its sum: before it ends."""
    _version_id, book = rule_book_in_force(command.room_id, at=command.at)
    for fed, by_table in not_collected(command.room_id, day_id).items():
        _collect(command, fed, by_table, book=book, day_id=day_id, among=[pool])
    _join(command, pool, day_id=day_id)


def _collect(
    command: Command,
    fed: Fed,
    by_table: dict[int, int],
    *,
    book: RuleBook,
    day_id: int,
    among: list[Pool] | None = None,
    is_before: bool = False,
) -> None:
    """Post what lies in the boxes for one jackpot on its pool's takings; nothing where it is none `among` these."""
    if not sum(by_table.values()):
        return
    for pool, cents in pools_for(command.room_id, day_id, fed, sum(by_table.values()), book):
        if among is None or pool in among:
            # What goes to several is one hand's, and so one table's.
            parts = by_table if cents == sum(by_table.values()) else dict.fromkeys(by_table, cents)
            _collect_for(command, pool, fed, parts, day_id=day_id, is_before=is_before)


def _collect_for(
    command: Command, pool: Pool, fed: Fed, by_table: dict[int, int], *, day_id: int, is_before: bool
) -> None:
    cents = sum(by_table.values())
    number = Collection.objects.filter(pool=pool).count() + 1
    transfer_id = post(
        room_id=command.room_id,
        day_id=day_id,
        kind="jackpot_collected",
        lines=[of_pool(pool.pk, "takings", cents), of_pool(pool.pk, "collected", -cents)],
        key=f"jackpot.{pool.pk}.collected.{number}",
        made_by_id=command.by.staff_id,
        at=command.at,
        about={"pool": pool.pk, "code": fed.code},
    )
    Collection.objects.create(
        room_id=command.room_id,
        pool=pool,
        day_id=day_id,
        code=fed.code,
        puts_right_id=fed.pool_id,
        hand_id=fed.hand_id,
        time_id=fed.time_id,
        cents=cents,
        by_table={str(table_id): each for table_id, each in sorted(by_table.items())},
        is_before=is_before,
        at=command.at,
        transfer_id=transfer_id,
    )


def _join(command: Command, pool: Pool, *, day_id: int) -> Movement | None:
    """Add the locked pool's takings to its sum; None where there are none."""
    cents = figures(pool.pk)["takings"]
    if cents <= 0:
        return None
    return change(command, pool, kind=Movement.Kind.TAKINGS, cents=cents, day_id=day_id)


@service("jackpot.add_takings")
def add_takings(command: Command) -> Outcome:
    """
    Add what was dropped to the sums that take it at once by the book; what time does, each minute.

    :raises NoOpenDay: no gaming day is open.
    """
    day = lock_open_day(command.room_id)
    changed = roll_takings(command, day.pk, only=Joins.AT_ONCE)
    hears = sum_news(command.room_id, changed, at=command.at) if changed else ()
    return Outcome(chain="jackpots", data={"pools": changed}, audiences=hears)


def _end(command: Command) -> dict[str, list[int]]:
    """Roll the day's takings up; a house that got jackpots during the day opens their pools now."""
    day = GamingDay.objects.get(room_id=command.room_id, closed_at=None)
    opened = open_pools(command, day.pk)["jackpots"]
    return {"jackpots": sorted({*opened, *roll_takings(command, day.pk)})}


# A sum that grows is no loss, and its page shows what is about to join it; the warning names what outlasts the day.
TAKINGS_JOIN = DayEnd(warning=outlasts, end=_end)
