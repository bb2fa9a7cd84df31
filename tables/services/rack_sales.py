"""Cash plays: a dealer sells chips to a seat out of the table's rack, where the terms of its opening say so."""

from django.db.models import Q, QuerySet

from casino.cage.about import AtSeat
from casino.cage.models import Slip
from casino.cage.rules import CASH
from casino.cage.services.cash_plays import rack_at
from casino.cage.services.locks import check_place, look_at_slip
from casino.cage.services.paying import pay
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound, Stale
from casino.ledger.models import Posting
from tables.chart import OWNER, RACK
from tables.errors_racks import RackCountedSince, RackDayOver, RackSellsNothing
from tables.models import RackCheck, Seating, Table
from tables.services.rack_never_sold import is_of_open_day
from tables.services.rack_pushes import follow_refused_sale
from tables.services.seat_buy_ins import seat_of


@service("tables.sell_from_rack", refused=follow_refused_sale)
def sell_from_rack(
    command: Command,
    *,
    table_id: int,
    seating_id: int,
    amount_cents: int,
    stack: int | str | None = None,
    again: bool = False,
    slip_id: int | None = None,
    slip_version: int | None = None,
) -> Outcome:
    """
    Sell chips to a seat out of its table's rack, for cash: they are there at once, and the cash lies in the rack. Where
    the seat waits for just so many from the cage, it is these: `slip_id` and `slip_version` are of the request that
    whoever sells has seen, None where they have seen none.

    What holds at the cage holds here: the limits of the game and of the player, who may play, whose identity is known.
    `stack` is what lies at the seat, as `ask_for_seat`; `again`: somebody said that it is another one.

    :raises Malformed: it is nothing; the slip asks for something else, or for another seat.
    :raises NotFound: nobody ever sat there of that seating, or there is no such slip.
    :raises Stale: that slip has changed since; or none was seen, and one waits. It is not another one by itself.
    :raises NotPermitted: the device stands at another table.
    :raises RackSellsNothing: the table's terms have no cash plays.
    :raises RackShort: the rack holds fewer chips.
    :raises MoneyIsElsewhere: the cage or a runner has the money of what the seat waits for.
    :raises Refusal: as `cage.buy_in` by cash, and as the seat refuses.
    """
    if amount_cents <= 0:
        raise Malformed(field="amount_cents")
    seating = Seating.objects.filter(id=seating_id, table_id=table_id, table__room_id=command.room_id)
    sitting = seating.select_related("table", "opening__game").first()
    if sitting is None:
        raise NotFound(what="seating")
    if not sitting.opening.terms.dealers.rack.sells:
        raise RackSellsNothing
    table: Table = sitting.table
    if slip_id is not None:
        slip = _request_seen(command, sitting, slip_id, amount_cents)
    else:
        if not again and requests_of_seat(sitting, amount_cents).exists():
            raise Stale(what="slip")
        slip = Slip(
            room_id=command.room_id,
            kind=Slip.Kind.BUY_IN,
            player_id=sitting.player_id,
            amount_cents=amount_cents,
            destination="seat",
            about=seat_of(table, sitting, stack=stack).to_json(),
            requested_at=command.at,
            requested_by_id=command.staff_id,
        )
    check_place(command, slip)
    rack_id = rack_at(command, kind=OWNER, place_id=table.pk, number=table.number)
    return pay(command, slip, drawer_id=rack_id, method=CASH, version=slip_version, again=again, is_cash_play=True)


def requests_of_seat(seating: Seating, amount_cents: int) -> QuerySet[Slip]:
    """Return the requests of a seat that wait for just so many chips."""
    requests = Slip.objects.filter(status=Slip.Status.REQUESTED, kind=Slip.Kind.BUY_IN, destination="seat")
    return requests.filter(AtSeat.of_seating(seating.pk), room_id=seating.table.room_id, amount_cents=amount_cents)


def _request_seen(command: Command, seating: Seating, slip_id: int, amount_cents: int) -> Slip:
    slip = look_at_slip(command.room_id, slip_id)
    is_of_seat = slip.kind == Slip.Kind.BUY_IN and slip.seat is not None and slip.seat.seating == seating.pk
    if not is_of_seat or slip.amount_cents != amount_cents:
        raise Malformed(field="slip_id")
    return slip


def check_not_counted_since(slip: Slip) -> None:
    """
    Let a sale out of the locked table's rack be taken back, while its day is open. Three queries.

    What lies there on another day is not what it brought.

    :raises RackDayOver: it was sold on a day that is over.
    :raises RackCountedSince: the rack was counted after it.
    """
    if not is_of_open_day(slip):
        raise RackDayOver
    if _counted_after(slip).exists():
        raise RackCountedSince


def _counted_after(slip: Slip) -> QuerySet[RackCheck]:
    """
    Return the counts of a rack that have seen what a slip sold out of it. One query.

    By places in the log: a count that was made before the sale and came late has not seen it.
    """
    assert slip.drawer is not None
    assert slip.drawer.place_id is not None
    assert slip.transfer_id is not None
    postings = Posting.objects.filter(transfer_id=slip.transfer_id, account__owner_kind=OWNER, account__kind=RACK)
    place = postings.values_list("id", flat=True).first() or 0
    counted = RackCheck.objects.filter(table_id=slip.drawer.place_id, cents__isnull=False, place__gte=place)
    return counted.filter(Q(is_late=False) | Q(at__gte=slip.paid_at))
