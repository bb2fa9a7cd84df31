"""
The floor's taps in a full house: forty tables, three hundred people on the lists; the limit is a house of two tables.

    python -m bench.floor

Each tap goes through the house's own middleware, view, service and commit, in its process, as a web process would
do it; what it costs beside that (the socket, the screens of others) is measured by `tap_to_screens`. Both houses are
asked by turns.
"""

import logging
import os
import sys
import time
import uuid
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from bench.report import Row, show
from casino.simulation.instance import fresh_database, machines

ROUNDS = 5
SIZES = {"small": (2, 6), "full": (40, 300)}
GOAL_MS = 100.0
GOAL_GROWTH = 1.5
GOAL_PUSH = 0.2
PUSHES_BEFORE = 12


def main() -> int:
    """Measure and print."""
    with (
        machines() as servers,
        fresh_database(servers) as small,
        fresh_database(servers) as full,
    ):
        os.environ |= {
            "REDIS_URL": servers.redis_url,
            "BRUSH_POOL_SIZE": "2",
            "BRUSH_SECRET_KEY": "benchmark-" + "k" * 40,
        }
        houses = {"small": _HouseProcess(small.url, *SIZES["small"]), "full": _HouseProcess(full.url, *SIZES["full"])}
        found: dict[str, dict[str, list[float]]] = {}
        for round_number in range(ROUNDS + 1):
            for size, house in houses.items():
                for what, milliseconds in house.round().items():
                    # What a process does once is not what a tap costs.
                    if round_number:
                        found.setdefault(what, {}).setdefault(size, []).append(milliseconds)
        for house in houses.values():
            house.close()
    show(
        "The floor's taps: forty tables and three hundred on the lists, against two tables and six",
        [Row(what, "ms", both["full"], both["small"], "less", GOAL_GROWTH) for what, both in found.items()],
    )
    show(
        "Forty tables, a hand settled at one: a push, against the same fragment with everything read anew",
        [
            Row(what, "ms", found[f"{what}, pushed"]["full"], found[f"{what}, drawn"]["full"], "less", GOAL_PUSH)
            for what in ("the map", "the lobby")
        ],
    )
    show(
        "The slowest tap of the full house in each kind",
        [Row(what, "ms", [max(both["full"])], (), "less", GOAL_MS) for what, both in found.items()],
    )
    return 0


class _HouseProcess:
    """The parent's side of one house, which lives in a process of its own on a database of its own."""

    def __init__(self, url: str, tables: int, waiting: int) -> None:
        spawn = get_context("spawn")
        self._pipe, theirs = spawn.Pipe()
        # The child reads its settings when it starts.
        os.environ["DATABASE_URL"] = url
        self._process = spawn.Process(target=_serve, args=(theirs, tables, waiting), daemon=True)
        self._process.start()
        self._pipe.recv()

    def round(self) -> dict[str, float]:
        """Tap once of each kind; return milliseconds by kind."""
        self._pipe.send("round")
        answer: dict[str, float] = self._pipe.recv()
        return answer

    def close(self) -> None:
        """Send it home."""
        self._pipe.close()
        self._process.join(5)


def _serve(pipe: Connection, tables: int, waiting: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    import django

    django.setup()
    # A line for each tap would bury the figures.
    logging.disable(logging.INFO)
    from casino.live.render import fragment, one_snapshot
    from casino.serving import warm_up
    from casino.waiting.models import Waiting
    from tables.models import Seating
    from tables.services.seating import leave_seat
    from tests.tables.conftest import make_house
    from tests.tables.full_house import fill
    from tests.taps import at_desktop
    from tests.taps import tap as plain_tap

    house = make_house()
    fill(house, tables=tables, waiting=waiting)
    # As the map sends its taps.
    tap = partial(plain_tap, headers={"X-Shown-On": "floor"})
    floor = at_desktop(house.cast.frans, SERVER_NAME="127.0.0.1")
    game, number, room_id = house.game(), tables - 1, house.room_id
    seat, table, on_list = game.seats, f"/floor/tables/{tables - 1}", f"/floor/lists/{game.pk}"
    # As a web process before it serves.
    warm_up()

    def pushed(audience: str) -> None:
        # The hub names what it will show, which is then asked for with the snapshot.
        with one_snapshot(room_id, from_kept=True, audiences=[audience]) as fragment_of:
            fragment_of(audience, "en")

    # As one that has served for some minutes: PostgreSQL plans what it is sent anew until it has seen it ten times.
    for _ in range(PUSHES_BEFORE):
        house.settle(40_00)
        for audience in ("floor", "lobby"):
            fragment(room_id, audience, "en")
            pushed(audience)
    pipe.send("ready")

    def round_of_taps() -> dict[str, float]:
        took: dict[str, float] = {}

        def timed(what: str, act: Callable[[], Any]) -> None:
            began = time.perf_counter()
            answer = act()
            took[what] = (time.perf_counter() - began) * 1000
            assert getattr(answer, "status_code", 200) == 200, f"{what}: {answer.content.decode()}"

        first, second = Waiting.objects.filter(waiting_list__game=game, status__in=Waiting.LIVE).order_by("place")[:2]
        one, two = f"/floor/waiting/{first.pk}", f"/floor/waiting/{second.pk}"
        timed("the map, drawn", lambda: fragment(room_id, "floor", "en"))
        timed("a table's page, drawn", lambda: fragment(room_id, f"table.{number}.floor", "en"))
        timed("the lobby, drawn", lambda: fragment(room_id, "lobby", "en"))
        # As the hub does it after a hand: what did not change was kept.
        pushed("floor")
        pushed("lobby")
        house.settle(40_00)
        timed("the map, pushed", lambda: pushed("floor"))
        timed("the lobby, pushed", lambda: pushed("lobby"))
        timed("a list opened", lambda: floor.get(f"{on_list}/sheet/"))
        timed("a player on it opened", lambda: floor.get(f"{one}/sheet/"))
        timed("called", lambda: tap(floor, f"{one}/call/", table_number=number, seat_number=seat))
        timed("seated", lambda: tap(
            floor, f"{table}/seats/{seat}/", player_id=first.player_id, chips="200", source="cage"
        ))  # fmt: skip
        timed("struck", lambda: tap(floor, f"{two}/strike/", version=second.version))
        timed("put back", lambda: tap(floor, f"{two}/strike/back/", version=second.version + 1))
        # As many wait as before: who was seated leaves and waits again.
        seating = Seating.objects.get(table=house.table(number), seat_number=seat, left_at=None)
        house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk)
        timed("put on the list", lambda: tap(
            floor, f"{on_list}/join/", player_id=first.player_id, id=uuid.uuid4()
        ))  # fmt: skip
        return took

    try:
        while pipe.recv():
            pipe.send(round_of_taps())
    except EOFError:
        return


if __name__ == "__main__":
    sys.exit(main())
