"""One hub per process: few renders, every socket, nothing lost for long."""

import json
import socket as plain_socket
import threading
import time
from contextlib import ExitStack, suppress
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, connections, transaction
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import ClientConnection

from casino import clock
from casino.audit.services import append
from casino.embedded.home import find_home
from casino.embedded.redis_server import RedisServer
from casino.live import hub, notices
from casino.live.render import Stamp
from casino.rooms.models import Room
from tests.live.conftest import Stage, hear
from tests.live.reading import fragment_with, fragments_until, frames

pytestmark = pytest.mark.smoke


def test_fifty_sockets_in_two_languages_cost_two_renders(stage):
    with ExitStack() as opened:
        sockets = [
            opened.enter_context(stage.open("board", language=language)) for language in ("en", "fi") for _ in range(25)
        ]
        for socket in sockets:
            fragment_with(socket, "Stage")
        before = (stage.renders(language="en"), stage.renders(language="fi"))

        stage.rename("Brighter")
        stamps = {tuple(fragment_with(socket, "Brighter")["s"]) for socket in sockets}

        assert before == (1, 1)
        # One each, and one more where some transaction of the cluster was still open at the snapshot.
        assert {stage.renders(language="en"), stage.renders(language="fi")} <= {2, 3}
        assert len(stamps) <= 4


def test_a_burst_of_changes_collapses_into_few_renders(stage):
    with stage.open("board") as socket:
        fragment_with(socket, "Stage")
        stage.set("delay", 0.3)
        begun = stage.renders()

        for number in range(100):
            stage.rename(f"Burst {number}.")
        last = fragment_with(socket, "Burst 99.")

        # One for the first notice, one for all that came while it ran, and one more at most.
        assert stage.renders() - begun <= 2 + 100 * 0.02 / 0.3 + 3
        assert not [
            frame
            for frame in frames(socket, seconds=1)
            if frame.get("s", []) > last["s"] and "Burst 99." not in frame["html"]
        ]


def test_nothing_is_rendered_where_nobody_looks(stage):
    with stage.open("lobby") as socket:
        fragment_with(socket, "Stage")

        stage.rename("Unseen", audiences=("board",))
        frames(socket, seconds=1.5)

        assert stage.renders("board") == 0


def test_a_slow_client_holds_up_nobody_and_gets_the_latest(stage):
    stage.set("size", 1_000_000)
    with ExitStack() as opened:
        # A client that reads nothing, with a small window, fills up after a frame or two.
        small = plain_socket.create_connection(("127.0.0.1", stage.port))
        small.setsockopt(plain_socket.SOL_SOCKET, plain_socket.SO_RCVBUF, 32768)
        slow = opened.enter_context(stage.open("board", sock=small, max_queue=1, max_size=None, close_timeout=0.1))
        quick = opened.enter_context(stage.open("board", max_size=None))
        fragment_with(quick, "Stage")
        waits = []
        for number in range(16):
            begun = time.monotonic()
            stage.rename(f"Round {number}.")
            fragment_with(quick, f"Round {number}.")
            waits.append(time.monotonic() - begun)

        seen = fragments_until(slow, "Round 15.")

        assert max(waits) < 1
        # What the network already held, then the latest: not one after the other.
        assert len(seen) < 12


def test_a_lost_notice_is_healed_within_about_a_second(stage):
    with stage.open("board") as socket:
        fragment_with(socket, "Stage")
        begun = time.monotonic()

        stage.rename("Found in the log", heard=False)
        fragment_with(socket, "Found in the log")

        assert time.monotonic() - begun < 1.6


def test_what_was_heard_is_not_rendered_again_from_the_log(stage):
    with stage.open("board") as socket:
        fragment_with(socket, "Stage")
        begun = stage.renders()

        for number in range(5):
            stage.rename(f"Heard {number}.")
            fragment_with(socket, f"Heard {number}.")
        frames(socket, seconds=2.5)

        # Five, and one more for each whose snapshot was taken while some transaction of the cluster was still open.
        assert 5 <= stage.renders() - begun < 10


def test_an_event_that_commits_after_a_younger_one_is_found_too(stage):
    with stage.open("board") as socket:
        fragment_with(socket, "Stage")

        with transaction.atomic():
            stage.rename("Late", heard=False)
            # Meanwhile a younger event is written and read; what matters is that the older id comes later.
            _write_event_elsewhere(stage)
            frames(socket, seconds=1.5)

        fragment_with(socket, "Late", seconds=1.8)


def _write_event_elsewhere(stage: Stage) -> None:
    def write():
        append(
            room_id=stage.room.pk, chain="other", name="stage.other", result="done", command_id=uuid4(),
            staff_id=1, device_id=None, at=clock.now(), audiences=["floor"], content={},
        )  # fmt: skip
        connections.close_all()

    thread = threading.Thread(target=write)
    thread.start()
    thread.join()


def test_ticks_carry_the_servers_time_each_second(stage):
    before = time.time() * 1000
    with stage.open("board") as socket:
        # The first comes with the door's opening, the second in this socket's part of a second.
        _, *ticks = [tick_that(socket, is_behind=False)["now"] for _ in range(5)]

    seconds = [(later - earlier) / 1000 for earlier, later in pairwise(ticks)]
    assert before < ticks[0]
    assert ticks[-1] < time.time() * 1000
    # A machine that is busy makes one late, and the next no earlier for it.
    assert 0.9 < min(seconds) < 1.5


def test_a_render_that_fails_is_tried_again(stage):
    with stage.open("board") as socket:
        fragment_with(socket, "Stage")
        stage.set("delay", "nonsense")

        stage.rename("After the failure")
        time.sleep(0.5)
        stage.set("delay", 0)

        fragment_with(socket, "After the failure", seconds=3)


def test_a_fragment_that_fails_leaves_the_others_on_time(stage):
    with stage.open("board") as board, stage.open("lobby") as lobby:
        fragment_with(board, "Stage")
        fragment_with(lobby, "Stage")
        stage.set("delay:board", "nonsense")

        stage.rename("One of two", audiences=("board", "lobby"))
        fragment_with(lobby, "One of two", seconds=0.8)
        stage.set("delay:board", 0)

        fragment_with(board, "One of two", seconds=3)


def test_what_changes_while_a_slow_one_is_rendered_comes_right_after_it(stage):
    with stage.open("board") as board, stage.open("lobby") as lobby:
        fragment_with(board, "Stage")
        fragment_with(lobby, "Stage")
        stage.set("delay:board", 0.4)

        stage.rename("First", audiences=("board", "lobby"))
        time.sleep(0.1)
        stage.rename("Second", audiences=("lobby",))

        # The board was rendered before that: nobody said that it changes once more.
        assert "First" in fragment_with(board, "First", seconds=0.8)["html"]
        fragment_with(lobby, "Second", seconds=0.8)


def test_a_notice_that_cannot_be_read_stops_nobody_from_hearing_the_next(stage):
    with stage.open("board") as socket:
        fragment_with(socket, "Stage")
        stage.notes.publish(notices.channel("board"), b"\xff\xfe")
        # It listens anew, and shows what it may have missed.
        fragment_with(socket, "Stage", seconds=3)

        begun = time.monotonic()
        stage.rename("Heard again")
        fragment_with(socket, "Heard again", seconds=2)

        assert stage.log().count("a notice could not be heard") == 1
        assert time.monotonic() - begun < 0.8


def test_a_render_that_goes_on_failing_is_said_once(stage):
    before = stage.log().count("a fragment could not be rendered")
    with stage.open("board") as socket:
        fragment_with(socket, "Stage")
        stage.set("delay", "nonsense")

        stage.rename("Never seen")
        time.sleep(2.6)

        assert stage.log().count("a fragment could not be rendered") == before + 1
        stage.set("delay", 0)


def test_a_restart_of_redis_is_healed(committing_db, tmp_path, open_folder, settings, monkeypatch):
    own = RedisServer(find_home(open_folder / "own", say=lambda text: None), durable=False)
    own.prepare()
    running = own.spawn()
    own.wait_until_ready(running)
    stage = Stage(database_url=committing_db.url, redis_url=own.url, folder=tmp_path)
    hear(stage, settings, monkeypatch)
    try:
        stage.start()
        with stage.open("board") as socket:
            fragment_with(socket, "Stage")
            running.terminate()
            running.wait()

            stage.rename("While Redis was down")
            fragment_with(socket, "While Redis was down", seconds=2)
            assert tick_that(socket, is_behind=True)
            # Not even the log knows of this one: only rendering everything after the gap can find it.
            stage.rename("In the gap", logged=False)
            running = own.spawn()
            own.wait_until_ready(running)
            fragment_with(socket, "In the gap", seconds=3)
            assert tick_that(socket, is_behind=False)

            time.sleep(notices.PAUSE_SECONDS)
            begun = time.monotonic()
            stage.rename("Heard again")
            fragment_with(socket, "Heard again")
            assert time.monotonic() - begun < 0.5
    finally:
        stage.stop()
        stage.notes.close()
        running.terminate()
        running.wait()


def test_a_log_that_cannot_be_read_is_said_and_read_again(stage):
    with stage.open("board") as socket:
        fragment_with(socket, "Stage")
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE audit_event RENAME TO audit_event_away")

        assert tick_that(socket, is_behind=True)

        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE audit_event_away RENAME TO audit_event")
        assert tick_that(socket, is_behind=False)
        stage.rename("Found in the log", heard=False)
        fragment_with(socket, "Found in the log", seconds=3)


def tick_that(socket: ClientConnection, *, is_behind: bool) -> dict[str, Any]:
    """Return the first tick that says so."""
    deadline = time.monotonic() + 5
    while True:
        frame: dict[str, Any] = json.loads(socket.recv(timeout=max(0.0, deadline - time.monotonic())))
        if frame["t"] == "tick" and frame["behind"] is is_behind:
            return frame


def test_publishing_without_redis_never_raises_and_hardly_waits(settings, monkeypatch):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(notices, "_client", None)
    monkeypatch.setattr(notices, "_silent_until", 0.0)
    begun = time.monotonic()

    for _ in range(100):
        notices.publish(room_id=1, audiences=["floor", "lobby"])

    assert time.monotonic() - begun < 0.6


def test_a_process_that_comes_back_shows_the_present(stage):
    with stage.open("board") as socket:
        before = fragment_with(socket, "Stage")
    stage.kill()
    stage.rename("While it was away")

    stage.restart()

    with stage.open("board") as socket:
        assert fragment_with(socket, "While it was away")["s"] > before["s"]


def test_stamps_order_what_was_shown(stage):
    with stage.open("board") as socket:
        stamps = [fragment_with(socket, "Stage")["s"]]
        for number in range(10):
            stage.rename(f"Step {number}.")
            stamps.append(fragment_with(socket, f"Step {number}.")["s"])

        assert stamps == sorted(stamps)
        assert len({tuple(stamp) for stamp in stamps}) == 11


def test_a_stamp_knows_what_its_snapshot_has_surely_seen():
    stamp = Stamp(order=(1, 1, 5_000_000_120, -2), seen_below=5_000_000_100)

    assert stamp.has_seen(5_000_000_099 % 2**32)
    assert not stamp.has_seen(5_000_000_100 % 2**32)
    assert not stamp.has_seen(5_000_000_119 % 2**32)
    assert str(stamp) == "1,1,5000000120,-2"


def test_whoever_is_shown_out_is_out_at_once_everywhere(stage):
    with stage.open("board", who="floor") as theirs, stage.open("lobby", who="display") as others:
        fragment_with(theirs, "Stage")
        fragment_with(others, "Stage")

        hub.close_for(staff_id=7)

        assert frames_until_closed(theirs)[-1] == {"t": "refused", "code": "revoked"}
        assert [frame for frame in frames(others, seconds=1.5) if frame["t"] == "tick"]


def frames_until_closed(socket: ClientConnection) -> list[dict[str, Any]]:
    found = []
    with suppress(ConnectionClosedError):
        while True:
            found.append(json.loads(socket.recv(timeout=5)))
    return found


def test_the_room_of_the_test_is_the_only_one_told(stage):
    other = Room.objects.create(slug="other", name="Other")
    with stage.open("board") as socket:
        fragment_with(socket, "Stage")
        begun = stage.renders()

        notices.publish(room_id=other.pk, audiences=["board"])
        frames(socket, seconds=0.7)

        assert stage.renders() == begun
