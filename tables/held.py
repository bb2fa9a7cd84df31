"""What the log says of racks, tips, what tables were over or short, and who dealt and sat, for `casino.audit.held`."""

from typing import LiteralString

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
# What older checks have none of, and so a fingerprint of its own.
RACK_CASH_COUNT = Held(
    kind="rack_cash_count",
    table="(SELECT * FROM tables_rackcheck WHERE cash_cents IS NOT NULL)",
    room_id=RACK_CHECK.room_id,
    made_at=RACK_CHECK.made_at,
    fingerprint=fingerprint_of("held.id", "held.cash_pieces", "held.cash_cents", "held.expected_cash_cents"),
)
# Since when cash was not counted, where it differed: by the same reason.
RACK_CASH_SINCE = Held(
    kind="rack_cash_since",
    table="(SELECT * FROM tables_rackcheck WHERE cash_first_down_id IS NOT NULL)",
    room_id=RACK_CHECK.room_id,
    made_at=RACK_CHECK.made_at,
    fingerprint=fingerprint_of("held.id", "held.cash_first_down_id", "held.cash_last_down_id"),
)
TABLE_DIFFERENCE = Held(
    kind="table_difference",
    table="tables_tabledifference",
    room_id="held.room_id",
    made_at="held.at",
    fingerprint=fingerprint_of(
        *("held.id", "held.room_id", "held.table_id", "held.number", "held.opening_id", "held.day_id", "held.by_id"),
        *("held.counted_id", "held.counted_cents", "held.in_play_cents", "held.cents", "held.transfer_id"),
        moment("held.at"),
    ),
)
TIP_COUNT = Held(
    kind="tip_count",
    table="tables_tipcount",
    room_id="held.room_id",
    made_at="held.at",
    fingerprint=fingerprint_of(
        *("held.id", "held.room_id", "held.table_id", "held.number", "held.day_id", "held.by_id"),
        *("held.approved_by_id", "held.dealer_id", "held.pieces", "held.cents", "held.noted_cents"),
        *("held.transfer_id", moment("held.at")),
    ),
)
# Which box it was, and who shares it: what older counts have none of, and so a fingerprint of its own.
TIP_COUNT_OF = Held(
    kind="tip_count_of",
    table="(SELECT * FROM tables_tipcount WHERE closed_id IS NOT NULL OR seconds IS NOT NULL)",
    room_id=TIP_COUNT.room_id,
    made_at=TIP_COUNT.made_at,
    fingerprint=fingerprint_of("held.id", "held.closed_id", "held.seconds"),
)
# What was posted as missing of a tip box: by the same reason.
TIP_COUNT_MISSING = Held(
    kind="tip_count_missing",
    table="(SELECT * FROM tables_tipcount WHERE missing_cents <> 0)",
    room_id=TIP_COUNT.room_id,
    made_at=TIP_COUNT.made_at,
    fingerprint=fingerprint_of("held.id", "held.missing_cents"),
)
CLOSED_TIPS = Held(
    kind="closed_tips",
    table="tables_closedtips",
    room_id="held.room_id",
    made_at="held.at",
    fingerprint=fingerprint_of(
        *("held.id", "held.room_id", "held.table_id", "held.number", "held.day_id", "held.down_id", "held.by_id"),
        *("held.seconds", "held.noted_cents", moment("held.until"), moment("held.at")),
    ),
)
# Of those that were taken back, by whom and when; noted by the command that does it.
CLOSED_TIPS_BACK = Held(
    kind="closed_tips_back",
    table="(SELECT * FROM tables_closedtips WHERE taken_back_at IS NOT NULL)",
    room_id="held.room_id",
    made_at="held.taken_back_at",
    fingerprint=fingerprint_of("held.id", "held.taken_back_by_id", moment("held.taken_back_at")),
)
TIP_PAYROLL = Held(
    kind="tip_payroll",
    table="tables_tippayroll",
    room_id="held.room_id",
    made_at="held.at",
    fingerprint=fingerprint_of(
        *("held.id", "held.room_id", "held.day_id", "held.number", "held.posted_on_id", "held.by_id"),
        *("held.approved_by_id", "held.last_count_id", "held.cents", "held.seconds", "held.transfer_id"),
        # A payroll stands before its shares, and its fingerprint is taken when the command ends.
        "(SELECT jsonb_agg(jsonb_build_array(share.dealer_id, share.cents) ORDER BY share.dealer_id)"
        " FROM tables_tipshare share WHERE share.payroll_id = held.id)",
        moment("held.at"),
    ),
)


def _stay(
    kind: LiteralString,
    table: LiteralString,
    *whose: LiteralString,
    began: LiteralString,
    ended: LiteralString,
    before: LiteralString = "",
) -> Held:
    """
    Return what the log says of rows that begin without an end, which is written later; `before` is what else of them
    is, each with what it was.
    """
    return Held(
        kind=kind,
        table=table,
        room_id="held.room_id",
        made_at=f"held.{began}",
        fingerprint=fingerprint_of(
            "held.id", "held.room_id", "held.table_id", *whose, moment(f"held.{began}"), moment(f"held.{ended}")
        ),
        earlier=f"SELECT jsonb_build_object('{ended}', NULL{before})",
        from_paper="held.from_sheet IS NOT NULL",
        is_newer=True,
    )


# Who dealt at a table, and who sat there, from when to when: what reports say of both, and tips are shared by.
DOWN = _stay("down", "tables_down", "held.day_id", "held.dealer_id", began="began_at", ended="ended_at")
SITTING = _stay(
    "sitting", "tables_seating", "held.player_id", began="sat_down_at", ended="left_at",
    before=", 'player_id', coalesce(stands.sat_as_id, stands.player_id)",
)  # fmt: skip
