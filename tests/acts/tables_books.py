"""What managers do to the rule book and the floor to the time charge, as acts."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from casino.poker.time_charge import Payer, TimeCharge, time_to_dict
from tables.models import Game, TimeTaken
from tables.services import books, by_time, time_charges
from tables.tasks import wake_books
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.evening import Acts, Evening
from tests.tables.test_books import Office

# What no screen of the floor shows: the managers' page is read anew after each of them.
QUIET = {f"tables.{name}_book" for name in ("edit", "discard", "ask_for", "approve", "refuse", "withdraw")}

Act = Callable[[], Any]


def _office(evening: Evening, *steps: str) -> Office:
    # What each book says.
    made = Office(evening.house, ("seats = 9", "seats = 8"))
    for step in steps:
        getattr(made, step)()
    return made


def _by_petra(made: Office, service: Callable[..., Any]) -> Act:
    return lambda: made.house.tap(service, made.petra, version=made.next.version)


def _holding(made: Office) -> Act:
    made.house.at += timedelta(hours=12)
    return lambda: wake_books(at=made.house.at)


def charge_by_time(house: House) -> None:
    """Have every game charged six euros each half an hour, and nothing of hands."""
    charge = time_to_dict(TimeCharge(6_00, 30, chip_cents=1_00))
    with as_owner():
        Game.objects.filter(room_id=house.room_id).update(charges={}, time_charge=charge)


def _timed(evening: Evening, service: Callable[..., Any], **more: Any) -> Act:
    charge_by_time(evening.house)
    return evening.at_table(service, period=1, **more)


def _taking_back(evening: Evening) -> Act:
    _timed(evening, time_charges.take_time, opening_id=evening.table.opening_id)()
    return evening.at_table(time_charges.take_back_time, time_id=TimeTaken.objects.get().pk)


def _by_time(evening: Evening) -> Act:
    charges, everybody = evening.house.game().charges, [evening.sits(seat) for seat in (1, 2, 3)]
    # Not every book has the drop paid so.
    charges["drop"]["by_time"] = [time_to_dict(TimeCharge(40_00, 60, per=Payer.TABLE))]
    with as_owner():
        Game.objects.filter(pk=evening.house.game().pk).update(charges=charges)
    return evening.at_table(by_time.pay_by_time, kind="drop", minutes=60, consents=everybody)


def _by_hand(evening: Evening) -> Act:
    _by_time(evening)()
    return evening.at_table(by_time.pay_by_hand)


ACTS: Acts = {
    "tables.edit_book": lambda evening: _office(evening).edit,
    "tables.discard_book": lambda evening: _by_petra(_office(evening, "edit"), books.discard_book),
    "tables.ask_for_book": lambda evening: _office(evening, "edit").ask,
    "tables.approve_book": lambda evening: _office(evening, "edit", "ask").approve,
    "tables.refuse_book": lambda evening: _by_petra(_office(evening, "edit", "ask"), books.refuse_book),
    "tables.withdraw_book": lambda evening: _by_petra(_office(evening, "edit", "ask", "approve"), books.withdraw_book),
    "tables.let_book_hold": lambda evening: _holding(_office(evening, "edit", "ask", "approve")),
    "tables.pay_by_time": _by_time,
    "tables.pay_by_hand": _by_hand,
    "tables.take_time": lambda evening: _timed(evening, time_charges.take_time, opening_id=evening.table.opening_id),
    "tables.let_time_go": lambda evening: _timed(evening, time_charges.let_time_go),
    "tables.take_back_time": _taking_back,
}
