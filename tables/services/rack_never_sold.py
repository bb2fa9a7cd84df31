"""Sales out of a rack that never were: whether its counts say so. Steps of other services."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from casino.cage.models import DrawerSession, Slip
from casino.commands.carrying_out import Command
from casino.ledger.models import Posting, Transfer
from casino.rooms.models import GamingDay
from casino.rooms.selectors import rule_books_in_force
from tables.audiences import of_table
from tables.chart import OWNER, RACK
from tables.errors_racks import (
    NeverSoldDayOver,
    RackAgreed,
    RackCashNotCounted,
    RackFoundLess,
    RackNotCounted,
    RackNotJudged,
)
from tables.models import RackCheck, Table, ToDo
from tables.rules.racks import Found, HowMuch, Sold, explained, found_of


@dataclass(frozen=True)
class Read:
    """
    What a table's counts since some sale have posted, which of them the floor has yet to judge, and what was said of a
    day's sales to have never been. `also` is what counts have found that another has posted. `over_percent` is by sale
    (`Sold.place`), of the book that was in force as it was sold (`Rack.never_sold_over_percent`).
    """

    counts: Mapping[int, RackCheck]
    found: list[Found]
    also: list[Found]
    unjudged: frozenset[int]
    never: list[Sold]
    over_percent: Mapping[int, int]

    def how_much(self, sold: Sold) -> HowMuch:
        """Return how much of a sale counts say that it never was."""
        return found_of(sold, self.found, self.never, over_percent=self.over_percent[sold.place])

    def is_judged(self, sold: Sold) -> bool:
        """Whether the floor has judged what each count differed by that has seen a sale."""
        return not any(each.check_id in self.unjudged for each in (*self.found, *self.also) if each.has_seen(sold))

    def may_never_have_been(self, sold: Sold) -> bool:
        """Whether two may say that a sale never was: counts say so, or nearly, and the floor has judged the rest."""
        how_much = self.how_much(sold)
        return how_much is HowMuch.ALL or (how_much is HowMuch.MOST and self.is_judged(sold))


def check_never_sold(slip: Slip) -> None:
    """
    Let a sale that never was go out of the books of the locked table, while its day is open. Eight queries.

    Where its counts have found not quite all of it the floor judges first what they differed by, and what is left
    stays the rack's difference.

    :raises NeverSoldDayOver: it was sold on a day that is over.
    :raises RackNotCounted, RackCashNotCounted: the rack was not counted after it, or its cash was not.
    :raises RackAgreed: each such count has found what the log had there.
    :raises RackFoundLess: beside what other slips explain they have not found its chips and missed its cash.
    :raises RackNotJudged: they have found most of it, and the floor has not judged yet what they differed by.
    """
    if not is_of_open_day(slip):
        raise NeverSoldDayOver
    (sold,) = _sold([slip]).values()
    read = _read(slip, [sold])
    counts = [read.counts[each.check_id] for each in read.found if each.has_seen(sold)]
    if not counts:
        raise RackNotCounted
    # Where none should lie there and none does, a count of the cash says nothing of it.
    if all(check.cash_cents is None and check.expected_cash_cents for check in counts):
        raise RackCashNotCounted
    if not any(check.differs for check in counts):
        raise RackAgreed
    if read.how_much(sold) is HowMuch.LESS:
        raise RackFoundLess
    if not read.may_never_have_been(sold):
        raise RackNotJudged


def maybe_never_sold(table: Table, day: GamingDay) -> list[Slip]:
    """
    Return the slips of what was sold out of a table's rack on an open day and may never have been, by its counts, the
    newest first, with who bought and who sold. Six queries.
    """
    slips = Slip.objects.filter(
        drawer__room_id=table.room_id,
        drawer__place_kind=OWNER,
        drawer__place_id=table.pk,
        session__day=day,
        status=Slip.Status.PAID,
    )
    sales = list(slips.select_related("player", "paid_by", "drawer").order_by("-number"))
    if not sales:
        return []
    sold = _sold(sales)
    read = _read(sales[0], sold.values())
    return [slip for slip in sales if read.may_never_have_been(sold[slip.pk])]


def is_of_open_day(slip: Slip) -> bool:
    """Say whether a slip of a rack was sold on a day that is still open. One query."""
    assert slip.session_id is not None
    return DrawerSession.objects.filter(id=slip.session_id, day__closed_at=None).exists()


def follow_never_sold(command: Command, slip: Slip) -> tuple[str, ...]:
    """
    Take off the floor's to-do what counts differed by, where it is sales that never were and nothing else; return whom
    to tell. A step of saying that a sale never was; eight queries at most.
    """
    (sold,) = _sold([slip]).values()
    read = _read(slip, [sold])
    # Who counted before it, and came late, has found the same once more.
    checks = explained(read.found, read.never) | explained(read.also, read.never)
    if not checks & read.unjudged:
        return ()
    table = Table.objects.get(rack_checks=min(checks))
    todos = ToDo.objects.filter(table=table, kind=ToDo.Kind.RACK_DIFFERS, done_at=None, data__check__in=checks)
    todos.update(done_at=command.at, done_by_id=command.by.staff_id)
    return of_table(table)


def _read(slip: Slip, sold: Iterable[Sold]) -> Read:
    """
    Return what is known of the rack that sold a slip, since these sales of its day, and since those before them that
    are said to have never been. Five queries.

    A count that came late and was posted with another, which was made after it, has found nothing by itself.
    """
    assert slip.drawer is not None
    assert slip.drawer.place_id is not None
    void = Slip.objects.filter(session_id=slip.session_id, status=Slip.Status.VOID)
    transfers = Transfer.objects.filter(room_id=slip.room_id, id__in=void.values("void_transfer_id"), kind="never_sold")
    never = list(_sold(void.filter(void_transfer_id__in=transfers.values("id"))).values())
    place = min(each.place for each in (*sold, *never))
    counts = RackCheck.objects.filter(table_id=slip.drawer.place_id, cents__isnull=False, place__gte=place)
    rows = {check.pk: check for check in counts.order_by("id")}
    checks = {
        check.pk: Found(
            check_id=check.pk,
            place=check.place,
            chips_over=check.difference_cents,
            cash_short=-check.cash_difference_cents,
            late_at=check.at if check.is_late else None,
            transfer_id=check.transfer_id,
        )
        for check in rows.values()
    }
    also = [each for pk, each in checks.items() if rows[pk].is_late and each.transfer_id is None]
    todos = ToDo.objects.filter(table_id=slip.drawer.place_id, kind=ToDo.Kind.RACK_DIFFERS, done_at=None)
    unjudged = frozenset(todos.values_list("data__check", flat=True))
    posted = [each for each in checks.values() if each not in also]
    books = rule_books_in_force(slip.room_id, {each.at for each in sold})
    over_percent = {each.place: books[each.at].dealers.rack.never_sold_over_percent for each in sold}
    return Read(rows, posted, also, unjudged, never, over_percent)


def _sold(slips: Iterable[Slip]) -> dict[int, Sold]:
    """Return by slip what was sold out of a rack, with its places in the log. One query, beside that of the slips."""
    slips = list(slips)
    postings = Posting.objects.filter(
        transfer_id__in=[slip.transfer_id for slip in slips], account__owner_kind=OWNER, account__kind=RACK
    )
    places = dict(postings.values_list("transfer_id", "id"))
    sold = {}
    for slip in slips:
        assert slip.transfer_id is not None
        assert slip.paid_at is not None
        sold[slip.pk] = Sold(
            places[slip.transfer_id], slip.transfer_id, slip.paid_at, slip.amount_cents, slip.void_transfer_id
        )
    return sold
