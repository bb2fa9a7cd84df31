"""A claim says which movement of its pool was the newest when it was called. Adds a column that may be empty."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0009_of_which_period")]

    operations = [
        migrations.AddField(model_name="claim", name="sum_number", field=models.PositiveBigIntegerField(null=True)),
    ]
