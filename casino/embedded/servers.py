"""Both embedded servers of a data folder, started and stopped together."""

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
        self.both: tuple[Postgres | RedisServer, ...] = (self.postgres, self.redis)
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """
        Start both and wait until they answer.

        :raises CannotStart: one does not; the other is stopped again.
        """
        try:
            for each in self.both:
                self._begin(each)
            for each in self.both:
                each.wait_until_ready(self._processes[each.name])
        # Ctrl-C too: each has a session of its own, and would run on without us.
        except BaseException:
            self.stop()
            raise
        self.write_state()

    def crash(self, server: Postgres | RedisServer) -> None:
        """Kill one of the two, as a power cut would."""
        server.kill()
        self._processes.pop(server.name).wait()

    def start_again(self, server: Postgres | RedisServer) -> None:
        """
        Start one that crashed, at its old address, and wait until it answers.

        :raises CannotStart: it does not.
        """
        self._begin(server)
        server.wait_until_ready(self._processes[server.name])

    def _begin(self, server: Postgres | RedisServer) -> None:
        server.prepare()
        self._processes[server.name] = server.spawn()

    def write_state(self) -> None:
        """Write down where the servers are, for settings to read."""
        state = {"data_dir": str(self.home.data_dir), "home": str(self.home.folder)}
        # A server of somebody else's may stand in for one of the two, and then ours has never been made.
        if self.postgres.is_made:
            state |= {
                "database_url": self.postgres.url,
                "owner_database_url": self.postgres.owner_url,
                "sealer_database_url": self.postgres.sealer_url,
            }
        if self.redis.data.is_dir():
            state["redis_url"] = self.redis.url
        write_private(self.home.data_dir / STATE_FILE, json.dumps(state, indent=1))

    def is_running(self) -> bool:
        """Say whether both run, whoever started them."""
        return all(each.is_running() for each in self.both)

    def stop(self) -> None:
        """Stop what runs, also when another process started it."""
        for each in reversed(self.both):
            each.stop_leftover()
        for process in self._processes.values():
            # One that has only just begun is not yet known by its folder, and so was passed by above.
            process.terminate()
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._processes = {}
