"""
The auditor's pack of a night of forty tables and fourteen thousand hands; the limit is copying its rows out.

    python -m bench.pack

Each hand has its event, with the fingerprint of its transfer, and two more that post nothing. The script of the pack
verifies it and has to find nothing wrong but that no sealer ran and no command closed the day. Memory is what making
adds at its most.
"""

import io
import os
import subprocess
import sys
import time
import uuid
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, LiteralString

import psycopg

from bench.day_report import BETWEEN, FILL, HANDS, TABLES
from bench.report import Row, show
from casino.simulation.instance import fresh_database, machines

ROUNDS = 3
RATIO_MAX, GOAL_S, MEMORY_MB_MAX = 40.0, 15.0, 60.0
# About as long as the arguments and the outcome of a hand that was logged whole.
_FILLER = {"seats": [{"player": number, "seat": number, "post": "", "live_cents": 0} for number in range(9)]}
_CHARGED = {"rake_cents": 4_00, "drop_cents": 1_00, "rake_due_cents": 4_00, "drop_due_cents": 1_00}
_SAME: tuple[LiteralString, ...] = (
    "COPY (SELECT hash, text FROM audit_event ORDER BY id) TO STDOUT",
    "COPY (SELECT * FROM ledger_transfer ORDER BY id) TO STDOUT",
    "COPY (SELECT * FROM ledger_posting ORDER BY id) TO STDOUT",
)


def main() -> int:
    """Fill a night, measure, and print."""
    with machines() as servers, fresh_database(servers) as database, TemporaryDirectory() as folder:
        os.environ |= {
            "DATABASE_URL": database.url,
            "REDIS_URL": servers.redis_url,
            "BRUSH_POOL_SIZE": "2",
            "BRUSH_SECRET_KEY": "benchmark-" + "k" * 40,
        }
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
        import django

        django.setup()
        plain, made, verified, size, memory = _measured(database.owner_url, Path(folder))
    show(
        f"The auditor's pack of a night: {TABLES} tables, {HANDS:,} hands, {size:.1f} MB",
        [
            Row("made, against copying its rows", "s", made, plain, "less", RATIO_MAX),
            Row("made", "s", made, (), "less", GOAL_S),
            Row("memory while it is made", "MB", [memory], (), "less", MEMORY_MB_MAX),
            Row("verified by its script", "s", verified, (), "less", GOAL_S),
        ],
    )
    return 0


def _measured(owner_url: str, folder: Path) -> tuple[list[float], list[float], list[float], float, float]:
    from casino.ledger.services import open_accounts
    from casino.reports.pack.making import make_pack
    from casino.reports.pack.script import whole
    from casino.reports.pack.span import span_of
    from tables.models import Opening
    from tests.tables.conftest import make_house
    from tests.tables.full_house import fill

    house = make_house()
    house.close_drawer()
    fill(house, tables=TABLES, waiting=0)
    for opening in Opening.objects.filter(closed_at=None):
        open_accounts(house.cast.room, "table", opening.table_id)
    on, room = house.at.date(), house.cast.room
    plain, made, verified, file, script = [], [], [], folder / "pack.zip", folder / "verify.py"
    script.write_text(whole(), encoding="utf-8")
    with psycopg.connect(owner_url, autocommit=True) as owner:
        for statement in FILL:
            owner.execute(statement, {"hands": HANDS // TABLES, "between": BETWEEN} if "%(" in statement else None)
        _log(owner, room.pk)
        owner.execute("UPDATE rooms_gamingday SET closed_at = opened_at + interval '11 hours', closed_by_id = 1,"
                      " closed_after = (SELECT max(id) FROM audit_event)")  # fmt: skip
        owner.execute("ANALYZE")
        make_pack(room, span_of(room, on, on), io.BytesIO())
        _forget_memory()
        before = _memory_mb("VmRSS")
        for _ in range(ROUNDS):
            began = time.perf_counter()
            for copied in _SAME:
                with owner.cursor().copy(copied) as parts:
                    for _part in parts:
                        pass
            plain.append(time.perf_counter() - began)
            began = time.perf_counter()
            with file.open("wb") as opened:
                make_pack(room, span_of(room, on, on), opened)
            made.append(time.perf_counter() - began)
            began = time.perf_counter()
            ran = subprocess.run(  # noqa: S603 - the pack's own
                [sys.executable, "-I", script, file], capture_output=True, text=True, check=False
            )
            verified.append(time.perf_counter() - began)
    lines = [line for line in ran.stdout.splitlines() if line.startswith("WRONG") and "is in no seal" not in line]
    wrong = [line for line in lines if "does not end with the event of its close" not in line]
    assert not wrong, wrong[:5]
    return plain, made, verified, file.stat().st_size / 1e6, _memory_mb("VmHWM") - before


def _log(owner: psycopg.Connection[Any], room_id: int) -> None:
    """Log each opening and hand that was filled in, in its table's chain: three events for each hand."""
    from casino.audit.hashes import canonical, link
    from casino.ledger.posting import HELD

    heads: dict[str, tuple[int, str]] = {}
    for name, number, head in owner.execute("SELECT name, number, hash FROM audit_chain").fetchall():
        heads[name] = (number, head)
    opened = owner.execute(
        "SELECT table_id, id, opened_at, opened_by_id, rule_book_version_id FROM tables_opening opening"
        " WHERE NOT EXISTS (SELECT FROM audit_event WHERE name = 'tables.open_table' AND chain = 'table.' || table_id)"
        " ORDER BY id"
    ).fetchall()
    hands = owner.execute(
        f"SELECT held.id, {HELD.fingerprint}, held.table_id, held.at, hand.hand_id, hand.number, hand.opening_id,"  # noqa: S608 - its own
        f" hand.day_id, hand.dealer_id FROM {HELD.table} held JOIN tables_hand hand ON hand.transfer_id = held.id"
        " WHERE held.kind = 'hand' ORDER BY held.id"
    ).fetchall()
    columns = "room_id, chain, number, previous_hash, hash, text, name, result, command_id, at, audiences"
    with owner.cursor().copy(f"COPY audit_event ({columns}) FROM STDIN") as copy:

        def log(table_id: int, name: str, at: datetime, staff_id: int | None, **more: Any) -> None:
            chain, command_id = f"table.{table_id}", uuid.uuid4()
            number, previous = heads.get(chain, (0, "0" * 64))
            event = {"room": room_id, "chain": chain, "number": number + 1, "name": name, "result": "done", "at": at}
            event |= {"tapped_at": at, "staff": staff_id, "args": _FILLER}
            text = canonical({**event, "command": command_id, **more})
            own = link(previous, text)
            heads[chain] = (number + 1, own)
            copy.write_row((room_id, chain, number + 1, previous, own, text, name, "done", command_id, at, "{}"))

        for table_id, opening_id, at, staff_id, version in opened:
            log(table_id, "tables.open_table", at, staff_id, rule_book_version=version, data={"opening": opening_id})
        for transfer_id, fingerprint, table_id, at, hand_id, hand_number, opening_id, day_id, dealer_id in hands:
            data = {"hand": hand_id, "number": hand_number, "opening": opening_id, "day": day_id, **_CHARGED}
            for name in ("tables.deal_hand", "tables.show_flop"):
                log(table_id, name, at, dealer_id, data=data)
            rows = {"transfer": {str(transfer_id): fingerprint}}
            log(table_id, "tables.settle_hand", at, dealer_id, data=data, rows=rows)


def _memory_mb(of: str) -> float:
    """Return what this process holds ("VmRSS"), or the most since `_forget_memory` ("VmHWM"), in megabytes."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition(f"{of}:")[2].split()[0]) / 1024


def _forget_memory() -> None:
    """Have the kernel measure the most that this process holds from now on."""
    Path("/proc/self/clear_refs").write_text("5")


if __name__ == "__main__":
    sys.exit(main())
