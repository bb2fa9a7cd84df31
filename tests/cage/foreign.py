"""Foreign notes for tests: rates recorded, notes told."""

from datetime import datetime
from typing import Any

from casino.cage.services.foreign import record_rate
from casino.commands.carrying_out import Answer
from casino.people.models import Staff
from tests.cast import TONIGHT, command

# 0.0871 of the room's money for a krona.
RATE = 87_100
# What 2,500 kr are worth at that, rounded down to the room's smallest coin, by its currency.
KRONOR_WORTH = {"EUR": 217_75, "CZK": 217_00}


def rate(by: Staff, rate_millionths: int | None = RATE, *, currency: str = "SEK", at: datetime = TONIGHT) -> Answer:
    """Have a manager record a rate."""
    return record_rate(command(by, at=at), currency=currency, rate_millionths=rate_millionths)


def notes(*counts: tuple[int, int], currency: str = "SEK") -> dict[str, Any]:
    """Return notes as a call tells them, each (units, how many): (500, 3)."""
    pieces = [{"value_cents": units * 100, "count": count} for units, count in counts]
    return {"currency": currency, "pieces": pieces}
