"""What a tap that arrives after the end of its sign-in proves itself with. Adds a column, without reading rows."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0003_floor_by_the_book")]

    operations = [
        migrations.AddField(model_name="signin", name="proof_hash", field=models.CharField(default="", max_length=64)),
    ]
