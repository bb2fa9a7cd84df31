"""What a tap that arrives after the end of its sign-in proves itself with. Adds a column, without reading rows."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0005_who_chose_a_secret")]

    operations = [
        migrations.AddField(model_name="signin", name="proof_hash", field=models.CharField(default="", max_length=64)),
    ]
