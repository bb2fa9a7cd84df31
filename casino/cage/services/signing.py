"""What moves a deposit, by kind or by how it is paid, and its player has signed on paper."""

from collections.abc import Collection

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from casino.cage import open_items
from casino.cage.errors import AlreadySigned, NothingToSign, SlipNotToSign
from casino.cage.models import SignedPaper, Slip
from casino.cage.selectors.paid_on import paid_on
from casino.cage.services.locks import lock_slip, look_at_slip, own_chain, screens
from casino.commands.carrying_out import Command, Outcome, service
from casino.rooms.selectors import open_day


@service("cage.note_signature")
def note_signature(command: Command, *, slip_id: int) -> Outcome:
    """
    Note that the player signed the printed slip: one person on staff holds the paper in their hands.

    :raises NotFound: no such slip.
    :raises NothingToSign: players sign what moves a deposit.
    :raises SlipNotToSign: it was reversed, or nothing was paid.
    :raises AlreadySigned: it was noted before.
    """
    slip = lock_slip(command.room_id, look_at_slip(command.room_id, slip_id).pk, version=None)
    if not slip.moves_deposit:
        raise NothingToSign
    if slip.status != Slip.Status.PAID:
        raise SlipNotToSign
    # Under the slip's lock: of two who note it at once the second finds it noted.
    if SignedPaper.objects.filter(slip=slip).exists():
        raise AlreadySigned
    SignedPaper.objects.create(slip=slip, signed_at=command.at, seen_by_id=command.staff_id)
    return Outcome(
        chain=own_chain(command.by), data={"slip_id": slip.pk}, version=slip.version, audiences=screens(slip)
    )


def unsigned(room_id: int) -> QuerySet[Slip]:
    """Return what of the open day moved a deposit and no player has signed, as far as anybody noted it."""
    slips, day = Slip.objects.filter(Slip.UNSIGNED, room_id=room_id), open_day(room_id)
    return slips.filter(paid_on(day.room_id, [day.pk])) if day else slips.none()


def _rows(room_id: int) -> list[tuple[int, int]]:
    return [(slip_id, slip_id) for slip_id in unsigned(room_id).order_by("id").values_list("id", flat=True)]


def _own_paid(room_id: int, staff_id: int) -> set[int]:
    """Without the player's hand nobody else has seen it: who paid it does not let it go, too."""
    return set(unsigned(room_id).filter(paid_by=staff_id).values_list("id", flat=True))


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
        title=_("What moves a deposit is signed by its player"),
        is_rare=True,
        page=open_items.Page("page.slips", "cage_slip"),
        own=_own_paid,
    )
)
