"""A deposit or a withdrawal that its player has signed on paper."""

from collections.abc import Collection

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from casino.cage import open_items
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


def _rows(room_id: int) -> list[tuple[int, int]]:
    return [(slip_id, slip_id) for slip_id in unsigned(room_id).order_by("id").values_list("id", flat=True)]


def _names(slip_ids: Collection[int]) -> dict[int, str]:
    slips = Slip.objects.filter(id__in=slip_ids).values_list("id", "drawer__number", "number")
    return {pk: f"{drawer}–{number:05d}" for pk, drawer, number in slips}


# A paper without its player's hand proves nothing of a deposit: somebody says why before the day is over.
open_items.register(
    open_items.CarriedItems(
        "unsigned",
        _("signature on slip %(number)s"),
        _rows,
        open_items.rows_done(Slip, "signed__signed_at", "voided_at"),
        named=_names,
        title=_("Deposits and withdrawals are signed by their players"),
        is_rare=True,
        page=open_items.Page("page.slips", "cage_slip"),
    )
)
