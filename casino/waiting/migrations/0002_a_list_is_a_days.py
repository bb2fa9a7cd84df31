"""
A place on a list says of which gaming day it is, by the day's key: moments lie when a clock is set back.

Adds a column without rewriting the rows or reading them, and indexes it while taps write; then the open day's places
are given their day. Those of days that are over keep none: nobody is put back there.
"""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrating import WhileTapsWrite

_OF_THE_OPEN_DAY = """
UPDATE waiting_waiting SET day_id = day.id FROM rooms_gamingday day
WHERE day.room_id = waiting_waiting.room_id AND day.closed_at IS NULL AND waiting_waiting.day_id IS NULL
    AND (waiting_waiting.ended_at IS NULL OR waiting_waiting.ended_at >= day.opened_at)
"""


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("rooms", "0003_days_in_the_log"), ("waiting", "0001_lists_of_their_own")]

    operations = [
        WhileTapsWrite(
            [
                migrations.AddField(
                    "waiting",
                    "day",
                    models.ForeignKey("rooms.gamingday", null=True, on_delete=django.db.models.deletion.PROTECT),
                )
            ]
        ),
        migrations.RunSQL(_OF_THE_OPEN_DAY, migrations.RunSQL.noop),
    ]
