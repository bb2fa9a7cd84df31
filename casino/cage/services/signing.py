"""A deposit or a withdrawal that its player has signed on paper."""

from django.db.models import QuerySet
from django.utils.translation import ngettext

from casino.cage import day_ends
from casino.cage.errors import AlreadySigned, NothingToSign, SlipNotPaid
from casino.cage.models import SignedPaper, Slip
from casino.cage.paid_on import paid_on
from casino.cage.rules import SIGNED_BY_PLAYER
from casino.cage.services.locks import lock_slip, look_at_slip, own_chain, screens
from casino.commands.carrying_out import Command, Outcome, service
from casino.rooms.selectors import open_day


@service("cage.note_signature")
def note_signature(command: Command, *, slip_id: int) -> Outcome:
    """
    Note that the player signed the printed slip: one person on staff holds the paper in their hands.

    :raises NotFound: no such slip.
    :raises NothingToSign: players sign deposits and withdrawals.
    :raises SlipNotPaid: it was reversed, or nothing was paid.
    :raises AlreadySigned: it was noted before.
    """
    slip = lock_slip(command.room_id, look_at_slip(command.room_id, slip_id).pk, version=None)
    if slip.kind not in SIGNED_BY_PLAYER:
        raise NothingToSign
    if slip.status != Slip.Status.PAID:
        raise SlipNotPaid
    if SignedPaper.objects.filter(slip=slip).exists():
        raise AlreadySigned
    SignedPaper.objects.create(slip=slip, signed_at=command.at, seen_by_id=command.staff_id)
    return Outcome(
        chain=own_chain(command.by), data={"slip_id": slip.pk}, version=slip.version, audiences=screens(slip)
    )


def unsigned(room_id: int) -> QuerySet[Slip]:
    """Return the deposits and withdrawals of the open day that no player has signed, as far as anybody noted it."""
    paid = Slip.objects.filter(room_id=room_id, kind__in=SIGNED_BY_PLAYER, status=Slip.Status.PAID, signed=None)
    day = open_day(room_id)
    return paid.filter(paid_on(day.room_id, [day.pk])) if day else paid.none()


def _warning(room_id: int) -> str:
    count = unsigned(room_id).count()
    text = ngettext(
        "%(count)s deposit or withdrawal is not signed by its player: see its slip.",
        "%(count)s deposits and withdrawals are not signed by their players: see their slips.",
        count,
    )
    return text % {"count": count} if count else ""


# Nothing of it ends with the day; the manager is told before. Slips are signed at the windows.
day_ends.register(day_ends.DayEnd(_warning, lambda command: {}, page=("page.cage", "cage")))
