"""`make run`: one group of processes that starts, is looked after and stops as one."""

import contextlib
import errno
import gc
import re
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from celery.signals import worker_shutdown
from django.conf import settings
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from casino import celery
from casino.embedded.home import CannotStart
from casino.embedded.processes import free_port
from casino.supervisor.child import Child
from casino.supervisor.group import OURS, START_EXCUSED_SECONDS, STOP_SECONDS, Group
from casino.supervisor.leftovers import end_leftovers, remember
from casino.supervisor.ports import next_free_port
from casino.supervisor.probe import Pulse, what_is_missing
from tests.conftest import Database, short_folder
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.supervised import Supervised

# One after the other: each runs a whole room, and several at once would only measure the machine.
pytestmark = pytest.mark.xdist_group("supervisor")
# Five are promised: STOP_SECONDS adds up to less. Twice that for a machine that is busy with something else.
STOPPED_SECONDS_MAX = 10
# Ended by the tests; by itself only after a run that was killed.
SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


@pytest.fixture(scope="module")
def room_folder() -> Iterator[Path]:
    """Return a folder in which whoever is first makes a room: cluster and migrations take most of a first start."""
    with short_folder() as folder:
        yield folder


@contextlib.contextmanager
def _runs_in(folder: Path) -> Iterator[Callable[..., Supervised]]:
    started: list[Supervised] = []

    def run(**environment: str) -> Supervised:
        started.append(Supervised(folder / "var", **environment))
        return started[-1]

    yield run
    for supervised in reversed(started):
        supervised.stop()


@pytest.fixture
def make_run(room_folder: Path) -> Iterator[Callable[..., Supervised]]:
    """Return a function that starts a supervisor on the data folder of all tests here."""
    with _runs_in(room_folder) as run:
        yield run


@pytest.fixture
def make_first_run(open_folder: Path) -> Iterator[Callable[..., Supervised]]:
    """Return a function that starts a supervisor on a data folder in which nothing is."""
    with _runs_in(open_folder) as run:
        yield run


# The whole group


@pytest.mark.slow
def test_it_starts_from_nothing_and_stops_on_one_ctrl_c(make_run: Callable[..., Supervised], room_folder: Path) -> None:
    assert not (room_folder / "var").exists()
    first = make_run()
    first.wait_for("Brush is ready")
    first.wait_until_whole()
    children = first.children()
    key = room_folder / "var" / "secret-key"

    assert set(children) == {"PostgreSQL", "Redis", "web", "worker", "beat", "sealer"}
    assert f"http://localhost:{first.port}" in first.output_text
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    # A session of its own: a Ctrl-C in the terminal reaches the supervisor alone.
    assert all(psutil.Process(process.pid).terminal() is None for process in children.values())

    first.stop()
    assert first.stopped_after <= STOPPED_SECONDS_MAX
    assert first.process.returncode == 0
    assert not any(process.is_running() for process in children.values())


@pytest.fixture
def stopped(make_run: Callable[..., Supervised], room_folder: Path) -> None:
    """See to it that a room has run in the folder; after the test above one has."""
    if not (room_folder / "var").exists():
        run = make_run()
        run.wait_for("Brush is ready")
        run.stop()


# One start of a whole room for all that is asked of it from there to its end.
@pytest.mark.slow
def test_it_starts_again_from_what_it_made_beside_others_and_an_open_connection_does_not_hold_up_its_end(
    stopped: None, make_run: Callable[..., Supervised], room_folder: Path
) -> None:
    key = room_folder / "var" / "secret-key"
    made = key.read_text()
    (cluster,) = (room_folder / "var").rglob("global/pg_filenode.map")
    cluster_made_at = cluster.stat().st_mtime_ns

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        room = make_run(BRUSH_PORT=str(port))
        room.wait_for("Brush is ready")
    # Servers and databases are made once.
    assert cluster.stat().st_mtime_ns == cluster_made_at
    assert key.read_text() == made
    where = re.search(rf"Port {port} is in use by another program, so this room is at port (\d+)", room.output_text)
    assert where
    at = int(where[1])

    second = make_run()
    second.process.wait(timeout=PATIENCE_SECONDS)
    assert second.process.returncode == 1
    assert f"http://localhost:{at}" in second.output_text
    wait_until(lambda: what_is_missing(at) == [], "the first was not left to get ready")

    with socket.create_connection(("127.0.0.1", at)) as idle:
        idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
        # Whom sockets let in is proved elsewhere; one that is refused has been handled too.
        with pytest.raises(InvalidStatus) as refused:
            connect(f"ws://127.0.0.1:{at}/live/")
        assert refused.value.response.status_code == 403
        room.stop(signal.SIGTERM)
    assert room.stopped_after <= STOPPED_SECONDS_MAX


@pytest.mark.slow
def test_what_crashes_or_hangs_is_started_again_and_after_the_supervisor_was_killed_the_next_one_clears_up(
    make_run: Callable[..., Supervised],
) -> None:
    room = make_run()
    room.wait_for("Brush is ready")
    room.wait_until_whole()

    for name in ("web", "worker", "beat", "sealer", "Redis", "PostgreSQL"):
        victim = room.children()[name]
        victim.kill()
        room.wait_for(f"{name} was killed (SIGKILL); starting it again")
        room.wait_for(f"{name} runs again.")
        assert room.children()[name].pid != victim.pid
    room.wait_until_whole()

    # It lives, and does nothing.
    stuck = room.children()["worker"]
    stuck.suspend()
    room.wait_for("worker lives but gives no sign; starting it again.", seconds=2 * PATIENCE_SECONDS)
    room.wait_until_whole()
    assert not stuck.is_running()

    left = room.children()
    room.stop(signal.SIGKILL)
    assert all(process.is_running() for process in left.values())

    later = make_run()
    later.wait_for("Brush is ready")

    assert "Left from a run that was killed, now stopped: web, worker, beat, sealer." in later.output_text
    assert "PostgreSQL was still running from an earlier run" in later.output_text
    # Nobody waits for orphans here, so some may be left as entries without a process.
    assert not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in left.values())
    later.stop()
    assert later.stopped_after <= STOPPED_SECONDS_MAX


# The smoke's whole group: cluster and migrations, two thirds of a start from nothing, are `test_embedded`'s and the
# template's there.
@pytest.mark.slow
@pytest.mark.smoke
def test_servers_that_somebody_named_are_used_instead_and_all_stops_on_one_ctrl_c(
    make_first_run: Callable[..., Supervised], committing_db: Database, open_folder: Path
) -> None:
    room = make_first_run(
        DATABASE_URL=committing_db.url,
        BRUSH_OWNER_DATABASE_URL=committing_db.owner_url,
        REDIS_URL=settings.REDIS_URL,
        BRUSH_REDIS_PREFIX="test-named",
    )
    room.wait_for("Brush is ready")
    room.wait_until_whole()

    children = room.children()
    assert set(children) == {"web", "worker", "beat", "sealer"}
    assert not (open_folder / "var" / "servers").exists()
    assert stat.S_IMODE((open_folder / "var" / "secret-key").stat().st_mode) == 0o600
    # A session of its own: a Ctrl-C in the terminal reaches the supervisor alone.
    assert all(psutil.Process(process.pid).terminal() is None for process in children.values())

    room.stop()
    assert room.stopped_after <= STOPPED_SECONDS_MAX
    assert room.process.returncode == 0
    assert not any(process.is_running() for process in children.values())


def test_who_serves_is_not_told_who_owns_the_database_and_who_seals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRUSH_OWNER_DATABASE_URL", "postgresql://owner")
    group = Group(tmp_path, host="127.0.0.1", port=8000)

    monkeypatch.setenv("BRUSH_SEALER_DATABASE_URL", "postgresql://sealer")
    monkeypatch.setenv("BRUSH_SEALS_S3_KEY", "id:secret")

    def processes_with(url: str) -> list[str]:
        names = ("setup", "web", "worker", "beat", "sealer", "play")
        return [name for name in names if url in group._env(name).values()]

    assert processes_with("postgresql://owner") == ["setup"]
    assert processes_with("postgresql://sealer") == processes_with("id:secret") == ["setup", "sealer"]


def test_all_that_is_waited_for_at_the_end_stays_within_five_seconds() -> None:
    together = max(STOP_SECONDS[name] for name in OURS)

    assert together + sum(seconds for name, seconds in STOP_SECONDS.items() if name not in OURS) <= 5


def test_a_worker_that_has_stopped_ends_without_clearing_up_what_it_had_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    assert celery.app.main == "brush"
    monkeypatch.setattr(gc, "freeze", lambda: calls.append("freeze"))

    worker_shutdown.send(sender=None)

    assert calls == ["freeze"]


# One child


def _child(*command: str) -> Child:
    return Child("thing", lambda: subprocess.Popen(command or SLEEP, start_new_session=True))


def test_a_child_that_died_is_started_again_and_both_are_said() -> None:
    child = _child()
    child.start()
    assert child.process is not None
    child.process.kill()
    child.process.wait()

    assert child.watch() == "thing was killed (SIGKILL); starting it again."
    assert child.watch() == "thing runs again."
    assert child.watch() is None
    child.kill()


def test_a_child_that_dies_at_once_is_started_later_and_later() -> None:
    child = _child(sys.executable, "-c", "raise SystemExit(3)")
    messages = []
    child.start()
    for _ in range(3):
        assert child.process is not None
        child.process.wait()
        messages.append(child.watch())
        child._start_again_at = 0.0
        child.watch()
    assert child.process is not None
    child.process.wait()

    assert messages == [
        "thing ended by itself (exit code 3); starting it again.",
        "thing ended by itself (exit code 3); starting it again in 1 s.",
        "thing ended by itself (exit code 3); starting it again in 2 s.",
    ]


def test_a_full_disk_stops_nothing_that_still_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def spawn() -> subprocess.Popen[bytes]:
        raise OSError(errno.ENOSPC, "No space left on device")

    child, other = _child(sys.executable, "-c", "pass"), _child(*SLEEP)
    group = Group(tmp_path, host="127.0.0.1", port=1)
    group._children = {"thing": child, "other": other}
    child.start()
    other.start()
    assert child.process is not None
    child.process.wait()
    child._spawn = spawn

    for _ in range(3):
        group._look_after_children()
        child._start_again_at = child._start_again_at and 0.0

    assert other.process is not None
    assert other.process.poll() is None
    other.kill()
    assert "thing cannot be looked after now: [Errno 28] No space left on device" in capsys.readouterr().out


def test_who_lives_but_gives_no_sign_is_started_again_and_beat_with_the_worker(tmp_path: Path) -> None:
    group = Group(tmp_path, host="127.0.0.1", port=1)
    group._children = {name: Child(name, _child()._spawn) for name in ("web", "worker", "beat")}
    group._pulse = Pulse(1, host="127.0.0.1")
    group._pulse._last_seen = {"web": time.monotonic(), "worker": float("-inf")}

    def started_again() -> set[str]:
        before = {name: child.process for name, child in group._children.items()}
        group._look_for_the_silent()
        return {name for name, child in group._children.items() if child.process is not before[name]}

    for child in group._children.values():
        child.start()
    while_it_starts = started_again()
    for child in group._children.values():
        child.started_at -= START_EXCUSED_SECONDS
    once, again = started_again(), started_again()
    for child in group._children.values():
        child.kill()

    assert (while_it_starts, once, again) == (set(), {"worker", "beat"}, set())


def _lives(process: psutil.Process) -> bool:
    try:
        # Nobody waits for orphans here, so some may be left as entries without a process.
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_child_that_does_not_stop_is_killed_with_what_it_started() -> None:
    stubborn = "import signal, subprocess, time; signal.signal(15, signal.SIG_IGN); subprocess.Popen(['sleep', '3600'])"
    child = _child(sys.executable, "-c", f"{stubborn}; print(flush=True); time.sleep(60)")
    child.start()
    assert child.process is not None
    process = psutil.Process(child.process.pid)
    wait_until(lambda: bool(process.children()), "it started nothing")
    grandchildren = process.children()

    child.ask_to_stop()

    assert child.wait_stopped(0.2) is False
    assert child.process.returncode == -signal.SIGKILL
    try:
        wait_until(lambda: not any(map(_lives, grandchildren)), "what it had started lives on")
    finally:
        for one in grandchildren:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()


# What is left, and where


def test_a_number_that_another_program_has_now_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "children.json"
    with subprocess.Popen(SLEEP, start_new_session=True) as other:
        remember(file, {"web": other.pid})
        file.write_text(file.read_text().replace('"began": ', '"began": 1'))

        assert end_leftovers(file) == []
        assert other.poll() is None
        other.kill()


def test_what_is_left_is_stopped(tmp_path: Path) -> None:
    with subprocess.Popen(SLEEP, start_new_session=True) as left:
        remember(tmp_path / "children.json", {"web": left.pid})

        assert end_leftovers(tmp_path / "children.json") == ["web"]
        assert left.wait(timeout=PATIENCE_SECONDS) is not None


def test_the_next_free_port_is_found() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        assert next_free_port("127.0.0.1", port) > port


def test_an_address_that_is_not_this_machines_gets_a_sentence() -> None:
    with pytest.raises(CannotStart, match="cannot be used"):
        next_free_port("203.0.113.7", 8000)


def test_without_an_answer_the_web_process_is_what_is_missing() -> None:
    assert what_is_missing(free_port()) == ["web"]
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"http://127.0.0.1:{free_port()}/")
