"""
Rows that the log answers for: what is posted, paid and counted stands as the event of its command says.

The event of a command that wrote such a row holds the row's fingerprint as the command left it (`rows` in its text).
So a row that no command wrote, one that was changed or deleted since, and an event whose row was never there are found
by comparing both (`differences`), whoever wrote them.

Apps declare theirs in their `AppConfig` (`hold`): the log knows no business.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

from django.db import DataError, connection, transaction
from django.db.models import Model
from django.db.models.signals import post_save
from django.utils.translation import gettext_noop

from casino.audit.breaks import Break


@dataclass(frozen=True)
class Held:
    """
    One table of such rows, under a `kind` ("slip") by which events name it.

    The rest is SQL about a row called `held`: its room's id, the moment of the command that made it, and its
    fingerprint (`fingerprint_of`).

    `earlier` is a query about a row as it `stands`, of a table that is one by itself: a JSON object for each way in
    which the row may have stood before, with the columns that were otherwise; the fingerprint says which it was.
    Empty where rows never change.

    `from_paper` is SQL too: whether the row is caught up from a paper sheet, and so was made later than it says. For
    rows alone that reports tell of: such a one is in no pack of the days before the event that names it.

    `is_newer`: events name such rows only since a later version than others. One that is older than the first event
    that names one of its kind need not be known.
    """

    kind: str
    table: LiteralString
    room_id: LiteralString
    made_at: LiteralString
    fingerprint: LiteralString
    earlier: LiteralString = ""
    from_paper: LiteralString = "false"
    is_newer: bool = False

    @property
    def text(self) -> LiteralString:
        """SQL for what is hashed: a JSON array of the row's columns. Who has it needs no database to hash it again."""
        return self.fingerprint.removeprefix(_BEFORE).removesuffix(_AFTER)


# What stands in a fingerprint's SQL around the text that is hashed.
_BEFORE: LiteralString = "encode(sha256(convert_to("
_AFTER: LiteralString = ", 'UTF8')), 'hex')"
_held: dict[str, Held] = {}
_noted: ContextVar[dict[str, dict[int, str]] | None] = ContextVar("noted", default=None)


def fingerprint_of(*parts: LiteralString) -> LiteralString:
    """
    Return SQL for the SHA-256, in hex, of these expressions together. What it makes of a row must never change.

    Name columns one by one, so that a new one leaves old fingerprints as they are.
    """
    return f"{_BEFORE}jsonb_build_array({', '.join(parts)})::text{_AFTER}"


def moment(column: LiteralString) -> LiteralString:
    """Return SQL for a moment in a fingerprint: the same in every time zone."""
    return f"extract(epoch FROM {column})"


def hold(held: Held, *, saved: type[Model] | None = None, fields: Collection[str] = ()) -> None:
    """
    Have the log answer for a table's rows: for those of a model each time one is saved, else as they are noted.

    With `fields`: as one is made, and each time that one of these is saved.
    """
    assert held.kind not in _held, f"two tables are held as {held.kind}"
    _held[held.kind] = held
    if saved is not None:

        def note_saved(instance: Model, *, created: bool, update_fields: frozenset[str] | None, **_: object) -> None:
            if created or not fields or update_fields is None or not update_fields.isdisjoint(fields):
                note(held.kind, instance.pk)

        # Not weak: nobody else keeps this function, and once it was collected these rows would stand in no event.
        post_save.connect(note_saved, sender=saved, weak=False)


def all_held() -> Iterator[Held]:
    """Yield every table that the log answers for, in the order in which they were declared."""
    yield from _held.values()


@contextmanager
def noting() -> Iterator[None]:
    """Collect what one command writes, for its event."""
    token = _noted.set({})
    try:
        yield
    finally:
        _noted.reset(token)


def note(kind: str, row_id: int, fingerprint: str = "") -> None:
    """Note that the command wrote this row; without a fingerprint it is taken when the command ends."""
    noted = _noted.get()
    if noted is not None:
        noted.setdefault(kind, {})[row_id] = fingerprint


# Mostly one or two. An array would be planned anew each time, for PostgreSQL guesses ten.
_STANDING = "SELECT held.id, {0.fingerprint} FROM {0.table} held WHERE held.id IN ({1})"


def as_they_stand() -> dict[str, dict[str, str]]:
    """Return by kind and id the fingerprints of what this command wrote. One query for each kind that was saved."""
    noted = _noted.get() or {}
    for kind, rows in noted.items():
        if missing := [row_id for row_id, fingerprint in rows.items() if not fingerprint]:
            held = _held[kind]
            with connection.cursor() as cursor:
                cursor.execute(_STANDING.format(held, ", ".join(["%s"] * len(missing))), missing)
                rows.update(cursor.fetchall())
    return {kind: {str(row_id): fingerprint for row_id, fingerprint in rows.items()} for kind, rows in noted.items()}


# Events before the first that names rows are of versions that named none. Of a row that no event names it is asked only
# whether those, and none since, were carried out at its moment. Ids tell which came before: clocks are set back.
_DIFFERENCES = """
    WITH said AS (
        SELECT DISTINCT ON (kinds.key, rows.key) kinds.key AS kind, rows.key::bigint AS id, rows.value AS fingerprint
        FROM audit_event event
        CROSS JOIN LATERAL jsonb_each(event.text::jsonb -> 'rows') kinds
        CROSS JOIN LATERAL jsonb_each_text(kinds.value) rows
        WHERE event.room_id = %(room)s AND event.id >= %(first_id)s AND event.text LIKE '%%"rows":{{%%'
        ORDER BY kinds.key, rows.key, event.id DESC
    ), kept AS ({tables}), first AS (
        SELECT min(id) AS id FROM audit_event WHERE room_id = %(room)s AND text LIKE '%%"rows":{{%%'
    )
    SELECT coalesce(kept.kind, said.kind), coalesce(kept.id, said.id), CASE
        WHEN kept.id IS NULL THEN %(gone)s WHEN said.id IS NULL THEN %(unknown)s ELSE %(other)s END,
        CASE WHEN said.id IS NULL THEN kept.made_at END
    FROM kept FULL JOIN said ON said.kind = kept.kind AND said.id = kept.id
    WHERE kept.fingerprint IS DISTINCT FROM said.fingerprint AND NOT (
        said.id IS NULL AND (
            SELECT bool_and(id < (SELECT coalesce(id, 9223372036854775807) FROM first)) FROM audit_event
            WHERE room_id = %(room)s AND at = kept.made_at AND result = 'done'
        ) IS TRUE
    )
    ORDER BY 1, 2
"""
_FIRST_NAMED = """
    SELECT at FROM audit_event WHERE room_id = %s AND id >= %s AND text LIKE '%%"rows":{%%'
        AND text::jsonb -> 'rows' -> %s::text IS NOT NULL
    ORDER BY id LIMIT 1
"""
_TABLE = (
    "SELECT '{0.kind}' AS kind, held.id, {0.made_at} AS made_at, {0.fingerprint} AS fingerprint"
    " FROM {0.table} held WHERE {0.room_id} = %(room)s AND (%(since)s::timestamptz IS NULL OR {0.made_at} >= %(since)s"
    " OR held.id IN (SELECT id FROM said WHERE kind = '{0.kind}'))"
)


def differences(room_id: int, *, since: datetime | None = None, first_event_id: int = 0) -> Iterator[Break]:
    """
    Yield each row that does not stand as the room's log says, and each that the log knows and is not there.

    With `since`, of the rows that were made from that moment on, or that events from `first_event_id` on name: the
    first of that moment or later.
    """
    tables = " UNION ALL ".join(_TABLE.format(held) for held in _held.values())
    values: dict[str, Any] = {
        "room": room_id,
        "since": since,
        "first_id": first_event_id,
        "gone": gettext_noop("the log knows it, and it is not there"),
        "unknown": gettext_noop("no event knows it"),
        "other": gettext_noop("it is not what its event says"),
    }
    try:
        # A savepoint: inside a caller's transaction the error below would end that one too.
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_DIFFERENCES.format(tables=tables), values)
            rows = cursor.fetchall()
    except DataError:
        # Its chain says which event that is.
        yield Break("event", 0, gettext_noop("the log cannot be read"))
        return
    first_named = {kind: _first_named(room_id, kind, first_event_id) for kind in _newer_kinds(rows)}
    for kind, row_id, problem, made_at in rows:
        named_at = first_named.get(kind)
        if made_at is None or kind not in first_named or (named_at is not None and made_at > named_at):
            yield Break(kind, row_id, problem)


def _newer_kinds(rows: Iterable[tuple[str, int, str, datetime | None]]) -> set[str]:
    """Return the kinds that are `is_newer` and have rows, among these, which no event names."""
    return {kind for kind, _id, _problem, made_at in rows if made_at is not None and _held[kind].is_newer}


def _first_named(room_id: int, kind: str, first_event_id: int) -> datetime | None:
    """
    Return when an event from that one on first named a row of a kind. One query.

    The log's page looks at a few days: in a house of years it does not read what lies before them.
    """
    with connection.cursor() as cursor:
        cursor.execute(_FIRST_NAMED, [room_id, first_event_id, kind])
        row = cursor.fetchone()
    return row[0] if row else None
