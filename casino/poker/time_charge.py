"""
The time charge: players pay by the time they play, and nothing is taken from pots (H1.91, L-P21, L-PQ6).

A charge is data: it is stored with the game and travels to the tablet. The clauses give neither length nor share nor
rounding (A19, L-PQ6): those are the house's figures. Each started period is paid whole, when it begins (H7.18, A-H7.9).
All amounts are cents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from casino.poker.seats import clockwise
from casino.poker.split import split_pot


class Payer(StrEnum):
    """Who a charge is for: each player, or the table as a whole, which its players share."""

    PLAYER = "player"
    TABLE = "table"


@dataclass(frozen=True)
class TimeCharge:
    """
    So much for each started period of so many minutes, rounded down to `chip_cents`, the smallest chip it is taken in.

    `do_absent_pay`: also who is away when the time is taken. By H1.91 players pay for the time that they play, so
    elsewhere they do not.

    :raises ValueError: a charge of nothing, a period or a chip of none, or a charge smaller than its chip.
    """

    charge_cents: int
    period_minutes: int
    per: Payer = Payer.PLAYER
    chip_cents: int = 1
    do_absent_pay: bool = False

    def __post_init__(self) -> None:
        if self.period_minutes <= 0 or self.chip_cents <= 0:
            raise ValueError("a period and a chip are more than nothing")
        if self.charge_cents < self.chip_cents:
            raise ValueError("a time charge is one chip of smallest_chip_cents at least")

    @property
    def due_cents(self) -> int:
        """What is taken from each player, or from the table."""
        return self.charge_cents - self.charge_cents % self.chip_cents

    def shares(self, *, present: Sequence[int], absent: Sequence[int] = (), button: int = 0) -> dict[int, int]:
        """
        Return what each seat owes for a period, by seat in ascending order; who owes nothing is there with 0.

        `present` and `absent` are seats. A table's charge is shared by those who pay, in whole chips; odd chips go one
        each beginning next to the button, as those of a pot do (H5.37).
        """
        paying = sorted({*present, *(absent if self.do_absent_pay else ())})
        owed = dict.fromkeys(sorted({*present, *absent}), 0)
        if not paying:
            return owed
        if self.per is Payer.PLAYER:
            return owed | dict.fromkeys(paying, self.due_cents)
        order = clockwise(paying, after=button)
        return owed | split_pot(self.due_cents, winners_clockwise_from_button=order, unit_cents=self.chip_cents)

    def begins_at(self, number: int, *, began_at: datetime) -> datetime:
        """Return when a period begins and its charge falls due: number 1 with play itself (H7.18, A-H7.9)."""
        return began_at + timedelta(minutes=(number - 1) * self.period_minutes)


def time_to_dict(charge: TimeCharge) -> dict[str, Any]:
    """Return the charge as plain data for JSON."""
    return {**asdict(charge), "per": charge.per.value}


def time_from_dict(data: Mapping[str, Any]) -> TimeCharge:
    """
    Return the charge that `time_to_dict` wrote.

    :raises ValueError: a field is unknown or missing, or the values make no charge.
    """
    try:
        return TimeCharge(**{**data, "per": Payer(data["per"])})
    except (KeyError, TypeError) as error:
        raise ValueError(f"time charge: {error}") from error
