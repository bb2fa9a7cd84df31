"""
A collection of time that was taken back says of which period it was. Adds a column that may be empty, which rewrites
nothing; its foreign key locks `tables_timetaken` against writers for an instant.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0008_signed_reports"),
        ("tables", "0015_by_time_where_all_agree"),
    ]

    operations = [
        migrations.AddField(
            model_name="collection",
            name="time",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tables.timetaken",
            ),
        ),
    ]
