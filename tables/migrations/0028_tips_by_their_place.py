"""
Downs and closed tips say up to which place in the log tips had been noted. Adds columns without a value, which rewrites
nothing: of rows of before moments tell.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0027_counted_tips_wait_no_more"),
    ]

    operations = [
        migrations.AddField(
            model_name="down",
            name="tips_place",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="closedtips",
            name="place",
            field=models.BigIntegerField(null=True),
        ),
    ]
