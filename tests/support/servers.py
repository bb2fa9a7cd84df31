"""
The PostgreSQL and Redis that tests use, and their databases.

Given DATABASE_URL, BRUSH_OWNER_DATABASE_URL, BRUSH_SEALER_DATABASE_URL and REDIS_URL, tests use those servers; the
owner needs CREATEDB, and to be a member of the other two roles. Otherwise they use embedded servers with a data folder
of their own, in memory where there is room, started by the first test run that needs them and stopped by the last one
that ends, so that several runs at once share them.

Migrations run once into a template database, which is named after them and kept. Every xdist worker
and every test that commits gets a copy of it.
"""

import contextlib
import fcntl
import hashlib
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import IO, LiteralString
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from casino import embedded, grants
from casino.embedded.servers import Servers
from tests.support import memory
from tests.support.patience import PATIENCE_SECONDS, wait_until

ROOT = Path(__file__).resolve().parents[2]
DATA_DIR = Path(os.environ.get("BRUSH_TEST_DATA_DIR", ROOT / "var" / "tests"))
NAMES = ("DATABASE_URL", "BRUSH_OWNER_DATABASE_URL", "BRUSH_SEALER_DATABASE_URL", "REDIS_URL")
TEMPLATES_KEPT = 3
# Names begin with whose they are, so that no run can take a database of the room's for one of its own.
CLONE_PREFIX = "brush_test_"
TEMPLATE_PREFIX = "brush_template_"


@contextlib.contextmanager
def running_servers() -> Iterator[dict[str, str]]:
    """Keep the servers running; yield what names them to the house."""
    given = {name: os.environ[name] for name in NAMES if os.environ.get(name)}
    if len(given) == len(NAMES):
        yield given
        return
    if given:
        raise RuntimeError(f"Set {', '.join(NAMES)}, or none of them.")

    DATA_DIR.mkdir(parents=True, exist_ok=True)
    with (DATA_DIR / "users.lock").open("w") as users, (DATA_DIR / "start.lock").open("w") as starting:
        with _locked(starting):
            fcntl.flock(users, fcntl.LOCK_SH)
            servers = Servers(_data_dir(), durable=False)
            if not _answer(servers):
                servers.stop()
                servers.start()
                _drop_leftovers(servers.postgres.owner_url)
        try:
            yield _urls(servers)
        finally:
            with _locked(starting):
                fcntl.flock(users, fcntl.LOCK_UN)
                try:
                    # Fails while another test run holds the lock shared: then the servers are still in use.
                    fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    _let_go(servers)
                else:
                    servers.stop()


def _let_go(servers: Servers) -> None:
    """Leave servers to whoever still uses them; whoever is the last stops them."""
    for process in servers._processes.values():
        # Else Python would warn, when this object goes, of processes that nobody waited for.
        process.returncode = 0


@contextlib.contextmanager
def clone(template: str) -> Iterator[str]:
    """Make a copy of a database, yield its name, and drop it afterwards, whoever is still connected."""
    name = f"{CLONE_PREFIX}{os.getpid()}_{secrets.token_hex(4)}"
    _execute(owner_url(), "CREATE DATABASE {} TEMPLATE {}", name, template)
    try:
        yield name
    finally:
        _drop(owner_url(), name)


def sweep(name: str) -> None:
    """Clear away what rolled-back tests have left in a database: no worker of the server's does (`CARELESS`)."""
    _execute(owner_url(name), "VACUUM")


def owner_url(name: str = "") -> str:
    """Return where the owner of all these databases signs in, to the one called `name`."""
    url = os.environ["BRUSH_OWNER_DATABASE_URL"]
    return with_database(url, name) if name else url


def with_database(url: str, name: str) -> str:
    """Return the URL of another database on the same server."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def template_database() -> str:
    """Return the name of a migrated database, made now if these migrations have not been run before."""
    name = f"{TEMPLATE_PREFIX}{migrations_digest()}"
    DATA_DIR.mkdir(parents=True, exist_ok=True)
    with (DATA_DIR / "template.lock").open("w") as lock, _locked(lock):
        with psycopg.connect(owner_url(), autocommit=True) as connection:
            made = [
                row[0]
                for row in connection.execute(
                    "SELECT datname FROM pg_database WHERE datname LIKE %s ORDER BY oid", [f"{TEMPLATE_PREFIX}%"]
                )
            ]
        if name not in made:
            _make_template(name)
            for old in made[: -TEMPLATES_KEPT + 1]:
                _execute(owner_url(), "DROP DATABASE IF EXISTS {} WITH (FORCE)", old)
    return name


def migrations_digest() -> str:
    """Return a short name for all that `migrate` would do: our migrations, what it grants, who does it, and how."""
    digest = hashlib.sha256()
    for package in ("Django", "django-pgtrigger"):
        digest.update(f"{package} {version(package)}\n".encode())
    # Settings say which apps there are and what triggers are compiled against.
    files = sorted(ROOT.glob("*/migrations/*.py")) + sorted(ROOT.glob("*/*/migrations/*.py"))
    for file in [*files, ROOT / "casino" / "settings.py", Path(__file__).with_name("migrating.py")]:
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes() + b"\0")
    digest.update(repr(sorted(grants.declared().items())).encode() + Path(grants.__file__).read_bytes())
    return digest.hexdigest()[:16]


def migrate(name: str, program: list[str]) -> None:
    """Have a program carry out all migrations in a database."""
    migrated = subprocess.run(
        [*program, "migrate", "--verbosity=0", "--skip-checks"],
        cwd=ROOT,
        env=os.environ
        | {
            "DATABASE_URL": with_database(os.environ["DATABASE_URL"], name),
            "BRUSH_OWNER_DATABASE_URL": owner_url(name),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    if migrated.returncode != 0:
        raise RuntimeError(f"The migrations failed:\n{migrated.stdout}{migrated.stderr}")


def _make_template(name: str) -> None:
    draft = f"{name}_draft"
    _execute(owner_url(), "DROP DATABASE IF EXISTS {} WITH (FORCE)", draft)
    _execute(owner_url(), "CREATE DATABASE {}", draft)
    migrate(draft, [sys.executable, "-m", "tests.support.migrating"])
    # Only a whole template gets the name.
    _execute(owner_url(), "ALTER DATABASE {} RENAME TO {}", draft, name)


def _execute(url: str, statement: LiteralString, *names: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def _drop(admin_url: str, name: str) -> None:
    """Drop a database, whoever is connected; PostgreSQL's own vacuum, which we may not end, is waited for."""

    def is_gone() -> bool:
        try:
            _execute(admin_url, "DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
        except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ObjectInUse):
            return False
        return True

    wait_until(is_gone, f"somebody does not leave {name}")


def _data_dir() -> Path:
    if "BRUSH_TEST_DATA_DIR" in os.environ:
        return DATA_DIR / "data"
    return (memory.folder_of(ROOT) or DATA_DIR) / "data"


def _answer(servers: Servers) -> bool:
    if not servers.is_running():
        return False
    try:
        with psycopg.connect(_urls(servers)["DATABASE_URL"], connect_timeout=int(PATIENCE_SECONDS)):
            return True
    except psycopg.OperationalError:
        return False


def _urls(servers: Servers) -> dict[str, str]:
    data_dir = servers.home.data_dir
    found = (
        embedded.database_url(data_dir),
        embedded.owner_database_url(data_dir),
        embedded.sealer_database_url(data_dir),
        embedded.redis_url(data_dir),
    )
    return dict(zip(NAMES, found, strict=True))


def _drop_leftovers(admin_url: str) -> None:
    """Drop copies that killed test runs left: these servers were just started, so nobody uses them."""
    with psycopg.connect(admin_url, autocommit=True) as connection:
        rows = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{CLONE_PREFIX}%"])
        names = [row[0] for row in rows]
    for name in names:
        _drop(admin_url, name)


@contextlib.contextmanager
def _locked(file: IO[str]) -> Iterator[None]:
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)
