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
from casino.simulation.broken import Broken  # noqa: E402
from casino.simulation.front_door import Answer, Device, Tally, Tap  # noqa: E402
from casino.simulation.house import OwnHouse, fresh_database, servers  # noqa: E402
from casino.simulation.staff import Staff  # noqa: E402

GAME = "No limit hold'em 2/2"
BUY_IN_CENTS = 200_00
MORE_TABLES = """
import uuid
from casino import clock
from casino.commands.frame import Command
from casino.people.demo import house_actor
from casino.rooms.models import Room
from tables.services.setup import add_table
room = Room.objects.get()
for number in range(7, {tables} + 1):
    at = clock.now()
    add_table(Command(id=uuid.uuid4(), by=house_actor(room.pk), tapped_at=at, at=at), number=number)
"""


@contextmanager
def house(*, speed: float = 1.0, durable: bool = False) -> Iterator[OwnHouse]:
    """Run a house of the demo room on a database of its own."""
    with (
        servers() as (database_url, redis_url),
        fresh_database(database_url) as url,
        TemporaryDirectory(prefix="brush-bench-") as folder,
    ):
        ours = OwnHouse(database_url=url, redis_url=redis_url, folder=Path(folder), speed=speed)
        try:
            ours.begin_evening(0)
            yield ours
        finally:
            ours.stop()


@dataclass
class Evening:
    """What a generator of taps needs to know of a room: devices, tables and who sits where. It can be pickled."""

    url: str
    staff: Staff
    tally: Tally
    # Seating ids by table and seat.
    seated: dict[int, dict[int, int]] = field(default_factory=dict)

    def done(self, device: Device, path: str, body: Mapping[str, Any] | None = None, **more: Any) -> Answer:
        """Give a command that nothing may refuse. :raises Broken: it was refused."""
        answer = device.post(Tap(path, body or {}, device.headers_of(uuid.uuid4(), **more)))
        if not answer.is_done:
            raise Broken("what may be done is done", f"POST {path} {body}: {answer.text[:400]}")
        return answer


def opened(house: OwnHouse, *, tables: int, players_a_table: int) -> Evening:
    """Open so many tables of one game, seat so many at each with chips that they bought, and draw each button."""
    if tables > 6:
        house.manage("shell", "--verbosity", "0", "--command", MORE_TABLES.format(tables=tables))
    tally = Tally()
    staff = Staff(house.url, tally, random.Random(1))  # noqa: S311 - the same room every time
    staff.come_in(tables=tables)
    evening = Evening(house.url, staff, tally)
    game = next(game for game in staff.floor.get("/api/v1/games").body if game["name"] == GAME)
    for number in range(1, tables + 1):
        _open(evening, number, game["id"], players=players_a_table)
    return evening


def _open(evening: Evening, number: int, game_id: int, *, players: int) -> None:
    staff, api = evening.staff, f"/api/v1/tables/{number}"
    evening.done(staff.floor, f"{api}/open", {"game_id": game_id}, version=staff.floor.get(api).version)
    drawer = "/api/v1/cage/drawers/1/buy-ins"
    evening.seated[number] = {}
    for seat in range(1, players + 1):
        nickname = f"Guest {number}-{seat}"
        player = evening.done(staff.floor, "/api/v1/people/players", {"nickname": nickname}).data["player_id"]
        evening.done(staff.cage, drawer, {"amount_cents": BUY_IN_CENTS, "method": "cash", "player_id": player})
        said = {"player_id": player, "chips_cents": BUY_IN_CENTS, "wants_to_post": True}
        evening.seated[number][seat] = evening.done(staff.floor, f"{api}/seats/{seat}", said).data["seating"]
    seats = list(evening.seated[number])
    evening.done(staff.tablets[number], f"{api}/draw", {"winner_seat": seats[0], "seats": seats})


def next_hand(device: Device, number: int) -> dict[str, Any]:
    """Return the positions of a table's next hand with a new id, as its tablet would send them."""
    asked = device.get(f"/api/v1/tables/{number}").body["next_hand"]
    names = ("button", "small_blind", "big_blind", "dealt_in")
    return {"hand_id": str(uuid.uuid4())} | {name: asked[name] for name in names}


def settlement(positions: Mapping[str, Any], *, pot_cents: int) -> dict[str, Any]:
    """Return the body that logs this hand: one pot, won by the first who was dealt in."""
    return {**positions, "winners": [[positions["dealt_in"][0]]], "pots": [pot_cents]}
