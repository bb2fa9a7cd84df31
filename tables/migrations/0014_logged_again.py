"""
A hand says which undone one it logs again. Adds a column that may be empty, which rewrites nothing; hands of before do
not say it. Nobody who writes hands waits; broken off anywhere, it is begun again where it stood.
"""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

from casino.migrating import WhileTapsWrite


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tables", "0013_claims_are_kept_elsewhere")]

    operations = [
        WhileTapsWrite(
            [
                migrations.AddField(
                    model_name="hand",
                    name="again_of",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.hand",
                    ),
                ),
                migrations.AddIndex(
                    model_name="hand",
                    index=models.Index(
                        condition=Q(again_of__isnull=False), fields=["again_of"], name="hand_logged_again"
                    ),
                ),
            ]
        ),
    ]
