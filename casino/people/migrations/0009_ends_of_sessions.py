"""
The end of a shift ends sessions at desktops: a number that they hold counts its ends. Those that there are go on.

Rewrites no table; reads that of the people, who are few, to judge the number's own constraint.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0008_identity_checks")]

    operations = [migrations.AddField("staff", "sessions_ended", models.PositiveIntegerField(default=0))]
