"""
Find a command's events, and refused ones, in years of log.

Built concurrently: nobody's reading or writing waits, and so it is no transaction. A migration that was broken off
leaves an invalid index behind; drop that one and migrate again.
"""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("audit", "0001_log_and_seals")]

    operations = [
        AddIndexConcurrently(
            model_name="event",
            index=models.Index(fields=["room_id", "name"], name="event_by_name"),
        ),
        AddIndexConcurrently(
            model_name="event",
            index=models.Index(
                condition=models.Q(("result", "done"), _negated=True), fields=["room_id", "id"], name="event_refused"
            ),
        ),
    ]
