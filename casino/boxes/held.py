"""What the log says of boxes and of what was counted in them, for `casino.audit.held`."""

from casino.audit.held import Held, fingerprint_of, moment

BOX = Held(
    kind="box",
    table="boxes_box",
    room_id="held.room_id",
    made_at="held.hung_at",
    fingerprint=fingerprint_of(
        *("held.id", "held.room_id", "held.table_id", "held.charge", "held.account", "held.number", "held.hung_after"),
        *("held.hung_by_id", "held.replaces_id", "held.dropped_after", "held.dropped_by_id", "held.taken_back_by_id"),
        *("held.is_counted", "held.to_judge", "held.judged_by_id", "held.version"),
        *(moment("held.hung_at"), moment("held.dropped_at"), moment("held.taken_back_at"), moment("held.judged_at")),
    ),
    # Each act has its columns, and each is another version.
    earlier="""
        SELECT counted || judged || dropped || back || jsonb_build_object('version', version)
        FROM generate_series(1, stands.version) version
        CROSS JOIN (VALUES ('{"is_counted": true, "to_judge": true}'::jsonb),
            ('{"is_counted": true, "to_judge": false}'), ('{"is_counted": false, "to_judge": false}')
        ) AS first (counted)
        CROSS JOIN (VALUES ('{}'::jsonb), ('{"judged_at": null, "judged_by_id": null}')) AS second (judged)
        CROSS JOIN (VALUES ('{}'::jsonb), ('{"dropped_at": null, "dropped_after": null, "dropped_by_id": null}'))
            AS third (dropped)
        CROSS JOIN (VALUES ('{}'::jsonb), ('{"taken_back_at": null, "taken_back_by_id": null}')) AS fourth (back)
    """,
)
BOX_COUNT = Held(
    kind="box_count",
    table="boxes_boxcount",
    room_id="held.room_id",
    made_at="held.at",
    fingerprint=fingerprint_of(
        *("held.id", "held.room_id", "held.box_id", "held.number", "held.day_id", "held.counted_by_id"),
        *("held.approved_by_id", "held.pieces", "held.cents", "held.expected_cents", "held.transfer_id"),
        moment("held.at"),
    ),
)
# Why a box has no number: what older counts have none of, and so a fingerprint of its own.
BOX_COUNT_REASON = Held(
    kind="box_count_reason",
    table="(SELECT * FROM boxes_boxcount WHERE reason <> '')",
    room_id=BOX_COUNT.room_id,
    made_at=BOX_COUNT.made_at,
    fingerprint=fingerprint_of("held.id", "held.reason"),
)
