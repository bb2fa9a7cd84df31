"""
What PostgreSQL lets the house do while it serves: read, add, change the columns that change, and nothing else.

Three roles know a room's database. Its **owner** migrates, backs up, and is a member of the others. The **runtime
role** is the one in `DATABASE_URL`: web, worker and beat are it and nothing more, so that no mistake and no intruder in
them changes what was logged, posted or counted, or switches off the triggers that guard it. The **sealer** reads the
heads of the log's chains and adds seals, and does nothing else; where nobody named one, the runtime role adds them.

Each model says what of it changes after it was written: `may_change` names its fields, () for rows that stand as they
were written, `may_be_deleted` those that go again, and `only_the_sealer_adds` seals. `manage.py migrate` has PostgreSQL
know it, and so does `manage.py grants`.
"""

import logging
import os
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, InterfaceError, connection, connections, transaction
from psycopg_pool import PoolTimeout

from casino import embedded

UNGUARDED = (
    "The log is not guarded against the application: DATABASE_URL names a role that may change it. "
    "deploy/README.md says how to serve as a role that may not (BRUSH_OWNER_DATABASE_URL)."
)
NOT_APART = (
    "The seals are added by the role that serves: whoever has it can add others. "
    "deploy/README.md says how to seal as a role of its own (BRUSH_SEALER_DATABASE_URL)."
)
# What the sealer reads: the heads that it seals, of which rooms, and its own seals.
SEALER_READS = ("audit_chain", "audit_seal", "audit_sealkey", "rooms_room")

_log = logging.getLogger(__name__)


class NoRuntimeRole(Exception):
    """`DATABASE_URL`, or the sealer's, names no role beside the owner, in a sentence for the person at the keyboard."""


@dataclass(frozen=True)
class Rights:
    """What the runtime role may do with one table, beside reading it; `update` names columns."""

    insert: bool = True
    update: tuple[str, ...] = ()
    delete: bool = False


_READS_ONLY = Rights(insert=False)
# Tables whose models are not ours.
_OF_DJANGO = {
    "auth_group": _READS_ONLY,
    "auth_group_permissions": _READS_ONLY,
    "auth_permission": _READS_ONLY,
    "django_content_type": _READS_ONLY,
    "django_migrations": _READS_ONLY,
    "django_session": Rights(update=("expire_date", "session_data"), delete=True),
}


def declared(*, has_sealer: bool = True) -> dict[str, Rights]:
    """
    Return by table what the runtime role may do, beside a sealer or as the sealer too.

    :raises ImproperlyConfigured: a model does not say what of it may change.
    """
    rights = dict(_OF_DJANGO)
    for model in apps.get_models(include_auto_created=True):
        meta = model._meta
        if meta.db_table in rights:
            continue
        changing: tuple[str, ...] | None = getattr(model, "may_change", None)
        if changing is None:
            raise ImproperlyConfigured(
                f"{meta.label} does not say which of its fields change once a row was written: may_change = () if none."
            )
        columns = tuple(str(field.column) for field in meta.concrete_fields if field.name in changing)
        if len(columns) != len(changing):
            raise ImproperlyConfigured(f"{meta.label} has not all of the fields that it says may change: {changing}")
        adds = not (has_sealer and getattr(model, "only_the_sealer_adds", False))
        rights[meta.db_table] = Rights(insert=adds, update=columns, delete=getattr(model, "may_be_deleted", False))
    return rights


def owner_database_url() -> str:
    """Return where the owner of the database signs in; "" where nobody said, and `DATABASE_URL` is all there is."""
    if given := os.environ.get("BRUSH_OWNER_DATABASE_URL"):
        return given
    return "" if os.environ.get("DATABASE_URL") else embedded.owner_database_url(settings.DATA_DIR)


def connect_as_owner() -> bool:
    """
    Have this process, a command's, talk to the database as its owner from now on.

    Returns False where nobody said who that is: it goes on as the role in `DATABASE_URL`.
    """
    url = owner_database_url()
    if url:
        _connect_at(url)
    return bool(url)


def sealer_database_url() -> str:
    """Return where the sealer signs in; "" where nobody said, and who serves seals."""
    if given := os.environ.get("BRUSH_SEALER_DATABASE_URL"):
        return given
    return "" if os.environ.get("DATABASE_URL") else embedded.sealer_database_url(settings.DATA_DIR)


def connect_as_sealer() -> None:
    """Have this process talk to the database as the sealer from now on, where there is one."""
    if url := sealer_database_url():
        _connect_at(url)


def _connect_at(url: str) -> None:
    # Late: whoever asks what is declared need not have read the settings of a house.
    from casino.settings import database_at

    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's own, and we have no other
    # The same database by another role, whichever it is by now.
    name = connection.settings_dict["NAME"]
    # In place: what other threads connect by is the very same.
    connection.settings_dict.update({**database_at(url), "NAME": name})


def runtime_database_url() -> str:
    """Return where who serves signs in; settings name somebody else once this process has become the owner."""
    return os.environ.get("DATABASE_URL") or embedded.database_url(settings.DATA_DIR)


def runtime_role() -> str:
    """Return the name of the role that serves."""
    return _role_in(runtime_database_url())


def sealer_role() -> str:
    """Return the name of the role that seals; "" where it is the one that serves."""
    role = _role_in(sealer_database_url())
    return "" if role == runtime_role() else role


def _role_in(url: str) -> str:
    return unquote(urlsplit(url).username or "")


def grant(to: str, *, sealer: str = "") -> int:
    """
    Give the runtime role what is declared and take from it all else, as the owner; return how many tables it may use.

    The sealer ("": who serves seals) gets what it reads and adds.

    Done again it changes nothing, and who serves meanwhile sees either the rights before or those after. A table or a
    column that these migrations do not make yet, or no longer, is passed over.

    :raises NoRuntimeRole: the role in `DATABASE_URL` is not there, or it is the owner itself.
    """
    quote = connection.ops.quote_name
    role = quote(to)
    with transaction.atomic(), connection.cursor() as cursor:
        look_for(to, sealer=sealer)
        cursor.execute("SELECT current_database()")
        database = quote(cursor.fetchone()[0])
        columns = _columns()
        lines = [
            # A table of its own under the name of one of ours would be what the triggers look into.
            f"REVOKE CREATE, TEMPORARY ON DATABASE {database} FROM PUBLIC, {role}",
            f"GRANT CONNECT ON DATABASE {database} TO {role}",
            f"REVOKE CREATE ON SCHEMA public FROM PUBLIC, {role}",
            f"GRANT USAGE ON SCHEMA public TO {role}",
            *(f"REVOKE ALL ON {quote(table)} FROM PUBLIC, {role}" for table in columns),
        ]
        rights = {table: each for table, each in declared(has_sealer=bool(sealer)).items() if table in columns}
        lines += [f"GRANT {_words(each, columns[table])} ON {quote(table)} TO {role}" for table, each in rights.items()]
        if sealer:
            lines += _sealers_lines(sealer, database, columns)
        cursor.execute(";\n".join(lines))
    return len(rights)


def look_for(role: str, *, sealer: str = "") -> None:
    """
    See, as the owner, that there is somebody to grant to.

    :raises NoRuntimeRole: a role is not there, or it is the owner itself.
    """
    named = {role: "DATABASE_URL"} | ({sealer: "BRUSH_SEALER_DATABASE_URL"} if sealer else {})
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolname::text FROM pg_roles WHERE rolname = ANY (%s::text[]) AND rolname <> current_user",
            [list(named)],
        )
        there = {name for (name,) in cursor.fetchall()}
    for missing in [name for name in named if name not in there]:
        raise NoRuntimeRole(
            f"{named[missing]} is to name a role of its own, which does not own the database; "
            f"{connection.ops.quote_name(missing)} is none. deploy/roles.sh makes the roles (deploy/README.md)."
        )


def _sealers_lines(sealer: str, database: str, columns: Iterable[str]) -> list[str]:
    quote = connection.ops.quote_name
    role = quote(sealer)
    only_its = {model._meta.db_table for model in apps.get_models() if getattr(model, "only_the_sealer_adds", False)}
    return [
        f"GRANT CONNECT ON DATABASE {database} TO {role}",
        f"GRANT USAGE ON SCHEMA public TO {role}",
        *(f"REVOKE ALL ON {quote(table)} FROM {role}" for table in columns),
        *(f"GRANT SELECT ON {quote(table)} TO {role}" for table in SEALER_READS if table in columns),
        *(f"GRANT INSERT ON {quote(table)} TO {role}" for table in sorted(only_its) if table in columns),
    ]


def is_unguarded() -> bool:
    """Say whether the connected role could change the log, by rights of its own or as the owner of it. One query."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('audit_event') AND"
            " (pg_has_role(relowner, 'MEMBER') OR has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE')"
            " OR has_any_column_privilege(oid, 'UPDATE')))"
        )
        return bool(cursor.fetchone()[0])


def say_if_not_apart() -> None:
    """Have the sealer's log say so, once, where its role is one that writes the log too."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT has_table_privilege(to_regclass('audit_event'), 'INSERT')")
            if cursor.fetchone()[0]:
                _log.warning(NOT_APART)
    except (DatabaseError, InterfaceError, PoolTimeout):
        # That the database is away is said when it is to be sealed.
        pass


def say_if_unguarded() -> None:
    """Have the log of this process say so, once, where the role that it serves as could change the room's log."""
    threading.Thread(target=_look, name="guarded", daemon=True).start()


def _look() -> None:
    try:
        if is_unguarded():
            _log.warning(UNGUARDED)
    except (DatabaseError, InterfaceError, PoolTimeout):
        # That the database is away others say.
        pass
    finally:
        connections.close_all()


def _words(rights: Rights, columns: set[str]) -> str:
    words = ["SELECT"]
    if rights.insert:
        words.append("INSERT")
    if changing := [connection.ops.quote_name(column) for column in rights.update if column in columns]:
        words.append(f"UPDATE ({', '.join(changing)})")
    if rights.delete:
        words.append("DELETE")
    return ", ".join(words)


def _columns() -> dict[str, set[str]]:
    columns: dict[str, set[str]] = {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid"
            " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped"
        )
        for table, column in cursor.fetchall():
            columns.setdefault(table, set()).add(column)
    return columns
