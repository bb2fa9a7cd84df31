# ruff: noqa: S603 - the commands are ours, see commands.py.
"""The group: what starts in which order, is watched together, and stops in the reverse order."""

import contextlib
import fcntl
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO

from casino.embedded.home import Account, CannotStart, account_for, make_data_dir, write_private
from casino.embedded.servers import Servers
from casino.reach import Reach
from casino.supervisor.child import Child
from casino.supervisor.commands import (
    LIVE_TABLES,
    beat_command,
    live_command,
    manage_command,
    sealer_command,
    web_command,
    web_environment,
    worker_command,
)
from casino.supervisor.leftovers import end_leftovers, remember
from casino.supervisor.ports import next_free_port
from casino.supervisor.probe import Pulse, what_is_missing
from casino.supervisor.terminal import say

ROOT = Path(__file__).resolve().parents[2]
WEB_START_SECONDS_MAX = 30
# Without a sign for this long they are started anew. A worker's mark in Redis lasts 15 s beyond its last
# heartbeat (casino.health), so it has been silent for half a minute by then.
SILENT_SECONDS_MAX = {"web": 20.0, "worker": 15.0}
START_EXCUSED_SECONDS = 20
# How long each may take to stop. Ours are waited for together, so all stay within five seconds.
STOP_SECONDS = {"play": 3.0, "beat": 3.0, "sealer": 3.0, "worker": 3.0, "web": 3.0, "Redis": 0.4, "PostgreSQL": 1.4}
# Our own processes, in the order in which they are asked to stop.
OURS = ("play", "beat", "sealer", "worker", "web")


class Group:
    """All processes of one room on one machine."""

    def __init__(self, data_dir: Path, *, host: str, port: int, is_live: bool = False) -> None:
        self.data_dir = data_dir.resolve()
        self.host = host
        self.port = port
        self.is_live = is_live
        # Which setting lets other machines in; "" where none does.
        self._open_by = Reach.of(os.environ | {"BRUSH_HOST": host}).beyond_this_machine
        self._database_url = os.environ.get("DATABASE_URL", "")
        self._redis_url = os.environ.get("REDIS_URL", "")
        # Whom processes run as that people reach: ourselves, unless root finds somebody.
        self._face: Account | None = None
        self._children: dict[str, Child] = {}
        self._stop_requested = threading.Event()
        self._demo_mark: Path | None = None
        self._account: Account | None = None

    @property
    def address(self) -> str:
        """Return the address to type into a browser on this machine."""
        name = "localhost" if self.host in ("127.0.0.1", "0.0.0.0", "::", "::1") else self.host  # noqa: S104 - compared
        return f"http://{name}:{self.port}"

    def run(self) -> int:
        """Run the room until somebody stops it; return the exit code."""
        # SIGHUP too: of a terminal that is closed no server is left running.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        try:
            make_data_dir(self.data_dir)
            with self._alone() as lock_file:
                return self._run_alone(lock_file)
        except CannotStart as problem:
            say(str(problem))
            return 1

    def _run_alone(self, lock_file: IO[str]) -> int:
        try:
            self._start(lock_file)
            self._watch()
        except CannotStart as problem:
            say(str(problem))
            return 1
        finally:
            self._stop()
        return 0

    def _on_signal(self, number: int, frame: object) -> None:
        if self._stop_requested.is_set():
            say("Stopping already; a moment.")
        self._stop_requested.set()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[IO[str]]:
        """Hold the data folder's lock; it goes with this process, however that ends."""
        # Not "w", which would wipe out what the one who holds it has written there.
        with (self.data_dir / "supervisor.lock").open("a+") as held:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as problem:
                held.seek(0)
                raise CannotStart(
                    f"Brush runs from {self.data_dir} already ({held.read().strip() or 'it is just starting'}): "
                    "use that one, or stop it first with Ctrl-C in its terminal."
                ) from problem
            held.truncate(0)
            yield held
            held.truncate(0)

    # Starting

    def _start(self, lock_file: IO[str]) -> None:
        began = time.monotonic()
        if names := end_leftovers(self._children_file):
            say(f"Left from a run that was killed, now stopped: {', '.join(names)}.")
        steps: list[Callable[[], None]] = [
            self._make_files,
            self._start_servers,
            self._prepare_database,
            self._find_a_face,
            self._start_ours,
            self._wait_for_web,
        ]
        for step in steps:
            if self._stop_requested.is_set():
                return
            step()
        lock_file.write(f"process {os.getpid()}, {self.address}")
        lock_file.flush()
        self._greet(time.monotonic() - began)
        if self.is_live:
            self._bring_to_life()

    @property
    def _children_file(self) -> Path:
        return self.data_dir / "children.json"

    def _make_files(self) -> None:
        """Make what settings only read: on the first run the key that signs cookies."""
        kept = self.data_dir / "secret-key"
        if not os.environ.get("BRUSH_SECRET_KEY") and not kept.exists():
            write_private(kept, secrets.token_urlsafe(50))
        # WhiteNoise warns when the folder of collected files is missing, though it finds them without.
        (self.data_dir / "static").mkdir(exist_ok=True)

    def _start_servers(self) -> None:
        """Start the embedded servers, except where DATABASE_URL or REDIS_URL names another."""
        given = {"PostgreSQL": os.environ.get("DATABASE_URL"), "Redis": os.environ.get("REDIS_URL")}
        if all(given.values()):
            return
        servers = Servers(self.data_dir, say=say)
        self._account = servers.home.account
        for server in servers.both:
            if given[server.name]:
                continue
            if server.stop_leftover():
                say(f"{server.name} was still running from an earlier run; it was stopped first.")
            # What clears up before a start does so again when the supervisor starts a crashed server anew.
            spawn = _in_turn(server.prepare, server.spawn)
            wait_ready = partial(server.wait_until_ready, give_up=self._stop_requested.is_set)
            self._add(Child(server.name, spawn, wait_ready=wait_ready, stop_signal=server.stop_signal))
        servers.write_state()
        if not given["PostgreSQL"]:
            self._demo_mark = servers.home.folder / "demo-loaded"
            self._database_url = servers.postgres.url
        if not given["Redis"]:
            self._redis_url = servers.redis.url

    def _find_a_face(self) -> None:
        """
        As root, have somebody else run what people reach; where nobody can, serve this machine alone, and say so.

        :raises CannotStart: nobody can, and other machines reach this house.
        """
        if os.geteuid() != 0:
            return
        account = self._account or account_for(self.data_dir)
        if _can_run_brush(account, self.data_dir):
            # Static files are put together by whoever serves them.
            os.chown(self.data_dir / "static", account.uid, account.gid)
            self._face = account
            say(f"Started as root; what people reach runs as {account.name}.")
            return
        why = (
            f"Started as root, and the user {account.name} cannot run {sys.executable} with {ROOT} and {self.data_dir}"
        )
        if self._open_by:
            raise CannotStart(
                f"{why}: nothing that faces other machines ({self._open_by}) runs as root. "
                "Run make as an ordinary user, who owns the folder."
            )
        say(f"{why}, so Brush serves this machine only.")

    def _prepare_database(self) -> None:
        """
        Migrate (a house with something in it after a backup), and load the demo room the first time: never into a
        server that somebody named, or that others reach.

        :raises CannotStart: others reach it, and some of its secrets are published.
        """
        # In a server of somebody else's there may be no room for a copy.
        self._manage("upgrade", "--verbosity=0", *(["--no-rehearsal"] if os.environ.get("DATABASE_URL") else []))
        if self._open_by:
            self._manage("demo", "--check")
            return
        if self._demo_mark is None or self._demo_mark.exists() or os.environ.get("BRUSH_DEMO") == "0":
            return
        if not self._stop_requested.is_set():
            say("Loading the demo room ...")
            if self._manage("demo"):
                write_private(self._demo_mark, "")

    def _manage(self, *arguments: str) -> bool:
        """Run a command of manage.py to its end; return False when somebody stopped everything meanwhile."""
        process = self._spawner("setup", manage_command(*arguments))()
        while process.poll() is None:
            if self._stop_requested.wait(0.05):
                process.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=1)
                process.kill()
                process.wait()
                return False
        if process.returncode != 0:
            raise CannotStart(f"manage.py {' '.join(arguments)} failed, for the reason above.")
        return True

    def _start_ours(self) -> None:
        wanted = self.port
        self.port = next_free_port(self.host, wanted)
        if self.port != wanted:
            say(f"Port {wanted} is in use by another program, so this room is at port {self.port}.")
        commands = {
            "web": web_command(host=self.host, port=self.port),
            "worker": worker_command(),
            "beat": beat_command(),
            "sealer": sealer_command(),
        }
        for name, command in commands.items():
            self._add(Child(name, self._spawner(name, command)))

    def _add(self, child: Child) -> None:
        child.start()
        self._children[child.name] = child
        self._remember()

    def _remember(self) -> None:
        running = {name: child.process.pid for name, child in self._children.items() if child.process}
        # The servers are found by the folder they work in.
        ours = {name: pid for name, pid in running.items() if name in OURS}
        remember(self._children_file, ours)

    def _spawner(self, name: str, command: list[str], **more: str) -> Callable[[], subprocess.Popen[bytes]]:
        face = self._face if name in ("web", "worker", "beat") else None

        def spawn() -> subprocess.Popen[bytes]:
            # A session of its own: Ctrl-C reaches the supervisor alone, which stops the others in order.
            return subprocess.Popen(
                command,
                cwd=ROOT,
                env=self._env(name) | more | (self._account_env(face) if face else {}),
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                **(face.popen_options() if face else {}),
            )

        return spawn

    def _env(self, process: str) -> dict[str, str]:
        ours = {"BRUSH_PROCESS": process, "BRUSH_ADDRESS": self.address, "BRUSH_DATA_DIR": str(self.data_dir)}
        ours |= {"BRUSH_HOST": self.host}
        given = dict(os.environ)
        if process != "setup":
            # Who serves could undo with it what PostgreSQL guards.
            given.pop("BRUSH_OWNER_DATABASE_URL", None)
            if process != "sealer":
                # Nor can it add seals, here or in the store.
                given.pop("BRUSH_SEALER_DATABASE_URL", None)
                given.pop("BRUSH_SEALS_S3_KEY", None)
        return {"BRUSH_LOGS": "plain", **web_environment(os.environ), **given, **ours}

    def _account_env(self, face: Account) -> dict[str, str]:
        """Return what processes of another account have in their environment: they cannot read our files."""
        key = os.environ.get("BRUSH_SECRET_KEY") or (self.data_dir / "secret-key").read_text().strip()
        urls = {"DATABASE_URL": self._database_url, "REDIS_URL": self._redis_url}
        return {"BRUSH_SECRET_KEY": key, "HOME": str(self.data_dir), "USER": face.name, "LOGNAME": face.name, **urls}

    def _wait_for_web(self) -> None:
        ends = time.monotonic() + WEB_START_SECONDS_MAX
        while {"web", "database", "redis"} & set(what_is_missing(self.port, host=self.host)):
            if time.monotonic() > ends:
                raise CannotStart(f"The web process did not answer within {WEB_START_SECONDS_MAX} s; see above.")
            self._look_after_children()
            if self._stop_requested.wait(0.1):
                return

    def _greet(self, seconds: float) -> None:
        say(f"Brush is ready after {seconds:.1f} s: {self.address}\n")
        if self._open_by:
            say(f"Other machines may reach it ({self._open_by}), over TLS: deploy/README.md says how.")
            say("No demo room is loaded into such a house; manage.py open_room makes your own.")
        elif self._demo_mark is None:
            say("The database is one of your own, so no demo room was loaded into it: manage.py demo would.")
        elif self._demo_mark.exists():
            self._manage("demo", "--show")
        if os.geteuid() != 0 and not (os.environ.get("BRUSH_SEALS_SYSLOG") or os.environ.get("BRUSH_SEALS_S3")):
            say("One user serves and seals the log: against that user only a copy elsewhere protects (README.md).")
        if not self._open_by:
            say("Only this machine reaches it. Tablets on the network need HTTPS: deploy/README.md says how.")
        say("Ctrl-C stops everything.\n")

    def _bring_to_life(self) -> None:
        """Have the demo room's people play, each time another evening: ids of commands are drawn and used once."""
        if self._demo_mark is None or not self._demo_mark.exists():
            say("There is no demo room here that could be brought to life.")
            return

        def spawn() -> subprocess.Popen[bytes]:
            command = live_command(f"http://127.0.0.1:{self.port}", seed=secrets.randbelow(10**9))
            return self._spawner("play", command, DATABASE_URL=self._database_url)()

        say(f"Tables 1 to {LIVE_TABLES} come to life; watch them at {self.address}/lobby/ and {self.address}/floor/.\n")
        self._add(Child("play", spawn))

    # Running

    def _watch(self) -> None:
        if self._stop_requested.is_set():
            return
        self._pulse = Pulse(self.port, host=self.host)
        self._pulse.start()
        self._pulse.excuse("worker")
        while not self._stop_requested.wait(0.2):
            self._look_after_children()
            self._look_for_the_silent()

    def _look_after_children(self) -> None:
        for child in list(self._children.values()):
            with _reporting_failure(child.name):
                news = child.watch()
                if news:
                    say(news)
                    self._remember()

    def _look_for_the_silent(self) -> None:
        """Start anew what lives but gives no sign."""
        for name, silent_seconds_max in SILENT_SECONDS_MAX.items():
            child = self._children[name]
            just_started = time.monotonic() - child.started_at < START_EXCUSED_SECONDS
            if just_started or self._pulse.silent_seconds(name) < silent_seconds_max:
                continue
            say(f"{name} lives but gives no sign; starting it again.")
            # The heartbeat comes from beat through the worker: whichever of the two hangs, both start anew.
            for each in (name, "beat") if name == "worker" else (name,):
                with _reporting_failure(each):
                    self._children[each].restart()
            self._pulse.excuse(name)
            with _reporting_failure(name):
                self._remember()

    # Stopping

    def _stop(self) -> None:
        """
        Stop everything: beat, sealer, worker, web, Redis, PostgreSQL.

        Ours are asked one after the other but waited for together, since their patience
        would add up to more than a person at a terminal has.
        """
        if not self._children:
            return
        began = time.monotonic()
        say("Stopping ...")
        ours = [self._children[name] for name in OURS if name in self._children]
        for child in ours:
            child.ask_to_stop()
        for child in ours:
            self._wait_stopped(child, began)
        for name in ("Redis", "PostgreSQL"):
            if name in self._children:
                since = time.monotonic()
                self._children[name].ask_to_stop()
                self._wait_stopped(self._children[name], since)
        self._children_file.unlink(missing_ok=True)
        say(f"All stopped after {time.monotonic() - began:.1f} s.")

    def _wait_stopped(self, child: Child, since: float) -> None:
        if not child.wait_stopped(since + STOP_SECONDS[child.name] - time.monotonic()):
            say(f"{child.name} did not stop in time and was killed.")


def _can_run_brush(account: Account, data_dir: Path) -> bool:
    """Try as this account whether it can run our Python, read the project, and reach the data folder."""
    attempt = "import django, casino, pathlib, sys; pathlib.Path(sys.argv[1], 'static').stat()"
    try:
        ran = subprocess.run(
            [sys.executable, "-c", attempt, str(data_dir)],
            cwd=ROOT,
            env={"PATH": os.defpath},
            capture_output=True,
            check=False,
            **account.popen_options(),
        )
    except OSError:
        return False
    return ran.returncode == 0


@contextlib.contextmanager
def _reporting_failure(name: str) -> Iterator[None]:
    """Say what stands in the way of one child; a full disk, say, is no reason to stop all that still runs."""
    try:
        yield
    except CannotStart as problem:
        say(str(problem))
    except OSError as problem:
        say(f"{name} cannot be looked after now: {problem}")


def _in_turn(
    first: Callable[[], None], then: Callable[[], subprocess.Popen[bytes]]
) -> Callable[[], subprocess.Popen[bytes]]:
    def both() -> subprocess.Popen[bytes]:
        first()
        return then()

    return both
