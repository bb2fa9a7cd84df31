"""What the log says of slips and counts, for `casino.audit.held`."""

from typing import LiteralString

from casino.audit.held import Held, fingerprint_of, moment


def _fingerprint(columns: tuple[LiteralString, ...], moments: tuple[LiteralString, ...]) -> LiteralString:
    return fingerprint_of(*(f"held.{name}" for name in columns), *(moment(f"held.{name}") for name in moments))


SLIP = Held(
    kind="slip",
    table="cage_slip",
    room_id="held.room_id",
    made_at="held.requested_at",
    fingerprint=_fingerprint(
        (
            "id", "room_id", "kind", "status", "player_id", "amount_cents", "method", "destination", "about", "version",
            "requested_by_id", "cancelled_by_id", "session_id", "drawer_id", "number", "paid_by_id", "approved_by_id",
            "transfer_id", "prints", "voided_by_id", "void_approved_by_id", "void_reason", "void_transfer_id",
        ),
        ("requested_at", "cancelled_at", "paid_at", "voided_at"),
    ),
    # Before it was printed again, reversed, paid (a prize waits as long as it takes), and its player's record joined.
    earlier="""
        SELECT jsonb_build_object('prints', prints, 'version', version, 'player_id', players.id) || back || paid
        FROM generate_series(0, stands.prints) prints CROSS JOIN generate_series(1, stands.version) version
        CROSS JOIN (
            SELECT stands.player_id AS id
            UNION SELECT id FROM people_player WHERE merged_into_id = stands.player_id
        ) players
        CROSS JOIN (VALUES ('{}'::jsonb), (jsonb_build_object(
            'status', 'paid', 'voided_by_id', NULL, 'void_approved_by_id', NULL, 'void_reason', '',
            'void_transfer_id', NULL, 'voided_at', NULL
        ))) AS first (back)
        CROSS JOIN (VALUES ('{}'::jsonb), (jsonb_build_object(
            'status', 'requested', 'session_id', NULL, 'drawer_id', NULL, 'number', NULL, 'method', NULL,
            'paid_at', NULL, 'paid_by_id', NULL, 'approved_by_id', NULL, 'transfer_id', NULL
        ))) AS second (paid)
    """,
)  # fmt: skip

COUNT = Held(
    kind="count",
    table="cage_drawercount",
    room_id=(
        "(SELECT drawer.room_id FROM cage_drawersession session"
        " JOIN cage_drawer drawer ON drawer.id = session.drawer_id WHERE session.id = held.session_id)"
    ),
    made_at="held.counted_at",
    fingerprint=_fingerprint(
        (
            "id", "session_id", "number", "counted_by_id", "cash_cents", "chips_cents", "card_slips_cents",
            "expected_cash_cents", "expected_chips_cents", "expected_card_slips_cents",
        ),
        ("counted_at",),
    ),
)  # fmt: skip

UNCLAIMED = Held(
    kind="unclaimed",
    table="cage_unclaimed",
    room_id="held.room_id",
    made_at="held.taken_in_at",
    fingerprint=_fingerprint(
        (
            "id", "room_id", "number", "what", "amount_cents", "player_id", '"where"', "table_number", "seat_number",
            "drawer_id", "taken_in_by_id", "approved_by_id", "transfer_id", "ended_as", "ended_by_id",
            "end_approved_by_id", "claimed_by_id", "end_transfer_id",
        ),
        ("found_at", "taken_in_at", "ended_at"),
    ),
    earlier="""
        SELECT jsonb_build_object('ended_as', '', 'ended_by_id', NULL, 'end_approved_by_id', NULL,
            'claimed_by_id', NULL, 'end_transfer_id', NULL, 'ended_at', NULL)
    """,
)  # fmt: skip

VOUCHER = Held(
    kind="voucher",
    table="cage_voucher",
    room_id="held.room_id",
    made_at="held.issued_at",
    fingerprint=_fingerprint(
        (
            "id", "room_id", "number", "amount_cents", "origin", "last_date", "issued_by_id", "approved_by_id",
            "transfer_id", "taken_with_id", "ended_as", "ended_by_id", "void_reason", "void_approved_by_id",
            "end_transfer_id",
        ),
        ("issued_at", "ended_at"),
    ),
    earlier="""
        SELECT jsonb_build_object('ended_as', '', 'ended_by_id', NULL, 'void_reason', '', 'void_approved_by_id', NULL,
            'end_transfer_id', NULL, 'ended_at', NULL) || taken
        FROM (VALUES ('{}'::jsonb), ('{"taken_with_id": null}')) AS was (taken)
        UNION ALL SELECT '{"taken_with_id": null}'
    """,
)  # fmt: skip

VOUCHER_PRINT = Held(
    kind="voucher_print",
    table="cage_voucherprint",
    room_id="(SELECT voucher.room_id FROM cage_voucher voucher WHERE voucher.id = held.voucher_id)",
    made_at="held.printed_at",
    fingerprint=_fingerprint(("id", "voucher_id", "number", "printed_by_id"), ("printed_at",)),
)

NOTE_RATE = Held(
    kind="note_rate",
    table="cage_noterate",
    room_id="held.room_id",
    made_at="held.recorded_at",
    fingerprint=_fingerprint(("id", "room_id", "currency", "rate_millionths", "recorded_by_id"), ("recorded_at",)),
)

NOTES_TAKEN = Held(
    kind="notes_taken",
    table="cage_notestaken",
    room_id="(SELECT slip.room_id FROM cage_slip slip WHERE slip.id = held.slip_id)",
    made_at="(SELECT slip.paid_at FROM cage_slip slip WHERE slip.id = held.slip_id)",
    fingerprint=_fingerprint(("id", "slip_id", "currency", "pieces", "face_cents", "rate_id", "value_cents"), ()),
)

NOTES_COUNTED = Held(
    kind="notes_counted",
    table="cage_notescounted",
    room_id=(
        "(SELECT drawer.room_id FROM cage_drawercount counted"
        " JOIN cage_drawersession session ON session.id = counted.session_id"
        " JOIN cage_drawer drawer ON drawer.id = session.drawer_id WHERE counted.id = held.count_id)"
    ),
    made_at="(SELECT counted.counted_at FROM cage_drawercount counted WHERE counted.id = held.count_id)",
    fingerprint=_fingerprint(
        (
            "id", "count_id", "currency", "pieces", "face_cents", "expected_face_cents", "cents", "expected_cents",
        ),
        (),
    ),
)  # fmt: skip

NOTES_EXCHANGED = Held(
    kind="notes_exchanged",
    table="cage_notesexchanged",
    room_id="held.room_id",
    made_at="held.exchanged_at",
    fingerprint=_fingerprint(
        (
            "id", "room_id", "number", "currency", "pieces", "face_cents", "worth_cents", "got_cents",
            "exchanged_by_id", "approved_by_id", "transfer_id", "reversed_by_id", "reversal_approved_by_id",
            "reversal_reason", "reversal_transfer_id",
        ),
        ("exchanged_at", "reversed_at"),
    ),
    earlier="""
        SELECT jsonb_build_object('reversed_by_id', NULL, 'reversal_approved_by_id', NULL, 'reversal_reason', '',
            'reversal_transfer_id', NULL, 'reversed_at', NULL)
    """,
)  # fmt: skip

VAULT_COUNT = Held(
    kind="vault_count",
    table="cage_vaultcount",
    room_id="held.room_id",
    made_at="held.counted_at",
    fingerprint=_fingerprint(
        (
            "id", "room_id", "day_id", "number", "counted_by_id", "counted_with_id", "cash_pieces", "chip_pieces",
            "cash_cents", "chips_cents", "card_slips_cents", "foreign_cents", "expected_cash_cents",
            "expected_chips_cents", "expected_card_slips_cents", "expected_foreign_cents", "after_transfer_id",
            "transfer_id", "unjudged", "judged_by_id",
        ),
        ("counted_at", "judged_at"),
    ),
)  # fmt: skip

VAULT_NOTES = Held(
    kind="vault_notes",
    table="cage_vaultnotescounted",
    room_id="(SELECT counted.room_id FROM cage_vaultcount counted WHERE counted.id = held.count_id)",
    made_at="(SELECT counted.counted_at FROM cage_vaultcount counted WHERE counted.id = held.count_id)",
    fingerprint=_fingerprint(
        (
            "id", "count_id", "currency", "pieces", "expected_pieces", "face_cents", "expected_face_cents", "cents",
            "expected_cents",
        ),
        (),
    ),
)  # fmt: skip

# Counts by two, by pieces: what older rows have none of, and so a fingerprint of its own.
COUNT_BY_TWO = Held(
    kind="count_by_two",
    table="(SELECT * FROM cage_drawercount WHERE counted_with_id IS NOT NULL)",
    room_id=COUNT.room_id,
    made_at=COUNT.made_at,
    fingerprint=_fingerprint(("id", "session_id", "number", "counted_with_id", "cash_pieces", "chip_pieces"), ()),
)

FILL = Held(
    kind="fill",
    table="cage_fillslip",
    room_id="held.room_id",
    made_at="held.requested_at",
    fingerprint=_fingerprint(
        (
            "id", "room_id", "number", "day_id", "kind", "status", "place_kind", "place_id", "place_number", "version",
            "prints", "requested_by_id", "wished_cash", "wished_chips", "wished_cash_cents", "wished_chips_cents",
            "authorised_by_id", "sent_by_id", "runner_id", "sent_cash", "sent_chips", "sent_cash_cents",
            "sent_chips_cents", "sent_transfer_id", "ended_by_id", "ended_with_id", "reason", "got_cash", "got_chips",
            "got_cash_cents", "got_chips_cents", "got_transfer_id", "unjudged", "judged_by_id",
        ),
        ("requested_at", "authorised_at", "sent_at", "ended_at", "judged_at"),
    ),
    # Before it was printed again.
    earlier="SELECT jsonb_build_object('prints', prints) FROM generate_series(0, stands.prints) prints",
)  # fmt: skip

# A float as two have counted it, of sessions that were opened so. What closes them is in the count's.
FLOAT = Held(
    kind="float",
    table="(SELECT * FROM cage_drawersession WHERE opened_with_id IS NOT NULL)",
    room_id="(SELECT drawer.room_id FROM cage_drawer drawer WHERE drawer.id = held.drawer_id)",
    made_at="held.opened_at",
    fingerprint=_fingerprint(
        (
            "id", "drawer_id", "day_id", "float_cash_pieces", "float_chip_pieces", "float_cash_cents",
            "float_chips_cents", "opened_by_id", "opened_with_id",
        ),
        ("opened_at",),
    ),
)  # fmt: skip

# What was carried over the end of a day.
CARRIED = Held(
    kind="carried",
    table="cage_carrieditem",
    room_id="held.room_id",
    made_at="held.carried_at",
    fingerprint=_fingerprint(
        ("id", "room_id", "day_id", "stage", "kind", "number", "rows", "reason", "carried_by_id"), ("carried_at",)
    ),
)

# Days that are closed as counted; noted by the command that does it.
DAY_COUNTED = Held(
    kind="day_counted",
    table="(SELECT * FROM rooms_gamingday WHERE counted_at IS NOT NULL)",
    room_id="held.room_id",
    made_at="held.counted_at",
    fingerprint=_fingerprint(
        ("id", "room_id", "date", "counted_by_id", "counted_with_id"), ("closed_at", "counted_at")
    ),
)
