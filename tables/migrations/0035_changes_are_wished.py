"""
A player wishes for another seat or table, and somebody notes it. The names alone: columns, their index and their check
stay as they are, and processes of before go on.
"""

from django.db import migrations, models
from django.db.models import F, Q

OPEN, ENDS = "table_change_open", "table_change_ends_after_it_was_asked"


class Migration(migrations.Migration):
    dependencies = [("tables", "0034_racks_counted_at_their_closing")]

    operations = [
        migrations.AlterField(
            "seating", "change_asked_at", models.DateTimeField(null=True, db_column="change_asked_at")
        ),
        migrations.RenameField("seating", "change_asked_at", "change_wished_at"),
        migrations.AlterField("tablechange", "asked_at", models.DateTimeField(db_column="asked_at")),
        migrations.AlterField("tablechange", "asked_by_id", models.BigIntegerField(null=True, db_column="asked_by_id")),
        # Of the same columns as before, by their fields' new names.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint("tablechange", ENDS),
                migrations.RemoveIndex("tablechange", OPEN),
            ]
        ),
        migrations.RenameField("tablechange", "asked_at", "wished_at"),
        migrations.RenameField("tablechange", "asked_by_id", "noted_by_id"),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AddIndex(
                    "tablechange",
                    models.Index(fields=["room", "wished_at"], condition=Q(ended_at__isnull=True), name=OPEN),
                ),
                migrations.AddConstraint(
                    "tablechange",
                    models.CheckConstraint(
                        condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("wished_at")), name=ENDS
                    ),
                ),
            ]
        ),
    ]
