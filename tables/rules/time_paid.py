"""A period's time charge as somebody took it: who put how much into its box."""

from collections.abc import Sequence
from dataclasses import dataclass

from casino.errors import Malformed
from tables.errors import NoSuchSeat
from tables.rules.logged import POTS_CENTS_MAX

PERIODS_MAX = 10_000


@dataclass(frozen=True)
class Paid:
    """What one seat put in, in cents; nothing where it owed and did not pay."""

    seat_number: int
    cents: int


def check_paid(paid: Sequence[Paid], *, period: int, seats: int) -> None:
    """
    Check that it can be read at all: what happened on the felt is never refused.

    :raises Malformed: a seat is named twice, an amount or the period is beyond reason.
    :raises NoSuchSeat: it names a seat that the table does not have.
    """
    if not 1 <= period <= PERIODS_MAX:
        raise Malformed(field="period")
    if len({each.seat_number for each in paid}) < len(paid):
        raise Malformed(field="paid")
    if any(not 0 <= each.cents <= POTS_CENTS_MAX for each in paid):
        raise Malformed(field="paid")
    if any(not 1 <= each.seat_number <= seats for each in paid):
        raise NoSuchSeat(seats=seats)
