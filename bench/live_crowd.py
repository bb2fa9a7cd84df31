"""The other end of `bench.live_ears` and `bench.live_bare`: their processes, and how they are told what to do."""

import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode, urlsplit

from casino.embedded.processes import free_port
from casino.simulation.instance import ROOT
from casino.supervisor.commands import web_command

SECONDS_MAX = 60.0


class Ears:
    """A process full of sockets."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._address = (parts.hostname, parts.port)
        self.count = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.live_ears"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def open(self, count: int, audiences: Sequence[str], *, language: str, cookie: str = "", window: int = 0) -> None:
        """Open so many sockets of one kind; they stay open. `window`: the bytes that one holds unread."""
        self._ask(
            do="open",
            address=self._address,
            path=f"/live/?{heard(audiences, language)}",
            count=count,
            audiences=list(audiences),
            cookie=cookie,
            window=window,
        )
        self.count += count

    def await_news(self, after: int = -1) -> None:
        """Begin to wait for news; `last` says when all had them."""
        self._ask(do="news", after=after)

    def last(self) -> float:
        """Wait for the news and return the moment (`time.perf_counter()`) when the last socket had them."""
        return float(self._answer("last")["last"])

    def frames(self) -> tuple[int, float, float]:
        """Return the fragments read so far, the moment, and the seconds of processor time this process has used."""
        answer = self._ask(do="frames")
        return int(answer["frames"]), float(answer["at"]), float(answer["cpu"])

    def stall(self, count: int) -> None:
        """Have the first so many sockets read nothing, and all others read; who has stalled is not counted again."""
        self._ask(do="stall", count=count)

    def close(self) -> None:
        """Close all sockets and the process."""
        self._process.communicate(timeout=SECONDS_MAX)

    def _ask(self, **arguments: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(arguments) + "\n")
        self._process.stdin.flush()
        return self._answer("frames")

    def _answer(self, name: str) -> dict[str, Any]:
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            answer: dict[str, Any] = json.loads(line)
            if name in answer:
                return answer
            assert "lost" not in answer, f"lost: {answer}"
        raise RuntimeError("the process with the sockets is gone")


def heard(audiences: Sequence[str], language: str) -> str:
    """Return the query string of a socket."""
    return urlencode([*(("audience", audience) for audience in audiences), ("language", language)])


class Web:
    """A web process of this benchmark: its address, its process id, and requests to it without a client in the way."""

    def __init__(self, url: str, pid: int) -> None:
        self.url, self.pid = url, pid

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> None:
        """Ask, and wait for the answer."""
        request = urllib.request.Request(  # noqa: S310 - our own address
            self.url + path, data=json.dumps(body or {}).encode(), method=method
        )
        with urllib.request.urlopen(request, timeout=SECONDS_MAX) as answer:  # noqa: S310 - our own address
            answer.read()


@contextmanager
def web(application: str, *, env: Mapping[str, str] | None = None) -> Iterator[Web]:
    """Run an ASGI application with the very command and settings of Brush's web process."""
    port = free_port()
    command = [
        application if part == "casino.asgi:application" else part for part in web_command(host="127.0.0.1", port=port)
    ]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=subprocess.STDOUT)  # noqa: S603 - ours
        try:
            _wait(port, process)
            yield Web(f"http://127.0.0.1:{port}", process.pid)
        finally:
            process.terminate()
            process.wait(timeout=SECONDS_MAX)


def _wait(port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + SECONDS_MAX
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the web process did not start") from None
            time.sleep(0.05)
