"""
Processes of Brush that begin in hundredths of a second, for tests: forked from an ancestor that has imported
everything and opened nothing.

A web process imports for seconds and then serves a test for one. Each test process has an ancestor of its own, which
keeps no connection, thread, loop, or setting of any test; what is forked from it reads its environment as a process
that starts by itself does. Tests of starting itself, of the supervisor and of settings start for real.

    python -m tests.support.warm <descriptor>

is the ancestor. Over the socket with that number it gets, for each process, the files for its output and for its news;
on the latter it reads one line of JSON, and writes the process's id and, when it has ended, its exit code.
"""

import contextlib
import gc
import importlib
import json
import os
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, Any

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import ROOT

# What the three kinds of processes, and manage.py, would import before they serve anybody.
IMPORTED = (
    "casino.urls", "casino.serving", "casino.heads", "casino.live.routing", "casino.live.protocol", "tables.tasks",
    "uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.protocols.http.auto", "psycopg_pool", "redis.asyncio",
    "celery.apps.beat", "celery.apps.worker", "celery.bin.celery", "celery.concurrency.thread",
    "celery.worker.consumer", "kombu.transport.redis",
)  # fmt: skip


class WarmProcess:
    """A process that was forked from the ancestor, to be waited for and ended as one of `subprocess`."""

    def __init__(self, pid: int, news: IO[str]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._news = news
        self._ended = threading.Thread(target=self._read_exit_code, daemon=True)
        self._ended.start()

    def poll(self) -> int | None:
        """Return the exit code, minus the signal for who was killed; None while it runs."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """
        Return the exit code as soon as there is one.

        :raises subprocess.TimeoutExpired: it runs on.
        """
        self._ended.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal; who has ended gets none."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def _read_exit_code(self) -> None:
        with self._news:
            # The ancestor's end, should it be killed, is the end of all news.
            self.returncode = int(self._news.readline() or -signal.SIGKILL)


class Ancestor:
    """The ancestor of this test process, started when it is first asked for."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._orders: socket.socket | None = None
        self._static = ""
        # A house starts its processes in threads, and each may be the first to ask.
        self._begins = threading.Lock()

    def start(self, command: list[str], *, env: dict[str, str], log: Path) -> WarmProcess:
        """Start what `command` would start, in a session of its own, with its output appended to a file."""
        with self._begins:
            if self._orders is None:
                self._begin()
        assert self._orders is not None
        ours, theirs = socket.socketpair()
        with log.open("ab") as output, theirs:
            socket.send_fds(self._orders, [b"."], [output.fileno(), theirs.fileno()])
        news = ours.makefile("rw")
        ours.close()
        news.write(json.dumps({"command": command[1:], "env": env, "static": self._static}) + "\n")
        news.flush()
        return WarmProcess(int(news.readline()), news)

    def stop(self) -> None:
        """End the ancestor; what was forked from it ends with these tests at the latest."""
        if self._process is None:
            return
        assert self._orders is not None
        self._orders.close()
        self._process.wait(timeout=PATIENCE_SECONDS)
        shutil.rmtree(self._static)

    def _begin(self) -> None:
        self._orders, theirs = socket.socketpair()
        # Files for the screens are compressed once for all processes: each has a link to them.
        self._static = tempfile.mkdtemp(prefix="brush-static-")
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.warm", str(theirs.fileno())], cwd=ROOT, pass_fds=[theirs.fileno()]
            )


ancestor = Ancestor()


def main(descriptor: int) -> None:
    """Be the ancestor: fork for each order, until whoever gives them has ended."""
    _import_everything()
    orders = socket.socket(fileno=descriptor)
    # Those who wait for the processes are waited for by nobody.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        _, (*files,), _, _ = socket.recv_fds(orders, 1, 2)
        if not files:
            return
        if os.fork() == 0:
            orders.close()
            _start_and_wait(*files)
            return
        for file in files:
            os.close(file)


def _import_everything() -> None:
    import django
    from django.contrib.auth.hashers import Argon2PasswordHasher
    from django.db import connections

    os.environ["DJANGO_SETTINGS_MODULE"] = "casino.settings"
    gc.disable()
    django.setup()
    for name in IMPORTED:
        importlib.import_module(name)
    # As in the tests' own processes: what would be hashed dearer is hashed anew at a sign-in.
    Argon2PasswordHasher.time_cost, Argon2PasswordHasher.memory_cost, Argon2PasswordHasher.parallelism = 1, 8, 1
    # What is here stays: looking through it all again would have every process copy it.
    gc.collect()
    gc.freeze()
    gc.enable()
    assert threading.active_count() == 1
    assert all(made.connection is None for made in connections.all(initialized_only=True))


def _start_and_wait(output: int, news: int) -> None:
    """Fork the process, and tell its id and its end; in that process itself, become it and return when it is over."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with socket.socket(fileno=news) as connected, connected.makefile("rw") as stream:
        order = json.loads(stream.readline())
        pid = os.fork()
        if pid != 0:
            stream.write(f"{pid}\n")
            stream.flush()
            _outlive_nobody(pid, connected)
            _, status = os.waitpid(pid, 0)
            with contextlib.suppress(BrokenPipeError):
                stream.write(f"{os.waitstatus_to_exitcode(status)}\n")
                stream.flush()
            # Nothing of the ancestor's is to be tidied up here.
            os._exit(0)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, file in enumerate((nothing, output, output)):
        os.dup2(file, number)
    os.close(nothing)
    os.close(output)
    _become(order)


def _outlive_nobody(pid: int, connected: socket.socket) -> None:
    """Return when the process has ended; end it where the tests that asked for it are gone, killed themselves."""
    if hasattr(os, "pidfd_open"):
        ended = os.pidfd_open(pid)
        ready, _, _ = select.select([ended, connected.fileno()], [], [])
        if ended not in ready:
            os.kill(pid, signal.SIGKILL)


def _become(order: dict[str, Any]) -> None:
    """Run a command as a process that has just started would."""
    os.environ.clear()
    os.environ.update(order["env"])
    _forget_settings()
    with contextlib.suppress(OSError):
        os.symlink(order["static"], Path(os.environ["BRUSH_DATA_DIR"]) / "static")
    match order["command"]:
        case ["-m", module, *arguments]:
            sys.argv = [module, *arguments]
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        case [script, *arguments]:
            sys.argv = [script, *arguments]
            runpy.run_path(script, run_name="__main__")


def _forget_settings() -> None:
    """Have settings read the environment anew when they are first asked for."""
    from django.conf import settings
    from django.db import connections
    from django.utils.functional import empty

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    sys.modules.pop("casino.settings")
    settings._wrapped = empty
    for made in connections.all(initialized_only=True):
        del connections[made.alias]
    connections._settings = None  # type: ignore[attr-defined]  # Django keeps what it was made of
    vars(connections).pop("settings", None)


if __name__ == "__main__":
    main(int(sys.argv[1]))
