"""Seals: signed, numbered and chained, kept elsewhere; what the database's owner rewrites does not agree with them."""

import json
import os
import socket
import stat
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection

from casino import clock
from casino.audit.hashes import GENESIS, canonical, link
from casino.audit.models import Chain, Event, Seal, SealKey
from casino.audit.sealing.copies import line_of
from casino.audit.sealing.key import FILE, NoKey, begin_key, read_key, turn_key
from casino.audit.sealing.proof import compare
from casino.audit.sealing.sealer import SECONDS, Sealer
from casino.audit.sealing.text import code_of, hash_of, mac_of, text_of
from casino.audit.selectors import breaks
from casino.people.services import add_player, rename_player
from tests.audit.sealing import seal, sealer_in
from tests.cast import TONIGHT, Cast, command, make_cast
from tests.support.owner import as_owner, as_sealer
from tests.support.patience import PATIENCE_SECONDS

Tamper = Callable[..., None]


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture
def tamper(cast: Cast) -> Tamper:
    """Do what the database's owner can: rewrite rows with the triggers switched off."""

    def change(work: Callable[[], object] | str) -> None:
        with as_owner(), connection.cursor() as cursor:
            for table in ("audit_event", "audit_seal", "audit_sealkey"):
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            if isinstance(work, str):
                cursor.execute(work)
            else:
                work()
            for table in ("audit_event", "audit_seal", "audit_sealkey"):
                cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")

    return change


def busy(cast: Cast) -> str:
    """Give one chain three events; return its name."""
    player_id = add_player(command(cast.frans), nickname="Zoe").data["player_id"]
    for nickname in ("Zoe 2", "Zoe 3"):
        rename_player(command(cast.frans), player_id=player_id, nickname=nickname)
    return f"player.{player_id}"


def found(cast: Cast) -> list[tuple[str, int]]:
    return [(each.chain, each.number) for each in breaks(cast.room.pk)]


def found_by(copy: Path) -> list[tuple[str, int, str]]:
    with copy.open() as lines:
        return [(each.chain, each.number, each.problem) for _, each in compare(lines).breaks]


def verify(*arguments: str) -> str:
    out = StringIO()
    call_command("audit", "verify", *arguments, stdout=out, stderr=out)
    return out.getvalue()


def cut_to(chain: str, number: int) -> None:
    """Cut a chain's tail off, head and all, as if it had never been."""
    Event.objects.filter(chain=chain, number__gt=number).delete()
    last = Event.objects.get(chain=chain, number=number)
    Chain.objects.filter(name=chain).update(number=number, hash=last.hash)


def recompute(chain: str) -> None:
    """Have an event name somebody else, and make every hash after it agree."""
    previous = GENESIS
    for event in Event.objects.filter(chain=chain).order_by("number"):
        text = canonical({**json.loads(event.text), "data": {"forged": True}})
        event.text, event.previous_hash, event.hash = text, previous, link(previous, text)
        event.save()
        previous = event.hash
    Chain.objects.filter(name=chain).update(hash=previous)


# What it holds against


def test_a_tail_cut_off_with_its_seals_is_known_to_the_copy(cast: Cast, tamper: Tamper, tmp_path: Path) -> None:
    chain = busy(cast)
    sealer = seal(tmp_path)
    rename_player(command(cast.frans), player_id=int(chain.removeprefix("player.")), nickname="Zoe 4")
    seal(tmp_path, sealer, times=2)

    tamper(lambda: cut_to(chain, 3))
    tamper("DELETE FROM audit_seal WHERE number > 1")

    # In itself the log is whole: that is why a copy elsewhere is kept.
    assert found(cast) == []
    gone = "the copy has a seal that is not here"
    assert found_by(tmp_path / "copy.jsonl") == [("seal", 2, gone), ("seal", 3, gone)]
    with pytest.raises(CommandError, match="2 broken links"):
        verify("--copy", str(tmp_path / "copy.jsonl"))


def test_a_recomputed_chain_needs_seals_that_nobody_can_sign(cast: Cast, tamper: Tamper, tmp_path: Path) -> None:
    chain = busy(cast)
    seal(tmp_path)

    tamper(lambda: recompute(chain))
    assert found(cast) == [(chain, 3)]

    def forge_heads() -> None:
        made = Seal.objects.get()
        heads = json.loads(made.heads)
        heads[chain][1] = Chain.objects.get(name=chain).hash
        made.heads = json.dumps(heads, sort_keys=True, separators=(",", ":"))
        made.save()

    tamper(forge_heads)
    assert found(cast) == [("seal", 1)]


def test_who_puts_a_key_of_their_own_there_is_known_to_the_copy(cast: Cast, tamper: Tamper, tmp_path: Path) -> None:
    chain = busy(cast)
    seal(tmp_path)

    def forge() -> None:
        recompute(chain)
        Seal.objects.all().delete()
        SealKey.objects.all().delete()

    tamper(forge)
    other = tmp_path / "forger"
    seal(other, times=2)

    assert found(cast) == []
    assert found_by(tmp_path / "copy.jsonl") == [
        ("key", 1, "the copy has another key"),
        ("seal", 1, "the copy has another seal here"),
    ]


def test_a_seal_that_was_taken_out_is_missed(cast: Cast, tamper: Tamper, tmp_path: Path) -> None:
    busy(cast)
    seal(tmp_path, times=3)

    tamper("DELETE FROM audit_seal WHERE number = 2")
    assert found(cast) == [("seal", 2)]

    # And nothing is gained by giving the rest other numbers.
    tamper("UPDATE audit_seal SET number = 2 WHERE number = 3")
    assert found(cast) == [("seal", 2), ("seal", 2)]


@pytest.mark.parametrize(
    "change", ["at = at + interval '1 hour'", "heads = heads || ' '", "previous = repeat('0', 64)"]
)
def test_a_changed_seal_is_not_the_one_that_was_signed(cast: Cast, tamper: Tamper, tmp_path: Path, change: str) -> None:
    busy(cast)
    seal(tmp_path, times=2)

    tamper(f"UPDATE audit_seal SET {change} WHERE number = 2")

    assert set(found(cast)) == {("seal", 2)}


def test_a_chain_cut_short_with_its_head_is_known_to_the_seal(cast: Cast, tamper: Tamper, tmp_path: Path) -> None:
    chain = busy(cast)
    sealer = seal(tmp_path)
    add_player(command(cast.frans), nickname="Yan")
    seal(tmp_path, sealer)

    tamper(lambda: cut_to(chain, 2))

    assert found(cast) == [(chain, 3)]


def test_seals_that_cannot_be_read_are_said_to_be_so(cast: Cast, tamper: Tamper, tmp_path: Path) -> None:
    seal(tmp_path)

    tamper("UPDATE audit_seal SET heads = 'x'")

    assert found(cast) == [("seal", 1), ("seal", 0)]


def test_the_seals_since_a_moment_hang_on_the_last_before_it(cast: Cast, tamper: Tamper, tmp_path: Path) -> None:
    busy(cast)
    sealer = sealer_in(tmp_path)
    for hour in range(4):
        with clock.frozen(TONIGHT + timedelta(hours=hour)):
            seal(tmp_path, sealer)
    since = TONIGHT + timedelta(hours=2)

    def since_then() -> list[tuple[str, int]]:
        return [(each.chain, each.number) for each in breaks(cast.room.pk, since=since)]

    assert since_then() == []
    tamper("UPDATE audit_seal SET heads = heads || ' ' WHERE number IN (1, 4)")
    assert since_then() == [("seal", 4)]
    tamper("UPDATE audit_seal SET heads = heads || ' ' WHERE number = 2")
    assert since_then() == [("seal", 3), ("seal", 4)]


# Sealing


def test_every_room_is_sealed_and_a_seal_names_only_what_has_moved(cast: Cast, tmp_path: Path) -> None:
    make_cast(slug="other")
    chain = busy(cast)
    sealer = seal(tmp_path)
    rename_player(command(cast.frans), player_id=int(chain.removeprefix("player.")), nickname="Zoe 4")
    seal(tmp_path, sealer, times=2)

    of_this = list(Seal.objects.filter(room_id=cast.room.pk).order_by("id"))
    assert [made.number for made in of_this] == [1, 2, 3]
    assert [len(json.loads(made.heads)) for made in of_this] == [
        Chain.objects.filter(room_id=cast.room.pk).count(),
        1,
        0,
    ]
    assert Seal.objects.exclude(room_id=cast.room.pk).count() == 3
    # One that starts anew remembers nothing, and names all.
    seal(tmp_path)
    assert len(json.loads(Seal.objects.filter(room_id=cast.room.pk).latest("id").heads)) == len(
        json.loads(of_this[0].heads)
    )
    assert found(cast) == []


def test_what_older_versions_sealed_is_still_proven_and_tied_to_what_is_signed(
    cast: Cast, tamper: Tamper, tmp_path: Path
) -> None:
    old = Seal(room_id=cast.room.pk, at=TONIGHT, heads="{}")
    old.mac = mac_of(old)
    with as_owner():
        old.save()
    seal(tmp_path)

    assert found(cast) == []
    assert Seal.objects.get(number=1).previous == old.mac
    assert "1 seals signed since" in verify()
    tamper("UPDATE audit_seal SET at = at + interval '1 hour' WHERE number IS NULL")
    assert found(cast) == [("seal", old.pk)]


def test_the_sealer_goes_on_when_the_database_comes_back(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sealer = sealer_in(tmp_path)

    def away(*_: object) -> None:
        raise OperationalError("the connection is lost")

    with monkeypatch.context() as patched, as_sealer():
        patched.setattr("casino.audit.sealing.sealer._heads", away)
        assert [sealer.seal_rooms(), sealer.seal_rooms()] == [False, False]
    seal(tmp_path, sealer)

    assert [record.message for record in caplog.records] == ["The log cannot be sealed now: the connection is lost"]
    assert Seal.objects.count() == 1


# The key


def test_only_the_sealer_reads_its_key(cast: Cast, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    sealer = seal(tmp_path)
    folder, file = tmp_path / "key", tmp_path / "key" / FILE

    assert (stat.S_IMODE(folder.stat().st_mode), stat.S_IMODE(file.stat().st_mode)) == (0o700, 0o600)
    private = json.loads(file.read_text())["private"]
    assert private not in (tmp_path / "copy.jsonl").read_text()
    if os.geteuid() == 0:
        # As root, what people reach runs as another user (casino/supervisor/group.py).
        assert not _can_read(file, uid=65534)

    file.chmod(0o640)
    with pytest.raises(NoKey, match="can be read by others"):
        read_key(folder)
    seal(tmp_path, sealer)
    assert "can be read by others" in caplog.text
    assert Seal.objects.count() == 1


def _can_read(file: Path, *, uid: int) -> bool:
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(uid)
            os.setuid(uid)
            file.read_text()
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_key_is_turned_over_and_what_it_sealed_still_verifies(cast: Cast, tmp_path: Path) -> None:
    busy(cast)
    sealer = seal(tmp_path)
    old = (tmp_path / "key" / FILE).read_text()

    # Twice, before anything was sealed with the first of them.
    turn_key(tmp_path / "key")
    turn_key(tmp_path / "key")
    seal(tmp_path, sealer)

    assert list(Seal.objects.order_by("id").values_list("key_version", flat=True)) == [1, 3]
    assert list(SealKey.objects.order_by("version").values_list("version", flat=True)) == [1, 2, 3]
    assert found(cast) == []
    assert json.loads(old)["private"] not in (tmp_path / "key" / FILE).read_text()
    verify("--copy", str(tmp_path / "copy.jsonl"))


def test_an_old_key_seals_no_more(cast: Cast, tamper: Tamper, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    sealer = seal(tmp_path)
    stolen = (tmp_path / "key" / FILE).read_text()
    key = read_key(tmp_path / "key")
    assert key
    turn_key(tmp_path / "key")
    seal(tmp_path, sealer)

    last = Seal.objects.latest("id")
    forged = Seal(room_id=last.room_id, number=3, at=clock.now(), heads="{}", key_version=1)
    forged.previous = hash_of(last)
    forged.signature = key.sign(text_of(forged))
    tamper(forged.save)
    assert [each.problem for each in breaks(cast.room.pk)] == ["it is signed with a key that had been turned over"]

    (tmp_path / "key" / FILE).write_text(stolen)
    seal(tmp_path, sealer)
    assert "is an old one" in caplog.text


def test_a_key_that_says_who_signed_it_was_signed_by_them(cast: Cast, tamper: Tamper, tmp_path: Path) -> None:
    sealer = seal(tmp_path)
    turn_key(tmp_path / "key")
    seal(tmp_path, sealer)

    tamper("UPDATE audit_sealkey SET signature = repeat('0', 128) WHERE version = 2")

    with pytest.raises(CommandError, match="1 broken"):
        verify()


def test_a_house_that_lost_its_key_begins_another_and_verify_says_so(cast: Cast, tmp_path: Path) -> None:
    seal(tmp_path)
    (tmp_path / "key" / FILE).unlink()
    seal(tmp_path)

    assert "Key 2 was not signed by the one before it." in verify()


def test_a_house_without_a_room_has_no_key(db: None, tmp_path: Path) -> None:
    """It may become that of a backup, which brings keys of its own."""
    seal(tmp_path)

    assert not (tmp_path / "key").exists()
    assert not SealKey.objects.exists()


def test_a_key_of_another_house_is_put_aside_and_another_begins(
    cast: Cast, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    seal(tmp_path)
    folder = tmp_path / "key"
    strange = begin_key(folder, version=1)

    seal(tmp_path, times=2)

    aside = folder / f"key-{strange.introductions[0].public[:16]}.json"
    assert json.loads(aside.read_text())["private"] == strange.private
    assert caplog.text.count(f"put aside as {aside}") == 1
    assert list(Seal.objects.order_by("id").values_list("key_version", flat=True)) == [1, 2, 2]
    assert found(cast) == []
    output = verify("--copy", str(tmp_path / "copy.jsonl"))
    assert "Key 2 was not signed by the one before it." in output


# Elsewhere


def test_the_copy_holds_every_seal_also_those_it_missed(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    copy = tmp_path / "copy.jsonl"
    sealer = seal(tmp_path)

    def full(*_: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patched:
        patched.setattr("casino.audit.sealing.copies.os.fsync", full)
        patched.setattr("casino.audit.sealing.copies.os.open", full)
        seal(tmp_path, sealer, times=2)
    # As a power cut leaves it.
    with copy.open("a") as file:
        file.write('{"key": 1, "signature": "x"}\n{"room": 1, "num')
    seal(tmp_path, sealer)
    seal(tmp_path)

    written = [json.loads(line) for line in copy.read_text().splitlines() if line.endswith('"}')]
    assert [text["number"] for text in written if "number" in text] == [1, 2, 3, 4, 5]
    assert [text["key"] for text in written if "public" in text][:1] == [1]
    assert caplog.text.count("The seals' copy cannot be written: no space left") == 1
    out = verify("--copy", str(copy))
    assert "the copy ends with seal 5" in out


def test_the_sealer_says_when_its_copy_knows_more_than_the_database(
    cast: Cast, tamper: Tamper, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sealer = seal(tmp_path, times=3)
    tamper("DELETE FROM audit_seal WHERE number > 1")

    seal(tmp_path, sealer)

    assert "seals are missing" in caplog.text
    another, gone = "the copy has another seal here", "the copy has a seal that is not here"
    assert found_by(tmp_path / "copy.jsonl") == [("seal", 2, another), ("seal", 3, gone)]


def test_another_host_gets_each_seal(cast: Cast, tmp_path: Path) -> None:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as host:
        host.bind(("127.0.0.1", 0))
        host.settimeout(PATIENCE_SECONDS)
        sealer = sealer_in(tmp_path, syslog=f"udp://127.0.0.1:{host.getsockname()[1]}")
        seal(tmp_path, sealer, times=2)
        sealer.close()
        got = [host.recv(2000).decode().rstrip("\0") for _ in range(3)]

    log = tmp_path / "another-host.log"
    log.write_text("something else\n" + "\n".join(f"Nov 20 20:00:01 room {line}" for line in got))
    assert found_by(log) == []
    assert "the copy ends with seal 2" in verify("--copy", str(log))


def test_what_a_log_host_did_not_take_waits_for_it(cast: Cast, tmp_path: Path) -> None:
    with closing(socket.socket()) as host:
        host.bind(("127.0.0.1", 0))
        sealer = sealer_in(tmp_path, syslog=f"tcp://127.0.0.1:{host.getsockname()[1]}")
        # Nobody listens yet.
        seal(tmp_path, sealer)
        host.listen()
        got: list[bytes] = []

        def take() -> None:
            with closing(host.accept()[0]) as taken:
                while b"".join(got).count(b"\n") < 3:
                    got.append(taken.recv(4096))

        taking = threading.Thread(target=take)
        taking.start()
        seal(tmp_path, sealer)
        taking.join(PATIENCE_SECONDS)
        sealer.close()

    first = next(line for line in b"".join(got).decode().splitlines() if '"number":' in line)
    assert first.endswith(line_of(Seal.objects.get(number=1)))


def test_a_log_host_that_hung_up_loses_no_line(cast: Cast, tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as host:
        sealer = sealer_in(tmp_path, syslog=f"tcp://127.0.0.1:{host.getsockname()[1]}")
        seal(tmp_path, sealer)
        host.accept()[0].close()
        seal(tmp_path, sealer)
        host.settimeout(PATIENCE_SECONDS)
        with closing(host.accept()[0]) as taken, taken.makefile() as lines:
            second = lines.readline()
        sealer.close()

    assert second.rstrip().endswith(line_of(Seal.objects.get(number=2)))


def test_a_log_host_that_answers_nobody_keeps_no_seal_waiting(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    make_cast(slug="other")
    sealed: list[int] = []

    def nobody(_: object, timeout: float) -> None:
        sealed.append(sum(1 for line in (tmp_path / "copy.jsonl").read_text().splitlines() if '"number":' in line))
        assert timeout < SECONDS
        raise TimeoutError("timed out")

    monkeypatch.setattr("casino.audit.sealing.copies.socket.create_connection", nobody)

    seal(tmp_path, sealer_in(tmp_path, syslog="tcp://logs.example:514"))

    # Both rooms were sealed and in the file before anybody was called.
    assert sealed == [2]
    assert "The seals cannot be sent: timed out" in caplog.text


@pytest.mark.parametrize(
    "address",
    ["udp://logs:abc", "tcp://logs:99999", "http://logs", "udp://", "tcp://[::1", f"udp://{'a' * 70}", "logs/x"],
)
def test_what_is_no_address_of_a_log_is_said_before_anything_is_sealed(
    cast: Cast, tmp_path: Path, settings: Any, address: str
) -> None:
    settings.SEALER_DIR, settings.SEALS_FILE, settings.SEALS_SYSLOG = tmp_path / "key", tmp_path / "copy", address

    with pytest.raises(CommandError, match=r"BRUSH_SEALS_SYSLOG: .*is no address of a log"):
        call_command("sealer", "once")

    assert not Seal.objects.exists()
    assert not (tmp_path / "key").exists()


def test_a_file_without_seals_proves_nothing(cast: Cast, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("{}\nnothing\n")

    with pytest.raises(CommandError, match="There are no seals"):
        verify("--copy", str(tmp_path / "empty"))
    with pytest.raises(CommandError, match="cannot be read"):
        verify("--copy", str(tmp_path / "missing"))
    assert "No copy of the seals was compared" in verify()


def test_a_printed_code_is_compared_too(cast: Cast, tmp_path: Path) -> None:
    seal(tmp_path)
    code = code_of(Seal.objects.get())

    assert "The log is whole" in verify("--printed", f"1:{code.lower().replace('-', ' ')}")
    for other in (f"2:{code}", "1:0000-0000-0000-0000-0000"):
        with pytest.raises(CommandError, match="1 broken"):
            verify("--printed", other)


def test_without_a_folder_for_the_key_nothing_is_sealed_and_that_is_said(
    cast: Cast, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")

    seal(tmp_path, Sealer(tmp_path / "file" / "key", file=tmp_path / "copy.jsonl"))

    assert "The sealer's key cannot be" in caplog.text
