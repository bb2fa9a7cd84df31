"""
What crosses the counter for one person in a gaming day: from which sum on the house must know who it is, and a second
person signs.

Over every window and by every means; what is paid in and out counts apart, or together where the book links them.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.db.models.lookups import In

from casino.cage.errors import IdentityNeeded, PayoutNeedsSecond, PayoutsNeedSecond, TooMuchUnnamed
from casino.cage.models import Slip, Unclaimed
from casino.cage.rules import CLAIMED, DEPOSIT, PAYOUTS
from casino.cage.selectors.paid_on import paid_on
from casino.errors import Refusal
from casino.ledger.models import Transfer
from casino.people.identity import identity_of
from casino.people.standing import ids_of
from casino.rooms.models import GamingDay
from casino.rows import text_made_once
from casino.rulebooks import RuleBook

COUNTED = (Slip.Kind.BUY_IN, Slip.Kind.CASH_OUT, Slip.Kind.DEPOSIT, Slip.Kind.WITHDRAWAL, Slip.Kind.PRIZE)
# Which way money crosses the counter, and both ways where the book links them.
IN, OUT, BOTH = "in", "out", "both"


@dataclass(frozen=True)
class Crossed:
    """
    What a player brought and was paid in a gaming day, in cents, by kind and method of slips that were paid.

    A euro counts once each way: what is played with off the deposit was brought when it was deposited, if that was
    today, and what is withdrawn was paid when it was put there. `alone` is what nobody signed as a second person,
    `change_cents` what foreign notes were worth more than they bought: they were brought whole.
    """

    cents: Mapping[tuple[str, str], int]
    alone: Mapping[tuple[str, str], int] = field(default_factory=dict)
    change_cents: int = 0

    @property
    def brought_cents(self) -> int:
        """Return what came in: for buy-ins, whatever they bought, and what was deposited and not played with yet."""
        return self._of(Slip.Kind.BUY_IN) + self.change_cents + self.deposited_left_cents

    @property
    def paid_cents(self) -> int:
        """Return what went out: cash-outs, prizes, claimed cash, and what was withdrawn of earlier days."""
        withdrawn = self._of(Slip.Kind.WITHDRAWAL)
        paid = sum(map(self._of, (Slip.Kind.CASH_OUT, Slip.Kind.PRIZE, CLAIMED)))
        return paid + max(withdrawn - self._put_cents, 0)

    @property
    def deposited_left_cents(self) -> int:
        """Return what was deposited today and not played with yet: the next buy-in off the deposit brings it."""
        return max(self._of(Slip.Kind.DEPOSIT) - self.cents.get((Slip.Kind.BUY_IN, DEPOSIT), 0), 0)

    @property
    def bought_cents(self) -> int:
        """Return what buy-ins alone come to, as a player's own limit counts them."""
        return self._of(Slip.Kind.BUY_IN)

    @property
    def put_left_cents(self) -> int:
        """Return what was put on the deposit today and not withdrawn yet: it was paid when it was put there."""
        return max(self._put_cents - self._of(Slip.Kind.WITHDRAWAL), 0)

    @property
    def _put_cents(self) -> int:
        return sum(self.cents.get((kind, DEPOSIT), 0) for kind in (Slip.Kind.CASH_OUT, Slip.Kind.PRIZE))

    def with_slip(self, kind: str, method: str, amount_cents: int) -> "Crossed":
        """Return the same with one slip more."""
        cents = {**self.cents, (kind, method): self.cents.get((kind, method), 0) + amount_cents}
        return replace(self, cents=cents)

    @property
    def paid_alone_cents(self) -> int:
        """Return what went out without a second signature; a euro counts once, as above."""
        return Crossed(self.alone).paid_cents

    def alone_with(self, kind: str, method: str, amount_cents: int) -> int:
        """Return what went out without a second signature, with one payout more that has none either."""
        return Crossed(self.alone).with_slip(kind, method, amount_cents).paid_cents

    def counted_cents(self, kind: str, book: RuleBook) -> int:
        """Return what counts where a slip of this kind is paid: what is brought, what is paid, or both."""
        sums = dict(self.sums(book))
        return sums[BOTH] if BOTH in sums else sums[IN if kind in (Slip.Kind.BUY_IN, Slip.Kind.DEPOSIT) else OUT]

    def sums(self, book: RuleBook) -> Sequence[tuple[str, int]]:
        """Return the day's sums by which the identity is judged, as (way, cents): each way's, or both in one."""
        if book.cage.identity_linked:
            return [(BOTH, self.brought_cents + self.paid_cents)]
        return [(IN, self.brought_cents), (OUT, self.paid_cents)]

    def _of(self, kind: str) -> int:
        return sum(cents for (each, _method), cents in self.cents.items() if each == kind)


def counted_slips(room_id: int, day_ids: Collection[int]) -> QuerySet[Slip]:
    """
    Return the slips that count, paid on some of a room's gaming days and not taken back, without an order.

    Each has `worth_cents`, what was brought or paid: of foreign notes what they were worth, however little they
    bought. The till and compliance both read what counts here and in `claimed_cash`, so that they judge by one sum.
    """
    paid = Slip.objects.filter(paid_on(room_id, day_ids), status=Slip.Status.PAID, kind__in=COUNTED)
    return paid.order_by().annotate(worth_cents=Coalesce("notes__value_cents", "amount_cents"))


def all_claimed_cash(room_id: int) -> QuerySet[Unclaimed]:
    """
    Return the cash that somebody had left behind and has claimed, without an order.

    It was paid to whoever claimed it; two have signed it. What the house kept was paid to nobody.
    """
    cash = Unclaimed.objects.filter(room_id=room_id, what=Unclaimed.What.CASH)
    return cash.filter(ended_as=Unclaimed.EndedAs.CLAIMED).order_by()


def claimed_cash(room_id: int, day_ids: Collection[int]) -> QuerySet[Unclaimed]:
    """Return those of `all_claimed_cash` that were claimed on some of the room's gaming days."""
    # A value of each, as in `paid_on`.
    day = Transfer.objects.filter(id=OuterRef("end_transfer_id")).values("day")
    return all_claimed_cash(room_id).filter(In(Subquery(day), list(day_ids)))


def crossed(player_id: int | None, day: GamingDay | None) -> Crossed:
    """
    Return what crossed the counter for a player, and for records merged into theirs, in a day. One query.

    Nothing for a guest without a name: of those nobody knows which is which.
    """
    if player_id is None or day is None:
        return Crossed({})
    rows = _crossed(player_id, day.room_id, day.pk)
    cents: Counter[tuple[str, str]] = Counter()
    for kind, method, of_kind, _alone, _change in rows:
        cents[kind, method] += of_kind
    return Crossed(
        cents,
        {(kind, method): alone for kind, method, _cents, alone, _change in rows if alone},
        sum(change for *_which, change in rows),
    )


@text_made_once
def _crossed(player_id: int, room_id: int, day_id: int) -> QuerySet[Any, Any]:
    """Return (kind, method, cents, of them signed by nobody else, change) of what was paid, in no order."""
    of_slips = (
        counted_slips(room_id, [day_id])
        .filter(ids_of(player_id))
        .values_list("kind", "method")
        .annotate(
            Sum("amount_cents"),
            alone=Sum("amount_cents", filter=Q(approved_by=None), default=0),
            change=Sum(F("worth_cents") - F("amount_cents")),
        )
    )
    claimed = claimed_cash(room_id, [day_id]).filter(ids_of(player_id, by="claimed_by"))
    of_claimed = claimed.values_list(Value(CLAIMED), "what", "amount_cents", Value(0), Value(0))
    return of_slips.union(of_claimed, all=True)


def needs_second(kind: str, method: str, amount_cents: int, *, today: Crossed, book: RuleBook) -> Refusal | None:
    """Return what is said of a payout that no second person has signed, None where none has to."""
    limit = book.cage.payout_alone_max_cents
    if kind not in PAYOUTS:
        return None
    if amount_cents > limit:
        return PayoutNeedsSecond(limit_cents=limit)
    total = today.alone_with(kind, method, amount_cents)
    if book.cage.payouts_alone_add_up and total > limit:
        return PayoutsNeedSecond(limit_cents=limit, total_cents=total)
    return None


def check_identity_known(
    player_id: int | None, kind: str, method: str, amount_cents: int, *, today: Crossed, on: date, book: RuleBook
) -> None:
    """
    Let a slip of this kind pass that is to be paid now, on a gaming day of this date. One query from the sum on.

    `amount_cents` is what is brought or paid: of foreign notes what they are worth, however little they buy.
    `today`: what crossed before; read under the player's lock, so that two desks count each other's.

    :raises TooMuchUnnamed: a guest without a name, at the sum or above it.
    :raises IdentityNeeded: the day's sum is reached, and no valid document of the player was seen.
    """
    from_cents = book.cage.identity_from_cents
    if not from_cents:
        return
    if player_id is None:
        if amount_cents >= from_cents:
            raise TooMuchUnnamed(from_cents=from_cents)
        return
    cents = today.with_slip(kind, method, amount_cents).counted_cents(kind, book)
    if cents >= from_cents and identity_of(player_id, on=on) is None:
        raise IdentityNeeded(from_cents=from_cents, total_cents=cents)
