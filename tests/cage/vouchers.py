"""Vouchers issued for tests, by two."""

from datetime import datetime

from casino.cage.models import Voucher
from casino.cage.services.vouchers import NEEDS, issue_signs, issue_voucher, void_signs, void_voucher
from casino.people.models import Staff
from tests.cage.counting import signed
from tests.cast import TONIGHT

LAST = "2026-12-31"


def issues(by: Staff, second: Staff, cents: int, *, last_date: str = LAST, at: datetime = TONIGHT) -> Voucher:
    """Have a voucher issued by two; return it."""
    signs = issue_signs(amount_cents=cents, origin="promotion", last_date=last_date)
    signing = signed(by, second, signs, needs=NEEDS, at=at)
    answer = issue_voucher(
        signing, amount_cents=cents, origin="promotion", last_date=last_date, approved_by_id=second.pk
    )
    return Voucher.objects.get(id=answer.data["voucher_id"])


def voids(by: Staff, second: Staff, voucher: Voucher, *, at: datetime = TONIGHT) -> None:
    """Have a voucher made void by two."""
    signing = signed(by, second, void_signs(voucher_id=voucher.pk, reason="lost"), needs=NEEDS, at=at)
    void_voucher(signing, voucher_id=voucher.pk, reason="lost", approved_by_id=second.pk)
