"""Which amounts of chips there are: what the chips of the room's rule book can pay."""

from datetime import datetime
from math import gcd

from casino.ledger.errors import NotInChips
from casino.rooms.selectors import books_so_far, rule_book_in_force
from casino.rulebooks import RuleBook


def check_chips(room_id: int, cents: int, *, at: datetime) -> None:
    """
    Let an amount of chips pass that the book in force can pay, or where it is below nothing as `check_came_back`.

    One query, two where chips of an older book come back. :raises NotInChips: there are no such chips.
    """
    book = rule_book_in_force(room_id, at=at)[1]
    if cents < 0:
        check_came_back(room_id, cents, book, at=at)
    else:
        check_in_chips(cents, book)


def check_in_chips(cents: int, book: RuleBook) -> None:
    """
    Let an amount of chips pass that the room's chips can pay.

    :raises NotInChips: they cannot; it names the two nearest amounts that are more than nothing.
    """
    chip = book.chip_cents
    if cents % chip == 0:
        return
    amount = abs(cents)
    below = max(amount - amount % chip, chip)
    raise NotInChips(asked_cents=amount, below_cents=below, above_cents=below + chip)


def check_came_back(room_id: int, cents: int, book: RuleBook, *, at: datetime) -> None:
    """
    Let an amount of chips pass that the house takes in, in those of `book`, in force, or of any that it had before.

    What an older book issued is out there until it is brought back. One query, where `book` alone cannot pay it.

    :raises NotInChips: as `check_in_chips`.
    """
    if cents % book.chip_cents == 0:
        return
    # Where the clock was set back before the first book there is none so far.
    if cents % gcd(book.chip_cents, *(each.chip_cents for each in books_so_far(room_id, at=at))):
        check_in_chips(cents, book)
