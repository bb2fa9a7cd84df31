"""A device knows at whose name wrong PINs were tried. Adds a column without a default: no table is rewritten."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0003_floor_by_the_book")]

    operations = [
        migrations.AddField(model_name="device", name="wrong_pins_of_id", field=models.BigIntegerField(null=True)),
    ]
