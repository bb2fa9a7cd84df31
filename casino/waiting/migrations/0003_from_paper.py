from django.db import migrations, models


class Migration(migrations.Migration):
    """A column that is empty, which PostgreSQL adds without reading a row."""

    dependencies = [("waiting", "0002_a_list_is_a_days")]

    operations = [migrations.AddField("waiting", "from_sheet", models.PositiveBigIntegerField(null=True))]
