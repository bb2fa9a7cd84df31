"""Questions about vouchers."""

import re
from datetime import datetime

from casino.cage.errors import VoucherUnknown
from casino.cage.models import Voucher
from casino.commands.carrying_out import Actor
from casino.people.services.addresses import code_tried


def voucher_of_paper(by: Actor, text: str, *, at: datetime) -> Voucher:
    """
    Return the voucher that a paper names as "12-RW4K", in whatever spelling. One query.

    Numbers follow each other, and four letters could be tried through: whoever names papers that are none waits.

    :raises VoucherUnknown: there is none such: the number alone will not do.
    :raises TooSoon: after wrong ones the next one waits.
    """
    tidy = re.sub(r"[^0-9A-Z]", "", text.upper())
    number, letters = tidy[:-4], tidy[-4:]
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise VoucherUnknown
    with code_tried("voucher", by=_named(by), at=at):
        voucher = Voucher.objects.filter(room_id=by.room_id, number=int(number), check_letters=letters).first()
        if voucher is None:
            raise VoucherUnknown
    return voucher


def _named(by: Actor) -> str:
    return f"staff.{by.staff_id}" if by.staff_id is not None else f"device.{by.device_id}.{by.token_id}"


def vouchers_of(room_id: int, *, offset: int = 0, most: int = 100) -> list[Voucher]:
    """Return the room's vouchers, the newest first. One query."""
    vouchers = Voucher.objects.filter(room_id=room_id).select_related("taken_with__drawer", "issued_by", "approved_by")
    return list(vouchers.order_by("-number")[offset : offset + most])
