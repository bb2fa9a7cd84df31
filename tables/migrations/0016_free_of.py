"""
A hand keeps which charges it was free of when it was dealt. Adds a column that may be empty, which rewrites nothing; of
hands of before their opening tells.
"""

import django.contrib.postgres.fields
from django.db import migrations, models

from casino.migrating import WhileTapsWrite


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tables", "0015_by_time_where_all_agree")]

    operations = [
        WhileTapsWrite(
            [
                migrations.AddField(
                    "hand",
                    "free_of",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=20), null=True, size=None
                    ),
                ),
            ]
        ),
    ]
