"""`make run LIVE=1`: the demo room comes to life, for people to watch."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands, load_command_class

from casino.ledger.proof import problems
from casino.rooms.models import Room
from casino.simulation import live
from casino.simulation.front_door import Device, Tally, Tap
from casino.simulation.staff import Staff
from casino.supervisor.commands import live_command
from tests.support.patience import wait_until
from tests.support.room import BrushServer
from tests.support.supervised import Supervised

pytestmark = pytest.mark.xdist_group("supervisor")
HAND_SECONDS_MAX = 150
# How far it is when it first says so.
PROGRESS = f"step {live.PROGRESS_EVERY:5}"
TABLES = 2


@pytest.fixture
def live_run(open_folder: Path) -> Iterator[Supervised]:
    run = Supervised(open_folder / "var", BRUSH_DEMO="1", BRUSH_LIVE="1")
    yield run
    run.stop()


def test_its_command_is_one_that_simulate_reads():
    words = live_command("http://127.0.0.1:8000", seed=7)

    assert words[2] == "simulate"
    command = load_command_class(get_commands()["simulate"], "simulate")
    options = command.create_parser("manage.py", "simulate").parse_args(words[3:])
    assert (options.against, options.live, options.seed) == ("http://127.0.0.1:8000", True, 7)


class Somebody:
    """A person who taps at the live players' tables too, from devices of their own."""

    def __init__(self, url: str, *, seed: int) -> None:
        self._rng = random.Random(seed)
        self._staff = Staff(url, Tally(), random.SystemRandom())
        self._staff.come_in(tables=TABLES)

    def taps_too(self) -> None:
        """Sit down with chips from the cage, deal a hand and not end it, undo, void, get others up, close tables."""
        floor = self._staff.floor
        for table in floor.get("/api/v1/tables").body:
            if table["number"] in self._staff.tablets and table["is_open"]:
                self._one_tap(table)

    def _one_tap(self, table: dict[str, Any]) -> None:
        number, rng, seatings = table["number"], self._rng, table["seatings"]
        tablet, floor = self._staff.tablets[number], self._staff.floor
        hands = floor.get(f"/api/v1/tables/{number}/hands?limit=1").body
        (hand,) = hands or [{"id": 0, "hand_id": str(self._staff.id())}]
        known = floor.get("/api/v1/people/players?limit=100").body
        player = rng.choice([each["id"] for each in known if not each["nickname"].startswith(live.GUEST)])
        someone = rng.choice(seatings)["id"] if seatings else 0
        chips = {"player_id": player, "chips_cents": 100_00}
        taps: list[tuple[Device, str, dict[str, Any]]] = [
            (floor, f"seats/{rng.randint(1, 9)}", chips),
            (floor, f"seats/{rng.randint(1, 9)}", {**chips, "chips_from": "cage"}),
            (tablet, "hands/deal", {"hand_id": str(self._staff.id())}),
            (tablet, "hands/settle", {"hand_id": str(self._staff.id()), "winners": [[rng.randint(1, 6)]]}),
            (tablet, "hands/undo", {"hand_id": hand["hand_id"]}),
            (floor, f"hands/{hand['id']}/void", {"reason": "void"}),
            (tablet, f"seatings/{someone}/leave", {"stack_cents": rng.choice([0, 50_00, 500_00])}),
            (tablet, f"seatings/{someone}/hold", {"is_held": rng.random() < 0.5}),
            (floor, "close", {}),
        ]
        device, path, body = rng.choice(taps)
        device.post(Tap(f"/api/v1/tables/{number}/{path}", body, device.headers_of(self._staff.id())))

    def deals(self, number: int) -> bool:
        """Deal a hand at a table, which nobody will end; say whether it was dealt."""
        tablet = self._staff.tablets[number]
        body = {"hand_id": str(self._staff.id())}
        return tablet.post(
            Tap(f"/api/v1/tables/{number}/hands/deal", body, tablet.headers_of(self._staff.id()))
        ).is_done

    def goes_home(self) -> None:
        self._staff.go_home()


def _plays_beside(person: Somebody, url: str, *, steps: int, every: int, seed: int) -> tuple[Counter[int], list[str]]:
    """Return each table's hands, and what was said, in so many steps with taps from outside between them."""
    lines: list[str] = []
    show = live.LivePlay(url, seed=seed, tables=TABLES, pause=0, say=lines.append)
    for until in range(every, steps + 1, every):
        show.run(until=until)
        person.taps_too()
    show.goes_home()
    return show.hands, [line for line in lines if "commands" not in line]


@pytest.mark.slow
def test_the_live_players_go_on_beside_somebody_who_taps_too_and_after_a_new_start(live_room: BrushServer):
    """Sitting down among them stopped them, and so did what they then found at each start."""
    person = Somebody(live_room.url, seed=1)
    hands, complaints = _plays_beside(person, live_room.url, steps=18, every=3, seed=1)
    _, later = _plays_beside(person, live_room.url, steps=6, every=3, seed=2)
    person.goes_home()

    assert complaints + later == []
    assert hands.total() > 0
    assert not list(problems(Room.objects.get().pk))


@pytest.mark.slow
def test_a_table_where_somebody_dealt_and_went_away_plays_on(live_room: BrushServer, monkeypatch: pytest.MonkeyPatch):
    """It stood still for sixty looks at a table that was looked at now and then: six and a half minutes."""
    assert live.PATIENCE * live.STEP_SECONDS < 60
    monkeypatch.setattr(live, "PATIENCE", 9)
    person = Somebody(live_room.url, seed=1)
    show = live.LivePlay(live_room.url, seed=1, tables=TABLES, pause=0, say=print)
    while not (show.hands[1] and person.deals(1)):
        show.run(until=show.step + 1)
    played, until = show.hands[1], show.step + 9 * 8

    while show.hands[1] == played and show.step < until:
        show.run(until=show.step + 1)
    show.goes_home()
    person.goes_home()

    assert show.hands[1] > played
    assert show.hands[2] > 0


@pytest.mark.slow
@pytest.mark.longest
def test_they_play_for_a_quarter_of_an_hour_beside_somebody(live_room: BrushServer):
    person = Somebody(live_room.url, seed=3)
    hands, complaints = _plays_beside(person, live_room.url, steps=900, every=10, seed=3)
    person.goes_home()

    assert complaints == []
    assert all(hands[table] > 25 for table in range(1, TABLES + 1)), hands
    assert not list(problems(Room.objects.get().pk))


@pytest.mark.slow
def test_hands_are_played_in_the_demo_room_until_one_ctrl_c_and_after_a_new_start(live_run, open_folder):
    live_run.wait_for("come to life")
    wait_until(
        lambda: re.search(r"step +\d+  hands [1-9]", live_run.output_text) is not None, lambda: live_run.output_text
    )

    assert live_run.stop() < 15
    assert "All stopped" in live_run.output_text
    assert "play ended by itself" not in live_run.output_text

    # What was left lying on the tables in mid-hand is cleared up first.
    again = Supervised(open_folder / "var", BRUSH_DEMO="1", BRUSH_LIVE="1")
    try:
        again.wait_for(PROGRESS, seconds=HAND_SECONDS_MAX)
        # What ended it stands before the line that says so.
        assert "play ended by itself" not in again.output_text, again.output_text.partition("play ended by itself")[0]
    finally:
        again.stop()
