"""What the log says of signed reports, for `casino.audit.held`."""

from casino.audit.held import Held, fingerprint_of, moment

REPORT = Held(
    kind="report",
    table="jackpot_signedreport",
    room_id="held.room_id",
    made_at="held.at",
    fingerprint=fingerprint_of(
        *("held.id", "held.room_id", "held.first_date", "held.last_date", "held.figures", "held.seen", "held.agrees"),
        *("held.made_by_id", "held.approved_by_id", moment("held.at")),
    ),
)
