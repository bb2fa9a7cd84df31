"""A player wishes for an own limit, and somebody notes it. The names alone: columns stay, processes of before go on."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0018_checks_by_number")]

    operations = [
        migrations.AlterField("ownlimit", "asked_at", models.DateTimeField(db_column="asked_at")),
        migrations.RenameField("ownlimit", "asked_at", "wished_at"),
        migrations.AlterField("ownlimit", "asked_by_id", models.BigIntegerField(db_column="asked_by_id")),
        migrations.RenameField("ownlimit", "asked_by_id", "noted_by_id"),
    ]
