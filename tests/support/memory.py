"""
Files of tests lie in memory where this machine has room: every database is a thousand of them, made and removed again.

On ext4 that costs a third of a second and more each time, most of it spent on finding a number for each file that none
had who was removed in the last minutes.
"""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

import psutil

MEMORY = Path("/dev/shm")
ROOM_BYTES_MIN = 2 * 1024**3
# What a container's processes may take together, and what they do.
LIMIT, TAKEN = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")
# Which project a folder belongs to.
WHOSE = "project"


def has_room() -> bool:
    """Say whether there is such a place, from which programs may be run, and memory enough."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return False
    place = os.statvfs(MEMORY)
    rooms = [place.f_bavail * place.f_frsize, psutil.virtual_memory().available, _left_to_container()]
    return not place.f_flag & os.ST_NOEXEC and min(rooms) >= ROOM_BYTES_MIN


def _left_to_container() -> float:
    try:
        return int(LIMIT.read_text()) - int(TAKEN.read_text())
    except (OSError, ValueError):
        # No such thing here, or "max".
        return float("inf")


def use_for_temporary_files() -> None:
    """Have this process and those that it starts put temporary files there, unless the environment names a place."""
    if "TMPDIR" not in os.environ and has_room():
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def folder_of(project: Path) -> Path | None:
    """
    Return the folder there that a project keeps between runs; None where there is no room.

    Folders of projects that are gone are removed. Containers may share the place and see neither each other's projects
    nor processes: each has names of its own.
    """
    ours = f"brush-tests-{os.geteuid()}-{os.stat('/proc/self/ns/pid').st_ino}-"
    folder = MEMORY / (ours + hashlib.sha256(os.fsencode(project)).hexdigest()[:12])
    # Who has begun there stays there.
    if not folder.is_dir():
        if not has_room():
            return None
        for other in MEMORY.glob(f"{ours}*"):
            if (other / WHOSE).is_file() and not Path((other / WHOSE).read_text()).is_dir():
                shutil.rmtree(other, ignore_errors=True)
        # The servers may run as another user, who must be able to pass through.
        folder.mkdir(mode=0o700)
        (folder / WHOSE).write_text(str(project))
        folder.chmod(0o711)
    return folder
