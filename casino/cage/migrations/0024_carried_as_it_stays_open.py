"""A drawer is carried over a day's end because it stays open. Nothing in the database changes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("cage", "0023_drawers_over_a_days_end")]

    operations = [
        migrations.AlterField(
            model_name="carrieditem",
            name="reason",
            field=models.CharField(
                choices=[
                    ("looked_into", "Looked Into"),
                    ("somebody_gone", "Somebody Gone"),
                    ("no_time", "No Time"),
                    ("nothing_to_find", "Nothing To Find"),
                    ("plays_on", "Plays On"),
                    ("under_seal", "Under Seal"),
                    ("not_found", "Not Found"),
                    ("stays_open", "Stays Open"),
                ],
                max_length=20,
            ),
        ),
    ]
