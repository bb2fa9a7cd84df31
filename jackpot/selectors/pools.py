"""Questions about pools."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, Sum

from casino import clock
from casino.ledger.models import Account, Posting
from casino.ledger.selectors.accounts import figures as balances
from casino.money import format_cents
from casino.reading import read_once
from casino.rooms.models import GamingDay
from casino.rooms.selectors import room_of, rule_book_in_force
from casino.rows import read_seldom
from casino.rulebooks import RuleBook
from jackpot.chart import OWNER
from jackpot.drop import FEEDS, Drop
from jackpot.models import Claim, Movement, Pool
from jackpot.selectors.takings import fed_among
from tables.models import Game, Table
from tables.selectors.of_day import done_on


def figures(pool_id: int) -> dict[str, int]:
    """Return the balances of a pool's accounts by kind, in cents (`jackpot.chart`). One query."""
    return balances(OWNER, pool_id)


def sum_cents(pool_id: int) -> int:
    """Return the pool's sum, which is displayed and from which a claim is paid (A-H7.6), in cents. One query."""
    return figures(pool_id).get("sum", 0)


@dataclass(frozen=True)
class Payable:
    """Of which sum a claim is paid, and what of the pool's sum has joined it since, in cents."""

    sum_cents: int
    joined_cents: int


def payable(pool: Pool, claim: Claim) -> Payable:
    """
    Return of which sum a claim with its moment is paid. Two queries.

    Takings are part of the sum from the day's close on, and no claim of before is paid of them (H7.17, A-H7.6), nor of
    what another jackpot brought with its end. What a pool got with its opening lay in the house before: it had drops,
    and no pools yet. What came after the call came after the hit, whatever the clock said by then; and what has a
    moment later than the call's own, and was there by then, came before the clock was set back.
    """
    assert claim.hit_at is not None, "its cards are entered"
    after = Q(at__gt=max(claim.hit_at, pool.opened_at))
    if claim.sum_number is not None:
        if claim.arrived_at is not None:
            after &= Q(at__lte=claim.arrived_at)
        after |= Q(number__gt=claim.sum_number)
    joins = (Movement.Kind.TAKINGS, Movement.Kind.MOVED_IN)
    since = pool.movements.filter(after, kind__in=joins)
    now, joined = sum_cents(pool.pk), since.aggregate(cents=Sum("cents"))["cents"] or 0
    return Payable(max(now - joined, 0), min(joined, now))


def payable_of(claim: Claim) -> int | None:
    """Return the sum of which a claim with its moment is paid, None where its jackpot has no pool. Three queries."""
    pool = Pool.objects.filter(room_id=claim.room_id, code=claim.code).first()
    return None if pool is None else payable(pool, claim).sum_cents


def pool_names(ids: Iterable[int]) -> dict[int, str]:
    """Return the codes of pools by their ids, for the ledger. One query."""
    return dict(Pool.objects.filter(id__in=set(ids)).values_list("id", "code"))


def jackpot_name(book: RuleBook, code: str) -> str:
    """Return what the book calls a jackpot; its code, where it has it no more."""
    return next((each.name for each in book.jackpots if each.code == code), code)


def ended_codes(room_id: int) -> set[str]:
    """Return the codes of jackpots that were wound down; a book may still name them. One query."""
    return set(Pool.objects.filter(room_id=room_id, state=Pool.State.CLOSED).values_list("code", flat=True))


@dataclass(frozen=True)
class ShownPool:
    """
    A pool as everybody sees it, in plain values: its jackpot's name in the book (its code, where the book has it no
    more) and what it holds, as the room writes money.
    """

    id: int
    code: str
    name: str
    money: str


def _shown(pool: Pool, book: RuleBook, *, sum_cents: int) -> ShownPool:
    room = room_of(pool.room_id)
    money = format_cents(sum_cents, currency=room.currency, locale=room.locale)
    return ShownPool(pool.pk, pool.code, jackpot_name(book, pool.code), money)


_SHOWN = """FROM jackpot_pool JOIN ledger_account ON ledger_account.owner_kind = %s
    AND ledger_account.owner_id = jackpot_pool.id AND ledger_account.kind = 'sum'
    WHERE jackpot_pool.room_id = %s AND jackpot_pool.state <> %s ORDER BY jackpot_pool.id"""


@read_once
def shown_pools(room_id: int) -> list[ShownPool]:
    """
    Return the pools that are not closed, with what their accounts hold, in the order of opening. Three queries, one
    where there is none.
    """
    rows = read_seldom((Pool, Account), _SHOWN, OWNER, room_id, Pool.State.CLOSED)
    if not rows:
        return []
    _version_id, book = rule_book_in_force(room_id, at=clock.now())
    return [_shown(pool, book, sum_cents=account.balance_cents) for pool, account in rows]


_AT_TABLE = """FROM tables_table JOIN tables_opening ON tables_opening.id = tables_table.opening_id
    JOIN tables_game ON tables_game.id = tables_opening.game_id
    JOIN jackpot_pool ON jackpot_pool.room_id = tables_table.room_id
    JOIN ledger_account ON ledger_account.owner_kind = %s AND ledger_account.owner_id = jackpot_pool.id
        AND ledger_account.kind = 'sum'
    WHERE tables_table.room_id = %s AND tables_table.number = %s AND tables_game.charges -> %s IS NOT NULL
    ORDER BY jackpot_pool.id"""


@read_once
def pool_at(room_id: int, number: int) -> ShownPool | None:
    """
    Return the pool that hands at a table feed now, with its sum; None at a closed table, or where they feed none.

    Three queries, one where its game drops nothing; a push asks none while nothing of it has changed.
    """
    rows = read_seldom((Game, Pool, Account), _AT_TABLE, OWNER, room_id, number, Drop.code)
    if not rows:
        return None
    _version_id, book = rule_book_in_force(room_id, at=clock.now())
    sums = {pool.pk: account.balance_cents for _game, pool, account in rows}
    fed = fed_among([pool for _game, pool, _account in rows], _fed_code(rows[0][0].charges), book)
    return None if fed is None else _shown(fed, book, sum_cents=sums[fed.pk])


def tables_feeding(room_id: int, pools: Container[int], *, at: datetime) -> list[int]:
    """Return the numbers of the open tables whose hands feed one of these pools at this moment. Three queries."""
    _version_id, book = rule_book_in_force(room_id, at=at)
    known = list(Pool.objects.filter(room_id=room_id).order_by("id"))
    dropping = Table.objects.filter(room_id=room_id, opening__game__charges__has_key=Drop.code).order_by("number")
    fed = {
        number: fed_among(known, _fed_code(charges), book)
        for number, charges in dropping.values_list("number", "opening__game__charges")
    }
    return [number for number, pool in fed.items() if pool is not None and pool.pk in pools]


def _fed_code(charges: Mapping[str, Any]) -> str:
    """Return which jackpot a game names that drops, "" where it names none."""
    return str(charges[Drop.code].get(FEEDS, ""))


@dataclass(frozen=True)
class Proof:
    """
    What the ledger says of a pool's sum, in cents: where it came from and where it went, each from an account of its
    own. `sum_cents` is the balance, `posted_cents` the sum of all its postings, `history_cents` what its history says.
    """

    sum_cents: int
    posted_cents: int
    history_cents: int
    seed_cents: int
    takings_cents: int
    pending_cents: int
    paid_cents: int
    corrected_cents: int
    moved_cents: int

    @property
    def owed_cents(self) -> int:
        """What of the sum has been won and is still to be paid, as a change of it: 0 or less."""
        return -self.pending_cents

    @property
    def paid_out_cents(self) -> int:
        """What has been paid, as a change of the sum: 0 or less."""
        return -self.paid_cents

    @property
    def agrees(self) -> bool:
        """Whether balance, postings, history and the other accounts say the same."""
        made = self.seed_cents + self.takings_cents - self.pending_cents - self.paid_cents
        made += self.corrected_cents + self.moved_cents
        return self.sum_cents == self.posted_cents == self.history_cents == made


def proof_of(pool: Pool) -> Proof:
    """Return what the ledger says of a pool now. Three queries."""
    held = figures(pool.pk)
    posted = Posting.objects.filter(account__owner_kind=OWNER, account__owner_id=pool.pk, account__kind="sum")
    return Proof(
        sum_cents=held["sum"],
        posted_cents=posted.aggregate(cents=Sum("cents"))["cents"] or 0,
        history_cents=pool.movements.aggregate(cents=Sum("cents"))["cents"] or 0,
        seed_cents=-held["seed"],
        takings_cents=-held["collected"] - held["takings"],
        pending_cents=held["pending"],
        paid_cents=held["paid"],
        corrected_cents=-held["corrected"],
        moved_cents=-held["moved"],
    )


def hits_on(day: GamingDay) -> list[tuple[int, datetime]]:
    """
    Return the claims to a jackpot that were approved on a gaming day, as (opening of its hand, when it was approved):
    its postings are of that day, on whichever one the hand was dealt. One query.
    """
    approvals = done_on(day, "jackpot.approve_claim").values("at")
    won = Claim.objects.filter(room_id=day.room_id, status=Claim.Status.APPROVED, decided_at__in=approvals)
    hits = won.order_by("id").values_list("hand__opening", "decided_at")
    return [(opening_id, at) for opening_id, at in hits if at is not None]
