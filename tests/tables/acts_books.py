"""What managers do to the rule book and the floor to the time charge, as acts for `test_floor_audiences`."""

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from casino.poker.time_charge import TimeCharge, time_to_dict
from tables.models import Game, TimeTaken
from tables.services import books, time_charges
from tables.tasks import wake_books
from tests.support.owner import as_owner
from tests.tables.test_books import Office

if TYPE_CHECKING:
    from tests.tables.test_floor_audiences import Evening

# What no screen of the floor shows: the managers' page is read anew after each of them.
QUIET = {f"tables.{name}_book" for name in ("edit", "discard", "ask_for", "approve", "refuse", "withdraw")}

Act = Callable[[], Any]


def book_acts(evening: "Evening") -> dict[str, Callable[[], Act]]:
    """Return, by the name of its command, what sets the stage and returns the act."""
    house = evening.house

    def office(*steps: str) -> Office:
        made = Office(house)
        for step in steps:
            getattr(made, step)()
        return made

    def by(made: Office, service: Callable[..., Any], who: str = "petra") -> Act:
        return lambda: house.tap(service, getattr(made, who), version=made.next.version)

    return {
        "tables.edit_book": lambda: office().edit,
        "tables.discard_book": lambda: by(office("edit"), books.discard_book),
        "tables.ask_for_book": lambda: office("edit").ask,
        "tables.approve_book": lambda: by(office("edit", "ask"), books.approve_book),
        "tables.refuse_book": lambda: by(office("edit", "ask"), books.refuse_book),
        "tables.withdraw_book": lambda: by(office("edit", "ask", "approve"), books.withdraw_book),
        "tables.let_book_hold": lambda: _holding(office("edit", "ask", "approve")),
        "tables.take_time": lambda: _timed(evening, time_charges.take_time, opening_id=evening.table.opening_id),
        "tables.let_time_go": lambda: _timed(evening, time_charges.let_time_go),
        "tables.take_back_time": lambda: _taking_back(evening),
    }


def _holding(made: Office) -> Act:
    made.house.at += timedelta(hours=12)
    return lambda: wake_books(at=made.house.at)


def _timed(evening: "Evening", service: Callable[..., Any], **more: Any) -> Act:
    charge = time_to_dict(TimeCharge(6_00, 30, chip_cents=1_00))
    with as_owner():
        Game.objects.filter(room_id=evening.house.room_id).update(charges={}, time_charge=charge)
    return evening.at_table(service, period=1, **more)


def _taking_back(evening: "Evening") -> Act:
    _timed(evening, time_charges.take_time, opening_id=evening.table.opening_id)()
    return evening.at_table(time_charges.take_back_time, time_id=TimeTaken.objects.get().pk)
