"""
Which amounts the cage takes and pays: what the room's chips can pay, and no more than the book's most, if any.

And by which pieces a drawer can be counted.
"""

from collections.abc import Container, Mapping, Sequence
from datetime import datetime

from casino.cage.errors import TooMuchAtOnce
from casino.cage.models import Slip
from casino.cage.selectors.drawers import values_counted
from casino.commands.carrying_out import Command
from casino.errors import Malformed
from casino.ledger.chips import check_came_back, check_in_chips
from casino.rooms.selectors import rule_book_in_force
from casino.rulebooks import RuleBook

# How many there are of each value, {"value_cents": ..., "count": ...}.
Pieces = Sequence[Mapping[str, int]]


def check_amount(room_id: int, kind: str, amount_cents: int, book: RuleBook, *, at: datetime) -> None:
    """
    Let an amount pass that somebody asks to bring or to take. What a count found is a fact, and is not asked.

    :raises TooMuchAtOnce: it is above the book's `cage.amount_max_cents`.
    :raises NotInChips: chips are to move, and there are none of that amount; back come those of older books, too.
    """
    _check_most(amount_cents, book)
    if kind == Slip.Kind.BUY_IN:
        check_in_chips(amount_cents, book)
    elif kind == Slip.Kind.CASH_OUT:
        check_came_back(room_id, amount_cents, book, at=at)


def check_brought(room_id: int, amount_cents: int, *, at: datetime) -> None:
    """
    Let chips pass that somebody puts on a table: no more than the most of the book of then, and in chips of that or an
    older one, which are out there until they come back. One query, two where that book's chips alone cannot be so much.

    :raises TooMuchAtOnce, NotInChips: as `check_amount`.
    """
    book = rule_book_in_force(room_id, at=at)[1]
    _check_most(amount_cents, book)
    check_came_back(room_id, amount_cents, book, at=at)


def check_new_slip(command: Command, slip: Slip) -> RuleBook:
    """As `check_amount`, of a slip that is asked for now. Return the book that says so. One query."""
    _version, book = rule_book_in_force(command.room_id, at=command.at)
    check_amount(command.room_id, slip.kind, slip.amount_cents, book, at=command.at)
    return book


def _check_most(amount_cents: int, book: RuleBook) -> None:
    most_cents = book.cage.amount_max_cents
    if most_cents is not None and amount_cents > most_cents:
        raise TooMuchAtOnce(asked_cents=amount_cents, limit_cents=most_cents)


def check_pieces(room_id: int, *, cash: Pieces, chips: Pieces, at: datetime) -> None:
    """
    Let pieces pass that can lie in a drawer, however many: a count is a fact. Two queries.

    :raises Malformed: of cash or of chips nothing is said, there is no such piece, or less than none of it.
    """
    for field, pieces in (("cash", cash), ("chips", chips)):
        if not pieces:
            raise Malformed(field=field)
    check_known(room_id, cash=cash, chips=chips, at=at)


def check_known(room_id: int, *, cash: Pieces, chips: Pieces, at: datetime) -> None:
    """
    Let pieces pass that there are, none of them too. Two queries.

    :raises Malformed: there is no such piece, or less than none of it.
    """
    values = values_counted(room_id, at=at)
    _check_values(cash, values.cash, field="cash")
    _check_values(chips, values.chips, field="chips")


def check_chips(room_id: int, pieces: Pieces, *, at: datetime, field: str) -> None:
    """As `check_known`, where chips alone are counted, and are said in `field`: none of anything is an empty place."""
    _check_values([each for each in pieces if each["count"]], values_counted(room_id, at=at).chips, field=field)


def _check_values(pieces: Pieces, known: Container[int], *, field: str) -> None:
    if any(each["value_cents"] not in known or each["count"] < 0 for each in pieces):
        raise Malformed(field=field)
