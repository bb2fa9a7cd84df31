"""Seals in a bucket with object lock: whoever has house, key and database cannot change what lies there."""

import json
import re
import threading
import traceback
from collections.abc import Iterator
from datetime import datetime, timedelta
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from minio import Minio
from minio.error import S3Error

from casino import clock
from casino.audit.models import Seal
from casino.audit.sealing.copies import NotStored
from casino.audit.sealing.key import turn_key
from casino.audit.sealing.sealer import Sealer
from casino.audit.sealing.store import SealStore
from casino.audit.sealing.storing import StoreCopy
from casino.people.services import rename_player
from tests.audit.sealing import seal
from tests.audit.test_seals import Tamper, busy, cast, cut_to, tamper, verify
from tests.cast import Cast, command, make_cast
from tests.support.owner import as_sealer
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.s3 import REGION, Store, Version, dripping, store

__all__ = ["cast", "tamper"]

WRITER, READER = "writer:secret/of+writer", "reader:secret-of-reader"


@pytest.fixture
def bucket(settings: Any) -> Iterator[Store]:
    settings.SEALS_S3_KEY = READER
    with store() as made:
        yield made


class StoreSealer(Sealer):
    """A sealer in a test: what it hands over is tried before the next thing happens."""

    def __init__(self, folder: Path, address: str, key: str) -> None:
        self.copy = StoreCopy(SealStore(address, key), folder / "key")
        super().__init__(folder / "key", file=folder / "copy.jsonl", store=self.copy)

    def seal_rooms(self) -> bool:
        was_there = super().seal_rooms()
        assert self.copy.wait(PATIENCE_SECONDS)
        return was_there


def sealer_to(folder: Path, bucket: Store, *, key: str = WRITER) -> Sealer:
    return StoreSealer(folder, bucket.url, key)


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
    output = verify("--copy", bucket.url)
    assert output.count("the copy ends with seal 4") == 2
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


@pytest.mark.slow
@pytest.mark.parametrize(
    "first",
    [
        pytest.param(b"", id="never begins"),
        pytest.param(b"HTTP/1.1 200 OK\r\n\r\n", id="never ends"),
    ],
)
def test_a_store_that_drips_holds_neither_seals_nor_the_end(
    cast: Cast, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, first: bytes
) -> None:
    # The shorter one ends the answer, the longer one would be waited for if anything here waited.
    monkeypatch.setattr("casino.audit.sealing.bounded.ANSWER_SECONDS_MAX", 1)
    with dripping(first=first) as (address, was_left):
        copy = StoreCopy(SealStore(address, WRITER), tmp_path / "key")
        sealer = Sealer(tmp_path / "key", file=tmp_path / "copy.jsonl", store=copy)

        seal(tmp_path, sealer, times=2)

        assert not copy.wait(0), "the store had answered"
        assert len((tmp_path / "copy.jsonl").read_text().splitlines()) == 1 + Seal.objects.count() == 3
        # What is due is noted before any of it is put.
        account = json.loads((tmp_path / "key/in-store.json").read_text())
        assert (account["missing"], account["keys"]) == ({str(cast.room.pk): [[1, 2]]}, [])
        assert was_left.wait(PATIENCE_SECONDS), "the answer had no end"
        assert copy.wait(PATIENCE_SECONDS)
        sealer.close()
    assert "cannot be put into the store: TimeoutError: no whole answer within 1 s" in caplog.text


def test_the_end_waits_for_no_answer(cast: Cast, tmp_path: Path) -> None:
    with dripping(first=b"") as (address, was_left):
        copy = StoreCopy(SealStore(address, WRITER), tmp_path / "key")
        sealer = seal(tmp_path, Sealer(tmp_path / "key", file=tmp_path / "copy.jsonl", store=copy))
        # A thread of its own puts it: what it has not begun when the end comes is due again, and nobody waits for it.
        wait_until(lambda: copy._in_hand is not None, "nothing was put")

        sealer.close()

        assert not copy.wait(0), "the end came after the answer"
        assert not was_left.is_set()
    assert copy.wait(PATIENCE_SECONDS)


def test_an_answer_that_is_too_long_is_not_read(
    cast: Cast, tmp_path: Path, bucket: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.audit.sealing.bounded.ANSWER_BYTES_MAX", 1000)
    bucket.page = "<p>" * 1000

    seal(tmp_path, sealer_to(tmp_path, bucket)).close()

    assert "cannot be put into the store: OSError: an answer of more than 1000 bytes" in caplog.text


def test_a_store_that_is_away_keeps_no_seal_waiting_and_is_caught_up(
    cast: Cast, tmp_path: Path, bucket: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_cast(slug="other")
    monkeypatch.setattr("casino.audit.sealing.sealer.DUE_MAX", 2)
    secret, may = bucket.may.pop("writer")
    seal(tmp_path, sealer_to(tmp_path, bucket), times=5).close()

    assert bucket.versions == []
    assert Seal.objects.count() == 10
    assert caplog.text.count("The seals cannot be put into the store: 403 InvalidAccessKeyId") == 1
    assert caplog.text.count("The store is 2 seals behind.") == caplog.text.count("seals behind") == 1
    # Another process goes on where that one stood; the first that was due is not forgotten, though it never came.
    bucket.may["writer"] = (secret, may)
    sealer = sealer_to(tmp_path, bucket)
    seal(tmp_path, sealer, times=2)
    numbers = [(int(room), int(name.split(".")[0])) for _, room, name in (each.split("/") for each in bucket.names[1:])]
    one, other = sorted({room for room, _ in numbers})
    assert sorted(numbers[:2]) == [(one, 6), (other, 6)]
    assert [sorted(numbers[at : at + 2]) for at in (2, 4)] == [[(one, 1), (other, 1)], [(one, 2), (other, 2)]]
    assert sorted(numbers[6:8]) == [(one, 7), (other, 7)]
    assert caplog.text.count("The store is 10 seals behind.") == 1
    assert "The store has all seals again." not in caplog.text
    seal(tmp_path, sealer, times=2)
    sealer.close()
    assert caplog.text.count("The store has all seals again.") == 1
    assert len(bucket.names) == len(set(bucket.names)) == 1 + Seal.objects.count()
    assert verify("--copy", bucket.url).count("the copy ends with seal 9") == 2


def test_a_store_that_takes_one_a_minute_gets_the_seals_of_each_room(
    cast: Cast, tmp_path: Path, bucket: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_cast(slug="other")
    sealer = sealer_to(tmp_path, bucket)
    taken: set[datetime] = set()
    put = SealStore.put

    def put_one_a_round(store: SealStore, seal: Seal, *, at: datetime) -> None:
        # One round has one `at`.
        if at in taken:
            raise NotStored("503 SlowDown")
        put(store, seal, at=at)
        taken.add(at)

    monkeypatch.setattr(SealStore, "put", put_one_a_round)

    seal(tmp_path, sealer, times=4).close()

    rooms = [name.split("/")[1] for name in bucket.names[1:]]
    assert len(rooms) == 4
    assert len(set(rooms[:2])) == len(set(rooms[2:])) == 2


def test_what_is_being_put_is_not_put_twice_and_each_few_puts_are_noted(
    cast: Cast, tmp_path: Path, bucket: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.audit.sealing.storing.NOTE_EVERY", 2)
    has_begun, may_end, put = threading.Event(), threading.Event(), SealStore.put
    noted = {}

    def put_slowly(store: SealStore, seal: Seal, *, at: datetime) -> None:
        noted[seal.number] = json.loads((tmp_path / "key/in-store.json").read_text())["missing"][str(seal.room_id)]
        has_begun.set()
        assert may_end.wait(PATIENCE_SECONDS)
        put(store, seal, at=at)

    monkeypatch.setattr(SealStore, "put", put_slowly)
    copy = StoreCopy(SealStore(bucket.url, WRITER), tmp_path / "key")
    sealer = seal(tmp_path, Sealer(tmp_path / "key", file=tmp_path / "copy.jsonl", store=copy))
    assert has_begun.wait(PATIENCE_SECONDS)

    seal(tmp_path, sealer, times=3)
    may_end.set()

    assert copy.wait(PATIENCE_SECONDS)
    sealer.close()
    assert [int(name.split("/")[2].split(".")[0]) for name in bucket.names[1:]] == [1, 4, 2, 3]
    assert noted == {1: [[1, 1]], 4: [[1, 4]], 2: [[2, 3]], 3: [[2, 3]]}


def test_a_room_whose_seals_the_store_refuses_stops_no_other(
    cast: Cast, tmp_path: Path, bucket: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_cast(slug="other")
    put = SealStore.put

    def put_of_others(store: SealStore, seal: Seal, *, at: datetime) -> None:
        if seal.room_id == cast.room.pk:
            raise NotStored("400 NotThisOne")
        put(store, seal, at=at)

    monkeypatch.setattr(SealStore, "put", put_of_others)

    seal(tmp_path, sealer_to(tmp_path, bucket), times=6).close()

    assert len(bucket.names[1:]) == Seal.objects.exclude(room_id=cast.room.pk).count() == 6
    assert caplog.text.count("cannot be put into the store: 400 NotThisOne") == 1


def test_what_is_lost_before_the_store_got_it_is_not_waited_for(
    cast: Cast, tamper: Tamper, tmp_path: Path, bucket: Store, caplog: pytest.LogCaptureFixture
) -> None:
    away, bucket.may = bucket.may, {}
    sealer = seal(tmp_path, sealer_to(tmp_path, bucket), times=3)
    bucket.may = away
    tamper("DELETE FROM audit_seal WHERE number = 2")

    seal(tmp_path, sealer, times=2).close()

    assert [int(name.split("/")[2].split(".")[0]) for name in bucket.names[1:]] == [4, 1, 3, 5]
    assert "seal 2 is missing in the database before the store got it" in caplog.text
    assert "The store has all seals again." in caplog.text


def test_a_house_without_a_room_has_nothing_to_put(db: None, tmp_path: Path, bucket: Store) -> None:
    seal(tmp_path, sealer_to(tmp_path, bucket)).close()

    assert bucket.versions == []
    assert not (tmp_path / "key").exists()


def test_a_proxys_page_is_said_once_and_in_few_words(
    cast: Cast, tmp_path: Path, bucket: Store, caplog: pytest.LogCaptureFixture
) -> None:
    sealer = sealer_to(tmp_path, bucket)
    for number in range(2):
        bucket.page = f"<html>{number}\n<b>no way</b></html>"
        seal(tmp_path, sealer)
    sealer.close()

    assert caplog.text.count("cannot be put into the store: 502 InvalidResponse\n") == 1
    assert "html" not in caplog.text


def test_nobody_there_is_said_once(cast: Cast, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with store() as gone:
        pass

    sealer = seal(tmp_path, sealer_to(tmp_path, gone), times=2)
    sealer.close()

    assert Seal.objects.count() == 2
    assert caplog.text.count("The seals cannot be put into the store: ") == 1
    with pytest.raises(CommandError, match="The copy cannot be read"):
        verify("--copy", gone.url)


def test_a_lock_that_ends_too_soon_is_found_wherever_it_lies(cast: Cast, tmp_path: Path, bucket: Store) -> None:
    """Of six seals the second ends early, the third has ended, nothing keeps the fourth."""
    seal(tmp_path, sealer_to(tmp_path, bucket), times=6).close()
    assert "The log is whole." in verify("--copy", bucket.url)
    early, ended, free = bucket.versions[2:5]
    early.until, ended.until, free.mode = clock.now() + timedelta(days=1), clock.now() - timedelta(days=1), ""
    out = StringIO()

    with pytest.raises(CommandError, match="3 broken links"):
        call_command("audit", "verify", "--copy", bucket.url, stdout=out, stderr=out)

    assert f"seal breaks at 2: its lock ends {early.until:%Y-%m-%d %H:%M}, before its 3653 days" in out.getvalue()
    assert f"seal breaks at 3: its lock ended {ended.until:%Y-%m-%d %H:%M}" in out.getvalue()
    assert "seal breaks at 4: no lock keeps it in the store" in out.getvalue()


def test_of_many_seals_the_first_the_last_and_a_sample_between_are_asked(
    cast: Cast, tmp_path: Path, bucket: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.audit.sealing.store.SAMPLE", 2)
    seal(tmp_path, sealer_to(tmp_path, bucket), times=9).close()
    store = SealStore(bucket.url, READER)
    list(store.lines())
    for each in bucket.versions:
        each.mode = ""

    numbers = [found.number for _, found in store.unlocked(lambda *_: None, now=clock.now())]

    assert (numbers[0], numbers[-1], len(numbers)) == (1, 9, 4)
    assert len(set(numbers)) == 4


def test_of_two_seals_with_one_number_it_is_said_when_each_was_put(cast: Cast, tmp_path: Path, bucket: Store) -> None:
    seal(tmp_path, sealer_to(tmp_path, bucket), times=2).close()
    true = bucket.versions[2]
    name = f"{true.name.rpartition('.')[0]}.{'ab' * 32}"
    false = Version(name, "v", b"", mode="COMPLIANCE", until=true.until, at=true.at - timedelta(days=3))
    bucket.versions.append(false)
    out = StringIO()

    with pytest.raises(CommandError):
        call_command("audit", "verify", "--copy", bucket.url, stdout=out, stderr=out)

    moments = f"{false.at:%Y-%m-%d %H:%M:%S}, {true.at:%Y-%m-%d %H:%M:%S}"
    assert f"the store has several seals 2: put {moments}" in out.getvalue()
    assert "seal breaks at 2: the copy has another seal here" in out.getvalue()


@pytest.mark.slow
def test_a_bucket_without_locks_takes_nothing_and_one_that_forgets_them_is_found(
    cast: Cast, tmp_path: Path, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SEALS_S3_KEY = READER
    with store(is_locking=False) as bucket:
        seal(tmp_path, sealer_to(tmp_path, bucket)).close()

        assert bucket.versions == []
        assert "cannot be put into the store: 400 InvalidRequest" in caplog.text
    with store(forgets_locks=True) as bucket:
        seal(tmp_path, sealer_to(tmp_path, bucket)).close()

        with pytest.raises(CommandError, match="1 broken links"):
            verify("--copy", bucket.url)


@pytest.mark.parametrize(
    ("address", "key", "why"),
    [
        ("ftp://store/seals", WRITER, "no address of a store"),
        ("https://store", WRITER, "a bucket's name"),
        ("https://store/No_Bucket", WRITER, "store/No_Bucket is no address of a store: a bucket's name"),
        ("https://store/seals/../x", WRITER, "its folder"),
        ("https://store:abc/seals", WRITER, "no address of a store"),
        ("https://store/seals?days=0", WRITER, "days is a number from 1 to 36500"),
        ("https://store/seals?days=9999999", WRITER, "days is a number from 1 to 36500"),
        ("https://store/seals?days=x", WRITER, "days is a number"),
        ("https://store/seals?region=_", WRITER, "no address of a store"),
        ("https://store/seals?day=10", WRITER, "it says only days and region"),
        ("http://store.example/seals", WRITER, "http:// is for this machine alone"),
        ("https://s3.amazonaws.com/seals", WRITER, "needs &region="),
        ("https://store/seals", "no secret", "no key of the store"),
    ],
)
def test_what_is_no_store_is_said_before_anything_is_sealed(
    cast: Cast, tmp_path: Path, settings: Any, address: str, key: str, why: str
) -> None:
    settings.SEALER_DIR, settings.SEALS_FILE = tmp_path / "key", tmp_path / "copy"
    settings.SEALS_S3, settings.SEALS_S3_KEY = address, key

    with pytest.raises(CommandError, match=f"BRUSH_SEALS_S3: .*{re.escape(why)}"):
        call_command("sealer", "once")

    assert not Seal.objects.exists()
    assert not (tmp_path / "key").exists()


@pytest.mark.parametrize(
    "address",
    [
        "https://ID:{}@store/seals",
        *(
            pytest.param(address, marks=pytest.mark.slow)
            for address in (
                "HTTPS://ID:{}@store/seals",
                "https://ID:{}/seals",
                "https://store/seals?key=ID:{}",
                "https://store/seals?days={}",
                "https://store/seals?region={}",
                "ID:{}",
            )
        ),
    ],
)
@pytest.mark.parametrize("secret", ["wJalrXUtnFEMIK7MDENG", "wJalrXUtnFEMI/K7MDENG"])
def test_a_secret_in_the_address_is_not_repeated(
    cast: Cast, tmp_path: Path, settings: Any, caplog: pytest.LogCaptureFixture, address: str, secret: str
) -> None:
    settings.SEALER_DIR, settings.SEALS_FILE = tmp_path / "key", tmp_path / "copy"
    settings.SEALS_S3, settings.SEALS_S3_KEY = address.format(secret), WRITER

    with pytest.raises(CommandError) as sealing:
        call_command("sealer", "once")
    output = [*traceback.format_exception(sealing.value), caplog.text]
    if "://" in address:
        with pytest.raises(CommandError) as verifying:
            verify("--copy", settings.SEALS_S3)
        output += traceback.format_exception(verifying.value)

    assert not any(part in text for part in secret.split("/") for text in output)


@pytest.mark.parametrize(
    ("address", "region"),
    [
        ("https://s3.eu-north-1.amazonaws.com/seals", "eu-north-1"),
        ("https://s3.dualstack.us-gov-east-1.amazonaws.com/seals", "us-gov-east-1"),
        ("https://s3.cn-north-1.amazonaws.com.cn/seals", "cn-north-1"),
        ("https://s3.amazonaws.com/seals?region=us-east-2", "us-east-2"),
        ("https://minio.example:9000/seals", "us-east-1"),
    ],
)
def test_who_puts_never_asks_for_the_region(address: str, region: str) -> None:
    assert SealStore(address, WRITER)._client._get_region("seals") == region


def test_once_waits_for_the_store(
    cast: Cast, tmp_path: Path, settings: Any, bucket: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.grants.connect_as_sealer", lambda: None)
    settings.SEALER_DIR, settings.SEALS_FILE = tmp_path / "key", tmp_path / "copy"
    settings.SEALS_S3, settings.SEALS_S3_KEY = bucket.url, WRITER

    with as_sealer():
        call_command("sealer", "once")

    assert len(bucket.versions) == 2
