"""
A check says for whom the same document was shown before: one person with two records, or a mistake.

Adds a column without rewriting the rows, and indexes it while taps write. Of checks of before nobody looked.
"""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrating import WhileTapsWrite


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("people", "0015_name_on_a_document")]

    operations = [
        WhileTapsWrite(
            [
                migrations.AddField(
                    "identitycheck",
                    "also_of",
                    models.ForeignKey(
                        "people.player", null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+"
                    ),
                ),
                migrations.AddIndex(
                    "identitycheck",
                    models.Index(
                        condition=models.Q(("also_of__isnull", False)),
                        fields=["room"],
                        name="identity_check_shown_twice",
                    ),
                ),
            ]
        ),
    ]
