# ruff: noqa: S603 - the programs are PostgreSQL's own.
"""
A backup of a house in one file, and a house out of a backup.

The file is a zip, its parts stored as they are: what pg_dump wrote, the key, and a manifest with versions, hashes and
settings. Key and database go together: seals of before they were signed, and tokens, are worth nothing without it.
Whoever has the file has the house, so nobody but its owner can read it; the sealer's key (casino/audit/sealing) is not
in it, or whoever finds a backup could seal. A restored house begins another, and `audit verify` says so.
"""

import contextlib
import fcntl
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any
from urllib.parse import quote, urlencode

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from psycopg import sql
from psycopg.conninfo import make_conninfo

from casino import grants
from casino.embedded.home import postgres_programs, write_private
from casino.embedded.servers import Servers

FORMAT = 1
DUMP, KEY, MANIFEST = "database.dump", "secret-key", "manifest.json"
# What the house is told by its environment and is no secret; passwords and addresses of servers stay where they are.
SETTINGS = ("BRUSH_ALLOWED_HOSTS", "BRUSH_HTTPS", "BRUSH_HOST", "BRUSH_PHONE_URL", "BRUSH_TIME_ZONE")
CHUNK_BYTES = 1 << 20
HUNG_UP_SECONDS_MAX = 2.0
# pg_restore sets what servers before PostgreSQL 17 do not know. It stands in the head of its script.
_UNKNOWN_TO_OLD_SERVERS = re.compile(rb"^SET transaction_timeout = 0;\n", re.MULTILINE)


class CannotBackUp(Exception):
    """Why there is no backup, or no house out of one, in a sentence for whoever asked. Nothing has changed."""


def owner_login() -> dict[str, str]:
    """
    Return how PostgreSQL's own programs reach this house's database as the role that owns it (libpq's keywords).

    The one place that says so, for backup, restore and the migrations that follow it.
    """
    url = grants.owner_database_url()
    return _login(_database_at(url) if url else connection.settings_dict) | {"dbname": connection.settings_dict["NAME"]}


def _login(database: Mapping[str, Any]) -> dict[str, str]:
    """Return a database of Django's settings in libpq's keywords."""
    login = {
        "host": database["HOST"],
        "port": database["PORT"],
        "user": database["USER"],
        "password": database["PASSWORD"],
    }
    of_network = {name: value for name, value in database["OPTIONS"].items() if name.startswith("ssl")}
    return {name: str(value) for name, value in {**login, "dbname": database["NAME"], **of_network}.items() if value}


def _database_at(url: str) -> dict[str, Any]:
    # Late: settings name this module's app.
    from casino.settings import database_at

    return database_at(url)


@contextlib.contextmanager
def database_at_hand(*, must_stand_still: bool) -> Iterator[None]:
    """
    Have the house's database answer its owner: on the server that DATABASE_URL names, or the embedded one, started if
    it is not.

    :raises CannotBackUp: the house runs, and must stand still.
    """
    if os.environ.get("DATABASE_URL"):
        with _as_owner():
            yield
        return
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    with (settings.DATA_DIR / "supervisor.lock").open("a+") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if must_stand_still:
                raise CannotBackUp("Brush runs here: stop it first, with Ctrl-C in its terminal.") from None
            with _as_owner():
                yield
            return
        servers = Servers(settings.DATA_DIR)
        servers.start()
        try:
            _use(servers.postgres.url)
            with _as_owner():
                yield
        finally:
            _let_go()
            servers.stop()


@contextlib.contextmanager
def _as_owner() -> Iterator[None]:
    """Have Django's connection be the owner's: a house of before knows no role that serves, and gives it no rights."""
    before = dict(connection.settings_dict)
    if not grants.connect_as_owner():
        yield
        return
    try:
        yield
    finally:
        _let_go()
        connection.settings_dict.update(before)


def back_up(file: Path, *, at: datetime) -> dict[str, Any]:
    """
    Write the house into a new file, whole or not at all, while it goes on; return the manifest.

    All of it is as of one moment, when the dump begins.

    :raises CannotBackUp: the file is there already, or pg_dump failed.
    """
    if file.exists():
        raise CannotBackUp(f"{file} is there already, and no backup is written over another.")
    draft = file.with_name(f"{file.name}.{os.getpid()}.draft")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as output:
            manifest = _write(output, at)
            output.flush()
            os.fsync(output.fileno())
        # Unlike a rename this never takes the place of a file that came meanwhile.
        os.link(draft, file)
    except OSError as problem:
        raise CannotBackUp(f"{file} cannot be written: {problem}") from problem
    except psycopg.Error as problem:
        raise CannotBackUp(f"The database does not answer: {problem}") from problem
    finally:
        draft.unlink(missing_ok=True)
    return manifest


def restore(file: Path) -> dict[str, Any]:
    """
    Make the house of a backup out of an empty one, in one transaction, and bring it to this code's state.

    Returns the manifest. Whether log and ledger hold is for the caller to prove.

    :raises CannotBackUp: the file is damaged or made by newer versions, or this house is not empty, not stopped, or has
        another key by its environment.
    """
    try:
        with zipfile.ZipFile(file) as backup:
            manifest = _manifest_of(backup)
            key = _read(backup, KEY, manifest)
            login = owner_login()
            _let_go()
            drops = _ready_for(manifest, key.decode(), login)
            _keep_key(key.decode())
            _fill(backup, manifest, drops, login)
    except (OSError, zipfile.BadZipFile) as problem:
        raise CannotBackUp(f"{file} cannot be read: {problem}") from problem
    except psycopg.Error as problem:
        raise CannotBackUp(f"The database does not answer: {problem}") from problem
    settings.SECRET_KEY = key.decode()
    call_command("migrate", verbosity=0)
    return manifest


def settings_that_differ(manifest: dict[str, Any]) -> list[str]:
    """Return what the backed up house was told and this one is not ("BRUSH_TIME_ZONE=Europe/Prague")."""
    return [f"{name}={value}" for name, value in manifest["settings"].items() if os.environ.get(name, "") != value]


# Upgrading


def unapplied() -> list[str]:
    """Return the migrations that this code has and the database has not ("people.0004_..."), in their order."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def has_rooms() -> bool:
    """Tell whether there is anything in this house's database that could be lost."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('public.rooms_room') IS NOT NULL")
        if cursor.fetchone() != (True,):
            return False
        cursor.execute("SELECT EXISTS (SELECT FROM rooms_room)")
        return bool(cursor.fetchone()[0])


def rehearse(file: Path) -> str:
    """
    Restore a backup into a database beside the house's, which brings it to this code's state and proves it; drop that.

    Returns what was said. The house's own database is not touched.

    :raises CannotBackUp: it cannot be restored, migrated or proved, or the role may not make a database.
    """
    login = owner_login()
    name = f"{login['dbname'][:40]}_rehearsal_{os.getpid()}"
    named = sql.Identifier(name)
    try:
        with psycopg.connect(make_conninfo(**login), autocommit=True) as owner:
            owner.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(named))
    except psycopg.Error as problem:
        raise CannotBackUp(f"There is no place for a rehearsal: {problem}") from problem
    try:
        with TemporaryDirectory(prefix="brush-rehearsal-") as folder:
            environment = {"BRUSH_SECRET_KEY": settings.SECRET_KEY, "DATABASE_URL": _url(login | {"dbname": name})}
            if grants.owner_database_url():
                serves = _login(_database_at(grants.runtime_database_url()))
                environment["BRUSH_OWNER_DATABASE_URL"] = environment["DATABASE_URL"]
                environment["DATABASE_URL"] = _url(serves | {"dbname": name})
            ran = subprocess.run(
                [sys.executable, "manage.py", "restore", str(file.resolve())],
                cwd=settings.BASE_DIR,
                env=os.environ | environment | {"BRUSH_DATA_DIR": folder},
                capture_output=True,
                text=True,
                check=False,
            )
    finally:
        with psycopg.connect(make_conninfo(**login), autocommit=True) as owner:
            owner.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(named))
    if ran.returncode != 0:
        raise CannotBackUp(f"The rehearsal failed, and this house was not touched: {ran.stderr.strip()[-1000:]}")
    return ran.stdout.strip()


def _url(login: dict[str, str]) -> str:
    """Return a login as DATABASE_URL spells it."""
    who = f"{quote(login.get('user', ''), safe='')}:{quote(login.get('password', ''), safe='')}"
    rest = {name: value for name, value in login.items() if name not in ("user", "password", "dbname")}
    return f"postgresql://{who}@/{quote(login['dbname'], safe='')}?{urlencode(rest)}"


# Writing


def _write(output: IO[bytes], at: datetime) -> dict[str, Any]:
    login = owner_login()
    with psycopg.connect(make_conninfo(**login)) as session:
        manifest: dict[str, Any] = {
            "format": FORMAT,
            "made_at": at.isoformat(),
            "postgresql": session.info.server_version // 10000,
            "migrations": sorted(
                f"{app}.{name}" for app, name in session.execute("SELECT app, name FROM django_migrations")
            ),
            "settings": {name: os.environ[name] for name in SETTINGS if os.environ.get(name)},
            "files": {},
        }
    with zipfile.ZipFile(output, "w") as backup:
        # Desktops' sessions stay behind: a file that is kept for years opens none of them.
        dumped = _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges",
                      "--exclude-table-data=django_session", login=login, stdout=subprocess.PIPE)  # fmt: skip
        assert dumped.stdout
        with _ended(dumped):
            manifest["files"][DUMP] = _store(backup, DUMP, dumped.stdout)
        manifest["files"][KEY] = _store(backup, KEY, io.BytesIO(settings.SECRET_KEY.encode()))
        backup.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return manifest


def _store(backup: zipfile.ZipFile, name: str, source: IO[bytes]) -> dict[str, Any]:
    digest, size = hashlib.sha256(), 0
    with backup.open(name, "w", force_zip64=True) as part:
        while chunk := source.read(CHUNK_BYTES):
            part.write(chunk)
            digest.update(chunk)
            size += len(chunk)
    return {"sha256": digest.hexdigest(), "bytes": size}


# Reading


def _manifest_of(backup: zipfile.ZipFile) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads(backup.read(MANIFEST))
    except (KeyError, ValueError):
        raise CannotBackUp("This is no backup of Brush: it has no manifest.") from None
    if manifest.get("format") != FORMAT:
        raise CannotBackUp(
            "This backup has a form that this Brush does not know: restore it with the one that made it."
        )
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    if newer := sorted(set(manifest["migrations"]) - known):
        raise CannotBackUp(f"This backup is of a newer Brush than this one, which does not know {', '.join(newer)}.")
    return manifest


def _read(backup: zipfile.ZipFile, name: str, manifest: dict[str, Any]) -> bytes:
    content = backup.read(name)
    _agree(name, hashlib.sha256(content).hexdigest(), manifest)
    return content


def _agree(name: str, digest: str, manifest: dict[str, Any]) -> None:
    if digest != manifest["files"][name]["sha256"]:
        raise CannotBackUp(f"This backup is damaged: {name} is not what its manifest says. Nothing was changed.")


def _is_left_alone(session: psycopg.Connection[Any]) -> bool:
    """Say whether nobody else is connected; who has just hung up is listed for a moment longer."""
    until = time.monotonic() + HUNG_UP_SECONDS_MAX
    while True:
        others = session.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend'"
        ).fetchone()
        if others == (0,) or time.monotonic() > until:
            return others == (0,)
        time.sleep(0.05)


def _ready_for(manifest: dict[str, Any], key: str, login: dict[str, str]) -> list[str]:
    """Return the statements that clear an empty house's tables away; refuse any other."""
    if os.environ.get("BRUSH_SECRET_KEY", key) != key:
        raise CannotBackUp(
            "BRUSH_SECRET_KEY is not the key of this backup, without which its old seals prove nothing: set it to what "
            f"`unzip -p FILE {KEY}` prints."
        )
    with psycopg.connect(make_conninfo(**login), autocommit=True) as session:
        if (server := session.info.server_version // 10000) < manifest["postgresql"]:
            raise CannotBackUp(f"The backup is of PostgreSQL {manifest['postgresql']}, and this server is {server}.")
        if not _is_left_alone(session):
            raise CannotBackUp(
                "Somebody is connected to this database: stop web, sockets, worker, beat and sealer first."
            )
        tables = [name for (name,) in session.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
        if "rooms_room" in tables and session.execute("SELECT FROM rooms_room LIMIT 1").fetchone() is not None:
            raise CannotBackUp(
                "This house is not empty, and no backup is restored over another house: take a new database, or "
                "BRUSH_DATA_DIR=/a/new/folder."
            )
        ours = _our_tables()
        if strange := sorted(set(tables) - ours):
            raise CannotBackUp(f"This database holds tables that are not Brush's: {', '.join(strange)}.")
        functions = session.execute(
            "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proowner = "
            "current_user::regrole AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')"
        )
        quoted = [connection.ops.quote_name(name) for name in tables]
        cleared = [f"DROP TABLE {', '.join(quoted)} CASCADE;"] if quoted else []
        # Looked at again in the transaction itself, under a lock: of two that restore at once, one finds a room.
        still_empty = (
            "LOCK TABLE rooms_room; "
            "DO $$ BEGIN ASSERT NOT EXISTS (SELECT FROM rooms_room), 'the house is not empty'; END $$;"
        )
        return [
            *([still_empty] if "rooms_room" in tables else []),
            *cleared,
            *(f"DROP FUNCTION {name} CASCADE;" for (name,) in functions),
        ]


def _our_tables() -> set[str]:
    return {*connection.introspection.django_table_names(include_views=False), "django_migrations"}


def _keep_key(key: str) -> None:
    """Give the house the backup's key: nothing that the one it had protects is there yet."""
    if not os.environ.get("BRUSH_SECRET_KEY"):
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        write_private(settings.DATA_DIR / "secret-key", key)


def _fill(backup: zipfile.ZipFile, manifest: dict[str, Any], drops: list[str], login: dict[str, str]) -> None:
    """Carry the dump out in one transaction, which is committed when all of it has come and was what it should be."""
    scripted = _run("pg_restore", "--no-owner", "--no-privileges", "--file=-", login={}, stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE)  # fmt: skip
    carried_out = _run("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-", login=login,
                       stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)  # fmt: skip
    assert scripted.stdin
    assert scripted.stdout
    assert carried_out.stdin
    digest = hashlib.sha256()
    feeding = threading.Thread(target=_feed, args=(backup, scripted.stdin, digest), daemon=True)
    feeding.start()
    with _ended(carried_out), contextlib.suppress(BrokenPipeError), carried_out.stdin as script:
        script.write("\n".join(["BEGIN;", *drops, ""]).encode())
        with _ended(scripted):
            head = scripted.stdout.read(CHUNK_BYTES)
            script.write(_UNKNOWN_TO_OLD_SERVERS.sub(b"", head, count=1))
            shutil.copyfileobj(scripted.stdout, script, CHUNK_BYTES)
        feeding.join()
        _agree(DUMP, digest.hexdigest(), manifest)
        script.write(b"COMMIT;\n")


def _feed(backup: zipfile.ZipFile, target: IO[bytes], digest: Any) -> None:
    # Whatever is wrong with the file is seen by its digest.
    with contextlib.suppress(OSError, ValueError, zipfile.BadZipFile), target, backup.open(DUMP) as dump:
        while chunk := dump.read(CHUNK_BYTES):
            digest.update(chunk)
            target.write(chunk)


# PostgreSQL's programs


def _run(program: str, *arguments: str, login: dict[str, str], **pipes: Any) -> subprocess.Popen[bytes]:
    programs = postgres_programs()
    path = str(programs / program) if programs else shutil.which(program)
    if path is None:
        raise CannotBackUp(f"There is no {program} on this machine: install PostgreSQL's client programs.")
    # The password in the environment, for arguments can be read by every user of the machine.
    env = {"PATH": os.defpath, "LC_ALL": "C", "HOME": "/nonexistent", "PGPASSWORD": login.get("password", "")}
    where = {name: value for name, value in login.items() if name != "password"}
    named = [f"--dbname={make_conninfo(**where)}"] if where else []
    return subprocess.Popen([path, *named, *arguments], env=env, stderr=subprocess.PIPE, **pipes)


@contextlib.contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """
    Wait for a program when all was given to it and taken from it.

    :raises CannotBackUp: it failed, with the first of what it complained of.
    """
    complaints: list[bytes] = []
    assert process.stderr
    listening = threading.Thread(target=lambda: complaints.extend(process.stderr or ()), daemon=True)
    listening.start()
    try:
        yield
    except BaseException:
        process.kill()
        raise
    finally:
        process.wait()
        listening.join()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
    if process.returncode != 0:
        complaint = b"".join(complaints[:3]).decode(errors="replace").strip()
        raise CannotBackUp(f"{Path(str(process.args[0])).name} failed, and nothing was changed: {complaint}")  # type: ignore[index]


# Django's own connection


def _use(url: str) -> None:
    """Have Django talk to a server that has just been started: settings did not know where."""
    _let_go()
    connection.settings_dict |= _database_at(url)


def _let_go() -> None:
    """Close Django's connections: what is restored is nobody's, and servers stop."""
    connections.close_all()
    connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's own, and we have no other
