"""A table says what its newest hand waits for. Adds a column with a default, which rewrites nothing."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0011_chips_brought_unseen"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="held_for",
            field=models.CharField(blank=True, default="", max_length=20),
            preserve_default=False,
        ),
    ]
