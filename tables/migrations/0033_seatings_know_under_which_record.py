"""A seating that went to a joined record says under which one the player sat. None of before does: no rewrite."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0032_cash_plays_by_opening"),
    ]

    operations = [
        migrations.AddField(
            model_name="seating",
            name="sat_as_id",
            field=models.BigIntegerField(null=True),
        ),
    ]
