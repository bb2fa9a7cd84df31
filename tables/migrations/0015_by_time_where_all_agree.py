"""What a table pays by the time where all agree. Adds columns with a default, which rewrites nothing."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0014_logged_again"),
    ]

    operations = [
        migrations.AddField(
            model_name="opening",
            name="by_time",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="opening",
            name="free_until",
            field=models.JSONField(default=dict),
        ),
    ]
