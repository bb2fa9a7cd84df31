"""What a group leaves on disk about itself, so that the next one can clear up after a kill -9."""

import contextlib
import json
import os
import signal
from pathlib import Path

import psutil

from casino.embedded.home import write_private

PATIENCE_SECONDS = 3


def remember(file: Path, pids: dict[str, int]) -> None:
    """Write down which processes belong to the group; a pid alone would not tell them from a later program."""
    known = []
    for name, pid in pids.items():
        with contextlib.suppress(psutil.Error):
            known.append({"name": name, "pid": pid, "began": psutil.Process(pid).create_time()})
    write_private(file, json.dumps(known))


def end_leftovers(file: Path) -> list[str]:
    """Stop what is still there of the processes in `file`; return their names."""
    try:
        known = json.loads(file.read_text())
    except (OSError, ValueError):
        return []
    alive = [(entry["name"], process) for entry in known if (process := _same_process(entry)) is not None]
    for _, process in alive:
        _signal_group(process.pid, signal.SIGTERM)
    _, deaf = psutil.wait_procs([process for _, process in alive], timeout=PATIENCE_SECONDS)
    for process in deaf:
        _signal_group(process.pid, signal.SIGKILL)
    psutil.wait_procs(deaf, timeout=PATIENCE_SECONDS)
    file.unlink(missing_ok=True)
    return [name for name, _ in alive]


def _same_process(entry: dict[str, float]) -> psutil.Process | None:
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(int(entry["pid"]))
        if abs(process.create_time() - entry["began"]) < 1:
            return process
    return None


def _signal_group(pid: int, number: signal.Signals) -> None:
    # Each child leads a session of its own, so its group has its number.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)
