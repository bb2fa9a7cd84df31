"""
A hand says which undone one it logs again. Adds a column that may be empty, which rewrites nothing; hands of before do
not say it. The index is built concurrently, so this is no transaction.
"""

import django.db.models.deletion
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tables", "0013_claims_are_kept_elsewhere")]

    operations = [
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
        AddIndexConcurrently(
            model_name="hand",
            index=models.Index(condition=Q(again_of__isnull=False), fields=["again_of"], name="hand_logged_again"),
        ),
    ]
