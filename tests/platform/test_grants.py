"""What the role that serves may do in PostgreSQL: what is declared beside the models, and nothing else."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.core.management.commands.migrate import Command as Migrate
from django.db import connection as our_connection
from psycopg import sql

from casino import grants
from casino.audit.models import Seal
from casino.grants import Rights
from tests.conftest import Database
from tests.support.owner import as_owner
from tests.support.patience import wait_until
from tests.support.room import BrushServer
from tests.support.servers import ROOT

pytestmark = pytest.mark.smoke

# Rows that stand as they were written, whoever asks.
APPENDED = (
    "audit_event", "ledger_transfer", "ledger_posting", "cage_drawercount", "rooms_rulebookversion",
    "people_ownlimit", "tables_handseat", "tables_handpot", "tables_handcharge", "tables_boxdifference",
    "tables_timeshare",
)  # fmt: skip
SEALED = ("audit_seal", "audit_sealkey")
Connection = psycopg.Connection[tuple[object, ...]]


def manage(database: Database, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    named = {"DATABASE_URL": database.url, "BRUSH_OWNER_DATABASE_URL": database.owner_url} | environment
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=os.environ | named, capture_output=True, text=True, check=False)


# Rows that stand as they were written, too, and have no trigger: whoever serves may not change them.
BY_RIGHTS_ALONE = {
    "cage_drawercount", "paper_caughtup", "paper_printing", "paper_sheet", "rooms_place", "rooms_rulebookversion",
    "tables_boxdifference", "tables_deckchange", "tables_disputedshare", "tables_handcharge", "tables_handpot",
    "tables_handseat", "tables_timeshare",
}  # fmt: skip


@pytest.fixture
def runtime(committing_db: Database) -> Iterator[Connection]:
    """Return a connection of the role that serves, signed in with its own password."""
    with psycopg.connect(committing_db.url, autocommit=True) as connection:
        yield connection


_RELATIONS = "relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')"


def columns(connection: Connection, right: str) -> dict[str, set[str]]:
    """Return by table the columns on which the connected role has a right; PUBLIC's and the table's count too."""
    found: dict[str, set[str]] = {}
    rows = connection.execute(
        "SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid"
        f" WHERE {_RELATIONS} AND attnum > 0 AND NOT attisdropped AND has_column_privilege(pg_class.oid, attnum, %s)",
        [right],
    )
    for table, column in rows.fetchall():
        found.setdefault(str(table), set()).add(str(column))
    return found


def tables(connection: Connection, right: str) -> set[str]:
    rows = connection.execute(
        f"SELECT relname FROM pg_class WHERE {_RELATIONS} AND has_table_privilege(oid, %s)", [right]
    )
    return {str(table) for (table,) in rows.fetchall()}


def test_the_role_that_serves_has_the_rights_that_are_declared_and_no_others(runtime: Connection) -> None:
    declared = grants.declared()

    assert tables(runtime, "SELECT") == set(declared)
    assert tables(runtime, "INSERT") == {name for name, rights in declared.items() if rights.insert}
    assert tables(runtime, "DELETE") == {name for name, rights in declared.items() if rights.delete}
    changing = {name: set(rights.update) for name, rights in declared.items() if rights.update}
    assert columns(runtime, "UPDATE") == changing
    assert tables(runtime, "TRUNCATE, REFERENCES, TRIGGER") == set()


def test_what_is_logged_posted_and_counted_is_declared_as_never_changing() -> None:
    declared = grants.declared()

    assert {name: declared[name] for name in APPENDED} == dict.fromkeys(APPENDED, Rights())
    assert {name: declared[name] for name in SEALED} == dict.fromkeys(SEALED, Rights(insert=False))
    assert declared["ledger_account"] == Rights(update=("balance_cents",))
    assert declared["audit_chain"] == Rights(update=("number", "hash"))
    assert {name for name, rights in declared.items() if rights.delete} == {
        "commands_claim",
        "django_session",
        "people_playerpass",
        "people_signin",
        "tables_seatdraw",
    }


def test_a_table_of_which_nobody_says_what_changes_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Seal, "may_change")

    with pytest.raises(ImproperlyConfigured, match=r"audit\.Seal .*may_change"):
        grants.declared()


def test_the_role_that_serves_owns_nothing_and_is_nobody_else(runtime: Connection) -> None:
    owned = runtime.execute(
        "SELECT relname FROM pg_class WHERE relowner = current_user::regrole UNION"
        " SELECT proname FROM pg_proc WHERE proowner = current_user::regrole UNION"
        " SELECT datname FROM pg_database WHERE datdba = current_user::regrole"
    )
    assert owned.fetchall() == []
    about = "SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls FROM pg_roles"
    assert runtime.execute(f"{about} WHERE rolname = current_user").fetchone() == (False,) * 5
    member_of = "SELECT count(*) FROM pg_auth_members WHERE member = current_user::regrole"
    assert runtime.execute(member_of).fetchone() == (0,)


def test_what_would_undo_a_guard_is_refused(runtime: Connection, committing_db: Database) -> None:
    # PostgreSQL copies all rights with a template but those on the database itself.
    with as_owner():
        grants.grant(grants.runtime_role(), sealer=grants.sealer_role())
    forbidden = [
        "SET session_replication_role = replica",
        "CREATE TABLE public.audit_shadow ()",
        "CREATE TEMPORARY TABLE ledger_posting (LIKE public.ledger_posting)",
        "CREATE SCHEMA shadow",
        "CREATE FUNCTION public.shadow() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "UPDATE ledger_account SET is_promise = false",
        "UPDATE ledger_transfer SET made_in = 0",
        "DELETE FROM ledger_account",
        "DELETE FROM audit_chain",
        "DELETE FROM cage_slip",
        "UPDATE cage_slip SET amount_cents = 1",
        "UPDATE django_migrations SET name = ''",
        "ALTER DEFAULT PRIVILEGES FOR ROLE postgres GRANT ALL ON TABLES TO PUBLIC",
        "SET ROLE postgres",
    ]
    forbidden += [f"INSERT INTO {table} DEFAULT VALUES" for table in SEALED]
    for table in APPENDED + SEALED:
        (column,) = runtime.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 1 AND NOT attisdropped"
            " ORDER BY attnum LIMIT 1",
            [table],
        ).fetchone() or ("",)
        forbidden += [
            f"UPDATE {table} SET {column} = {column}",
            f"DELETE FROM {table}",
            f"TRUNCATE {table} CASCADE",
            f"SELECT * FROM {table} FOR UPDATE",
            f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE",
            f"ALTER TABLE {table} DISABLE TRIGGER ALL",
            f"ALTER TABLE {table} ADD COLUMN forged int",
            f"ALTER TABLE {table} OWNER TO CURRENT_USER",
            f"DROP TABLE {table} CASCADE",
            f"CREATE TRIGGER forged BEFORE INSERT ON {table} EXECUTE FUNCTION suppress_redundant_updates_trigger()",
            f"CREATE RULE forged AS ON INSERT TO {table} DO INSTEAD NOTHING",
        ]
    triggers = runtime.execute(
        "SELECT tgname, tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal"
    ).fetchall()
    assert triggers, "the guards themselves"
    forbidden += [f"DROP TRIGGER {name} ON {table}" for name, table in triggers]

    done = [statement for statement in forbidden if not is_refused(runtime, statement)]

    assert done == []


def test_what_stands_as_it_was_written_is_guarded_against_its_owner_too(runtime: Connection) -> None:
    rows = runtime.execute(
        # The bits of pg_trigger.h: 2 before, 8 a deletion, 16 a change.
        "SELECT tgrelid::regclass::text, bit_or(tgtype & 24) FROM pg_trigger"
        " WHERE NOT tgisinternal AND tgtype & 2 = 2 AND tgattr = '' AND tgqual IS NULL GROUP BY tgrelid"
    ).fetchall()
    refused = {str(table): bits for table, bits in rows}
    stands = {table for table, rights in grants.declared().items() if rights == Rights() or table in SEALED}

    assert {table for table in stands if refused.get(table) != 24} == BY_RIGHTS_ALONE


def test_the_sealer_reads_heads_adds_seals_and_does_nothing_else(committing_db: Database) -> None:
    with psycopg.connect(committing_db.sealer_url, autocommit=True) as sealer:
        assert tables(sealer, "SELECT") == set(grants.SEALER_READS)
        assert tables(sealer, "INSERT") == set(SEALED)
        assert tables(sealer, "DELETE, TRUNCATE, REFERENCES, TRIGGER") == set()
        assert columns(sealer, "UPDATE") == {}


def test_where_nobody_named_a_sealer_who_serves_seals(runtime: Connection) -> None:
    with as_owner():
        grants.grant(grants.runtime_role())

    assert set(SEALED) <= tables(runtime, "INSERT")
    assert not set(SEALED) & (tables(runtime, "DELETE") | set(columns(runtime, "UPDATE")))


@pytest.mark.slow
def test_only_who_serves_as_the_owner_is_told_that_nothing_guards_the_log(
    committing_db: Database, tmp_path: Path
) -> None:
    assert not grants.is_unguarded()
    with as_owner():
        assert grants.is_unguarded()

    server = BrushServer(database_url=committing_db.owner_url, redis_url=os.environ["REDIS_URL"], folder=tmp_path)
    try:
        server.start()
        wait_until(lambda: "The log is not guarded against the application" in server.log(), server.log)
    finally:
        server.stop()


def test_a_role_that_is_not_there_is_missed_before_anything_is_migrated(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grants, "connect_as_owner", lambda: True)
    monkeypatch.setattr(grants, "sealer_role", lambda: "nobody")
    monkeypatch.setattr(Migrate, "handle", lambda *_, **__: pytest.fail("it has migrated"))

    with (
        as_owner(),
        pytest.raises(CommandError, match=r'BRUSH_SEALER_DATABASE_URL .*"nobody" is none\. deploy/roles\.sh'),
    ):
        call_command("migrate")


def test_a_migration_may_think_for_longer_than_who_serves(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[str]] = []

    def migrated(*_: object, **__: object) -> None:
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        shown.append(cursor.fetchone())

    monkeypatch.setattr(grants, "connect_as_owner", lambda: False)
    monkeypatch.setattr(grants, "is_unguarded", lambda: False)
    monkeypatch.setattr(Migrate, "handle", migrated)

    with our_connection.cursor() as cursor:
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = '10s'")
        call_command("migrate")

    assert shown == [("0",)]


@pytest.mark.slow
def test_where_nobody_says_who_owns_the_database_migrating_says_what_that_means(committing_db: Database) -> None:
    migrated = manage(committing_db, "migrate", DATABASE_URL=committing_db.owner_url, BRUSH_OWNER_DATABASE_URL="")
    granted = manage(committing_db, "grants", BRUSH_OWNER_DATABASE_URL="")
    one_role = manage(committing_db, "grants", DATABASE_URL=committing_db.owner_url)

    assert (migrated.returncode, migrated.stderr.strip()) == (0, grants.UNGUARDED)
    assert (granted.returncode, one_role.returncode) == (1, 1)
    assert "BRUSH_OWNER_DATABASE_URL" in granted.stderr
    assert "a role of its own" in one_role.stderr


def is_refused(connection: Connection, statement: str) -> bool:
    try:
        with connection.transaction(force_rollback=True):
            connection.execute(sql.SQL(statement))
    except psycopg.errors.InsufficientPrivilege:
        return True
    return False
