"""Add why a box that is counted has no number. A default of the database's own: no row is written."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("boxes", "0002_where_postings_lie")]

    operations = [
        migrations.AddField(
            model_name="boxcount",
            name="reason",
            field=models.CharField(
                blank=True,
                choices=[("none_hung", "None Hung"), ("not_entered", "Not Entered"), ("late", "Late")],
                db_default="",
                default="",
                max_length=20,
            ),
        ),
    ]
