"""Real processes of Brush for tests that go through the front door."""

import os
import secrets
import signal
import subprocess
import urllib.request
from pathlib import Path

from casino.embedded.processes import free_port
from casino.supervisor.commands import beat_command, manage_command, web_command, worker_command
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.warm import WarmProcess, ancestor


class BrushServer:
    """
    A web process on a database of its own, and a worker with its beat where a test asks for them; all of them warm.

    `url` stays the same over `restart()`. What the processes log is in `log()`.
    """

    def __init__(self, *, database_url: str, redis_url: str, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.socket_url = f"ws://127.0.0.1:{self.port}"
        self.log_file = folder / "server.log"
        self.redis_prefix = f"test-{secrets.token_hex(6)}"
        self.env = {name: value for name, value in os.environ.items() if not name.startswith("BRUSH_")} | {
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "BRUSH_REDIS_PREFIX": self.redis_prefix,
            "BRUSH_SECRET_KEY": secrets.token_urlsafe(40),
            "BRUSH_DATA_DIR": str(folder),
            "BRUSH_LOGS": "plain",
            # The tests' phones run on this machine.
            "BRUSH_PHONE_URL": self.url,
            "BRUSH_POOL_SIZE": "8",
        }
        self.process: WarmProcess | None = None
        self._helpers: list[WarmProcess] = []

    def start(self) -> None:
        """Start the web process and wait until it answers."""
        self.process = self._spawn("web", web_command(host="127.0.0.1", port=self.port))
        process = self.process
        wait_until(lambda: process.poll() is not None or self._answers(), lambda: f"It never answered:\n{self.log()}")
        if process.poll() is not None:
            raise RuntimeError(f"The server did not start:\n{self.log()}")

    def start_worker(self) -> None:
        """Start a worker and beat: time then triggers what is due, as in a real room."""
        self._helpers += [self._spawn("worker", worker_command()), self._spawn("beat", beat_command())]

    def stop(self) -> None:
        """Stop all processes as the supervisor would."""
        processes = [*reversed(self._helpers), *([self.process] if self.process else [])]
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            try:
                process.wait(timeout=8)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._helpers = []
        self.process = None

    def kill(self) -> None:
        """Kill the web process where it stands, as a power cut would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        self.process = None

    def restart(self) -> None:
        """Start the web process again, at the same address; stop it before if it still runs."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=PATIENCE_SECONDS)
        self.start()

    def manage(self, *arguments: str) -> str:
        """Run a command of manage.py in this room; return what it printed."""
        printed = self.log_file.with_name(f"manage-{secrets.token_hex(4)}.log")
        ended = ancestor.start(manage_command(*arguments), env=self.env, log=printed).wait(timeout=PATIENCE_SECONDS)
        assert ended == 0, f"manage.py {' '.join(arguments)} failed:\n{printed.read_text()}"
        return printed.read_text()

    def log(self) -> str:
        """Return what all processes of this room have logged so far."""
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def _spawn(self, name: str, command: list[str]) -> WarmProcess:
        return ancestor.start(command, env=self.env | {"BRUSH_PROCESS": name}, log=self.log_file)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False
