"""Drawers counted for tests: by pieces, and by two who sign."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from casino.cage import open_items
from casino.cage.models import DrawerSession, VaultCount
from casino.cage.notes import cash_values
from casino.cage.rules import hand_over
from casino.cage.selectors.vault_counts import vault_version
from casino.cage.services.counting import NEEDS, Lies, close_drawer, count_signs, recount_drawer, recount_signs
from casino.cage.services.opening import float_signs, open_drawer
from casino.cage.services.vault_counts import NEEDS as NEEDS_OF_VAULT
from casino.cage.services.vault_counts import count_vault, vault_count_signs
from casino.commands.carrying_out import Answer, Command
from casino.people.models import Staff
from casino.people.services import second_person
from tests.cast import TONIGHT, command, demo_person

# Those of 1.00 and more are there in every currency of a book that tests have.
CASH = cash_values("EUR")
# Of each book that tests have.
CHIPS = (500_00, 100_00, 5_00, 1_00)


def pieces(cents: int, values: tuple[int, ...] = CASH) -> list[dict[str, int]]:
    """Return how so much lies there; of nothing, that there is 0 of something."""
    found = [{"value_cents": value, "count": count} for value, count in hand_over(cents, values)]
    assert sum(each["value_cents"] * each["count"] for each in found) == cents, f"{cents} is not made of {values}"
    return found or [{"value_cents": 1_00, "count": 0}]


def lying(cash: int = 0, chips: int = 0, card: int = 0) -> dict[str, Any]:
    """Return what a call says of a drawer in which so much lies, in cents."""
    return {"cash": pieces(cash), "chips": pieces(chips, CHIPS), "card_slips_cents": card}


def in_form(cash: int = 0, chips: int = 0, card: int = 0) -> dict[str, Any]:
    """Return what a page says of it."""
    counted = {"cash": pieces(cash), "chips": pieces(chips, CHIPS)}
    form = {f"{what}_{each['value_cents']}": str(each["count"]) for what, all in counted.items() for each in all}
    return {**form, "card_slips": f"{card / 100:.2f}"}


def opens(
    by: Staff,
    second: Staff,
    drawer_id: int,
    cash: int = 0,
    chips: int = 0,
    *,
    at: datetime = TONIGHT,
    version: int | None = None,
) -> Answer:
    """Have a drawer opened with a float that two have counted."""
    arguments = {"cash": pieces(cash), "chips": pieces(chips, CHIPS)}
    signing = signed(by, second, float_signs(drawer_id, **arguments), at=at)
    return open_drawer(signing, drawer_id=drawer_id, **arguments, approved_by_id=second.pk, version=version)


def carrying(room_id: int) -> list[dict[str, str]]:
    """Return what a manager says who carries over all that may be, each for its first reason."""
    return [carried(each.word, each.reasons[0]) for each in open_items.may_be_carried(room_id)]


def carried(item: str, reason: str = "looked_into") -> dict[str, str]:
    return {"item": item, "reason": reason}


def closes(
    by: Staff, second: Staff, drawer_id: int, cash: int = 0, chips: int = 0, card: int = 0, *, at: datetime = TONIGHT
) -> Answer:
    """Have a drawer counted and closed by two."""
    return closing(by, second, drawer_id, cash, chips, card, at=at)()


def closing(
    by: Staff, second: Staff, drawer_id: int, cash: int = 0, chips: int = 0, card: int = 0, *, at: datetime = TONIGHT
) -> Callable[[], Answer]:
    """Return such a count, signed and ready to be sent."""
    lies = lying(cash, chips, card)
    signing = signed(by, second, count_signs(drawer_id, Lies.by(**lies)), at=at)
    return partial(close_drawer, signing, drawer_id=drawer_id, **lies, approved_by_id=second.pk)


def recounts(
    by: Staff, second: Staff, cash: int = 0, chips: int = 0, card: int = 0, *, version: int = 1, at: datetime = TONIGHT
) -> Answer:
    """Have the drawer that was closed last counted again by two."""
    return recounting(by, second, cash, chips, card, version=version, at=at)()


def recounting(
    by: Staff, second: Staff, cash: int = 0, chips: int = 0, card: int = 0, *, version: int = 1, at: datetime = TONIGHT
) -> Callable[[], Answer]:
    """Return such a count, signed and ready to be sent."""
    session_id, lies = DrawerSession.objects.filter(closed_at__isnull=False).latest("id").pk, lying(cash, chips, card)
    signing = signed(by, second, recount_signs(session_id, version, Lies.by(**lies)), at=at)
    return partial(recount_drawer, signing, session_id=session_id, version=version, **lies, approved_by_id=second.pk)


def counts_vault(
    by: Staff,
    second: Staff,
    cash: int,
    chips: int,
    card: int = 0,
    *,
    foreign: Sequence[Any] = (),
    version: int | None = None,
    at: datetime = TONIGHT,
) -> VaultCount:
    """Have the vault counted by two, as it stands or as it stood with this version; return the count."""
    arguments = {**lying(cash, chips, card), "foreign": list(foreign)}
    version = vault_version(by.room_id) if version is None else version
    signing = signed(by, second, vault_count_signs(version, Lies.by(**arguments)), at=at, needs=NEEDS_OF_VAULT)
    answer = count_vault(signing, version=version, **arguments, approved_by_id=second.pk)
    return VaultCount.objects.get(id=answer.data["vault_count_id"])


def signed(by: Staff, second: Staff, signs: str, *, at: datetime = TONIGHT, needs: str = NEEDS) -> Command:
    """Return a command of the one that the other has signed as a second person under a count."""
    signing = command(by, at=at)
    second_person(signing, username=second.username, pin=demo_person(second.username).pin, needs=needs, signs=signs)
    return signing
