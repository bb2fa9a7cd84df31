"""An evening in a pack, and what somebody may do to a pack who wants it to say something else."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from casino import clock
from casino.audit.models import Seal, SealKey
from casino.audit.sealing.sealer import Sealer
from casino.audit.sealing.text import code_of
from casino.cage.services import buy_in, cash_out, reverse_slip
from casino.cage.services.voiding import NEEDS
from casino.reports.pack.making import make_pack
from casino.reports.pack.script import whole
from casino.reports.pack.script.main import Audit
from casino.reports.pack.script.packs import Pack
from casino.reports.pack.span import span_of
from tables.models import Seating
from tables.services.corrections import undo_hand
from tables.services.opening import close_table
from tables.services.seating import leave_seat
from tests.audit.sealing import seal
from tests.boxes.hanging import Hanging
from tests.cage.counting import signed
from tests.cast import TONIGHT
from tests.tables.conftest import House

Changes = Mapping[str, Callable[[str], str] | None]
SIX = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 4, "Pekka": 5, "Jo": 6}
FIRST = TONIGHT.date()
OF_DAY = f"days/{FIRST}/"
LOG, TRANSFERS, REPORT = f"{OF_DAY}log.txt", f"{OF_DAY}transfers.txt", f"{OF_DAY}report.json"


def evening(house: House, folder: Path, sealer: Sealer | None = None) -> Sealer:
    """
    Play an evening: hands with rake and drop, one undone, buy-ins, a cash-out, a reversal, boxes, a count; close the
    day, and open the next one within the same minute.

    Sealed before it, in the middle of it, and after all of that.
    """
    boxes, carla = Hanging(house), house.cast.carla
    sealer = seal(folder, sealer)
    house.open(1, **SIX)
    rake = boxes.hang(7)
    boxes.hang(8, "drop")
    for winner in (1, 2, 3):
        house.settle(86_00, winners=(winner,), dealt_in=tuple(sorted(SIX.values())))
    undone = house.settle(86_00)
    house.tap(undo_hand, house.cast.anna, table_id=house.table_id(), hand_id=undone.hand_id)
    lee = house.player("Lee").pk
    house.tap(buy_in, carla, drawer_id=house.drawer_id, amount_cents=100_00, method="cash", player_id=lee)
    seal(folder, sealer)
    wrong = house.tap(buy_in, carla, drawer_id=house.drawer_id, amount_cents=50_00, method="card", player_id=lee)
    void(house, int(wrong.data["slip_id"]))
    house.tap(cash_out, carla, drawer_id=house.drawer_id, amount_cents=30_00, player_id=lee)
    ends(house)
    boxes.drop()
    boxes.drop("drop")
    boxes.count(rake, 15)
    house.close_drawer(short_cents=5_00)
    house.close_day()
    house.next_day()
    return seal(folder, sealer)


def void(house: House, slip_id: int) -> None:
    """Take a slip back, by the cashier and the floor."""
    house.at += timedelta(seconds=1)
    signing = signed(house.cast.carla, house.cast.frans, f"slip.{slip_id}", needs=NEEDS, at=house.at)
    reverse_slip(signing, slip_id=slip_id, reason="card_declined", approved_by_id=house.cast.frans.pk)


def ends(house: House, number: int = 1) -> None:
    """Have everybody leave a table with what they brought, and close it."""
    for seating in Seating.objects.filter(table=house.table_id(number), left_at=None).order_by("id"):
        house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=0)
    house.tap(close_table, table_id=house.table_id(number))


def packed(house: House, first: date, last: date) -> bytes:
    file = io.BytesIO()
    make_pack(house.cast.room, span_of(house.cast.room, first, last), file)
    return file.getvalue()


def changed(pack: bytes, changes: Changes, *, is_remade: bool = True) -> bytes:
    """Return a pack with some files otherwise (None: left out), its manifest made anew unless it is not."""
    with zipfile.ZipFile(io.BytesIO(pack)) as old:
        files = {name: old.read(name).decode() for name in old.namelist()}
    for name, change in changes.items():
        if change is None:
            del files[name]
            continue
        before = files.get(name, "")
        files[name] = change(before)
        assert files[name] != before, f"{name} is as it was"
    if is_remade:
        about = json.loads(files["manifest.json"])
        about["files"] = {
            name: {"sha256": sha256(text.encode()).hexdigest(), "bytes": len(text.encode())}
            for name, text in files.items()
            if name != "manifest.json"
        }
        files["manifest.json"] = json.dumps(about)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as new:
        for name, text in files.items():
            new.writestr(name, text)
    return file.getvalue()


def script(folder: Path) -> Path:
    """Write the script that lies in packs, as an auditor has it."""
    path = folder / "trusted_verify.py"
    path.write_text(whole(), encoding="utf-8")
    return path


def verified(
    pack: bytes | Path, *, digest: str = "", key: str = "", printed: tuple[str, ...] = (), before: Path | None = None
) -> Audit:
    """Verify a pack as its script does, in this process."""
    path = pack if isinstance(pack, Path) else io.BytesIO(pack)
    audit = Audit(Pack(path))
    audit.run(digest=digest, key=key, printed=list(printed), before=before)
    return audit


@dataclass(frozen=True)
class Evening:
    """A pack of an evening, and what an auditor has from elsewhere."""

    pack: bytes
    digest: str
    key: str
    printed: str


_made: list[Evening] = []


@pytest.fixture
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Evening:
    """Return the pack of an evening, made once: what is done to a pack needs no house."""
    if not _made:
        house = request.getfixturevalue("house")
        with clock.frozen(house.at):
            evening(house, tmp_path)
            pack = packed(house, FIRST, FIRST)
        with zipfile.ZipFile(io.BytesIO(pack)) as opened:
            digest = sha256(opened.read("manifest.json")).hexdigest()
        newest = Seal.objects.latest("number")
        printed = f"{newest.number}:{code_of(newest)}"
        _made.append(Evening(pack, digest, SealKey.objects.get().public, printed))
    return _made[0]


def replaced(old: str, new: str) -> Callable[[str], str]:
    def change(content: str) -> str:
        assert old in content
        return content.replace(old, new, 1)

    return change


def more(part: str, *names: str) -> Callable[[str], str]:
    """Have these figures of the first row of a part of a report each be one more."""

    def change(content: str) -> str:
        report = json.loads(content)
        for name in names:
            report[part][0][name] += 1
        return json.dumps(report)

    return change


def without_line(having: str) -> Callable[[str], str]:
    def change(content: str) -> str:
        lines = content.splitlines(keepends=True)
        gone = next(index for index, line in enumerate(lines) if having in line)
        return "".join(lines[:gone] + lines[gone + 1 :])

    return change


def rewritten(having: str, old: str, new: str) -> Callable[[str], str]:
    """Rewrite an event and, as who knows how the log is made would, every hash after it in its chain."""

    def change(content: str) -> str:
        heads: dict[str, str] = {}
        lines, done = [], False
        for line in content.splitlines():
            _hash, _space, event = line.partition(" ")
            if having in event and old in event and not done:
                event, done = event.replace(old, new, 1), True
            chain = json.loads(event)["chain"]
            heads[chain] = sha256(f"{heads.get(chain, '0' * 64)}\n{event}".encode()).hexdigest()
            lines.append(f"{heads[chain]} {event}\n")
        return "".join(lines)

    return change


def relogged(content: str, change: Callable[[dict[str, Any]], None]) -> str:
    """Return a log of a first day with events changed, each hashed anew."""
    heads: dict[str, str] = {}
    lines = []
    for line in content.splitlines():
        event = json.loads(line.partition(" ")[2])
        change(event)
        event_text, chain = json.dumps(event, sort_keys=True, separators=(",", ":")), event["chain"]
        heads[chain] = sha256(f"{heads.get(chain, '0' * 64)}\n{event_text}".encode()).hexdigest()
        lines.append(f"{heads[chain]} {event_text}\n")
    return "".join(lines)


def first_day_packed(house: House, tmp_path: Path) -> tuple[bytes, Sealer]:
    """Close the first day, whose tables are closed or counted through, pack it, and open the next one."""
    house.close_drawer()
    house.close_day()
    with clock.frozen(house.at):
        sealer = seal(tmp_path, None)
        pack = packed(house, FIRST, FIRST)
    house.next_day()
    return pack, sealer


def other_opening(pack: bytes, on: date, **figures: Any) -> list[str]:
    """Return what is wrong with a pack that says otherwise of the first opening of a day."""

    def change(content: str) -> str:
        report = json.loads(content)
        report["openings"][0].update(figures)
        return json.dumps(report)

    return verified(changed(pack, {f"days/{on}/report.json": change})).wrong
