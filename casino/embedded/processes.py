# ruff: noqa: S603 - the programs are ours, out of wheels that were checked against their hashes.
"""Starting and finding the processes of embedded servers."""

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import psutil

from casino.embedded.home import Account, CannotStart

# A log that has grown beyond this starts anew at the next start; the one before it is kept.
LOG_BYTES_MAX = 5_000_000


def spawn(
    command: list[str], *, account: Account, folder: Path, log: Path, env: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """
    Start a server in a session of its own, writing to `log`.

    A session of its own, so that Ctrl-C in the terminal reaches the supervisor alone, which then
    stops everything in the right order.
    """
    if log.exists() and log.stat().st_size > LOG_BYTES_MAX:
        log.replace(log.with_suffix(".log.old"))
    # Root follows no link that the servers' account may have left in its folder.
    with os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600), "ab") as output:
        return subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # Not the caller's: PGPORT, PGDATA or LANG would change what these servers do.
            env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", **(env or {})},
            **account.popen_options(),
        )


def at_work_in(folder: Path, *, name: str) -> list[psutil.Process]:
    """
    Return the processes called `name` whose working directory is `folder`, oldest first.

    A pid file may name a process that died, whose number another program has since been given. Both
    servers work inside their data folder, and no other program of that name does.
    """
    target = folder.resolve()
    found = []
    for process in psutil.process_iter():
        # Others' processes do not tell their folder, and some end meanwhile.
        with contextlib.suppress(psutil.Error, OSError):
            # A zombie works on nothing any more; it waits to be asked how it ended.
            if name in process.name() and Path(process.cwd()) == target and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return sorted(found, key=lambda process: process.create_time())


def end(processes: list[psutil.Process], *, ask: signal.Signals, patience_seconds: float) -> None:
    """Ask processes to stop, and kill those that have not after `patience_seconds`."""
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.send_signal(ask)
    _, deaf = psutil.wait_procs(processes, timeout=patience_seconds)
    for process in deaf:
        with contextlib.suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(deaf, timeout=5)


def free_port() -> int:
    """Return a TCP port on loopback that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def last_lines(log: Path, count: int = 12) -> str:
    """Return the end of a log, to be shown when a server does not start."""
    try:
        return "\n".join(log.read_text(errors="replace").splitlines()[-count:])
    except OSError:
        return f"(no log at {log})"


def never() -> bool:
    """Return False: the `give_up` of a wait that nothing ends before its time."""
    return False


class Deadline:
    """A span of waiting that ends with a sentence."""

    def __init__(self, seconds: float, sentence: str) -> None:
        self._ends = time.monotonic() + seconds
        self._sentence = sentence

    def pause(self, seconds: float = 0.03) -> None:
        """
        Wait a moment before looking again.

        :raises CannotStart: the span is over.
        """
        if time.monotonic() > self._ends:
            raise CannotStart(self._sentence)
        time.sleep(seconds)
