"""`make run` as a test sees it: a supervisor in a process of its own, its words, and what it runs."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from casino.embedded.processes import free_port
from casino.supervisor.probe import what_is_missing
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.servers import ROOT


class Supervised:
    """A supervisor on a data folder."""

    def __init__(self, data_dir: Path, **environment: str) -> None:
        self.data_dir = data_dir
        self.port = int(environment.get("BRUSH_PORT") or free_port())
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("BRUSH_") and name not in ("DATABASE_URL", "REDIS_URL")
        }
        ours = {"BRUSH_DATA_DIR": str(data_dir), "BRUSH_PORT": str(self.port), "BRUSH_DEMO": "0"}
        # A file and no pipe: children of a killed supervisor would hold the pipe open.
        handle, name = tempfile.mkstemp(prefix="said-", dir=data_dir.parent)
        self._printed = Path(name)
        with open(handle, "wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "casino.supervisor"],
                cwd=ROOT,
                env=inherited | ours | environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def output_text(self) -> str:
        """Return what the supervisor and its children printed so far."""
        return self._printed.read_text(errors="replace")

    def wait_for(self, words: str, *, seconds: float = PATIENCE_SECONDS) -> None:
        """Return when these words have been printed."""
        self._wait(lambda: words in self.output_text, f"did not say {words!r}", seconds)

    def wait_until_whole(self) -> None:
        """Return when web, worker, database and Redis all answer."""
        self._wait(lambda: what_is_missing(self.port) == [], "did not get ready", PATIENCE_SECONDS)

    def children(self) -> dict[str, psutil.Process]:
        """Return the processes of the group by name."""
        found = {}
        for process in psutil.Process(self.process.pid).children():
            words = " ".join(process.cmdline())
            for name, sign in {
                "web": "uvicorn",
                "worker": " worker ",
                "beat": " beat ",
                "sealer": " sealer",
                "PostgreSQL": "postgres",
                "Redis": "redis",
            }.items():
                if sign in words:
                    found[name] = process
        return found

    def stop(self, number: signal.Signals = signal.SIGINT) -> float:
        """Press Ctrl-C, so to say; return how many seconds the end took."""
        stopped_at = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.wait(timeout=PATIENCE_SECONDS)
        return time.monotonic() - stopped_at

    @property
    def stopped_after(self) -> float:
        """Return how many seconds the supervisor says that the end took it, its own exit apart."""
        found = re.search(r"All stopped after ([\d.]+) s\.", self.output_text)
        assert found, self.output_text
        return float(found[1])

    def _wait(self, condition: Callable[[], bool], complaint: str, seconds: float) -> None:
        def has_ended() -> bool:
            return self.process.poll() is not None

        def output_tail() -> str:
            return f"The supervisor {complaint}. It said:\n{self.output_text}"

        wait_until(lambda: condition() or has_ended(), output_tail, seconds=seconds)
        assert condition() or not has_ended(), output_tail()
