"""Questions about vouchers."""

import re

from casino.cage.errors import VoucherUnknown
from casino.cage.models import Voucher


def voucher_of_paper(room_id: int, text: str) -> Voucher:
    """
    Return the voucher that a paper names as "12-RW4K", in whatever spelling. One query.

    :raises VoucherUnknown: there is none such: the number alone will not do.
    """
    tidy = re.sub(r"[^0-9A-Z]", "", text.upper())
    number, letters = tidy[:-4], tidy[-4:]
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise VoucherUnknown
    found = Voucher.objects.filter(room_id=room_id, number=int(number), check_letters=letters).first()
    if found is None:
        raise VoucherUnknown
    return found


def vouchers_of(room_id: int, *, offset: int = 0, most: int = 100) -> list[Voucher]:
    """Return the room's vouchers, the newest first. One query."""
    found = Voucher.objects.filter(room_id=room_id).select_related("taken_with__drawer", "issued_by", "approved_by")
    return list(found.order_by("-number")[offset : offset + most])
