from django.db import migrations, models


class Migration(migrations.Migration):
    """Columns that are empty, which PostgreSQL adds without reading a row."""

    dependencies = [("tables", "0022_late_counts")]

    operations = [
        migrations.AddField("timetaken", "from_sheet", models.PositiveBigIntegerField(null=True)),
        migrations.AddField("deckchange", "from_sheet", models.PositiveBigIntegerField(null=True)),
    ]
