"""One hub per process: few renders, every socket, nothing lost for long."""

import asyncio
import socket as plain_socket
import threading
import time
from contextlib import ExitStack
from itertools import count, pairwise
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, connections, transaction

from casino import clock
from casino.audit.services import append
from casino.embedded.home import find_home
from casino.embedded.redis_server import RedisServer
from casino.live import hub, notices
from casino.live.mailbox import Socket
from casino.live.render import Stamp
from casino.rooms.models import Room
from tests.live.conftest import Stage, hear
from tests.live.pace import SECOND
from tests.live.reading import (
    fragment_with,
    fragments,
    fragments_until,
    frames_so_far,
    frames_until,
    frames_until_closed,
    tick_that,
)
from tests.support.owner import as_owner
from tests.support.patience import wait_until

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
        begun = stage.renders()
        stage.set("held:board", 1)

        stage.rename("Burst 0.")
        wait_until(lambda: stage.renders() > begun, "nothing was rendered")
        for number in range(1, 100):
            stage.rename(f"Burst {number}.")
        stage.set("held:board", "")

        fragment_with(socket, "Burst 99.")
        # What nobody hears of comes with a reading of the log, which has all of the burst as well.
        stage.rename("After the burst", heard=False)
        shown = [frame["html"] for frame in fragments_until(socket, "After the burst")]
        # For the first notice, for all that came while that ran, for the log; and one more after each of them where
        # some transaction of the cluster was still open at the snapshot.
        assert stage.renders() - begun <= 6
        assert not [html for html in shown if "Burst 99." not in html and "After the burst" not in html]


def test_nothing_is_rendered_where_nobody_looks(stage):
    with stage.open("lobby") as socket:
        fragment_with(socket, "Stage")

        stage.rename("Unseen", audiences=("board",))
        # Found in the log, after what was heard and with what was logged before it.
        stage.rename("Seen", audiences=("lobby",), heard=False)
        fragment_with(socket, "Seen")

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
        for number in range(16):
            stage.rename(f"Round {number}.")
            # The slow one reads nothing before all are over: whoever waited for it would wait for ever.
            fragment_with(quick, f"Round {number}.")

        seen = fragments_until(slow, "Round 15.")

        # What the network already held, then the latest: not one after the other.
        assert len(seen) < 12


def test_a_lost_notice_is_healed_within_about_a_second(stage):
    with stage.open("board") as socket:
        fragment_with(socket, "Stage")
        stage.rename("Lost 0.", heard=False)
        fragment_with(socket, "Lost 0.")

        # Each of these is lost right after the log was read, and so has the whole of a second to wait.
        stage.rename("Lost 1.", heard=False)
        heard = frames_until(socket, lambda frame: "Lost 1." in frame.get("html", ""))
        stage.rename("Lost 2.", heard=False)
        heard += frames_until(socket, lambda frame: "Lost 2." in frame.get("html", ""))

        # Counted in the server's own seconds: they stretch where the machine is busy, as the log's do.
        assert len([frame for frame in heard if frame["t"] == "tick"]) <= 2 * 2


# Beside no test that keeps a transaction open for a whole file.
@pytest.mark.xdist_group("a transaction stays open")
def test_what_was_heard_is_not_rendered_again_from_the_log(stage):
    turns = count()

    def is_heard_whole() -> bool:
        """Say whether nothing was open as it was rendered: only then is what was heard known to be seen."""
        wait_until(_nothing_is_open, "some transaction is always open")
        # What a screen shows already is not sent to it again, and one that is not read meanwhile is closed.
        turn = next(turns)
        with stage.open("board") as board, stage.open("lobby") as lobby:
            fragment_with(board, "<")
            fragment_with(lobby, "<")
            begun = stage.renders()
            stage.rename(f"Heard {turn}.")
            *_, still_open = fragment_with(board, f"Heard {turn}.")["s"]
            stage.rename(f"Read in the log {turn}.", audiences=("lobby",), heard=False)
            fragment_with(lobby, f"Read in the log {turn}.")
            if still_open:
                return False
            assert stage.renders() == begun + 1
            return True

    wait_until(is_heard_whole, "some transaction was always open as it was rendered")


def _nothing_is_open() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_snapshot_xmin(now) = pg_snapshot_xmax(now) FROM pg_current_snapshot() AS now")
        (is_so,) = cursor.fetchone()
    return bool(is_so)


def test_an_event_that_commits_after_a_younger_one_is_found_too(stage):
    with stage.open("board") as board, stage.open("floor") as floor:
        fragment_with(board, "Stage")
        fragment_with(floor, "Stage")

        with transaction.atomic():
            stage.rename("Late", heard=False)
            # Meanwhile a younger event is written and read; what matters is that the older id comes later.
            stage.set("size", 9)
            _write_event_elsewhere(stage)
            fragment_with(floor, "x" * 9)

        fragment_with(board, "Late")


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
        _, *ticks = [tick_that(socket, is_behind=False)["now"] for _ in range(4)]

    seconds = [(later - earlier) / 1000 / SECOND for earlier, later in pairwise(ticks)]
    assert before < ticks[0]
    assert ticks[-1] < time.time() * 1000
    # A machine that is busy makes one late, and the next no earlier for it.
    assert min(seconds) > 0.9


def test_each_socket_has_one_tick_in_the_rounds_of_a_second(monkeypatch):
    """At two seconds without one pages say "gone" (live.js)."""
    every_seconds, heard = {}, []

    async def noted(work, *, every):
        every_seconds[work] = every

    async def of_one_second():
        here = hub.Hub(asyncio.get_running_loop())
        here.start()
        await asyncio.gather(*here._tasks)
        for number, turn in enumerate((0, 7, hub.TURNS - 1)):
            visitor: Any = SimpleNamespace()
            mailbox: Any = SimpleNamespace(put=lambda slot, _frame, number=number: heard.append((slot, number)))
            here._by_turn[turn].add(Socket({}, visitor, (), "en", mailbox))
        for _ in range(round(1 / every_seconds[here._tick])):
            await here._tick()

    monkeypatch.setattr(hub, "_for_ever", noted)
    monkeypatch.setattr(hub, "listen", lambda **_: noted(None, every=0))
    turns: list[float] = []
    monkeypatch.setattr("casino.live.hub.sys.setswitchinterval", turns.append)
    asyncio.run(of_one_second())

    assert sorted(heard) == [("tick", 0), ("tick", 1), ("tick", 2)]
    # Where there are screens, threads take turns sooner.
    assert turns == [hub.SWITCH_SECONDS]


def test_a_render_that_fails_is_tried_again(stage):
    with stage.open("board") as socket:
        fragment_with(socket, "Stage")
        begun = stage.renders()
        stage.set("broken", 1)

        stage.rename("After the failure")
        wait_until(lambda: stage.renders() > begun, "it was not even tried")
        stage.set("broken", "")

        fragment_with(socket, "After the failure")


def test_a_fragment_that_fails_leaves_the_others_on_time(stage):
    with stage.open("board") as board, stage.open("lobby") as lobby:
        fragment_with(board, "Stage")
        fragment_with(lobby, "Stage")
        stage.set("broken:board", 1)

        stage.rename("One of two", audiences=("board", "lobby"))
        # The board fails for as long as this takes.
        fragment_with(lobby, "One of two")
        stage.set("broken:board", "")

        fragment_with(board, "One of two")


def test_what_changes_while_a_slow_one_is_rendered_comes_right_after_it(stage):
    with stage.open("board") as board, stage.open("lobby") as lobby, stage.open("floor") as floor:
        for socket in (board, lobby, floor):
            fragment_with(socket, "Stage")
        begun = stage.renders()
        stage.set("held:board", 1)

        stage.rename("First", audiences=("board", "lobby"))
        wait_until(lambda: stage.renders() > begun, "nothing was rendered")
        # No log will bring the second one. The floor, which is not being rendered, shows that its notices were heard.
        stage.rename("Second", audiences=("lobby", "floor"), logged=False)
        fragment_with(floor, "Second")
        stage.set("held:board", "")

        # The board was rendered before that: nobody said that it changes once more.
        assert "First" in fragments(frames_until(board, lambda frame: frame["t"] == "fragment"))[0]["html"]
        fragment_with(lobby, "Second")


@pytest.mark.slow
def test_a_notice_that_cannot_be_read_stops_nobody_from_hearing_the_next(stage):
    with stage.open("board") as socket:
        fragment_with(socket, "Stage")
        stage.notes.publish(notices.channel("board"), b"\xff\xfe")
        # It listens anew, and shows what it may have missed.
        fragment_with(socket, "Stage")

        stage.rename("Heard again", logged=False)
        fragment_with(socket, "Heard again")

        assert stage.log().count("a notice could not be heard") == 1


@pytest.mark.slow
def test_a_render_that_goes_on_failing_is_said_once(stage):
    before = stage.log().count("a fragment could not be rendered")
    with stage.open("board") as socket:
        fragment_with(socket, "Stage")
        begun = stage.renders()
        stage.set("broken", 1)

        stage.rename("Never seen")
        # By the third time it has failed twice.
        wait_until(lambda: stage.renders() >= begun + 3, "it was not tried again")

        assert stage.log().count("a fragment could not be rendered") == before + 1
        stage.set("broken", "")


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
            fragment_with(socket, "While Redis was down")
            assert tick_that(socket, is_behind=True)
            # Not even the log knows of this one: only rendering everything after the gap can find it.
            stage.rename("In the gap", logged=False)
            running = own.spawn()
            own.wait_until_ready(running)
            fragment_with(socket, "In the gap")
            assert tick_that(socket, is_behind=False)

            # The pause after its last failure is over for whoever publishes.
            monkeypatch.setattr(notices, "_silent_until", 0.0)
            stage.rename("Heard again", logged=False)
            fragment_with(socket, "Heard again")
    finally:
        stage.stop()
        stage.notes.close()
        running.terminate()
        running.wait()


@pytest.mark.slow
def test_a_log_that_cannot_be_read_is_said_and_read_again(stage):
    with stage.open("board") as socket:
        fragment_with(socket, "Stage")
        with as_owner(), connection.cursor() as cursor:
            cursor.execute("ALTER TABLE audit_event RENAME TO audit_event_away")

        assert tick_that(socket, is_behind=True)

        with as_owner(), connection.cursor() as cursor:
            cursor.execute("ALTER TABLE audit_event_away RENAME TO audit_event")
        assert tick_that(socket, is_behind=False)
        stage.rename("Found in the log", heard=False)
        fragment_with(socket, "Found in the log")


def test_publishing_without_redis_never_raises_and_hardly_waits(settings, monkeypatch):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(notices, "_client", None)
    monkeypatch.setattr(notices, "_silent_until", 0.0)
    now, tried_at, redis = [1000.0], [], notices._redis

    def ask():
        tried_at.append(now[0])
        return redis()

    monkeypatch.setattr(notices, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(notices, "_redis", ask)

    for now[0] in (1000.0, 1000.1, 1000.9, 1001.1, 1001.2):
        notices.publish(room_id=1, audiences=["floor", "lobby"])

    # One waits, for a quarter of a second at most and once more, and then nobody for a second.
    assert tried_at == [1000.0, 1001.1]
    patience = redis().get_connection_kwargs()
    assert patience["socket_connect_timeout"] == patience["socket_timeout"] == 0.25


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

        notices.revoke(staff_id=7)

        assert frames_until_closed(theirs)[-1] == {"t": "refused", "code": "revoked"}
        frames_so_far(others)
        assert tick_that(others, is_behind=False)


def test_the_room_of_the_test_is_the_only_one_told(stage):
    other = Room.objects.create(slug="other", name="Other")
    with stage.open("board") as board, stage.open("lobby") as lobby:
        fragment_with(board, "Stage")
        fragment_with(lobby, "Stage")
        begun = stage.renders()

        notices.publish(room_id=other.pk, audiences=["board"])
        # Notices are heard in order.
        stage.rename("Ours", audiences=("lobby",))
        fragment_with(lobby, "Ours")

        assert stage.renders() == begun
