"""
Find hands that were not settled, and who sat at a table at a moment, in years of both.

Built concurrently: nobody's reading or writing waits, and so it is no transaction. A migration that was broken off
leaves an invalid index behind; drop that one and migrate again.
"""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tables", "0001_games_tables_seats_hands")]

    operations = [
        AddIndexConcurrently(
            model_name="hand",
            index=models.Index(
                fields=["table", "status", "-id"],
                condition=models.Q(("status", "settled"), _negated=True),
                name="hand_not_settled",
            ),
        ),
        AddIndexConcurrently(
            model_name="seating",
            index=models.Index(fields=["table", "left_at"], name="seating_by_leaving"),
        ),
    ]
