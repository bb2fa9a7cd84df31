"""The embedded Redis (Valkey, where a wheel has it): tasks on their way and notices; the truth is in PostgreSQL."""

import contextlib
import secrets
import signal
import subprocess
from collections.abc import Callable
from urllib.parse import quote

import redis

from casino.embedded import redis_socket_url
from casino.embedded.home import CannotStart, Home
from casino.embedded.processes import Deadline, at_work_in, end, free_port, last_lines, never, spawn

START_SECONDS_MAX = 30
# valkey-server or redis-server: one that an older Brush left running is found as well.
PROGRAM = "-server"


class RedisServer:
    """One Redis in one home."""

    name = "Redis"
    stop_signal = signal.SIGTERM

    def __init__(self, home: Home, *, durable: bool = True) -> None:
        self.home = home
        self.durable = durable
        self.data = home.folder / "redis"
        self.log = home.folder / "redis.log"
        self.port = 0 if home.has_short_path else free_port()
        self._config_file = home.folder / "redis.conf"
        self._password_file = home.folder / "redis-password"

    @property
    def url(self) -> str:
        """Return the URL of the server, password included."""
        if self.home.has_short_path:
            return redis_socket_url(self.home.sockets)
        return f"redis://:{quote(self._password_file.read_text())}@127.0.0.1:{self.port}/0"

    def prepare(self) -> None:
        """Write the configuration: in a file, for the arguments of a process can be read by anyone."""
        self.home.make_folder(self.data)
        if not self._password_file.exists():
            self.home.write(self._password_file, secrets.token_urlsafe(24))
        where = (
            ["port 0", f'unixsocket "{self.home.sockets / "redis"}"', "unixsocketperm 700"]
            if self.home.has_short_path
            else ["bind 127.0.0.1", f"port {self.port}", f"requirepass {self._password_file.read_text()}"]
        )
        # Tasks that wait in a queue survive a restart; a second of them may be lost, and time triggers them again.
        keep = ["appendonly yes", "appendfsync everysec"] if self.durable else ["appendonly no"]
        lines = [*where, *keep, f'dir "{self.data}"', 'save ""', "databases 16", "loglevel warning", "daemonize no"]
        self.home.write(self._config_file, "\n".join(lines) + "\n")

    def spawn(self) -> subprocess.Popen[bytes]:
        """Start the server and return at once; `wait_until_ready` waits for it."""
        command = [str(self.home.redis_program), str(self._config_file)]
        return spawn(command, account=self.home.account, folder=self.home.folder, log=self.log)

    def wait_until_ready(self, process: subprocess.Popen[bytes], *, give_up: Callable[[], bool] = never) -> None:
        """
        Return when the server answers.

        :raises CannotStart: it ended or never answered; the sentence holds the end of its log.
        """
        deadline = Deadline(START_SECONDS_MAX, f"Redis did not answer in time. Its log, {self.log}, is no help.")
        while not give_up():
            if process.poll() is not None:
                raise CannotStart(f"Redis did not start. The end of {self.log}:\n{last_lines(self.log)}")
            with contextlib.suppress(redis.RedisError), redis.Redis.from_url(self.url, socket_timeout=2) as client:
                client.ping()
                return
            deadline.pause()

    def is_running(self) -> bool:
        """Say whether a server works on this data, whoever started it."""
        return bool(at_work_in(self.data, name=PROGRAM))

    def kill(self) -> None:
        """Kill the server where it stands."""
        end(at_work_in(self.data, name=PROGRAM), ask=signal.SIGKILL, patience_seconds=5)

    def stop_leftover(self) -> bool:
        """Stop a server that outlived whoever started it; say whether there was one."""
        found = at_work_in(self.data, name=PROGRAM)
        end(found, ask=self.stop_signal, patience_seconds=5)
        return bool(found)
