"""One process that is kept running: started, missed when it is gone, started again, stopped."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable

# A child that dies sooner than this after its start is started again later and later.
STEADY_SECONDS = 10
RESTART_PAUSE_SECONDS_MAX = 10.0


class Child:
    """
    One process of the group.

    `spawn` starts it (and returns at once); `wait_ready`, where there is one, waits until it can work.
    """

    def __init__(
        self,
        name: str,
        spawn: Callable[[], subprocess.Popen[bytes]],
        *,
        wait_ready: Callable[[subprocess.Popen[bytes]], None] | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
    ) -> None:
        self.name = name
        self.stop_signal = stop_signal
        self.process: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0
        self._spawn = spawn
        self._wait_ready = wait_ready
        self._quick_deaths = 0
        self._start_again_at: float | None = None

    def start(self) -> None:
        """Start the process and wait until it can work, if it has a way to say so."""
        self._start_again_at = None
        self.started_at = time.monotonic()
        self.process = self._spawn()
        if self._wait_ready is not None:
            self._wait_ready(self.process)

    def watch(self) -> str | None:
        """
        Look after the process: start it again when it is gone.

        Return a sentence when there is something to tell.
        """
        if self._start_again_at is not None:
            if time.monotonic() >= self._start_again_at:
                self.start()
                return f"{self.name} runs again."
            return None
        if self.process is None or self.process.poll() is None:
            return None
        pause = self._pause_before_restart()
        self._start_again_at = time.monotonic() + pause
        when = f" in {pause:.0f} s" if pause >= 1 else ""
        return f"{self.name} {_how_it_ended(self.process.returncode)}; starting it again{when}."

    def restart(self) -> None:
        """Make an end of a process that lives but does not work, and start it again at once."""
        self.kill()
        self.start()

    def ask_to_stop(self) -> None:
        """Send the signal on which this process stops in order."""
        self._start_again_at = None
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(self.stop_signal)

    def wait_stopped(self, seconds: float) -> bool:
        """Wait until it has stopped; after `seconds` kill it, and return False."""
        if self.process is None:
            return True
        try:
            self.process.wait(timeout=max(seconds, 0.05))
            return True
        except subprocess.TimeoutExpired:
            self.kill()
            return False

    def kill(self) -> None:
        """Kill the process with all that it started: it has a session, and so a group, of its own."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def _pause_before_restart(self) -> float:
        is_steady = time.monotonic() - self.started_at > STEADY_SECONDS
        self._quick_deaths = 0 if is_steady else self._quick_deaths + 1
        return min(2.0 ** (self._quick_deaths - 2), RESTART_PAUSE_SECONDS_MAX) if self._quick_deaths > 1 else 0.0


def _how_it_ended(returncode: int) -> str:
    if returncode < 0:
        return f"was killed ({signal.Signals(-returncode).name})"
    return f"ended by itself (exit code {returncode})"
