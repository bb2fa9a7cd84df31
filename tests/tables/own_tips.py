"""A house whose tips are each dealer's own, for tests: boxes closed, noted in, and taken back."""

from datetime import timedelta

from casino.cage.services import open_day
from casino.ledger.proof import problems
from casino.people.models import Staff
from tables.models import ClosedTips, Down, Seating
from tables.selectors.floor import todo_of_room
from tables.services.chips import count_tip_box
from tables.services.opening import close_table
from tables.services.seating import leave_seat
from tables.services.tip_boxes import close_tips, take_back_closed_tips
from tests.tables.conftest import House
from tests.tables.racking import Racking, keeps_racks


def begin(house: House) -> Racking:
    """Have a house whose tips are each dealer's own open table 1, where Anna deals."""
    keeps_racks(house.room_id, is_kept="false", tips="per_dealer")
    house.open(Lee=1, Kai=2)
    racking = Racking(house)
    racking.began(house.cast.anna)
    return racking


def close(house: House, dealer: Staff, by: Staff | None = None, down: Down | None = None) -> ClosedTips | None:
    down = down or Down.objects.filter(table_id=house.table_id(), dealer_id=dealer.pk).latest("id")
    answer = house.tap(close_tips, by, table_id=house.table_id(), down_id=down.pk)
    return ClosedTips.objects.get(id=answer.data["closed"]) if answer.data["is_closed"] else None


def note(house: House, euros: int) -> None:
    house.tap(count_tip_box, table_id=house.table_id(), counted_cents=euros * 100)


def next_morning(house: House) -> None:
    """Have everybody leave, and the day end."""
    for seating in Seating.objects.filter(left_at=None).order_by("id"):
        house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=195_00)
    house.tap(close_table, table_id=house.table_id())
    house.close_drawer()
    house.close_day()
    house.at += timedelta(hours=12)
    house.tap(open_day, house.cast.mari)


def todo(house: House) -> list[str]:
    return [line.key for line in todo_of_room(house.room_id) if line.key.startswith("tips.")]


def sound(house: House) -> bool:
    return [each.detail for each in problems(house.room_id)] == []


def back(house: House, closed: ClosedTips, by: Staff) -> None:
    house.tap(take_back_closed_tips, by, table_id=house.table_id(), closed_id=closed.pk)
