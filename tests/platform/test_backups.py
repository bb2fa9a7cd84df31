"""A house in one file, and the house out of it again."""

import json
import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection

from casino.audit.models import Event, Seal
from casino.backups import DUMP, MANIFEST, database_at_hand
from casino.cage.models import Slip
from casino.grants import runtime_role
from casino.rooms.models import Room
from tables.models import Hand
from tests.audit.sealing import seal
from tests.conftest import Database, _use
from tests.support import servers
from tests.support.owner import as_owner
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import ROOT
from tests.tables.conftest import House, make_house

SIX = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 4, "Pekka": 5, "Jo": 6}


@pytest.fixture
def house(committing_db: Database, tmp_path: Path, settings: Any) -> House:
    """Return a house in the middle of an evening: a table open, two hands played."""
    settings.DATA_DIR = tmp_path
    house = make_house()
    house.open(1, **SIX)
    house.settle(86_00, winners=(2,))
    house.settle(40_00, winners=(3,))
    return house


@pytest.fixture
def empty_database(house: House) -> Iterator[str]:
    """Return the name of a migrated database with nothing in it; the tests' own queries still see the first."""
    with servers.clone(servers.template_database()) as name:
        before = connection.settings_dict["NAME"]
        try:
            yield name
        finally:
            _use(before)


def restored(file: Path) -> str:
    output = StringIO()
    call_command("restore", file, stdout=output, stderr=output)
    return output.getvalue()


def backed_up(tmp_path: Path) -> Path:
    file = tmp_path / "house.backup"
    call_command("backup", file, stdout=StringIO())
    return file


def rewritten(file: Path, **parts: bytes) -> Path:
    """Write another file with some parts of a backup changed ("manifest_json": by their names, dots as _)."""
    other = file.with_suffix(".other")
    with zipfile.ZipFile(file) as before, zipfile.ZipFile(other, "w") as after:
        for name in before.namelist():
            after.writestr(name, parts.get(name.replace(".", "_"), before.read(name)))
    return other


@pytest.mark.slow
@pytest.mark.smoke
def test_a_house_restored_into_an_empty_one_goes_on_with_the_next_hand(
    house: House, empty_database: str, tmp_path: Path
) -> None:
    last = Event.objects.order_by("-id").values_list("id", flat=True)[0]
    slips = list(Slip.objects.order_by("id").values_list("id", "number"))
    positions = house.positions()
    seal(tmp_path / "there")
    file = backed_up(tmp_path)
    _use(empty_database)
    assert not Room.objects.exists()
    # The new machine's sealer ran before there was anything to seal.
    sealer = seal(tmp_path / "here")

    output = restored(file)

    assert "The log is whole." in output
    seal(tmp_path / "here", sealer)
    assert list(Seal.objects.order_by("id").values_list("number", "key_version")) == [(1, 1), (2, 2)]
    assert "The ledger holds." in output
    assert house.positions() == positions
    assert list(Slip.objects.order_by("id").values_list("id", "number")) == slips
    hand = house.settle(86_00, winners=(1,))
    assert hand.number == 3
    assert hand.pk > max(Hand.objects.exclude(pk=hand.pk).values_list("pk", flat=True))
    assert Event.objects.filter(id__gt=last).exists()
    call_command("audit", "verify", stdout=StringIO())
    call_command("ledger", "check", stdout=StringIO())
    # What PostgreSQL guards came along.
    with pytest.raises(DatabaseError, match="permission denied"), connection.cursor() as cursor:
        cursor.execute("DELETE FROM audit_event")
    with as_owner(), pytest.raises(DatabaseError, match="Cannot update or delete"), connection.cursor() as cursor:
        cursor.execute("DELETE FROM audit_event")


@pytest.mark.slow
def test_a_backup_is_private_and_never_written_over_another_nor_a_house_over_a_house(
    house: House, tmp_path: Path
) -> None:
    file = backed_up(tmp_path)
    content = file.read_bytes()

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(CommandError, match="is there already"):
        backed_up(tmp_path)
    assert file.read_bytes() == content
    assert os.listdir(tmp_path) == ["house.backup"]
    manifest = json.loads(zipfile.ZipFile(file).read(MANIFEST))
    assert manifest["files"][DUMP]["bytes"] > 0
    assert any(name.startswith("rooms.") for name in manifest["migrations"])
    with pytest.raises(CommandError, match="not empty"):
        restored(file)
    assert Hand.objects.count() == 2


def test_a_backup_that_fails_leaves_no_file(house: House, tmp_path: Path) -> None:
    with as_owner(), connection.cursor() as cursor:
        # Its owner is a member of the role that serves, and reads what that one reads.
        cursor.execute(f"REVOKE SELECT ON audit_event FROM CURRENT_USER, {runtime_role()}")

    with pytest.raises(CommandError, match="permission denied for table audit_event"):
        backed_up(tmp_path)

    assert os.listdir(tmp_path) == []


@pytest.mark.slow
def test_what_is_no_whole_backup_of_a_brush_known_here_and_who_uses_the_house_change_nothing(
    house: House, empty_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = backed_up(tmp_path)
    with zipfile.ZipFile(file) as backup:
        manifest, dump = json.loads(backup.read(MANIFEST)), backup.read(DUMP)
    _use(empty_database)
    with (
        psycopg.connect(servers.with_database(os.environ["DATABASE_URL"], empty_database)),
        pytest.raises(CommandError, match="stop web, sockets, worker, beat and sealer first"),
    ):
        restored(file)
    newer = manifest | {"migrations": [*manifest["migrations"], "tables.9999_not_yet"]}
    elsewhere = manifest | {"postgresql": 99}
    # Whole for pg_restore, and not what the manifest says.
    other_dump = manifest | {"files": manifest["files"] | {DUMP: {"sha256": "0" * 64, "bytes": 1}}}
    cut = tmp_path / "cut"
    cut.write_bytes(file.read_bytes()[:-1000])

    changed: tuple[tuple[dict[str, bytes], str], ...] = (
        ({"manifest_json": json.dumps(newer).encode()}, "9999_not_yet"),
        ({"manifest_json": json.dumps(elsewhere).encode()}, "PostgreSQL 99"),
        ({"manifest_json": json.dumps(other_dump).encode()}, "damaged"),
        ({"database_dump": dump[: len(dump) // 2]}, "nothing was changed"),
    )
    for parts, why in changed:
        with pytest.raises(CommandError, match=why):
            restored(rewritten(file, **parts))
        assert not Room.objects.exists()
    for bad in (cut, tmp_path / "nowhere"):
        with pytest.raises(CommandError, match="cannot be read"):
            restored(bad)
    monkeypatch.setenv("BRUSH_SECRET_KEY", "another")
    with pytest.raises(CommandError, match="BRUSH_SECRET_KEY"):
        restored(file)


def applied() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT app || '.' || name FROM django_migrations")
        return {name for (name,) in cursor.fetchall()}


def rehearsals() -> set[str]:
    """Return the databases in which this one is rehearsed: other tests may rehearse beside."""
    with connection.cursor() as cursor:
        own = "left(current_database(), 40) || '_rehearsal_'"
        cursor.execute(f"SELECT datname FROM pg_database WHERE starts_with(datname, {own})")
        return {name for (name,) in cursor.fetchall()}


def upgraded(*arguments: Path) -> str:
    output = StringIO()
    call_command("upgrade", *arguments, stdout=output)
    return output.getvalue()


@pytest.mark.slow
def test_an_upgrade_is_backed_up_rehearsed_and_then_made(house: House, tmp_path: Path) -> None:
    whole = applied()
    assert "nothing to upgrade" in upgraded()
    # `migrate` is the owner's, and stays it.
    with database_at_hand(must_stand_still=False):
        call_command("migrate", "commands", "0007", verbosity=0)

    output = upgraded()

    assert applied() == whole
    assert "The log is whole." in output
    assert len(list((tmp_path / "backups").iterdir())) == 1
    assert rehearsals() == set()
    assert house.settle(86_00, winners=(1,)).number == 3


@pytest.mark.slow
def test_an_upgrade_whose_rehearsal_fails_touches_nothing(house: House, tmp_path: Path) -> None:
    # What this migration makes is there already: it cannot be carried out.
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'audit' AND name LIKE '0003%%'", [])
    before = applied()

    with pytest.raises(CommandError, match="not touched"):
        upgraded(tmp_path / "before")

    assert applied() == before
    assert (tmp_path / "before").exists()
    assert rehearsals() == set()


@pytest.mark.slow
def test_the_embedded_house_is_backed_up_and_restored_while_it_stands_still(
    house: House, tmp_path: Path, open_folder: Path
) -> None:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("BRUSH_", "DATABASE_", "REDIS_"))}

    def manage(*arguments: str, folder: str) -> str:
        ran = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=env | {"BRUSH_DATA_DIR": str(open_folder / folder)},
            capture_output=True,
            text=True,
            timeout=4 * PATIENCE_SECONDS,
            check=True,
        )
        return ran.stdout

    first = backed_up(tmp_path)

    assert "The log is whole." in manage("restore", str(first), folder="new")
    key = (open_folder / "new" / "secret-key").read_text()
    assert key == django_settings.SECRET_KEY
    again = tmp_path / "again"
    manage("backup", str(again), folder="new")
    assert "The ledger holds." in manage("restore", str(again), folder="newer")
    assert (open_folder / "newer" / "secret-key").read_text() == key
