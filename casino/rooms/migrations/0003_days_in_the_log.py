"""
A gaming day says after which event of the log it opened and closed. Of those that there are `cage.0006` tells.

Adds columns without rewriting the rows, which are as few as the days. Every tap asks for the open one: both at once.
"""

from django.db import migrations, models

from casino.migrating import AtOnce


class Migration(migrations.Migration):
    dependencies = [("rooms", "0002_floor_by_the_book")]

    operations = [
        AtOnce(
            [
                migrations.AddField("gamingday", "opened_after", models.BigIntegerField(default=0)),
                migrations.AddField("gamingday", "closed_after", models.BigIntegerField(null=True)),
            ]
        ),
    ]
