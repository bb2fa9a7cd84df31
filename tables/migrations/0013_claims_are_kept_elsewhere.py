"""
The tables keep no lists any more: rows stay where they are, and become those of the app that keeps the claims to seats.

A move remembers which claim it met by its number. Locks `tables_tablemove` for the moment in which its foreign key goes.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0012_a_table_that_waits")]

    operations = [
        migrations.AlterField(
            model_name="tablemove",
            name="waiting",
            field=models.BigIntegerField(null=True, db_column="waiting_id"),
        ),
        migrations.RenameField(model_name="tablemove", old_name="waiting", new_name="claim_ref"),
        migrations.AlterField(model_name="tablemove", name="claim_ref", field=models.BigIntegerField(null=True)),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name="Waiting"),
                migrations.DeleteModel(name="WaitingList"),
            ],
        ),
    ]
