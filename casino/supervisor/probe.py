"""
Asking a web process how it is: `python -m casino.supervisor.probe 8000` is also a container's health check.

Standard library only, so that asking costs next to nothing.
"""

import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request

ASK_SECONDS_MAX = 3


def what_is_missing(port: int, *, host: str = "127.0.0.1") -> list[str]:
    """Return what /readyz misses; ["web"] when there is no answer."""
    # Asked by the name under which the house serves, for to others it answers 400.
    name = os.environ.get("BRUSH_ALLOWED_HOSTS", "localhost").split(",")[0].replace("*", "localhost").lstrip(".")
    address = host.replace("0.0.0.0", "127.0.0.1")  # noqa: S104 - compared, not bound
    request = urllib.request.Request(f"http://{address}:{port}/readyz", headers={"Host": name})
    try:
        with urllib.request.urlopen(request, timeout=ASK_SECONDS_MAX) as answer:  # noqa: S310 - the line above says http
            return list(json.load(answer)["missing"])
    # 503: the house answers, and its answer says what is missing.
    except urllib.error.HTTPError as refusal:
        with refusal:
            return _missing_in(refusal.read())
    except (OSError, ValueError, KeyError):
        return ["web"]


def _missing_in(body: bytes) -> list[str]:
    try:
        return list(json.loads(body)["missing"])
    except (ValueError, KeyError, TypeError):
        return ["web"]


class Pulse:
    """A thread that asks again and again, so that waiting for an answer never holds up a Ctrl-C."""

    def __init__(self, port: int, *, host: str, every_seconds: float = 2.0) -> None:
        self._port = port
        self._host = host
        self._every_seconds = every_seconds
        self._last_seen: dict[str, float] = {}
        self._thread = threading.Thread(target=self._ask_for_ever, name="pulse", daemon=True)

    def start(self) -> None:
        """Start the thread that asks web and worker for a sign; both count as seen now."""
        now = time.monotonic()
        self._last_seen = {"web": now, "worker": now}
        self._thread.start()

    def silent_seconds(self, name: str) -> float:
        """Return for how long "web" or "worker" has given no sign, nor been excused."""
        return time.monotonic() - self._last_seen[name]

    def excuse(self, *names: str) -> None:
        """Count the silence of "web" or "worker" from now on: they have just been started."""
        for name in names:
            self._last_seen[name] = time.monotonic()

    def _ask_for_ever(self) -> None:
        while True:
            missing = what_is_missing(self._port, host=self._host)
            if "web" not in missing:
                self.excuse("web")
            # Without the web process or Redis nobody can tell how the worker is.
            if not {"worker"} & set(missing) or {"web", "redis"} & set(missing):
                self.excuse("worker")
            time.sleep(self._every_seconds)


if __name__ == "__main__":
    found = what_is_missing(int(sys.argv[1]))
    # A container is healthy when it can serve; that the worker is away is the worker's own check.
    sys.exit(1 if {"web", "database", "redis"} & set(found) else 0)
