"""The PostgreSQL and the Redis of a simulated instance, and a database of its own on them."""

import contextlib
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import LiteralString
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from casino.embedded.servers import Servers
from casino.simulation.broken import Broken

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Database:
    """Where an instance serves from its database, and where the owner of it and the sealer sign in ("": who serves)."""

    url: str
    owner_url: str
    sealer_url: str = ""


@dataclass(frozen=True)
class Machines:
    """Addresses of both servers, and the servers themselves where they are this run's own and may be crashed."""

    database: Database
    redis_url: str
    own: Servers | None = None


@contextlib.contextmanager
def machines(*, durable: bool = False) -> Iterator[Machines]:
    """
    Yield the servers of the environment, which are as they are, or embedded ones that live for this run
    (`own_machines`).

    Where DATABASE_URL and REDIS_URL come without BRUSH_OWNER_DATABASE_URL, one role is all that there is.
    """
    given = os.environ.get("DATABASE_URL", ""), os.environ.get("REDIS_URL", "")
    if all(given):
        database_url, redis_url = given
        owner_url = os.environ.get("BRUSH_OWNER_DATABASE_URL") or database_url
        sealer_url = os.environ.get("BRUSH_SEALER_DATABASE_URL", "")
        yield Machines(Database(database_url, owner_url, sealer_url), redis_url)
        return
    with own_machines(durable=durable) as own:
        yield own


@contextlib.contextmanager
def own_machines(*, durable: bool = False) -> Iterator[Machines]:
    """
    Yield embedded servers that live for this run, in a folder of their own.

    They lose nothing that they acknowledged when they are killed; a power cut of this machine would harm them.
    `durable` ones are set up as a house's own.
    """
    folder = Path(tempfile.mkdtemp(prefix="brush-simulation-"))
    # The servers may run as another user, who must be able to pass through.
    folder.chmod(0o711)
    ours = Servers(folder / "data", durable=durable)
    try:
        ours.start()
        database = Database(ours.postgres.url, ours.postgres.owner_url, ours.postgres.sealer_url)
        yield Machines(database, ours.redis.url, ours)
    finally:
        ours.stop()
        shutil.rmtree(folder, ignore_errors=True)


def migrate(database: Database) -> None:
    """Run the migrations there. :raises Broken: they failed."""
    has_owner = database.owner_url != database.url
    migrated = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0", "--skip-checks"],
        cwd=ROOT,
        env=os.environ
        | {
            "DATABASE_URL": database.url,
            "BRUSH_OWNER_DATABASE_URL": database.owner_url if has_owner else "",
            "BRUSH_SEALER_DATABASE_URL": database.sealer_url,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    if migrated.returncode != 0:
        raise Broken("manage.py migrate", (migrated.stdout + migrated.stderr)[-2000:])


@contextlib.contextmanager
def fresh_database(on: Machines, *, fill: Callable[[Database], None] = migrate) -> Iterator[Database]:
    """Make a database with the house's tables, yield its addresses, and drop it afterwards."""
    name = f"brush_simulation_{os.getpid()}_{secrets.token_hex(3)}"
    _execute(on.database.owner_url, "CREATE DATABASE {}", name)
    url, owner_url, sealer_url = (
        urlunsplit(urlsplit(each)._replace(path=f"/{name}")) if each else ""
        for each in (on.database.url, on.database.owner_url, on.database.sealer_url)
    )
    try:
        database = Database(url, owner_url, sealer_url)
        fill(database)
        yield database
    finally:
        # A server that is gone takes its database along, and what broke is what is to be told.
        with contextlib.suppress(psycopg.OperationalError):
            _execute(on.database.owner_url, "DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def _execute(url: str, statement: LiteralString, name: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(sql.Identifier(name)))
