"""What the cage keeps about people: what somebody bought, was paid and left behind."""

from collections.abc import Iterable, Sequence

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.cage.labels import KINDS, how_paid
from casino.cage.models import (
    CarriedItem,
    Drawer,
    DrawerCount,
    DrawerSession,
    NoteRate,
    NotesBrought,
    NotesCounted,
    NotesExchanged,
    NotesTaken,
    Slip,
    Unclaimed,
    VaultCount,
    VaultNotesCounted,
    Voucher,
)
from casino.cage.models_fills import FillSlip
from casino.people.kept import Cents, DataTable, Kind, Rows, about_nobody, keep


def _money(player_ids: Sequence[int]) -> Iterable[DataTable]:
    slips = Slip.objects.filter(player_id__in=player_ids).order_by("id")
    rows = slips.values_list(
        "requested_at", "kind", "method", "amount_cents", "paid_at", "voided_at", "voucher__number"
    )
    yield DataTable(
        (_("When"), _("What"), _("How"), _("Amount"), _("Paid"), _("Taken back")),
        [(at, KINDS.get(kind, kind), how_paid(method, voucher), Cents(cents), paid_at, voided_at)
         for at, kind, method, cents, paid_at, voided_at, voucher in rows],
    )  # fmt: skip
    unclaimed = Unclaimed.objects.filter(Q(player_id__in=player_ids) | Q(claimed_by_id__in=player_ids)).order_by("id")
    left = [
        (at, Cents(cents), ended_at)
        for at, cents, ended_at in unclaimed.values_list("found_at", "amount_cents", "ended_at")
    ]
    if left:
        yield DataTable((_("Left behind"), _("Amount"), _("Ended")), left)


def _drawers(staff_ids: Sequence[int]) -> Iterable[DataTable]:
    sessions = DrawerSession.objects.filter(DrawerSession.answered_for_by(staff_ids), drawer__place_kind="").order_by(
        "id"
    )
    yield DataTable(
        (_("From"), _("Until"), _("Drawer")), list(sessions.values_list("opened_at", "closed_at", "drawer__name"))
    )


keep(
    Kind(
        "cage.drawers",
        _("Drawers and banks of staff"),
        purpose=_("To say who answered for which money."),
        rows=(),
        not_given="of no player",
        staff_data=_drawers,
        count=lambda room_id: DrawerSession.objects.filter(drawer__room_id=room_id).count(),
    ),
    Kind(
        "cage.money",
        _("Money and chips at the cage"),
        purpose=_("To account for every cent, and to know who brings and takes large sums."),
        rows=(
            Rows(Slip, ("player", "about", "moved_to"), at="requested_at"),
            Rows(Unclaimed, ("player",)),
            Rows(Unclaimed, ("claimed_by",), player="claimed_by", at="ended_at"),
        ),
        player_data=_money,
        count=lambda room_id: Slip.objects.filter(room_id=room_id).count(),
    ),
)
about_nobody(Slip, "destination", "a code")
about_nobody(Voucher, "check_letters last_date", "a voucher is whose who holds it")
about_nobody(NoteRate, "currency", "a currency")
about_nobody(NotesTaken, "currency pieces", "money; whose it was is the slip's to say")
about_nobody(NotesCounted, "currency pieces", "counts of money")
about_nobody(NotesBrought, "currency pieces", "counts of money")
about_nobody(NotesExchanged, "currency pieces", "money of the house")
about_nobody(VaultCount, "cash_pieces chip_pieces", "counts of money")
about_nobody(VaultNotesCounted, "currency pieces expected_pieces", "counts of money")
about_nobody(Drawer, "name place_kind", "a place of the house")
about_nobody(DrawerSession, "float_cash_pieces float_chip_pieces", "counts of money")
about_nobody(DrawerCount, "cash_pieces chip_pieces", "counts of money")
about_nobody(
    FillSlip, "place_kind wished_cash wished_chips sent_cash sent_chips got_cash got_chips", "money on its way"
)
about_nobody(CarriedItem, "kind rows", "codes and ids of what was carried over")
