"""Seals in a bucket with object lock: whoever has house, key and database cannot change what lies there."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from minio import Minio
from minio.error import S3Error

from casino.audit.models import Seal
from casino.audit.sealing.key import turn_key
from casino.audit.sealing.sealer import Sealer
from casino.audit.sealing.store import SealStore, StoreCopy
from casino.people.services import rename_player
from tests.audit.sealing import seal
from tests.audit.test_seals import Tamper, busy, cast, cut_to, tamper, verify
from tests.cast import Cast, command, make_cast
from tests.support.s3 import REGION, Store, store

pytestmark = pytest.mark.smoke
__all__ = ["cast", "tamper"]

WRITER, READER = "writer:secret/of+writer", "reader:secret-of-reader"


@pytest.fixture
def bucket(settings: Any) -> Iterator[Store]:
    settings.SEALS_S3_KEY = READER
    with store() as made:
        yield made


def sealer_to(folder: Path, bucket: Store, *, key: str = WRITER) -> Sealer:
    copy = StoreCopy(SealStore(bucket.url, key), folder / "key")
    return Sealer(folder / "key", file=folder / "copy.jsonl", store=copy)


def client(bucket: Store, key: str, secret: str) -> Minio:
    return Minio(urlsplit(bucket.url).netloc, key, secret, secure=False, region=REGION)


def test_each_seal_is_in_the_store_where_nobody_deletes_it(cast: Cast, tmp_path: Path, bucket: Store) -> None:
    make_cast(slug="other")

    sealer = seal(tmp_path, sealer_to(tmp_path, bucket), times=3)
    turn_key(tmp_path / "key")
    seal(tmp_path, sealer)
    sealer.close()

    assert [name.split("/")[1] for name in bucket.names].count("keys") == 2
    assert len(bucket.versions) == 2 + Seal.objects.count() == 10
    assert bucket.refused == []
    said = verify("--copy", bucket.url)
    assert said.count("the copy ends with seal 4") == 2
    first = bucket.versions[-1]
    assert first.mode == "COMPLIANCE"
    with pytest.raises(S3Error, match="AccessDenied"):
        client(bucket, "owner", "owner").remove_object("seals", first.name, version_id=first.id)


def test_a_tail_that_was_cut_off_with_its_seals_is_known_to_the_store(
    cast: Cast, tamper: Tamper, tmp_path: Path, bucket: Store
) -> None:
    chain = busy(cast)
    sealer = seal(tmp_path, sealer_to(tmp_path, bucket))
    rename_player(command(cast.frans), player_id=int(chain.removeprefix("player.")), nickname="Zoe 4")
    seal(tmp_path, sealer, times=2)
    tamper(lambda: cut_to(chain, 3))
    tamper("DELETE FROM audit_seal WHERE number > 1")
    sealer.close()
    # Whoever has the house has its sealer too, and what it keeps beside its key.
    for kept in ("copy.jsonl", "key/in-store.json"):
        (tmp_path / kept).unlink()
    seal(tmp_path, sealer_to(tmp_path, bucket), times=2).close()

    assert "The log is whole." in verify()

    with pytest.raises(CommandError, match="2 broken links"):
        verify("--copy", bucket.url)


def test_the_sealers_key_puts_seals_there_and_does_nothing_else(cast: Cast, tmp_path: Path, bucket: Store) -> None:
    seal(tmp_path, sealer_to(tmp_path, bucket)).close()
    writer, reader = client(bucket, *WRITER.split(":")), client(bucket, *READER.split(":"))
    there = bucket.versions[0]

    for forbidden in (
        lambda: list(writer.list_objects("seals", include_version=True)),
        lambda: writer.remove_object("seals", there.name, version_id=there.id),
        lambda: reader.put_object("seals", "casino/x", BytesIO(b"x"), 1),
        lambda: client(bucket, "writer", "guessed").put_object("seals", "casino/x", BytesIO(b"x"), 1),
    ):
        with pytest.raises(S3Error, match=r"AccessDenied|SignatureDoesNotMatch"):
            forbidden()

    assert bucket.refused == ["AccessDenied"] * 3 + ["SignatureDoesNotMatch"]


def test_a_store_that_is_away_keeps_no_seal_waiting_and_is_caught_up(
    cast: Cast, tmp_path: Path, bucket: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.audit.sealing.sealer.DUE_MAX", 3)
    sealer = seal(tmp_path, sealer_to(tmp_path, bucket))
    secret, may = bucket.may.pop("writer")

    seal(tmp_path, sealer, times=4)
    sealer.close()

    assert Seal.objects.count() == 5
    assert len(bucket.versions) == 2
    assert caplog.text.count("The seals cannot be put into the store: InvalidAccessKeyId") == 1
    # Another process goes on where that one stood.
    bucket.may["writer"] = (secret, may)
    again = seal(tmp_path, sealer_to(tmp_path, bucket), times=2)
    again.close()
    assert [int(name.split("/")[2].split(".")[0]) for name in bucket.names[1:]] == [1, 2, 3, 4, 5, 6, 7]
    assert "the copy ends with seal 7" in verify("--copy", bucket.url)


def test_nobody_there_is_said_once(cast: Cast, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with store() as gone:
        pass

    sealer = seal(tmp_path, sealer_to(tmp_path, gone), times=2)
    sealer.close()

    assert Seal.objects.count() == 2
    assert caplog.text.count("The seals cannot be put into the store: ") == 1
    with pytest.raises(CommandError, match="The copy cannot be read"):
        verify("--copy", gone.url)


def test_a_bucket_without_locks_takes_nothing_and_one_that_forgets_them_is_found(
    cast: Cast, tmp_path: Path, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SEALS_S3_KEY = READER
    with store(is_locking=False) as bucket:
        seal(tmp_path, sealer_to(tmp_path, bucket)).close()

        assert bucket.versions == []
        assert "cannot be put into the store: InvalidRequest" in caplog.text
    with store(forgets_locks=True) as bucket:
        seal(tmp_path, sealer_to(tmp_path, bucket)).close()

        with pytest.raises(CommandError, match="1 broken links"):
            verify("--copy", bucket.url)


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("ftp://store/seals", WRITER),
        ("https://store", WRITER),
        ("https://store:abc/seals", WRITER),
        ("https://id:secret@store/seals", WRITER),
        ("https://store/seals?days=0", WRITER),
        ("https://store/seals?day=10", WRITER),
        ("https://store/seals", "no secret"),
    ],
)
def test_what_is_no_store_is_said_before_anything_is_sealed(
    cast: Cast, tmp_path: Path, settings: Any, address: str, key: str
) -> None:
    settings.SEALER_DIR, settings.SEALS_FILE = tmp_path / "key", tmp_path / "copy"
    settings.SEALS_S3, settings.SEALS_S3_KEY = address, key

    with pytest.raises(CommandError, match=r"BRUSH_SEALS_S3: .*no (address|key) of (a|the) store"):
        call_command("sealer", "once")

    assert not Seal.objects.exists()
    assert not (tmp_path / "key").exists()
