"""How often an open drawer was too short. Locks sessions for a moment: columns with a default, nothing is rewritten."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("cage", "0025_slip_follows_its_player")]

    operations = [
        migrations.AddField(
            model_name="drawersession",
            name="short_payouts",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="drawersession",
            name="is_counted_first",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
