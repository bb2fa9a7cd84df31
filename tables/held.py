"""What the log says of racks, for `casino.audit.held`."""

from casino.audit.held import Held, fingerprint_of, moment

RACK_FILL = Held(
    kind="rack_fill",
    table="tables_rackfill",
    room_id="held.room_id",
    made_at="held.at",
    fingerprint=fingerprint_of(
        *("held.id", "held.room_id", "held.table_id", "held.number", "held.day_id", "held.by_id"),
        *("held.approved_by_id", "held.pieces", "held.cents", "held.transfer_id", moment("held.at")),
    ),
)
RACK_CHECK = Held(
    kind="rack_check",
    table="tables_rackcheck",
    room_id="held.room_id",
    made_at="held.at",
    fingerprint=fingerprint_of(
        *("held.id", "held.room_id", "held.table_id", "held.number", "held.opening_id", "held.day_id", "held.kind"),
        *("held.by_id", "held.approved_by_id", "held.down_id", "held.dealer_id", "held.pieces", "held.cents"),
        *("held.expected_cents", "held.place", "held.first_down_id", "held.last_down_id", "held.transfer_id"),
        moment("held.at"),
    ),
)
