"""Receipts of shares of tips that payroll got, as they are printed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import QuerySet

from casino.people.selectors import staff_names
from casino.rooms.models import GamingDay
from tables.models import TipReceipt


@dataclass(frozen=True)
class Receipt:
    """
    What a dealer's receipt says: which share of which gaming day, for how many seconds dealt, and which two handed it
    to payroll. `prints` above 0: it was printed before.
    """

    number: int
    day: date
    dealer_id: int
    name: str
    cents: int
    seconds: int
    at: datetime
    by_id: int
    by: str
    approved_by_id: int
    approved_by: str
    prints: int

    @property
    def dealt(self) -> str:
        return hours(self.seconds)


def hours(seconds: int) -> str:
    """Return how long that is, as 3:05 for three hours and five minutes."""
    minutes = seconds // 60
    return f"{minutes // 60}:{minutes % 60:02}"


def receipt_of(room_id: int, number: int) -> Receipt | None:
    """Return the room's receipt of this number. Two queries."""
    return next(iter(_named(TipReceipt.objects.filter(room_id=room_id, number=number))), None)


def receipts_on(day: GamingDay, *, dealer_id: int | None = None) -> list[Receipt]:
    """Return the receipts of what payroll got of a day's tips, of one dealer or all, by number. Two queries."""
    receipts = TipReceipt.objects.filter(share__payroll__day=day)
    return _named(receipts if dealer_id is None else receipts.filter(share__dealer_id=dealer_id))


def _named(receipts: QuerySet[TipReceipt]) -> list[Receipt]:
    rows = list(receipts.select_related("share__payroll__day").order_by("number"))
    names = staff_names(
        who for row in rows for who in (row.share.dealer_id, row.share.payroll.by_id, row.share.payroll.approved_by_id)
    )
    return [_receipt(row, names) for row in rows]


def _receipt(row: TipReceipt, names: Mapping[int, str]) -> Receipt:
    share, payroll = row.share, row.share.payroll
    return Receipt(
        number=row.number,
        day=payroll.day.date,
        dealer_id=share.dealer_id,
        name=names.get(share.dealer_id, "?"),
        cents=share.cents,
        seconds=payroll.seconds.get(str(share.dealer_id), 0),
        at=payroll.at,
        by_id=payroll.by_id,
        by=names.get(payroll.by_id, ""),
        approved_by_id=payroll.approved_by_id,
        approved_by=names.get(payroll.approved_by_id, ""),
        prints=row.prints,
    )
