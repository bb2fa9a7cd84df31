"""Checks of a rack say of whose downs cash that differs is, since it was counted last. Adds columns without a value."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0028_tips_by_their_place"),
    ]

    operations = [
        migrations.AddField(
            model_name="rackcheck",
            name=name,
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tables.down",
            ),
        )
        for name in ("cash_first_down", "cash_last_down")
    ]
