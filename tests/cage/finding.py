"""Chips and cash that were left behind, taken in and given out for tests, by two."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from casino.cage.models import Unclaimed
from casino.cage.services import unclaimed
from casino.cage.services.unclaimed import NEEDS, NEEDS_TO_KEEP, claim_signs, found_signs, keep_signs
from casino.people.models import Staff
from tests.cage.counting import signed
from tests.cast import TONIGHT


def finds(by: Staff, second: Staff, *, at: datetime = TONIGHT, **more: Any) -> Unclaimed:
    """Have something taken in that somebody left behind; return it."""
    arguments: dict[str, Any] = {"what": "chips", "amount_cents": 125_00, "player_id": None, "where": "table"} | more
    signing = signed(by, second, found_signs(**arguments), needs=NEEDS, at=at)
    answer = unclaimed.take_in_found(signing, **arguments, approved_by_id=second.pk)
    return Unclaimed.objects.get(id=answer.data["unclaimed_id"])


def gives(by: Staff, second: Staff, found: Unclaimed, *, at: datetime = TONIGHT, **arguments: int) -> None:
    """Have it given to somebody: `drawer_id`, `player_id`."""
    giving(by, second, found, at=at, **arguments)()


def giving(
    by: Staff, second: Staff, found: Unclaimed, *, at: datetime = TONIGHT, **arguments: int
) -> Callable[[], object]:
    """Return what gives it, signed and ready to be sent."""
    signing = signed(by, second, claim_signs(unclaimed_id=found.pk, **arguments), needs=NEEDS, at=at)
    return lambda: unclaimed.give_unclaimed(signing, unclaimed_id=found.pk, approved_by_id=second.pk, **arguments)


def keeps(by: Staff, second: Staff, found: Unclaimed, *, at: datetime) -> None:
    """Have the house keep it, by two managers."""
    signing = signed(by, second, keep_signs(unclaimed_id=found.pk), needs=NEEDS_TO_KEEP, at=at)
    unclaimed.keep_unclaimed(signing, unclaimed_id=found.pk, approved_by_id=second.pk)
