"""
The days that there are get the events after which they opened and closed: those that the log has of it.

A day that no event of the log opened (a house of before) is told by its moments. One walk through the events of days
by the log's index. Locks the rows of the days as a tap does that closes one: some milliseconds for years of them.
"""

from django.db import migrations

FROM_THE_LOG = """
WITH told AS MATERIALIZED (
    SELECT event.name, (event.text::jsonb #>> '{data,day_id}')::bigint AS day_id, event.id - 1 AS after
    FROM rooms_room room JOIN audit_event event ON event.room_id = room.id
    WHERE event.name IN ('cage.open_day', 'cage.close_day') AND event.result = 'done'
)
UPDATE rooms_gamingday day SET
    opened_after = coalesce((SELECT after FROM told WHERE name = 'cage.open_day' AND day_id = day.id), (
        SELECT event.id FROM audit_event event WHERE event.room_id = day.room_id AND event.at < day.opened_at
        ORDER BY event.at DESC, event.id DESC LIMIT 1
    ), 0),
    closed_after = CASE WHEN day.closed_at IS NOT NULL THEN coalesce((
        SELECT after FROM told WHERE name = 'cage.close_day' AND day_id = day.id
    ), (
        SELECT event.id FROM audit_event event WHERE event.room_id = day.room_id AND event.at <= day.closed_at
        ORDER BY event.at DESC, event.id DESC LIMIT 1
    ), 0) END
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0003_signed_seals"), ("cage", "0005_prizes"), ("rooms", "0003_days_in_the_log")]

    operations = [migrations.RunSQL(FROM_THE_LOG, migrations.RunSQL.noop)]
