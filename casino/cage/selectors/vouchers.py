"""Questions about vouchers."""

from casino.cage.models import Voucher


def vouchers_of(room_id: int, *, offset: int = 0, most: int = 100) -> list[Voucher]:
    """Return the room's vouchers, the newest first. One query."""
    vouchers = Voucher.objects.filter(room_id=room_id).select_related("taken_with__drawer", "issued_by", "approved_by")
    return list(vouchers.order_by("-number")[offset : offset + most])
