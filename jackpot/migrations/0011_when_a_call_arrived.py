"""A claim says when its call arrived by the house's clock. Adds a column that may be empty."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0010_what_came_after_the_hit")]

    operations = [
        migrations.AddField(model_name="claim", name="arrived_at", field=models.DateTimeField(null=True)),
    ]
