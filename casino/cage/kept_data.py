"""What the cage keeps about people: what somebody bought, was paid and left behind."""

from django.utils.translation import gettext_lazy as _

from casino.cage.models import CarriedItem, Drawer, DrawerCount, DrawerSession, Slip, Unclaimed, Voucher
from casino.cage.models_fills import FillSlip
from casino.people.kept import Kind, Rows, about_nobody, keep

keep(
    Kind(
        "cage.money",
        _("Money and chips at the cage"),
        purpose=_("To account for every cent, and to know who brings and takes large sums."),
        rows=(
            Rows(Slip, ("player", "about"), at="requested_at"),
            Rows(Unclaimed, ("player",)),
            Rows(Unclaimed, ("claimed_by",), player="claimed_by", at="ended_at"),
        ),
        count=lambda room_id: Slip.objects.filter(room_id=room_id).count(),
    ),
)
about_nobody(Slip, "destination", "a code")
about_nobody(Voucher, "check_letters last_date", "a voucher is whose who holds it")
about_nobody(Drawer, "name", "a place of the house")
about_nobody(DrawerSession, "float_cash_pieces float_chip_pieces", "counts of money")
about_nobody(DrawerCount, "cash_pieces chip_pieces", "counts of money")
about_nobody(
    FillSlip, "place_kind wished_cash wished_chips sent_cash sent_chips got_cash got_chips", "money on its way"
)
about_nobody(CarriedItem, "kind rows", "codes and ids of what was carried over")
