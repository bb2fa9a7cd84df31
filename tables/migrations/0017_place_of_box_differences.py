"""
What lies in a box beyond the log is noted with its place in the log, which tells the box. Adds a column that may be
empty, which rewrites nothing; what was noted before has none, and no count expects it.
"""

from django.db import migrations, models

from casino.migrating import WhileTapsWrite


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tables", "0016_free_of")]

    operations = [
        WhileTapsWrite([migrations.AddField("boxdifference", "place", models.BigIntegerField(null=True))]),
    ]
