"""Which amounts of chips there are: what the chips of the room's rule book can pay."""

from datetime import datetime

from casino.ledger.errors import NotInChips
from casino.rooms.selectors import rule_book_in_force
from casino.rulebooks import RuleBook


def check_chips(room_id: int, cents: int, *, at: datetime) -> None:
    """As `check_in_chips`, by the book in force. One query. :raises NotInChips: there are no such chips."""
    check_in_chips(cents, rule_book_in_force(room_id, at=at)[1])


def check_in_chips(cents: int, book: RuleBook) -> None:
    """
    Let an amount of chips pass that the room's chips can pay; which way they go does not matter.

    :raises NotInChips: they cannot; it names the two nearest amounts that are more than nothing.
    """
    chip = book.chip_cents
    if cents % chip == 0:
        return
    asked = abs(cents)
    below = max(asked - asked % chip, chip)
    raise NotInChips(asked_cents=asked, below_cents=below, above_cents=below + chip)
