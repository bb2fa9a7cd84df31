"""What counts had brought of foreign notes when a gaming day closed: a table of its own, and nothing is rewritten."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0019_notes_exchanged"),
        ("rooms", "0005_stages_are_final"),
    ]

    operations = [
        migrations.CreateModel(
            name="NotesBrought",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("currency", models.CharField(max_length=3)),
                ("pieces", models.JSONField()),
                ("face_cents", models.BigIntegerField()),
                ("cents", models.BigIntegerField()),
                (
                    "day",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.gamingday"
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("day", "currency"), name="notes_brought_once_per_day_and_currency")
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="notesbrought",
            trigger=pgtrigger.compiler.Trigger(
                name="notes_brought_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="07677dee4130ff3d04c6220b5befa0d131a969f7",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_notes_brought_append_only_8def4",
                    table="cage_notesbrought",
                    when="BEFORE",
                ),
            ),
        ),
    ]
