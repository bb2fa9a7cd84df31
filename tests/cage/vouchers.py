"""Vouchers issued for tests, by two."""

from datetime import datetime

from casino.cage.models import Voucher
from casino.cage.services.vouchers import NEEDS, issue_signs, issue_voucher, void_signs, void_voucher
from casino.people.models import Staff
from casino.people.services import second_person
from tests.cast import TONIGHT, command, demo_person

LAST = "2026-12-31"


def issues(by: Staff, second: Staff, cents: int, *, last_date: str = LAST, at: datetime = TONIGHT) -> Voucher:
    """Have a voucher issued by two; return it."""
    asked = command(by, at=at)
    signs = issue_signs(amount_cents=cents, origin="promotion", last_date=last_date)
    second_person(asked, username=second.username, pin=demo_person(second.username).pin, needs=NEEDS, signs=signs)
    answer = issue_voucher(asked, amount_cents=cents, origin="promotion", last_date=last_date, approved_by_id=second.pk)
    return Voucher.objects.get(id=answer.data["voucher_id"])


def voids(by: Staff, second: Staff, voucher: Voucher, *, at: datetime = TONIGHT) -> None:
    """Have a voucher made void by two."""
    asked, signs = command(by, at=at), void_signs(voucher_id=voucher.pk, reason="lost")
    second_person(asked, username=second.username, pin=demo_person(second.username).pin, needs=NEEDS, signs=signs)
    void_voucher(asked, voucher_id=voucher.pk, reason="lost", approved_by_id=second.pk)
