"""The embedded PostgreSQL: made once by initdb, run as a plain child process, stopped by a signal."""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Callable
from typing import LiteralString
from urllib.parse import quote

import psycopg
from psycopg import sql

from casino.embedded import OWNER, RUNTIME, SEALER, postgres_socket_url
from casino.embedded.home import CannotStart, Home
from casino.embedded.processes import Deadline, at_work_in, end, free_port, last_lines, never, spawn

START_SECONDS_MAX = 60
# Enough for a room on one laptop: web, worker and a person with psql; and for tests that race fifty threads.
SETTINGS = {
    "max_connections": "200",
    "shared_buffers": "64MB",
    "max_wal_size": "256MB",
    # A new house plans its statements while its tables are empty, and its first evening fills them in minutes: the
    # statistics, by which they are planned anew, are not to be a minute behind.
    "autovacuum_naptime": "15s",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_min_messages": "warning",
    "unix_socket_permissions": "0700",
}
# For tests, whose data is worth nothing after a power cut, and whose databases live for seconds: a worker that
# vacuums one just then would keep it from being dropped. A commit is still written before it is acknowledged
# (synchronous_commit stays on, and hardly costs anything without fsync): a server that is killed loses nothing.
CARELESS = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}


class Postgres:
    """One PostgreSQL in one home."""

    name = "PostgreSQL"
    # Fast shutdown: roll back what is open, write everything out, leave.
    stop_signal = signal.SIGINT
    version = "18"
    # The built-in C.UTF-8 needs no locale of the system's, and under it lower('ÄÖ') is 'äö'.
    locale_options: tuple[str, ...] = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
    # Passwords are random and long: whoever connects a thousand times need not stretch them a thousand times.
    careless: dict[str, str] = CARELESS | {"scram_iterations": "1"}

    def __init__(self, home: Home, *, durable: bool = True) -> None:
        self.home = home
        self.durable = durable
        self.data = home.folder / "postgres"
        self.log = home.folder / "postgres.log"
        # Of a socket it is a part of the file's name alone: no TCP port is taken.
        self.port = 5432 if home.has_short_path else free_port()
        self._admin_password_file = home.folder / "postgres-admin-password"
        self._password_files = {
            OWNER: home.folder / "postgres-password",
            RUNTIME: home.folder / "postgres-runtime-password",
            SEALER: home.folder / "postgres-sealer-password",
        }

    @property
    def url(self) -> str:
        """Return the URL of the room's database for who serves, password included."""
        return self._url(RUNTIME)

    @property
    def owner_url(self) -> str:
        """Return the URL of the room's database for its owner, password included."""
        return self._url(OWNER)

    @property
    def sealer_url(self) -> str:
        """Return the URL of the room's database for the sealer, password included."""
        return self._url(SEALER)

    @property
    def is_made(self) -> bool:
        """Say whether there is a cluster, with a password for each of its roles."""
        return self.data.is_dir() and all(file.exists() for file in self._password_files.values())

    def prepare(self) -> None:
        """
        Make the database cluster if there is none, and clear away what a dead server left.

        :raises CannotStart: the cluster cannot be made, or another version of PostgreSQL made it.
        """
        if not self.data.is_dir():
            self._make_cluster()
        for file in self._password_files.values():
            # A folder of before there were several roles has fewer passwords.
            if not file.exists():
                self.home.write(file, secrets.token_urlsafe(24))
        made_by = (self.data / "PG_VERSION").read_text().strip()
        if made_by != self.version:
            raise CannotStart(
                f"The data in {self.data} were made by PostgreSQL {made_by}, and this is PostgreSQL {self.version}: "
                "dump them with the version that made them, or move the folder away to begin anew."
            )
        self._clear_stale_pid_files()

    def spawn(self) -> subprocess.Popen[bytes]:
        """Start the server and return at once; `wait_until_ready` waits for it."""
        where = (
            {"listen_addresses": "", "unix_socket_directories": str(self.home.sockets)}
            if self.home.has_short_path
            else {"listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
        )
        settings = SETTINGS | where | {"port": str(self.port)} | ({} if self.durable else self.careless)
        options = [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
        command = [str(self.home.postgres_programs / "postgres"), "-D", str(self.data), *options]
        return spawn(command, account=self.home.account, folder=self.home.folder, log=self.log)

    def wait_until_ready(self, process: subprocess.Popen[bytes], *, give_up: Callable[[], bool] = never) -> None:
        """
        Return when the room's database takes connections; make it when it is not there yet.

        :raises CannotStart: the server ended or never answered; the sentence holds the end of its log.
        """
        deadline = Deadline(START_SECONDS_MAX, f"PostgreSQL did not answer in time. Its log, {self.log}, is no help.")
        while not give_up():
            if process.poll() is not None:
                raise CannotStart(f"PostgreSQL did not start. The end of {self.log}:\n{last_lines(self.log)}")
            try:
                with self._connect_as_admin() as connection:
                    self._make_database(connection)
                    return
            except psycopg.OperationalError:
                deadline.pause()

    def is_running(self) -> bool:
        """Say whether a server works on this data, whoever started it."""
        return bool(at_work_in(self.data, name="postgres"))

    def kill(self) -> None:
        """Kill the server where it stands, the postmaster first: nothing is written out or rolled back."""
        end(at_work_in(self.data, name="postgres"), ask=signal.SIGKILL, patience_seconds=5)

    def stop_leftover(self) -> bool:
        """Stop a server that outlived whoever started it; say whether there was one."""
        found = at_work_in(self.data, name="postgres")
        # The oldest is the postmaster; the others are its children and go with it.
        end(found[:1], ask=self.stop_signal, patience_seconds=8)
        end(found[1:], ask=signal.SIGQUIT, patience_seconds=2)
        return bool(found)

    def _make_cluster(self) -> None:
        draft = self.data.with_suffix(".draft")
        shutil.rmtree(draft, ignore_errors=True)
        self.home.write(self._admin_password_file, secrets.token_urlsafe(24))
        for file in self._password_files.values():
            self.home.write(file, secrets.token_urlsafe(24))
        command = [
            str(self.home.postgres_programs / "initdb"),
            f"--pgdata={draft}",
            "--username=postgres",
            f"--pwfile={self._admin_password_file}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            *self.locale_options,
            "--text-search-config=simple",
            *([] if self.durable else ["--no-sync"]),
        ]
        process = spawn(command, account=self.home.account, folder=self.home.folder, log=self.log)
        if process.wait() != 0:
            raise CannotStart(f"The database could not be made. The end of {self.log}:\n{last_lines(self.log)}")
        # Only a whole cluster gets the name, so that a Ctrl-C during initdb leaves nothing half made.
        draft.rename(self.data)

    def _clear_stale_pid_files(self) -> None:
        """
        Remove pid files whose number now belongs to another program.

        PostgreSQL itself clears away the file of a process that is gone, and then makes sure that none of
        that server's children still works on the data. But a number that is in use again, as after a restart
        of the machine, stops it.
        """
        if at_work_in(self.data, name="postgres"):
            return
        for file in (self.data / "postmaster.pid", self.home.sockets / ".s.PGSQL.5432.lock"):
            with contextlib.suppress(FileNotFoundError, ValueError, IndexError):
                if _is_alive(int(file.read_text().split()[0])):
                    file.unlink()

    def _connect_as_admin(self) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(
            host=str(self.home.sockets) if self.home.has_short_path else "127.0.0.1",
            port=self.port,
            user="postgres",
            password=self._admin_password_file.read_text(),
            dbname="postgres",
            connect_timeout=5,
            autocommit=True,
        )

    def _url(self, role: str) -> str:
        password = self._password_files[role].read_text()
        if self.home.has_short_path:
            return postgres_socket_url(self.home.sockets, role=role, password=password)
        return f"postgresql://{role}:{quote(password)}@127.0.0.1:{self.port}/brush"

    def _make_database(self, connection: psycopg.Connection[tuple[object, ...]]) -> None:
        # None is a superuser: what a real server would refuse, this one refuses too.
        self._make_role(connection, OWNER, "CREATEDB")
        for role in (RUNTIME, SEALER):
            self._make_role(connection, role)
            # The owner may end whoever is connected, and so drop a database: tests and restoring do.
            connection.execute(sql.SQL("GRANT {} TO {}").format(sql.Identifier(role), sql.Identifier(OWNER)))
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = 'brush'").fetchone():
            connection.execute(sql.SQL("CREATE DATABASE brush OWNER {}").format(sql.Identifier(OWNER)))

    def _make_role(
        self, connection: psycopg.Connection[tuple[object, ...]], role: str, may: LiteralString = ""
    ) -> None:
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone():
            password = sql.Literal(self._password_files[role].read_text())
            made = sql.SQL("CREATE ROLE {} LOGIN " + may + " PASSWORD {}").format(sql.Identifier(role), password)
            connection.execute(made)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
