"""
Find whether a newer hand of an opening is there, however long the evening.

The index is built concurrently, so this is no transaction. It takes the place of the one on the opening alone, which is
dropped in the same way: nobody waits. A migration that was broken off leaves an invalid index
behind; drop that one and migrate again.
"""

import django.db.models.deletion
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tables", "0002_find_in_years_of_hands")]

    operations = [
        AddIndexConcurrently(
            model_name="hand",
            index=models.Index(fields=["opening", "dealt_at"], name="hand_by_opening_and_time"),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                # Django would also drop the foreign key and judge it anew, hand by hand, while nobody writes.
                migrations.RunSQL(
                    'DROP INDEX CONCURRENTLY IF EXISTS "tables_hand_opening_id_aacd381f"',
                    'CREATE INDEX CONCURRENTLY IF NOT EXISTS "tables_hand_opening_id_aacd381f" ON tables_hand (opening_id)',
                ),
            ],
            state_operations=[
                migrations.AlterField(
                    model_name="hand",
                    name="opening",
                    field=models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.PROTECT, to="tables.opening"
                    ),
                ),
            ],
        ),
    ]
