"""Counts of a rack that came late are marked. Adds a column with a default that stays: processes of before write none."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0021_tips"),
    ]

    operations = [
        migrations.AddField(
            model_name="rackcheck",
            name="is_late",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
