"""Runners' banks for tests: Dan holds bank 11, which Carla gave him."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from casino.cage.services import add_bank, open_bank
from casino.cage.services.banks import NEEDS_TO_HOLD, bank_signs
from casino.commands.carrying_out import Answer
from casino.people.models import Staff
from casino.people.services import second_person
from tests.cage.counting import CHIPS, pieces
from tests.cast import TONIGHT, Cast, command, demo_person

NUMBER = 11


def adds_bank(cast: Cast, *, number: int = NUMBER, at: datetime = TONIGHT) -> int:
    """Return the drawer's id of one more bank."""
    added = add_bank(command(cast.mari, at=at), number=number, name=f"Bank {number}")
    return int(added.data["drawer_id"])


def gives_bank(by: Staff, runner: Staff, drawer_id: int, cash: int = 0, chips: int = 5_000_00, **more: Any) -> Answer:
    """Have a bank opened for a runner, who counts its float and signs."""
    return signed_bank(by, runner, drawer_id, cash, chips, **more)()


def signed_bank(
    by: Staff,
    runner: Staff,
    drawer_id: int,
    cash: int = 0,
    chips: int = 5_000_00,
    *,
    at: datetime = TONIGHT,
    pin: str = "",
) -> Callable[[], Answer]:
    """Return what opens a bank once its runner has signed, with a PIN that is said or the cast's."""
    arguments: dict[str, Any] = {"cash": pieces(cash), "chips": pieces(chips, CHIPS)}
    signing = command(by, at=at)
    signs = bank_signs(drawer_id, **arguments)
    pin = pin or demo_person(runner.username).pin
    second_person(signing, username=runner.username, pin=pin, needs=NEEDS_TO_HOLD, signs=signs)
    return lambda: open_bank(signing, drawer_id=drawer_id, **arguments, approved_by_id=runner.pk)
