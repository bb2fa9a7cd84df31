"""Making a pack: its parts one after the other, hashed as they are written, and a manifest with the hashes of all."""

import csv
import hashlib
import io
import json
import re
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import IO, Any

from django.db import connection
from django.template.loader import render_to_string
from django.utils import translation

from casino.audit.hashes import GENESIS
from casino.audit.models import SealKey
from casino.cage.selectors.deposits import lots_before
from casino.ledger.chart import CHART
from casino.people.selectors import people_by_number
from casino.reading import snapshot
from casino.reports.pack.carried import opened_before
from casino.reports.pack.figures import report_of
from casino.reports.pack.reading import (
    ACCOUNT_COLUMNS,
    Head,
    Logged,
    accounts,
    events,
    events_since,
    events_until_sealed,
    notes_before,
    rows_of_log,
    seals,
    transfers,
)
from casino.reports.pack.script import whole
from casino.reports.pack.span import DaySpan
from casino.rooms.models import Room, RuleBookVersion
from tables.charges import charge_kinds
from tables.chart import OWNER as TABLE
from tables.held import DOWN
from tables.models import Table

FORMAT = 3
LOT_COLUMNS = ("account_id", "cents", "since")
MANIFEST = "manifest.json"
# A pack that is made again is the same to the byte: what the zip's clock says would differ.
_MOMENT = (1980, 1, 1, 0, 0, 0)
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
# Lines are compressed and hashed together, some so many characters at once: one by one each costs more than its part.
_AT_ONCE = 1 << 16
# An event that names rows of more than transfers, which never change, and each of which is written with its day.
_NAMES_ROWS = re.compile(r'"rows":\{(?!"transfer":\{[^{}]*\}\})')
Write = Callable[[str], None]


@dataclass(frozen=True)
class Made:
    """A pack that was made: its digest, and how many days, events, transfers, seals and bytes it has."""

    digest: str
    days: int
    events: int
    transfers: int
    seals: int
    size_bytes: int


class _Zip:
    """A zip whose parts are hashed while they are written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self.files: dict[str, dict[str, Any]] = {}

    @contextmanager
    def part(self, name: str) -> Iterator[Write]:
        """Begin a part, and give what writes text into it; lines of it wait until there are some."""
        info = zipfile.ZipInfo(name, _MOMENT)
        info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
        digest, size, waits = hashlib.sha256(), 0, io.StringIO()
        with self._zip.open(info, "w", force_zip64=True) as opened:

            def send() -> None:
                nonlocal size
                content = waits.getvalue().encode()
                opened.write(content)
                digest.update(content)
                size += len(content)
                waits.seek(0)
                waits.truncate()

            def write(text: str) -> None:
                waits.write(text)
                if waits.tell() >= _AT_ONCE:
                    send()

            yield write
            send()
        self.files[name] = {"sha256": digest.hexdigest(), "bytes": size}

    def add(self, name: str, text: str) -> None:
        """Write a part whole."""
        with self.part(name) as write:
            write(text)

    def close(self, about: dict[str, Any]) -> str:
        """Write the manifest and end the file; return the manifest's hash, which stands for all of it."""
        text = json.dumps({**about, "files": self.files}, sort_keys=True, indent=1, ensure_ascii=False)
        self.add(MANIFEST, text)
        self._zip.close()
        return str(self.files[MANIFEST]["sha256"])


@dataclass
class _Chains:
    """What is known of the chains while they are read: heads before the span, last numbers, rows that events name."""

    before: dict[str, Head] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)
    named: dict[str, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    events: int = 0
    # The latest moment of the newest day: after its end where the clock was set back before that. By microseconds.
    newest: int = 0

    def see(self, event: Logged) -> str:
        """Take note of an event of the span, and return its line."""
        self.begin(event)
        self.last[event.chain] = event.number
        self.events += 1
        self.newest = max(self.newest, event.microseconds)
        if _NAMES_ROWS.search(event.text):
            for kind, rows in json.loads(event.text).get("rows", {}).items():
                if kind != "transfer":
                    self.named[kind].update({int(row_id): hashed for row_id, hashed in rows.items()})
        return f"{event.hash} {event.text}\n"

    @property
    def latest(self) -> datetime:
        return _EPOCH + self.newest * _MICROSECOND

    def begin(self, event: Logged) -> None:
        """Note where a chain stood before its first event here."""
        if event.chain not in self.before:
            self.before[event.chain] = (event.number - 1, event.previous_hash or GENESIS)


def make_pack(room: Room, span: Sequence[DaySpan], file: IO[bytes]) -> Made:
    """
    Write the pack of the room's closed gaming days (`span_of`) into a file; return its digest and what is in it.

    All of it is of one snapshot, in the room's language, and calls people by their numbers. Memory holds one part's
    chunk, the heads of chains, and the fingerprints of slips, counts and boxes: some hundred bytes for each. Queries: a
    fixed number, and for each day three and those of its report.

    Closed days stay as they are, so which they are is read before the snapshot.
    """
    with people_by_number(), snapshot(), translation.override(room.language):
        with connection.cursor() as cursor:
            # It holds no lock, and a busy machine may pack for longer than a tap may hesitate.
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = '10min'")
        return _write(room, span, file)


def _write(room: Room, span: Sequence[DaySpan], file: IO[bytes]) -> Made:
    pack, chains = _Zip(file), _Chains()
    pack.add("README.txt", _readme(room, span))
    pack.add("verify.py", whole())
    pack.add("chart.csv", _chart())
    moved = 0
    for of_day in span:
        moved += _day(pack, room, of_day, chains)
    books = _rule_books(pack, room, chains.latest)
    untouched = _before(pack, room, span, chains)
    sealed = _seals(pack, room, span, chains, untouched)
    tables: set[int] = set()
    with pack.part("rows.txt") as write:
        for kind, state, text in rows_of_log(room, span, chains.named):
            write(f"{kind}\t{state}\t{text}\n")
            # A table where nothing was posted had its dealers all the same.
            tables |= {json.loads(text)[2]} if kind == DOWN.kind else set()
    with pack.part("accounts.csv") as write:
        write(_csv_line(ACCOUNT_COLUMNS))
        for row in accounts(room.pk, span):
            write(_csv_line(row))
            tables |= {row[2]} if row[1] == TABLE else set()
    with pack.part("deposits.csv") as write:
        write(_csv_line(LOT_COLUMNS))
        for account_id, cents, since in lots_before(span[0].day):
            write(_csv_line((account_id, cents, since.astimezone(UTC).isoformat())))
    pack.add("chains.json", json.dumps(chains.before, sort_keys=True, indent=1))
    digest = pack.close(_about(span, room, books, tables))
    return Made(digest, len(span), chains.events, moved, sealed, file.tell())


def _day(pack: _Zip, room: Room, of_day: DaySpan, chains: _Chains) -> int:
    """Write what is of one day, and return how many transfers that is."""
    assert of_day.day.closed_at is not None, "a pack is of closed days"
    folder, moved, chains.newest = f"days/{of_day.day.date}", 0, (of_day.day.closed_at - _EPOCH) // _MICROSECOND
    with pack.part(f"{folder}/log.txt") as write:
        for event in events(room.pk, after=of_day.after, until=of_day.until):
            write(chains.see(event))
    with pack.part(f"{folder}/transfers.txt") as write:
        for text in transfers(room.pk, of_day.day.pk):
            write(f"{text}\n")
            moved += 1
    as_json, as_csv = report_of(room, of_day.day, chains.latest)
    pack.add(f"{folder}/report.json", as_json)
    pack.add(f"{folder}/report.csv", as_csv)
    return moved


def _before(pack: _Zip, room: Room, span: Sequence[DaySpan], chains: _Chains) -> list[str]:
    """
    Write the log of drawers that were open as the span began, with the foreign notes that it names; return the hashes
    of the last events of those that nobody touched in the span.
    """
    ends: dict[str, str] = {}
    named: dict[str, dict[int, str]] = defaultdict(dict)
    with pack.part("before.txt") as write:
        for event in events_since(room.pk, opened_before(room, span), until=span[0].after):
            ends[event.chain] = event.hash
            for kind, rows in json.loads(event.text).get("rows", {}).items():
                named[kind].update({int(row_id): hashed for row_id, hashed in rows.items()})
            write(f"{event.previous_hash or GENESIS} {event.hash} {event.text}\n")
    with pack.part("before_rows.txt") as write:
        for kind, text in notes_before(named):
            write(f"{kind}\t\t{text}\n")
    return [head for chain, head in ends.items() if chain not in chains.last]


def _seals(pack: _Zip, room: Room, span: Sequence[DaySpan], chains: _Chains, untouched: Sequence[str]) -> int:
    """Write the seals, the keys that signed them, and what of the log they name after the span; return how many."""
    heads: dict[str, Head] = {}
    newest, count = "", 0
    with pack.part("seals.txt") as write:
        for seal in seals(room.pk, chains.last, span, untouched):
            write(f"{seal.text}\t{seal.heads}\t{seal.signature}\n")
            count += 1
            newest = seal.heads
            for chain, (number, head) in json.loads(seal.heads).items():
                heads[chain] = (number, head)
    with pack.part("after.txt") as write:
        for event in events_until_sealed(room.pk, after=span[-1].until, heads=heads, newest=newest):
            chains.begin(event)
            write(f"{event.hash} {event.text}\n")
    # Seals name chains to which nothing came in the span too: a sealer that has just started all, and around the end of
    # the day before two of them one that moved in its last minute, further on in the second.
    chains.before = {**heads, **chains.before}
    keys = SealKey.objects.order_by("version").values_list("version", "public", "signature")
    pack.add("keys.json", json.dumps([dict(zip(("key", "public", "signature"), row, strict=True)) for row in keys]))
    return count


def _rule_books(pack: _Zip, room: Room, until: datetime) -> list[dict[str, Any]]:
    """Write each version that held until a moment, the span's end: what was opened before goes on as it was opened."""
    versions = RuleBookVersion.objects.filter(room=room, holds_from__lte=until)
    found = []
    for version in versions.order_by("number"):
        name = f"rule-books/{version.number}.toml"
        pack.add(name, version.text)
        found.append(
            {
                "id": version.pk, "number": version.number, "book": version.book, "digest": version.digest,
                "holds_from": version.holds_from.isoformat(), "file": name,
            }
        )  # fmt: skip
    return found


def _about(span: Sequence[DaySpan], room: Room, books: list[dict[str, Any]], tables: set[int]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "room": {"id": room.pk, "slug": room.slug, "currency": room.currency, "time_zone": room.time_zone},
        "days": [
            {
                "date": of_day.day.date.isoformat(), "id": of_day.day.pk,
                "opened_at": of_day.day.opened_at.isoformat(),
                "closed_at": of_day.day.closed_at.isoformat() if of_day.day.closed_at else None,
                "log_after": of_day.after, "log_until": of_day.until, "balances_seed": of_day.day.balances_seed,
            }
            for of_day in span
        ],
        "rule_books": books,
        # By which account of a table the ledger knows each kind of charge, and which table has which number.
        "charges": {kind.code: kind.box for kind in charge_kinds()},
        "tables": dict(Table.objects.filter(id__in=tables).order_by("id").values_list("id", "number")),
    }  # fmt: skip


def _chart() -> str:
    rows = [("owner_kind", "kind", "unit", "is_promise", "is_contra", "words")]
    for owner_kind, owner in CHART.items():
        for name, kind in owner.accounts.items():
            words = f"{owner.words}: {kind.words}"
            rows.append((owner_kind, name, kind.unit, str(int(kind.is_promise)), str(int(kind.is_contra)), words))
    return "".join(map(_csv_line, rows))


def _csv_line(row: Any) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(row)
    return text.getvalue()


def _readme(room: Room, span: Sequence[DaySpan]) -> str:
    """Return what is in a pack and how it is proved, in the room's language, then in English."""
    about = {"room": room, "first": span[0].day.date, "last": span[-1].day.date}
    texts = []
    for language in dict.fromkeys([room.language, "en"]):
        with translation.override(language):
            texts.append(render_to_string("reports/pack_readme.txt", about).strip())
    return "\n\n\n".join(texts) + "\n"
