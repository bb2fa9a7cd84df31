"""
A collection of drops that were put right says which pool they had fed. Adds a column that may be empty, which rewrites
nothing.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0005_movements_fall_for_few_reasons"),
        ("tables", "0014_logged_again"),
    ]

    operations = [
        migrations.AddField(
            model_name="collection",
            name="puts_right",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="jackpot.pool"
            ),
        ),
    ]
