"""
A gaming day closes in two stages. Those of before closed at once, and wait for no count.

Adds columns without rewriting the rows, which are as few as the days. Every tap asks for the open one: all at once.
"""

from django.db import migrations, models

from casino.migrating import AtOnce


class Migration(migrations.Migration):
    dependencies = [("rooms", "0003_days_in_the_log")]

    operations = [
        AtOnce(
            [
                migrations.AddField("gamingday", "counts_wait", models.BooleanField(default=False, db_default=False)),
                migrations.AddField("gamingday", "counted_at", models.DateTimeField(null=True)),
                migrations.AddField("gamingday", "counted_by_id", models.BigIntegerField(null=True)),
                migrations.AddField("gamingday", "counted_with_id", models.BigIntegerField(null=True)),
            ]
        ),
    ]
