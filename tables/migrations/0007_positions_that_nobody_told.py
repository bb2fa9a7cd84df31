"""
A hand whose button and big blind nobody told has none: until now a place was made up for it.

Drops two NOT NULLs: it locks the hands for as long as the catalogue is written, and reads none of them.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0006_clauses_are_the_books"),
    ]

    operations = [
        migrations.AlterField(
            model_name="hand", name="big_blind_seat", field=models.PositiveSmallIntegerField(null=True)
        ),
        migrations.AlterField(model_name="hand", name="button_seat", field=models.PositiveSmallIntegerField(null=True)),
    ]
