"""Questions about foreign notes in the vault, and about those that left it to be exchanged."""

from dataclasses import dataclass, field
from typing import LiteralString

from django.db import connection

from casino.cage.models import NotesExchanged


@dataclass
class VaultNotes:
    """
    What the vault holds of a currency's notes: how many of each, by value, greatest first; their face, in minor units
    of theirs; and what they stand at in the room's money. A recount after they had gone can leave less than nothing.
    """

    currency: str
    face_cents: int = 0
    cents: int = 0
    pieces: dict[int, int] = field(default_factory=dict)


# What the newest counts of sessions brought: until the last day that kept it, and on the days since.
_BROUGHT: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), kept AS (
        SELECT max(day_id) AS day_id FROM here JOIN cage_notesbrought USING (room_id)
    ), moved AS (
        SELECT currency, pieces, face_cents AS face, cents, 1 AS sign FROM kept JOIN cage_notesbrought USING (day_id)
        UNION ALL
        SELECT found.currency, found.pieces, found.face_cents, found.cents, 1
        FROM here JOIN kept ON true JOIN cage_drawer drawer USING (room_id)
        JOIN cage_drawersession session
            ON session.drawer_id = drawer.id AND session.closed_day_id > coalesce(kept.day_id, 0)
        JOIN cage_drawercount counted ON counted.session_id = session.id
        JOIN cage_notescounted found ON found.count_id = counted.id
        WHERE NOT EXISTS (
            SELECT FROM cage_drawercount later
            WHERE later.session_id = counted.session_id AND later.number > counted.number
        )
        {went}
    )
    SELECT currency, NULL::bigint AS value, sum(sign * face)::bigint, sum(sign * cents)::bigint
    FROM moved GROUP BY currency
    UNION ALL
    SELECT currency, (piece ->> 0)::bigint AS value, sum(sign * (piece ->> 1)::bigint)::bigint, 0
    FROM moved CROSS JOIN LATERAL jsonb_array_elements(pieces) piece GROUP BY 1, 2
    ORDER BY currency, value DESC NULLS FIRST
"""
# Less what went (exchanges are few, and one of years ago may be taken back), and what counts of the vault found.
_WENT: LiteralString = """UNION ALL
        SELECT currency, pieces, face_cents, worth_cents, -1
        FROM here JOIN cage_notesexchanged USING (room_id) WHERE reversed_at IS NULL
        UNION ALL
        SELECT found.currency, side.pieces, side.face_cents, side.cents, side.sign
        FROM here JOIN cage_vaultcount counted USING (room_id)
        JOIN cage_vaultnotescounted found ON found.count_id = counted.id
        CROSS JOIN LATERAL (VALUES
            (found.pieces, found.face_cents, found.cents, 1),
            (found.expected_pieces, found.expected_face_cents, found.expected_cents, -1)
        ) side (pieces, face_cents, cents, sign)"""


def vault_notes(room_id: int) -> list[VaultNotes]:
    """Return what the vault holds of foreign notes, by currency; what it holds none of is left out. One query."""
    return _added_up(_BROUGHT.format(went=_WENT), room_id)


def notes_brought(room_id: int) -> list[VaultNotes]:
    """Return what counts have ever brought of foreign notes into the vault, by currency, wherever it is. One query."""
    return _added_up(_BROUGHT.format(went=""), room_id)


def _added_up(statement: LiteralString, room_id: int) -> list[VaultNotes]:
    by_currency: dict[str, VaultNotes] = {}
    with connection.cursor() as cursor:
        cursor.execute(statement, [room_id])
        for currency, value, many, cents in cursor.fetchall():
            if value is None:
                by_currency[currency] = VaultNotes(currency, many, cents)
            elif many:
                by_currency[currency].pieces[value] = many
    return [each for each in by_currency.values() if each.pieces or each.cents]


def vault_notes_of(room_id: int, currency: str) -> VaultNotes | None:
    """Return what the vault holds of one currency's notes, None where it holds none. One query."""
    return next((each for each in vault_notes(room_id) if each.currency == currency), None)


def exchanges_of(room_id: int, *, offset: int = 0, most: int = 100) -> list[NotesExchanged]:
    """Return the room's exchanges, the newest first. One query."""
    exchanges = NotesExchanged.objects.filter(room_id=room_id).select_related("exchanged_by", "approved_by")
    return list(exchanges.order_by("-number")[offset : offset + most])


def exchange_by_id(room_id: int, exchange_id: int) -> NotesExchanged | None:
    """Return an exchange with the staff named on its slip, None where the room has none. One query."""
    exchanges = NotesExchanged.objects.filter(room_id=room_id, id=exchange_id)
    return exchanges.select_related("exchanged_by", "approved_by", "reversed_by", "reversal_approved_by").first()
