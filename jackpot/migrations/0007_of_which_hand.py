"""
A collection of a drop that was put right says of which hand it was. Adds a column that may be empty, which rewrites
nothing; its foreign key locks `tables_hand` against writers for an instant.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0006_put_right_where_it_fed"),
        ("tables", "0014_logged_again"),
    ]

    operations = [
        migrations.AddField(
            model_name="collection",
            name="hand",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tables.hand",
            ),
        ),
    ]
