"""`make run LIVE=1`: the demo room comes to life, for people to watch."""

import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from casino.supervisor.commands import live_command
from tests.support.supervised import Supervised

pytestmark = pytest.mark.xdist_group("supervisor")
HAND_SECONDS_MAX = 150


@pytest.fixture
def live_run(open_folder: Path) -> Iterator[Supervised]:
    run = Supervised(open_folder / "var", BRUSH_DEMO="1", BRUSH_LIVE="1")
    yield run
    run.stop()


def test_its_command_is_one_that_simulate_reads():
    words = live_command("http://127.0.0.1:8000", seed=7)

    assert words[2] == "simulate"
    command = load_command_class(get_commands()["simulate"], "simulate")
    said = command.create_parser("manage.py", "simulate").parse_args(words[3:])
    assert (said.against, said.live, said.seed, said.faults) == ("http://127.0.0.1:8000", True, 7, frozenset())


@pytest.mark.slow
def test_hands_are_played_in_the_demo_room_until_one_ctrl_c_and_after_a_new_start(live_run, open_folder):
    live_run.wait_for("come to life")
    _wait_for_a_hand(live_run)

    assert live_run.stop() < 15
    assert "All stopped" in live_run.said
    assert "play ended by itself" not in live_run.said

    # What was left lying on the tables in mid-hand is cleared up first.
    again = Supervised(open_folder / "var", BRUSH_DEMO="1", BRUSH_LIVE="1")
    try:
        again.wait_for("step    50", seconds=HAND_SECONDS_MAX)
        # What ended it stands before the line that says so.
        assert "play ended by itself" not in again.said, again.said.partition("play ended by itself")[0]
    finally:
        again.stop()


def _wait_for_a_hand(run: Supervised) -> None:
    """Return when the lobby's television tells of a hand."""
    ends = time.monotonic() + HAND_SECONDS_MAX
    while "last hand" not in _lobby(run):
        assert time.monotonic() < ends, run.said
        time.sleep(0.3)


def _lobby(run: Supervised) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{run.port}/lobby/", timeout=10) as page:
        return str(page.read().decode())
