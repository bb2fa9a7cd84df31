"""
A room with its tables open and its players seated, for benchmarks that need one: everything through the front door.

Only what no door offers yet, more tables than the demo room has, is done by a command of manage.py.
"""

import os
import random
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django.setup()

# Imported late: whoever works in the demo room is declared beside models, which need the app registry.
from casino.management.commands.demo import TABLES  # noqa: E402
from casino.people.published import STAFF  # noqa: E402
from casino.simulation.broken import Broken  # noqa: E402
from casino.simulation.front_door import Answer, Device, Tally, Tap  # noqa: E402
from casino.simulation.instance import OwnInstance, fresh_database, machines  # noqa: E402
from casino.simulation.staff import Staff  # noqa: E402

GAME = "No limit hold'em 2/2"
STACK_CENTS = 200_00
MORE_TABLES = """
import uuid
from casino import clock
from casino.commands.carrying_out import Command
from casino.people.demo import house_actor
from casino.rooms.models import Room
from tables.services.setup import add_table
room = Room.objects.get()
for number in range({first}, {last} + 1):
    at = clock.now()
    add_table(Command(id=uuid.uuid4(), by=house_actor(room.pk), tapped_at=at, at=at), number=number)
"""


@contextmanager
def instance(*, speed: float = 1.0, durable: bool = False) -> Iterator[OwnInstance]:
    """Run an instance with the demo room on a database of its own; `durable`: servers as a house has them."""
    with (
        machines(durable=durable) as servers,
        fresh_database(servers) as database,
        TemporaryDirectory(prefix="brush-bench-") as folder,
    ):
        ours = OwnInstance(database=database, redis_url=servers.redis_url, folder=Path(folder), speed=speed)
        try:
            ours.begin_evening(0)
            yield ours
        finally:
            ours.stop()


@dataclass
class Evening:
    """A room tonight: its address, its people's devices, and who sits where."""

    url: str
    staff: Staff
    tally: Tally
    game_id: int = 0
    # Seating ids by table and seat.
    seated: dict[int, dict[int, int]] = field(default_factory=dict)

    def done(self, device: Device, path: str, body: Mapping[str, Any] | None = None, **more: Any) -> Answer:
        """Give a command that nothing may refuse. :raises Broken: it was refused."""
        answer = device.post(Tap(path, body or {}, device.headers_of(uuid.uuid4(), **more)))
        if not answer.is_done:
            raise Broken("what may be done is done", f"POST {path} {body}: {answer.text[:400]}")
        return answer


def begun(instance: OwnInstance, *, tables: int) -> Evening:
    """Give the room so many tables, none of them open, and let everybody come through the door."""
    if tables > TABLES:
        instance.manage("shell", "--verbosity", "0", "--command", MORE_TABLES.format(first=TABLES + 1, last=tables))
    tally = Tally()
    staff = Staff(instance.url, tally, random.Random(1))  # noqa: S311 - the same room every time
    staff.come_in(tables=tables)
    games = staff.floor.get("/api/v1/games").body
    return Evening(instance.url, staff, tally, next(game["id"] for game in games if game["name"] == GAME))


def opened(instance: OwnInstance, *, tables: int, players_a_table: int) -> Evening:
    """Open so many tables of one game, seat so many at each, and draw each button."""
    evening = begun(instance, tables=tables)
    for number in range(1, tables + 1):
        open_table(evening, number, players=players_a_table)
    return evening


def open_table(evening: Evening, number: int, *, players: int) -> None:
    """Open one table, seat new guests with chips of another night, and draw the button."""
    staff, api = evening.staff, f"/api/v1/tables/{number}"
    body: dict[str, Any] = {"game_id": evening.game_id}
    evening.done(staff.floor, f"{api}/open", body, version=staff.floor.get(api).version)
    evening.seated[number] = {}
    for seat in range(1, players + 1):
        guest = evening.done(staff.floor, "/api/v1/people/players", {"nickname": f"Guest {number}-{seat}"})
        body = {"player_id": guest.data["player_id"], "chips_cents": STACK_CENTS}
        evening.seated[number][seat] = evening.done(staff.floor, f"{api}/seats/{seat}", body).data["seating"]
    seats = list(evening.seated[number])
    evening.done(staff.tablets[number], f"{api}/draw", {"winner_seat": seats[0], "seats": seats})


def cashier_at_a_desktop(evening: Evening) -> Device:
    """Return a desktop with a cashier signed in: it works at every drawer, where a tablet has its own."""
    carla = next(person for person in STAFF if person.username == "carla")
    desktop = Device(evening.url, "the cashier's desktop", evening.tally)
    evening.done(desktop, "/api/v1/sign-in", {"username": carla.username, "password": carla.password})
    return desktop


def settlement(*, pot_cents: int, winner: int = 1) -> dict[str, Any]:
    """Return the body that logs a new hand whole: one pot, positions as the log asks for."""
    return {"hand_id": str(uuid.uuid4()), "winners": [[winner]], "pots": [pot_cents]}
