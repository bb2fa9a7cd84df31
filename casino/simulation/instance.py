# ruff: noqa: S603 - the commands are ours, see casino/supervisor/commands.py.
"""The processes of a running Brush: an instance of our own on a fresh database, or one that somebody else runs."""

import os
import secrets
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import redis

from casino import clock
from casino.embedded.postgres import Postgres
from casino.embedded.processes import free_port, last_lines
from casino.embedded.redis_server import RedisServer
from casino.simulation.broken import Broken
from casino.simulation.disk import empty_disk, fill_disk
from casino.simulation.machines import ROOT, Database, Machines, fresh_database, machines
from casino.supervisor.child import Child
from casino.supervisor.commands import beat_command, sealer_command, web_command, worker_command
from casino.supervisor.probe import what_is_missing

__all__ = ["ROOT", "Instance", "OwnInstance", "fresh_database", "machines"]

START_SECONDS_MAX = 60
# How long a worker may take from its start, or from the return of what it lost, to its first heartbeat.
HEART_SECONDS_MAX = 45
# In the order in which they stop.
PROCESSES = ("beat", "sealer", "worker", "web")
# The first night of every simulation: a Friday, 18:00 in Helsinki.
FIRST_EVENING = datetime(2026, 11, 20, 16, 0, tzinfo=UTC)


class Instance:
    """
    A Brush that somebody else runs. It cannot be killed, and its time is the real one.

    `database_url` is where its rows are, "" where only the outside can be looked at. `away` names what has been
    taken from it and not given back: "web", "worker", "beat", "PostgreSQL", "Redis", "disk".
    """

    def __init__(self, url: str, *, database_url: str = "") -> None:
        self.url = url.rstrip("/")
        self.database_url = database_url
        self.away: set[str] = set()

    @property
    def takes_codes(self) -> bool:
        """Whether typed codes are tried now: without Redis nobody could count the wrong ones, and the house is busy."""
        return "Redis" not in self.away

    def may_break(self, what: str) -> bool:
        """Say whether this may be taken away, or "clock" be set, now: it is ours, and nothing else is broken."""
        return False

    def now(self) -> datetime:
        """Return the time by the instance's clock."""
        return clock.now()

    def begin_evening(self, night: int, *, book: str = "") -> None:
        """
        A new evening begins; the time of an instance that runs is what it is.

        :raises Broken: it is to have a `book` of its own.
        """
        if book:
            raise Broken("the simulator", "only a house of its own has another rule book")

    def kill(self, what: str = "web") -> None:
        """Kill a process where it stands, as a power cut would. :raises Broken: it is not ours to kill."""
        raise Broken("the simulator", f"only a house of its own may lose its {what}")

    def start(self, what: str = "web") -> None:
        """Start what was killed and wait until it answers."""

    def jump(self, by: timedelta) -> datetime:
        """Set the clock, forth or back; return what it was at last. :raises Broken: it is not ours."""
        raise Broken("the simulator", "only the clock of a house of its own may be set")

    def feel_heart(self) -> None:
        """Wait until a worker has done what beat asked for, from now on. :raises Broken: it does not."""

    def prove(self) -> None:
        """Run `ledger check` and `audit verify`, only where the instance is ours. :raises Broken: one of them fails."""

    def log(self) -> str:
        """Return the end of what its processes wrote."""
        return ""


class OwnInstance(Instance):
    """
    Processes of our own, on a migrated database of its own, with a clock that runs `speed` times as fast.

    A web process, and a worker, a beat and a sealer beside it where `has_worker`. `application` names the ASGI
    application; tests put one with a defect in its place. `on` names the servers where they may be crashed too.
    """

    def __init__(
        self,
        *,
        database: Database,
        redis_url: str,
        folder: Path,
        speed: float = 60.0,
        application: str = "casino.asgi:application",
        env: Mapping[str, str] | None = None,
        has_worker: bool = False,
        on: Machines | None = None,
    ) -> None:
        self.port = free_port()
        super().__init__(f"http://127.0.0.1:{self.port}", database_url=database.url)
        self.speed = speed
        self.owner_url = database.owner_url
        self._application = application
        self._redis_url = redis_url
        self._sealer = {"BRUSH_SEALER_DATABASE_URL": database.sealer_url}
        self._own = on.own if on else None
        self._log_file, self._clock_file = folder / "simulation.log", folder / "clock"
        self._anchor, self._held_at = FIRST_EVENING, time.time()
        self._prefix = f"simulation-{secrets.token_hex(6)}"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("BRUSH_")}
        self._env = kept | {
            "DATABASE_URL": database.url,
            "REDIS_URL": redis_url,
            "BRUSH_REDIS_PREFIX": self._prefix,
            "BRUSH_SECRET_KEY": secrets.token_urlsafe(40),
            "BRUSH_DATA_DIR": str(folder),
            # Players' phones reach it as everybody does.
            "BRUSH_PHONE_URL": self.url,
            "BRUSH_LOGS": "plain",
            "BRUSH_POOL_SIZE": "8",
            "BRUSH_CLOCK": str(self._clock_file.resolve()),
            **(env or {}),
        }
        commands = {"web": self._web_command()}
        if has_worker:
            commands |= {"worker": worker_command(), "beat": beat_command(), "sealer": sealer_command()}
        self._children = {name: Child(name, self._spawner(name, command)) for name, command in commands.items()}

    def may_break(self, what: str) -> bool:
        servers_of_ours = {"PostgreSQL", "Redis"} if self._own else set()
        return not self.away and what in {*self._children, *servers_of_ours, "disk", "clock"}

    def now(self) -> datetime:
        return self._anchor + timedelta(seconds=(time.time() - self._held_at) * self.speed)

    def begin_evening(self, night: int, *, book: str = "") -> None:
        """
        Set the clock to the evening of this night (0 is the first); start what does not run.

        `book` is the text of the room's rule book, "" for the demo room's own.
        """
        for what in sorted(self.away):
            self.start(what)
        self._set_clock(FIRST_EVENING + timedelta(days=night))
        if night == 0:
            self.manage("demo", "--verbosity", "0", *self._with(book))
        for name in reversed(PROCESSES):
            if name in self._children:
                self.start(name)

    def _with(self, book: str) -> list[str]:
        if not book:
            return []
        file = self._log_file.with_name("book.toml")
        file.write_text(book, encoding="utf-8")
        return ["--book", str(file.resolve())]

    def start(self, what: str = "web") -> None:
        """Start a process, a server or the disk's room again. :raises Broken: the web process does not answer."""
        self.away.discard(what)
        if what == "disk":
            empty_disk(self.owner_url)
        elif what in self._children:
            self._start_child(self._children[what])
        else:
            assert self._own is not None
            self._own.start_again(self._server(what))

    def kill(self, what: str = "web") -> None:
        """Kill a process or a server, or ("disk") have the database refuse to store anything."""
        self.away.add(what)
        if what == "disk":
            fill_disk(self.owner_url)
        elif what in self._children:
            self._children[what].kill()
            self._children[what].process = None
        else:
            assert self._own is not None
            self._own.crash(self._server(what))

    def stop(self) -> None:
        """Ask all processes to stop."""
        running = [self._children[name] for name in PROCESSES if name in self._children]
        for child in running:
            child.ask_to_stop()
        for child in running:
            child.wait_stopped(8)
            child.process = None

    def jump(self, by: timedelta) -> datetime:
        anchor, held_at = self._anchor, self._held_at
        self._set_clock(self.now() + by)
        # Until now processes may have read it as it was.
        return anchor + timedelta(seconds=(time.time() - held_at) * self.speed)

    def feel_heart(self) -> None:
        if "worker" not in self._children:
            return
        deadline = time.monotonic() + HEART_SECONDS_MAX
        # The mark that a dead worker left would stand for a while yet.
        with redis.Redis.from_url(self._redis_url) as client:
            client.delete(f"{self._prefix}:heartbeat:worker")
        worker = self._children["worker"].process
        while missing := what_is_missing(self.port):
            # Here nobody starts one anew, and a room's supervisor would hide that it ended.
            if worker is None or worker.poll() is not None:
                raise Broken("a worker outlives what it loses", self.log())
            if time.monotonic() > deadline:
                raise Broken("what time triggers goes on", f"missing: {missing}\n{self.log()}")
            time.sleep(0.1)

    def prove(self) -> None:
        with ThreadPoolExecutor(2) as threads:
            list(threads.map(lambda command: self.manage(*command), [("ledger", "check"), ("audit", "verify")]))

    def manage(self, *arguments: str) -> None:
        """Run a command of manage.py on this instance. :raises Broken: it failed."""
        ran = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self._env | {"BRUSH_PROCESS": "manage"},
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode != 0:
            raise Broken(f"manage.py {' '.join(arguments)}", (ran.stdout + ran.stderr)[-2000:])

    def log(self) -> str:
        return last_lines(self._log_file, 30)

    @property
    def web_pid(self) -> int:
        """Return the number of the web process."""
        process = self._children["web"].process
        assert process is not None, "the web process is away"
        return process.pid

    def _set_clock(self, moment: datetime) -> None:
        self._anchor, self._held_at = moment, time.time()
        draft = self._clock_file.with_suffix(".draft")
        draft.write_text(f"{self._anchor.isoformat()}@{self._held_at}x{self.speed:g}")
        # In one go: every process reads it at any moment.
        draft.replace(self._clock_file)

    def _web_command(self) -> list[str]:
        command = web_command(host="127.0.0.1", port=self.port)
        return [self._application if part == "casino.asgi:application" else part for part in command]

    def _env_of(self, name: str) -> dict[str, str]:
        return self._env | {"BRUSH_PROCESS": name} | (self._sealer if name == "sealer" else {})

    def _spawner(self, name: str, command: list[str]) -> Callable[[], subprocess.Popen[bytes]]:
        def spawn() -> subprocess.Popen[bytes]:
            with self._log_file.open("ab") as log:
                return subprocess.Popen(
                    command,
                    cwd=ROOT,
                    env=self._env_of(name),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )

        return spawn

    def _start_child(self, child: Child) -> None:
        if child.process is not None:
            return
        child.start()
        if child.name != "web":
            return
        deadline = time.monotonic() + START_SECONDS_MAX
        while not self._answers():
            if child.process is None or child.process.poll() is not None or time.monotonic() > deadline:
                raise Broken("the house starts", self.log())
            time.sleep(0.05)

    def _server(self, name: str) -> Postgres | RedisServer:
        assert self._own is not None, "servers of others are not ours to crash"
        return next(server for server in self._own.both if server.name == name)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:  # noqa: S310 - our own address
                return bool(answer.status == 200)
        except OSError:
            return False
