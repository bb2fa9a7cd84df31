"""Slips that wait at the cage, as other apps' commands make and end them: chips on their way, a seat that changed."""

from django.db.models import Q, QuerySet

from casino.cage import deliveries
from casino.cage.about import About, AtSeat
from casino.cage.audiences import EVERY_WINDOW
from casino.cage.models import Slip
from casino.cage.selectors.chips import LATELY
from casino.cage.selectors.refused import NEWS
from casino.cage.services.requests import cancel_waiting
from casino.commands.carrying_out import Command
from casino.people.standing import ids_of


def ask_cash_out(command: Command, *, player_id: int, amount_cents: int, destination: str, seat: AtSeat) -> int | None:
    """
    Announce chips to the cage, inside another app's command: it buys them back when they are there, onto the deposit.

    Returns the id of the slip that waits, None where there are no chips.
    """
    assert deliveries.is_known(destination)
    assert command.by.staff_id is not None
    if not amount_cents:
        return None
    slip = Slip.objects.create(
        room_id=command.room_id,
        kind=Slip.Kind.CASH_OUT,
        player_id=player_id,
        amount_cents=amount_cents,
        destination=destination,
        about=seat.to_json(),
        requested_at=command.at,
        requested_by_id=command.by.staff_id,
    )
    return slip.pk


def ask_paid(command: Command, *, player_id: int, amount_cents: int, destination: str, about: About) -> int:
    """
    Have a buy-in wait at the cage whose money was taken already, inside another app's command: nothing is asked of it.

    Returns the id of the slip.
    """
    assert deliveries.destination(destination).was_paid
    slip = Slip.objects.create(
        room_id=command.room_id,
        kind=Slip.Kind.BUY_IN,
        player_id=player_id,
        amount_cents=amount_cents,
        destination=destination,
        about=about.to_json(),
        requested_at=command.at,
        requested_by_id=command.staff_id,
    )
    return slip.pk


def carried_back(command: Command, *, destination: str, seating_id: int) -> bool:
    """
    Take away the slip that waits for a seating's chips, inside another app's command: they go back to the table.

    Its row is locked first, so whoever asks afterwards whether the chips were paid out is told. Say whether there was
    one.
    """
    slip = _waiting(command, destination=destination, seating_id=seating_id).first()
    if slip is None:
        return False
    cancel_waiting(command, slip)
    return True


def move_requests(command: Command, *, destination: str, seating_id: int, seat: AtSeat) -> list[int]:
    """
    Ask anew, for where a player sits now, what waits for the old seating, inside another app's command.

    Where chips go never changes on a slip: the old one is cancelled, and whoever is about to take money for it is told.
    Returns the ids of the slips that wait now.
    """
    anew = []
    for slip in _waiting(command, destination=destination, seating_id=seating_id).order_by("pk"):
        cancel_waiting(command, slip)
        slip.pk, slip.about, slip.moved_to, slip.version = None, seat.to_json(), None, 1
        slip.status, slip.cancelled_at, slip.cancelled_by_id = Slip.Status.REQUESTED, None, None
        slip.save(force_insert=True)
        anew.append(slip.pk)
    return anew


def follow_player(
    command: Command, *, destination: str, player_id: int, seating_id: int, seat: AtSeat
) -> tuple[str, ...]:
    """
    Have what staff still bring to a player follow to where they sit now, inside another app's command: chips that wait
    or are on their way, or came just now and may not have; money that goes back; what the cage refused. Where chips go
    by the ledger stays as it is. Return the screens to tell. One query, and one for each slip.
    """
    is_brought = Q(chips__isnull=False) & (Q(chips__delivered_at=None) | Q(chips__delivered_at__gt=command.at - LATELY))
    is_refused = Q(refused__isnull=False, refused__seen_at=None)
    waiting = Slip.objects.filter(
        ids_of(player_id),
        Q(status=Slip.Status.REQUESTED) | is_brought | Q(money__is_held=True) | is_refused,
        Q(about__seating=seating_id) | Q(moved_to__seating=seating_id),
        room_id=command.room_id,
        destination=destination,
    )
    # The slips alone: PostgreSQL locks no row of an outer join's empty side. By id, as whoever locks several.
    slips = list(waiting.select_for_update(no_key=True, of=("self",)).order_by("id"))
    for slip in slips:
        slip.moved_to = {**slip.about, **seat.to_json()}
        slip.save(update_fields=["moved_to"])
    return (EVERY_WINDOW, NEWS) if slips else ()


def _waiting(command: Command, *, destination: str, seating_id: int) -> QuerySet[Slip]:
    return Slip.objects.select_for_update(no_key=True).filter(
        AtSeat.of_seating(seating_id),
        room_id=command.room_id,
        destination=destination,
        status=Slip.Status.REQUESTED,
    )
