# ruff: noqa: S603 - the commands are ours, see casino/supervisor/commands.py.
"""The processes of a house: one of our own on a fresh database, or one that somebody else runs."""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import LiteralString
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from casino import clock
from casino.embedded.processes import free_port, last_lines
from casino.embedded.servers import Servers
from casino.simulation.broken import Broken
from casino.supervisor.commands import web_command

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS_MAX = 60
# The first night of every simulation: a Friday, 18:00 in Helsinki.
FIRST_EVENING = datetime(2026, 11, 20, 16, 0, tzinfo=UTC)


class House:
    """
    A house that somebody else runs. It cannot be killed, and its time is the real one.

    `database_url` is where its rows are, "" where only the outside can be looked at.
    """

    def __init__(self, url: str, *, database_url: str = "") -> None:
        self.url = url.rstrip("/")
        self.database_url = database_url

    @property
    def is_ours(self) -> bool:
        """Say whether its processes may be killed."""
        return False

    def now(self) -> datetime:
        """Return the time by the house's clock."""
        return clock.now()

    def begin_evening(self, night: int) -> None:
        """A new evening begins; the time of a house that runs is what it is."""

    def kill(self) -> None:
        """Kill its web process. :raises Broken: it is not ours to kill."""
        raise Broken("the simulator", "only a house of its own may be killed")

    def start(self) -> None:
        """Start its web process: it runs already."""

    def prove(self) -> None:
        """Have `ledger check` and `audit verify` prove it whole: not from here."""

    def log(self) -> str:
        """Return the end of what its processes wrote."""
        return ""


class OwnHouse(House):
    """
    A web process of our own, on a migrated database of its own, with a clock that runs `speed` times as fast.

    `application` names the ASGI application; tests put one with a defect in its place.
    """

    def __init__(
        self,
        *,
        database_url: str,
        redis_url: str,
        folder: Path,
        speed: float = 60.0,
        application: str = "casino.asgi:application",
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.port = free_port()
        super().__init__(f"http://127.0.0.1:{self.port}", database_url=database_url)
        self.speed = speed
        self._application = application
        self._log_file = folder / "simulation.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._anchor, self._held_at = FIRST_EVENING, time.time()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("BRUSH_")}
        self._env = kept | {
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "BRUSH_REDIS_PREFIX": f"simulation-{secrets.token_hex(6)}",
            "BRUSH_SECRET_KEY": secrets.token_urlsafe(40),
            "BRUSH_DATA_DIR": str(folder),
            "BRUSH_LOGS": "plain",
            "BRUSH_POOL_SIZE": "8",
            **(env or {}),
        }

    @property
    def is_ours(self) -> bool:
        return True

    def now(self) -> datetime:
        return self._anchor + timedelta(seconds=(time.time() - self._held_at) * self.speed)

    def begin_evening(self, night: int) -> None:
        """Set the clock to the evening of this night (0 is the first) and start the web process with it."""
        self.stop()
        self._anchor, self._held_at = FIRST_EVENING + timedelta(days=night), time.time()
        if night == 0:
            self.manage("demo", "--verbosity", "0")
        self.start()

    def start(self) -> None:
        """Start the web process and wait until it answers. :raises Broken: it does not."""
        if self._process is not None:
            return
        command = [
            self._application if part == "casino.asgi:application" else part
            for part in web_command(host="127.0.0.1", port=self.port)
        ]
        with self._log_file.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self._environment("web"),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_SECONDS_MAX
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise Broken("the house starts", self.log())
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill the web process where it stands, as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        """Ask the web process to stop."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(timeout=8)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def prove(self) -> None:
        for command in (("ledger", "check"), ("audit", "verify")):
            self.manage(*command)

    def manage(self, *arguments: str) -> None:
        """Run a command of manage.py in this house. :raises Broken: it failed."""
        ran = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self._environment("manage"),
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode != 0:
            raise Broken(f"manage.py {' '.join(arguments)}", (ran.stdout + ran.stderr)[-2000:])

    def log(self) -> str:
        return last_lines(self._log_file, 30)

    def _environment(self, process: str) -> dict[str, str]:
        spec = f"{self._anchor.isoformat()}@{self._held_at}x{self.speed:g}"
        return self._env | {"BRUSH_CLOCK": spec, "BRUSH_PROCESS": process}

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:  # noqa: S310 - our own address
                return bool(answer.status == 200)
        except OSError:
            return False


@contextlib.contextmanager
def servers() -> Iterator[tuple[str, str]]:
    """Yield addresses of PostgreSQL and Redis: those of the environment, or embedded ones that live for this run."""
    given = os.environ.get("DATABASE_URL", ""), os.environ.get("REDIS_URL", "")
    if all(given):
        yield given
        return
    folder = Path(tempfile.mkdtemp(prefix="brush-simulation-"))
    # The servers may run as another user, who must be able to pass through.
    folder.chmod(0o711)
    ours = Servers(folder / "data", durable=False)
    try:
        ours.start()
        yield ours.postgres.url, ours.redis.url
    finally:
        ours.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def fresh_database(admin_url: str) -> Iterator[str]:
    """Make a migrated database, yield its address, and drop it afterwards."""
    name = f"brush_simulation_{os.getpid()}_{secrets.token_hex(3)}"
    _execute(admin_url, "CREATE DATABASE {}", name)
    url = urlunsplit(urlsplit(admin_url)._replace(path=f"/{name}"))
    try:
        migrated = subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity=0", "--skip-checks"],
            cwd=ROOT,
            env=os.environ | {"DATABASE_URL": url},
            capture_output=True,
            text=True,
            check=False,
        )
        if migrated.returncode != 0:
            raise Broken("manage.py migrate", (migrated.stdout + migrated.stderr)[-2000:])
        yield url
    finally:
        # A server that is gone takes its database along, and what broke is what is to be told.
        with contextlib.suppress(psycopg.OperationalError):
            _execute(admin_url, "DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def _execute(url: str, statement: LiteralString, name: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(sql.Identifier(name)))
