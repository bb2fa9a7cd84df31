"""Drawers and banks that are carried over a day's end, for tests: drawer 1 is Carla's, and bank 11 is Dan's."""

from casino.cage.services import buy_in, close_day
from casino.commands.carrying_out import Answer
from casino.people.models import Staff
from casino.rooms.models import GamingDay
from tests.cage.counting import carried, carrying
from tests.tables.conftest import House


def carlas(house: House, cash: int = 1_000_00, chips: int = 2_000_00) -> None:
    """Have drawer 1 counted, and opened anew in Carla's name."""
    house.close_drawer()
    house.open_drawer(cash, chips)


def sells(house: House, cents: int, *, to: str = "Lee", by: Staff | None = None, method: str = "cash") -> Answer:
    """Have chips sold out of drawer 1."""
    arguments = {"drawer_id": house.drawer_id, "amount_cents": cents, "method": method}
    return house.tap(buy_in, by or house.cast.carla, player_id=house.player(to).pk, **arguments)


def carries(house: House, *items: str, reason: str = "stays_open", by: Staff | None = None) -> GamingDay:
    """Have the manager close the day over these, and over all else that is open; return the day."""
    day = GamingDay.objects.get(room_id=house.room_id, closed_at=None)
    others = [each for each in carrying(house.room_id) if each["item"] not in items]
    house.tap(close_day, by or house.cast.mari, carrying=[*(carried(item, reason) for item in items), *others])
    day.refresh_from_db()
    return day


def also(staff: Staff, role: str) -> Staff:
    """Return a person who has one more role from now on."""
    staff.roles = [*staff.roles, role]
    staff.save(update_fields=["roles"])
    return staff
