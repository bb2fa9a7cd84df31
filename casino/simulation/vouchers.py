"""
Vouchers on paper: over how much each is, until when, and whether it was spent. Cents.

Nothing here has heard of the house's promise: what it owes is what the papers that nobody has spent come to.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date


@dataclass
class Voucher:
    """A paper: the number of the house's row, what stands on it, and the row of the slip that it has paid."""

    id: int
    paper: str
    cents: int
    last_date: date
    state: str = "open"
    slip: int | None = None


@dataclass
class Vouchers:
    """All papers that the simulation's staff have issued."""

    all: list[Voucher] = field(default_factory=list)
    # What the house owed on vouchers before the first night.
    before: int | None = None
    played: Counter[str] = field(default_factory=Counter)

    @property
    def owed(self) -> int:
        """Return the sum in cents of the papers that can still be spent."""
        return sum(voucher.cents for voucher in self.open())

    def open(self) -> list[Voucher]:
        """Return the papers that can still be spent."""
        return [voucher for voucher in self.all if voucher.state == "open"]

    def taken_with(self, slip: int) -> Voucher:
        """Return the paper that has paid a slip."""
        return next(voucher for voucher in self.all if voucher.slip == slip)

    def end_with(self, day: date) -> list[int]:
        """A day ends: what is good until it is over. Return the numbers of the house's rows."""
        over = [voucher for voucher in self.open() if voucher.last_date <= day]
        for voucher in over:
            voucher.state = "over"
        self.played["over"] += len(over)
        return [voucher.id for voucher in over]
