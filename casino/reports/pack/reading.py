"""
What a pack has of the database, row by row: the log, transfers, rows that the log answers for, seals, accounts.

All of it is text that was hashed when it was written, as it was hashed: who reads it needs no database. Each question
is one query over a cursor of the server's, so that a year takes no more memory than a minute.
"""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString, NamedTuple

from django.db import connection

from casino.audit.held import Held, all_held
from casino.audit.models import Seal
from casino.audit.sealing.text import text_of
from casino.cage.held import NOTES_TAKEN, SLIP
from casino.ledger.posting import HELD as TRANSFER
from casino.reports.pack.carried import open_after
from casino.reports.pack.span import DaySpan
from casino.rooms.models import Room

CHUNK = 2000
Head = tuple[int, str]


class Logged(NamedTuple):
    """
    One event: its chain and number, the hash before it, its own, the text that was hashed, and when it was, in
    microseconds since 1970.
    """

    chain: str
    number: int
    previous_hash: str
    hash: str
    text: str
    microseconds: int


@dataclass(frozen=True)
class Sealed:
    """One seal: what was signed, the heads that it names, and the signature. Of an old kind the keyed hash alone."""

    text: str
    heads: str
    signature: str


_LOGGED: LiteralString = """
    SELECT event.chain, number, previous_hash, hash, text, (extract(epoch FROM at) * 1000000)::bigint
    FROM audit_event event
"""
_EVENTS: LiteralString = f"{_LOGGED} WHERE room_id = %s AND id > %s AND id <= %s ORDER BY id"
_EVENTS_SINCE: LiteralString = f"""
    {_LOGGED} JOIN unnest(%s::text[], %s::bigint[]) since (chain, first)
        ON since.chain = event.chain AND event.id >= since.first
    WHERE room_id = %s AND id <= %s ORDER BY id
"""


def events(room_id: int, *, after: int, until: int) -> Iterator[Logged]:
    """Yield the room's events with ids above `after` up to `until`, in their order."""
    yield from map(Logged._make, _rows(_EVENTS, [room_id, after, until]))


def events_since(room_id: int, first: Mapping[str, int], *, until: int) -> Iterator[Logged]:
    """Yield the events of some chains, of each from the one with that id on, up to `until`, in their order."""
    if first:
        yield from map(Logged._make, _rows(_EVENTS_SINCE, [[*first], [*first.values()], room_id, until]))


def transfers(room_id: int, day_id: int) -> Iterator[str]:
    """Yield the transfers of a gaming day in the order of their ids, each as the text of its fingerprint."""
    statement: LiteralString = (
        f"SELECT {TRANSFER.text} FROM {TRANSFER.table} held"  # noqa: S608 - the tables' own SQL
        " WHERE held.room_id = %s AND held.day_id = %s ORDER BY held.id"
    )
    yield from (text for (text,) in _rows(statement, [room_id, day_id]))


def seals(
    room_id: int, last: Mapping[str, int], span: Sequence[DaySpan], untouched: Collection[str] = ()
) -> Iterator[Sealed]:
    """
    Yield the seals from the last before the span's log up to the first after which every chain is sealed to its end.

    `last` has each chain's last number in the span. Where no seal knows one, it yields all that there are. `untouched`
    are hashes of events before the span at which chains ended that go on in none of its days: it begins with the oldest
    seal that was the last to name one.
    """
    found, missing = Seal.objects.filter(room_id=room_id), dict(last)
    # What was done between two days was sealed then, and may never have been again.
    before = found.filter(at__lt=span[0].since).order_by("-id").first() if span[0].since else None
    first = before.pk if before else 0
    earlier = found.filter(id__lt=first).order_by("-id").values_list("id", flat=True)
    named = (earlier.filter(heads__contains=f'"{head}"').first() for head in untouched)
    first = min([first, *filter(None, named)])
    for seal in found.filter(id__gte=first).order_by("id").iterator(chunk_size=CHUNK):
        yield Sealed("", seal.heads, seal.mac) if seal.number is None else _signed(seal)
        for chain, (number, _hash) in json.loads(seal.heads).items():
            if missing.get(chain, number + 1) <= number:
                del missing[chain]
        if not missing:
            return


def _signed(seal: Seal) -> Sealed:
    return Sealed(text_of(seal), seal.heads, seal.signature)


def events_until_sealed(room_id: int, *, after: int, heads: Mapping[str, Head], newest: str) -> Iterator[Logged]:
    """
    Yield what was logged after the span up to the heads that its last seals name: without it they name nothing.

    `heads` has of each chain the highest head that was named, `newest` those of the last seal, which came after.
    """
    named = json.loads(newest or "{}")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT max(event.id) FROM unnest(%s::text[], %s::bigint[]) AS head (chain, number)"
            " JOIN audit_event event ON event.room_id = %s AND event.chain = head.chain AND event.number = head.number",
            [list(named), [number for number, _hash in named.values()], room_id],
        )
        (until,) = cursor.fetchone()
    for event in events(room_id, after=after, until=until or after):
        if event.number <= heads.get(event.chain, (0, ""))[0]:
            yield event


# What is on an account now, less what came later, is what was there.
_ACCOUNTS: LiteralString = """
    WITH since AS (
        SELECT posting.account_id, coalesce(sum(posting.cents) FILTER (WHERE transfer.day_id > %(last)s), 0) AS newer,
            coalesce(sum(posting.cents) FILTER (WHERE transfer.day_id <= %(last)s), 0) AS within,
            bool_or(transfer.day_id <= %(last)s) AS is_touched
        FROM ledger_transfer transfer JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        WHERE transfer.room_id = %(room)s AND transfer.day_id >= %(first)s GROUP BY 1
    ), account AS (
        SELECT account.id, account.owner_kind, account.owner_id, account.kind, account.unit, account.currency,
            account.is_promise, (account.balance_cents - coalesce(newer + within, 0))::bigint AS opening,
            (account.balance_cents - coalesce(newer, 0))::bigint AS closing, coalesce(is_touched, false) AS is_touched
        FROM ledger_account account LEFT JOIN since ON since.account_id = account.id WHERE account.room_id = %(room)s
    )
    SELECT id, owner_kind, owner_id, kind, unit, currency, is_promise::int, opening, closing FROM account
    WHERE opening <> 0 OR closing <> 0 OR is_touched ORDER BY id
"""
ACCOUNT_COLUMNS = (
    "id", "owner_kind", "owner_id", "kind", "unit", "currency", "is_promise", "opening_cents", "closing_cents",
)  # fmt: skip


def accounts(room_id: int, span: Sequence[DaySpan]) -> Iterator[tuple[Any, ...]]:
    """Yield the accounts that held or moved anything, as `ACCOUNT_COLUMNS`, with their balances before and after."""
    yield from _rows(_ACCOUNTS, {"room": room_id, "first": span[0].day.pk, "last": span[-1].day.pk})


# ---- rows that the log answers for

_HELD: LiteralString = """
    SELECT held.id, {0.text}, NOT held.id = ANY(%(named)s::bigint[]) AND EXISTS (
        SELECT FROM audit_event WHERE room_id = %(room)s AND at = {0.made_at} AND result = 'done'
            AND NOT (id > %(after)s AND id <= %(until)s)
    ), NOT held.id = ANY(%(named)s::bigint[]) AND {0.from_paper}
    FROM {0.table} held WHERE {0.room_id} = %(room)s
        AND (held.id = ANY(%(named)s::bigint[]) OR {0.made_at} BETWEEN %(opened)s AND %(closed)s) ORDER BY held.id
"""
_NAMED_LATER: LiteralString = """
    SELECT DISTINCT named.id::bigint FROM audit_event event
    CROSS JOIN LATERAL jsonb_object_keys(event.text::jsonb -> 'rows' -> %(kind)s::text) AS named (id)
    WHERE event.room_id = %(room)s AND event.id > %(until)s AND event.text LIKE '%%"rows":{%%'
        AND named.id::bigint = ANY(%(ids)s::bigint[])
"""


# What stands otherwise now, as it stood when it was hashed.
_EARLIER: LiteralString = """
    SELECT held.id, {0.text} FROM unnest(%s::bigint[], %s::text[]) AS named (id, hash)
    JOIN {0.table} stands ON stands.id = named.id
    CROSS JOIN LATERAL ({0.earlier}) AS earlier (columns)
    CROSS JOIN LATERAL jsonb_populate_record(stands, earlier.columns) AS held
    WHERE {0.fingerprint} = named.hash
"""


def rows_of_log(
    room: Room, span: Sequence[DaySpan], named: Mapping[str, Mapping[int, str]]
) -> Iterator[tuple[str, str, str]]:
    """
    Yield each row but transfers that the span's log answers for: its kind, and the text of its fingerprint as the row
    stood at the span's end. What that was is lost of some that a later event has changed: "later", as they stand now.
    Of one that was "open" at the span's end its id alone, for what becomes of it is told by the days on which that is.

    `named` has by kind and id the last fingerprint in the span. With them come rows that were made meanwhile and that
    no event names. Up to three queries for each kind, and some for what was carried.
    """
    carried = open_after(span)
    for held in all_held():
        if held.kind != TRANSFER.kind:
            still = carried.get(held.kind, set())
            for row_id, is_later, text in _of_kind(room.pk, span, held, named.get(held.kind, {})):
                if row_id in still:
                    yield held.kind, "open", f"[{row_id}]"
                else:
                    yield held.kind, "later" if is_later else "", text


def _of_kind(
    room_id: int, span: Sequence[DaySpan], held: Held, named: Mapping[int, str]
) -> Iterator[tuple[int, bool, str]]:
    about = {
        "room": room_id, "named": list(named), "after": span[0].after, "until": span[-1].until,
        "opened": span[0].since or span[0].day.opened_at, "closed": span[-1].day.closed_at,
    }  # fmt: skip
    rows = [
        (row_id, text, is_paper)
        for row_id, text, is_anothers, is_paper in _rows(_HELD.format(held), about)
        if not is_anothers or is_paper
    ]
    found = {row_id: text for row_id, text, _is_paper in rows}
    paper = {row_id for row_id, _text, is_paper in rows if is_paper}
    other = {
        row_id: fingerprint
        for row_id, fingerprint in named.items()
        if row_id in found and sha256(found[row_id]) != fingerprint
    }
    if other and held.earlier:
        for row_id, text in _rows(_EARLIER.format(held), [list(other), list(other.values())]):
            found[row_id] = text
            other.pop(row_id, None)
    asks = other.keys() | paper
    later = _named_later(room_id, held.kind, asks, until=span[-1].until) if asks else set()
    for row_id, text in found.items():
        # What was caught up from paper on a later day is of that day.
        if row_id not in paper & later:
            yield row_id, row_id in later, text


_NAMED: LiteralString = (
    "SELECT held.id, {0.text} FROM {0.table} held WHERE held.id = ANY(%s::bigint[]) ORDER BY held.id"
)


def notes_before(named: Mapping[str, Mapping[int, str]]) -> Iterator[tuple[str, str]]:
    """
    Yield the foreign notes that events of before the span name, and the slips that brought them, as these events left
    them: kind, and the text of the fingerprint. `named` has by kind and id the last fingerprint. Up to three queries.
    """
    slips: dict[int, str] = {}
    for _notes_id, text in _rows(_NAMED.format(NOTES_TAKEN), [list(named.get(NOTES_TAKEN.kind, ()))]):
        slip_id = json.loads(text)[1]
        slips[slip_id] = named.get(SLIP.kind, {}).get(slip_id, "")
        yield NOTES_TAKEN.kind, text
    texts = dict(_rows(_NAMED.format(SLIP), [list(slips)]))
    other = {slip_id: slips[slip_id] for slip_id, text in texts.items() if sha256(text) != slips[slip_id]}
    texts |= dict(_rows(_EARLIER.format(SLIP), [list(other), list(other.values())])) if other else {}
    yield from ((SLIP.kind, text) for text in texts.values())


def _named_later(room_id: int, kind: str, ids: Collection[int], *, until: int) -> set[int]:
    about = {"room": room_id, "kind": kind, "ids": list(ids), "until": until}
    return {row_id for (row_id,) in _rows(_NAMED_LATER, about)}


def sha256(text: str) -> str:
    """Return the hash of a text, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def _rows(statement: LiteralString, about: Any) -> Iterator[tuple[Any, ...]]:
    """Yield what a query finds, a part at a time; within a transaction."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(statement, about)
        while rows := cursor.fetchmany(CHUNK):
            yield from rows
