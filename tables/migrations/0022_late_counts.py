"""Counts of a rack that came late are marked. Adds a column with a default, which writes no row."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0021_tips"),
    ]

    operations = [
        migrations.AddField(
            model_name="rackcheck",
            name="is_late",
            field=models.BooleanField(default=False),
        ),
    ]
