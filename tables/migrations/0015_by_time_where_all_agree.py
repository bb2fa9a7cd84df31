"""What a table pays by the time where all agree. Adds columns with a default, which rewrites nothing."""

from django.db import migrations, models

from casino.migrating import AtOnce


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0014_logged_again"),
    ]

    operations = [
        # At once, for every tap at a table reads its opening.
        AtOnce(
            [
                migrations.AddField("opening", "by_time", models.JSONField(null=True)),
                migrations.AddField("opening", "free_until", models.JSONField(default=dict)),
            ]
        ),
    ]
