"""
Show players by nickname without sorting all who ever came.

Built concurrently: nobody's reading or writing waits, and so it is no transaction. A migration that was broken off
leaves an invalid index behind; drop that one and migrate again.
"""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("people", "0001_staff_players_devices")]

    operations = [
        AddIndexConcurrently(
            model_name="player",
            index=models.Index(
                condition=models.Q(("erased_at__isnull", True)),
                fields=["room", "nickname", "id"],
                name="player_by_nickname",
            ),
        ),
    ]
