# ruff: noqa: S603, T201 - it starts pip, with no words from outside, and talks to a person in a terminal.
"""
Make `.venv` and install what the lock says, if that has not been done for this lock already.

Standard library only, since it runs before anything is installed. `python scripts/setup.py` sets up
what the room runs on; `--dev` adds what checks and tests need. Says nothing when there is nothing to do.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / "bin" / "python"
STAMP = VENV / "brush-installed.json"
RUNTIME_LOCK = ROOT / "requirements.txt"
DEV_LOCK = ROOT / "requirements-dev.txt"
# With any of these the browser tests run (tests/support/browser.py).
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class SetupFailed(Exception):
    """Something the person at the keyboard has to put right; the text says what."""


def main(arguments: list[str]) -> int:
    """Set up; return the exit code."""
    lock = DEV_LOCK if "--dev" in arguments else RUNTIME_LOCK
    try:
        with one_at_a_time():
            if lock.name not in installed():
                make_venv()
                install(lock)
                if lock == DEV_LOCK:
                    find_browser()
    except SetupFailed as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold a lock, so that `make run` beside `make test` waits instead of installing into the same folder."""
    with RUNTIME_LOCK.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def digest(lock: Path) -> str:
    """Return what tells one lock file from its next version."""
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def installed() -> list[str]:
    """Return the names of the lock files that `.venv` holds as they are now."""
    try:
        stamp = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return []
    # A copied or moved tree may bring along a .venv whose Python is not on this machine.
    works = subprocess.run([VENV_PYTHON, "-c", ""], capture_output=True, check=False).returncode == 0
    return [lock.name for lock in (RUNTIME_LOCK, DEV_LOCK) if works and stamp.get(lock.name) == digest(lock)]


def make_venv() -> None:
    """Make `.venv`, or leave a working one as it is."""
    if VENV_PYTHON.exists() and run_quietly([VENV_PYTHON, "-m", "pip", "--version"]):
        return
    # Debian's python3 has the venv module without ensurepip until python3-venv is installed.
    missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
    if missing:
        package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        raise SetupFailed(
            f"{sys.executable} lacks the module {missing[0]}, which makes virtual environments: install it "
            f"(on Debian and Ubuntu: apt-get install {package}) and run make again."
        )
    print(f"Making .venv with Python {sys.version.split()[0]} ...", flush=True)
    if VENV.is_symlink() or VENV.exists():
        shutil.rmtree(VENV)
    if subprocess.run([sys.executable, "-m", "venv", VENV], check=False).returncode != 0:
        raise SetupFailed("Making .venv failed, for the reason above.")


def install(lock: Path) -> None:
    """
    Install what a lock file pins, each file checked against its hash, and note that it was done.

    :raises SetupFailed: pip could not; the next run tries again.
    """
    print(f"Installing what {lock.name} pins (a minute or two, only when it has changed) ...", flush=True)
    STAMP.unlink(missing_ok=True)
    command = [
        str(VENV_PYTHON), "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--prefer-binary",
        "--require-hashes", "--requirement", str(lock),
    ]  # fmt: skip
    if subprocess.run(command, check=False, env=os.environ | {"PIP_USER": "0"}).returncode != 0:
        raise SetupFailed("Installing failed, for the reason above. Is there a network? Run make again to try again.")
    # The lock for development contains everything that the room itself runs on.
    locks = [RUNTIME_LOCK] if lock == RUNTIME_LOCK else [RUNTIME_LOCK, DEV_LOCK]
    STAMP.write_text(json.dumps({each.name: digest(each) for each in locks}))


def find_browser() -> None:
    """Fetch a Chromium for the browser tests where the machine has none; without one they say so themselves."""
    if any(map(shutil.which, BROWSERS)):
        return
    print("There is no Chromium on this machine; asking Playwright for one ...", flush=True)
    if not run_quietly([VENV_PYTHON, "-m", "playwright", "install", "chromium"]):
        print("It could not be had, so browser tests will be skipped; on Debian: apt-get install chromium")


def run_quietly(command: list[object]) -> bool:
    """Return whether a command can be started and succeeds."""
    with contextlib.suppress(OSError):
        return subprocess.run([str(word) for word in command], capture_output=True, check=False).returncode == 0
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
