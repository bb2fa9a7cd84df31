"""
The days that there are get the events after which they opened and closed, as their moments tell.

Two look-ups in the log's index for each day. Locks the rows of the days as a tap does that closes one: some
milliseconds for years of them.
"""

from django.db import migrations

_FROM_MOMENTS = """
UPDATE rooms_gamingday day SET
    opened_after = coalesce((
        SELECT event.id FROM audit_event event WHERE event.room_id = day.room_id AND event.at < day.opened_at
        ORDER BY event.at DESC, event.id DESC LIMIT 1
    ), 0),
    closed_after = CASE WHEN day.closed_at IS NOT NULL THEN coalesce((
        SELECT event.id FROM audit_event event WHERE event.room_id = day.room_id AND event.at <= day.closed_at
        ORDER BY event.at DESC, event.id DESC LIMIT 1
    ), 0) END
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0003_signed_seals"), ("cage", "0005_prizes"), ("rooms", "0003_days_in_the_log")]

    operations = [migrations.RunSQL(_FROM_MOMENTS, migrations.RunSQL.noop)]
