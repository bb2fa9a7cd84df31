"""Where the player of a slip sits now. Locks slips for a moment: a column that is empty, and nothing is rewritten."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("cage", "0024_carried_as_it_stays_open")]

    operations = [migrations.AddField(model_name="slip", name="moved_to", field=models.JSONField(null=True))]
