"""Both embedded servers of a data folder, started and stopped together."""

import contextlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from casino.embedded import STATE_FILE
from casino.embedded.home import CannotStart, Home, find_home, write_private
from casino.embedded.postgres import Postgres
from casino.embedded.redis_server import RedisServer

__all__ = ["CannotStart", "Servers"]


class Servers:
    """
    A PostgreSQL and a Redis for one data folder.

    The supervisor runs them one by one, among its other children; tests use `start` and `stop`.
    """

    def __init__(self, data_dir: Path, *, durable: bool = True, say: Callable[[str], None] = print) -> None:
        self.home: Home = find_home(data_dir, say=say)
        self.postgres = Postgres(self.home, durable=durable)
        self.redis = RedisServer(self.home, durable=durable)
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """
        Start both and wait until they answer.

        :raises CannotStart: one does not; the other is stopped again.
        """
        try:
            for server in (self.postgres, self.redis):
                server.prepare()
                self._processes.append(server.spawn())
            for server, process in zip((self.postgres, self.redis), self._processes, strict=True):
                server.wait_until_ready(process)
        except BaseException:
            self.stop()
            raise
        self.write_state()

    def write_state(self) -> None:
        """Write down where the servers are, for settings to read."""
        state = {
            "data_dir": str(self.home.data_dir),
            "home": str(self.home.folder),
            "database_url": self.postgres.url,
            "redis_url": self.redis.url,
        }
        write_private(self.home.data_dir / STATE_FILE, json.dumps(state, indent=1))

    def is_running(self) -> bool:
        """Say whether both run, whoever started them."""
        return self.postgres.is_running() and self.redis.is_running()

    def stop(self) -> None:
        """Stop what runs, also when another process started it."""
        for server in (self.redis, self.postgres):
            server.stop_leftover()
        for process in self._processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=5)
        self._processes = []
