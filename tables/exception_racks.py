"""What the exception report counts of racks and tip boxes: those that were short, by who had dealt there, and racks
that were filled or emptied in one step, and boxes that a dealer had not taken along."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, LiteralString

from django.db import connection
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from casino.audit.sentences import Reader
from casino.cage.exception_kinds import IN_ONE_STEP
from casino.money import format_cents
from casino.people.exception_report import (
    CASES_MAX,
    Case,
    Counted,
    ExceptionKind,
    Span,
    add_cases,
    add_kinds,
    add_reader,
    by_shifts,
)
from tables.exception_kinds import HANDS

RACKS, TIPS = "racks_short", "tip_boxes_short"
# Chips too many for cash too little are a sale that was logged and never made: what both together lack is missing.
# What a late count found is posted by the count after it, and is that one's. It is of who dealt since the chips were
# counted last, and since the cash was, as far as either differs.
_RACKS: LiteralString = """
    SELECT DISTINCT found.id, found.at, place.number, found.number,
        found.chips + found.cash AS short, down.dealer_id
    FROM (
        SELECT *, expected_cents - cents AS chips,
            CASE WHEN cash_cents IS NULL THEN 0 ELSE expected_cash_cents - cash_cents END AS cash
        FROM tables_rackcheck
        WHERE room_id = %(room)s AND day_id = ANY(%(days)s) AND cents IS NOT NULL AND transfer_id IS NOT NULL
    ) found
    JOIN tables_table place ON place.id = found.table_id
    LEFT JOIN tables_down down ON down.table_id = found.table_id AND (
        found.chips <> 0 AND down.id BETWEEN found.first_down_id AND found.last_down_id
        OR found.cash <> 0 AND down.id BETWEEN coalesce(found.cash_first_down_id, found.first_down_id)
            AND coalesce(found.cash_last_down_id, found.last_down_id)
    )
    WHERE found.chips + found.cash > 0 ORDER BY found.id DESC
"""
# Whose the tips are that were counted: one dealer's, those among whom they are shared, or all who had dealt there.
_TIPS: LiteralString = """
    SELECT DISTINCT found.id, found.at, place.number, found.number, found.noted_cents - found.cents AS short,
        dealer.staff_id
    FROM tables_tipcount found JOIN tables_table place ON place.id = found.table_id
    LEFT JOIN LATERAL (
        SELECT found.dealer_id AS staff_id WHERE found.dealer_id IS NOT NULL
        UNION ALL
        SELECT key::bigint FROM jsonb_object_keys(found.seconds) key WHERE found.dealer_id IS NULL
        UNION ALL
        SELECT dealer_id FROM tables_down
        WHERE found.dealer_id IS NULL AND found.seconds IS NULL AND table_id = found.table_id
            AND day_id = found.day_id AND began_at <= found.at
    ) dealer ON true
    WHERE found.room_id = %(room)s AND found.day_id = ANY(%(days)s) AND found.cents < found.noted_cents
    ORDER BY found.id DESC
"""
_STATEMENTS = {RACKS: _RACKS, TIPS: _TIPS}
_WORDS = {
    RACKS: gettext_noop("Table %(table)s, count %(number)s of the rack: %(amount)s missing"),
    TIPS: gettext_noop("Table %(table)s, count %(number)s of the tip box: %(amount)s missing"),
}


def _rows(kind: str, span: Span) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENTS[kind], {"room": span.room_id, "days": span.day_ids})
        return list(cursor.fetchall())


def read(span: Span) -> Iterator[Counted]:
    """Count racks and tip boxes that were short, by everybody whose it may be. Two queries."""
    for kind in _STATEMENTS:
        for count_id, *_count, short, staff_id in _rows(kind, span):
            yield Counted(kind, staff_id, 1, short, thing=count_id)


def _cases(kind: str, span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    mine = [row for row in _rows(kind, span) if row[5] == staff_id]
    for _id, at, table, number, short, _staff in mine[:CASES_MAX]:
        amount = format_cents(short, currency=reader.currency, locale=reader.locale)
        yield Case(at, _(_WORDS[kind]) % {"table": table, "number": number, "amount": amount}, f"table.{table}")


def _kind(code: str, words: Promise, note: Promise) -> ExceptionKind:
    return ExceptionKind(code, words, HANDS, has_cents=True, note=note)


def register() -> None:
    """Add racks and tip boxes to the exception report."""
    dealt_since = gettext_lazy("By all who dealt there since the count before: who is often among them stands out.")
    whose = gettext_lazy("By whose tips they were: fewer were counted than had been noted.")
    add_kinds(
        _kind(RACKS, gettext_lazy("Racks short"), dealt_since),
        _kind(TIPS, gettext_lazy("Tip boxes short"), whose),
        by_shifts(
            "racks_filled_in_one_step",
            gettext_lazy("Racks filled from the vault in one step"),
            "tables.fill_rack",
            IN_ONE_STEP,
        ),
        by_shifts(
            "racks_cleared_in_one_step",
            gettext_lazy("Racks brought to the vault in one step"),
            "tables.clear_rack",
            IN_ONE_STEP,
        ),
        by_shifts(
            "closed_tips_taken_back",
            gettext_lazy("Tip boxes taken along by mistake"),
            "tables.take_back_closed_tips",
        ),
    )
    add_reader(read)
    for kind in _STATEMENTS:
        add_cases(kind, partial(_cases, kind))
