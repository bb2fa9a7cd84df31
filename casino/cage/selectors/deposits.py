"""Players' deposits: what one may hold, and how long the money has lain there, now and at the end of a gaming day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import LiteralString
from zoneinfo import ZoneInfo

from django.db import connection

from casino.cage import rules
from casino.cage.errors import DepositFull
from casino.ledger.selectors.accounts import deposit_cents
from casino.people.selectors import nicknames
from casino.rooms.models import GamingDay, Room
from casino.rulebooks import RuleBook


@dataclass(frozen=True)
class AgedDeposit:
    """
    What a player has on deposit, in cents: its oldest part lies there since `since`, for `days`; `moved_at` came or
    went something last. What is taken off a deposit is what had lain there longest.
    """

    player_id: int
    nickname: str
    cents: int
    since: datetime
    moved_at: datetime
    days: int


@dataclass(frozen=True)
class AgeBand:
    """How many deposits, and how much together, whose oldest part lies `from_days` days or longer, to `to_days`."""

    from_days: int
    to_days: int | None
    count: int
    cents: int


# The first day of each band, in days.
_BANDS = (0, 31, 91, 366)
# Newest money first: the one that covers what is left is the oldest part of it. A joined deposit came when it was
# joined, and what a reversal gives back when it was reversed.
_AGED: LiteralString = """
    WITH moved AS (
        SELECT account.owner_id, posting.id, posting.cents, transfer.at
        FROM ledger_account account JOIN ledger_posting posting ON posting.account_id = account.id
        JOIN ledger_transfer transfer ON transfer.id = posting.transfer_id
        WHERE account.room_id = %(room)s AND account.owner_kind = 'player' AND account.kind = 'deposit'
            AND (%(day)s::bigint IS NOT NULL OR account.balance_cents > 0)
            AND (%(day)s::bigint IS NULL OR transfer.day_id <= %(day)s)
    ), lies AS (
        SELECT owner_id, sum(cents)::bigint AS cents, max(at) AS moved_at FROM moved GROUP BY 1 HAVING sum(cents) > 0
    ), came AS (
        SELECT owner_id, at, sum(cents) OVER (PARTITION BY owner_id ORDER BY id DESC) AS with_newer
        FROM moved WHERE cents > 0
    )
    SELECT lies.owner_id, lies.cents, max(came.at) FILTER (WHERE came.with_newer >= lies.cents), lies.moved_at
    FROM lies JOIN came USING (owner_id) GROUP BY lies.owner_id, lies.cents, lies.moved_at ORDER BY 3, 1
"""


# Of each account what is left of what came, newest first: all of it, or of the oldest what the balance leaves.
_LOTS: LiteralString = """
    WITH moved AS (
        SELECT account.id AS account_id, posting.id, posting.cents, transfer.at
        FROM ledger_account account JOIN ledger_posting posting ON posting.account_id = account.id
        JOIN ledger_transfer transfer ON transfer.id = posting.transfer_id
        WHERE account.room_id = %(room)s AND account.owner_kind = 'player' AND account.kind = 'deposit'
            AND transfer.day_id < %(day)s
    ), lies AS (
        SELECT account_id, sum(cents)::bigint AS cents FROM moved GROUP BY 1 HAVING sum(cents) > 0
    ), came AS (
        SELECT account_id, id, cents, max(at) OVER (PARTITION BY account_id ORDER BY id) AS since,
            (sum(cents) OVER (PARTITION BY account_id ORDER BY id DESC))::bigint AS with_newer
        FROM moved WHERE cents > 0
    )
    SELECT account_id, least(came.cents, lies.cents - with_newer + came.cents), since
    FROM came JOIN lies USING (account_id) WHERE with_newer - came.cents < lies.cents ORDER BY account_id, came.id
"""


def check_deposit_holds(player_id: int | None, kind: str, method: str, amount_cents: int, book: RuleBook) -> None:
    """
    Let a slip of this kind pass that is to be paid so: what it puts on its player's deposit has to fit there. One query
    where it puts some there and the book has a limit; read under the player's lock, so that two windows count each
    other's.

    :raises DepositFull: the deposit would hold more than the book's `cage.deposit_max_cents` (L-O2).
    """
    limit_cents = book.cage.deposit_max_cents
    if limit_cents is None or player_id is None or not rules.is_onto_deposit(kind, method):
        return
    held_cents = deposit_cents(player_id)
    if held_cents + amount_cents > limit_cents:
        # Of two records that were joined one deposit may hold more.
        raise DepositFull(limit_cents=limit_cents, held_cents=held_cents, fits_cents=max(limit_cents - held_cents, 0))


def lots_before(day: GamingDay) -> list[tuple[int, int, datetime]]:
    """
    Return of what parts the deposits were made before a gaming day, (account, cents, since when), of each account the
    oldest first. One query.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LOTS, {"room": day.room_id, "day": day.pk})
        rows: list[tuple[int, int, datetime]] = cursor.fetchall()
    return rows


def deposits_by_age(room: Room, *, at: datetime) -> list[AgedDeposit]:
    """Return the deposits that there are now, the one that has lain longest first. Two queries."""
    rows, today = _rows(room, None), at.astimezone(ZoneInfo(room.time_zone)).date()
    names = nicknames(player_id for player_id, *_ in rows)
    return [
        AgedDeposit(player_id, names.get(player_id, ""), cents, since, moved_at, _days(room, since, today))
        for player_id, cents, since, moved_at in rows
    ]


def deposits_after(day: GamingDay) -> list[AgeBand]:
    """Return the deposits at the end of a gaming day by bands of age, the youngest first; none empty. One query."""
    ages = [(_days(day.room, since, day.date), cents) for _player, cents, since, _moved in _rows(day.room, day.pk)]
    ends = [*(first - 1 for first in _BANDS[1:]), None]
    bands = [
        (first, last, [cents for days, cents in ages if first <= days and (last is None or days <= last)])
        for first, last in zip(_BANDS, ends, strict=True)
    ]
    return [AgeBand(first, last, len(cents), sum(cents)) for first, last, cents in bands if cents]


def _rows(room: Room, day_id: int | None) -> Sequence[tuple[int, int, datetime, datetime]]:
    with connection.cursor() as cursor:
        cursor.execute(_AGED, {"room": room.pk, "day": day_id})
        rows: list[tuple[int, int, datetime, datetime]] = cursor.fetchall()
    return rows


def _days(room: Room, since: datetime, until: date) -> int:
    return max((until - since.astimezone(ZoneInfo(room.time_zone)).date()).days, 0)
