"""A claim's hand is entered, and so it is called. The name alone: the column stays, and processes of before go on."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0011_when_a_call_arrived")]

    operations = [
        migrations.AlterField("claim", "said", models.JSONField(default=dict, db_column="said")),
        migrations.RenameField("claim", "said", "entered"),
    ]
