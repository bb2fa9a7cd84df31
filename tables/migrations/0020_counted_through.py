"""A table that plays on over the day's end is counted through. Makes a table; locks others for a moment, for its keys."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0005_stages_are_final"),
        ("tables", "0019_caught_up_from_paper"),
    ]

    operations = [
        migrations.CreateModel(
            name="CountedThrough",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("counted_by_id", models.BigIntegerField()),
                ("stacks", models.JSONField()),
                ("cents", models.BigIntegerField()),
                ("in_play_cents", models.BigIntegerField()),
                ("table_version", models.PositiveBigIntegerField()),
                ("day", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday")),
                (
                    "opening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.opening"
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                (
                    "table",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.table"),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["opening", "-id"], name="counted_through_newest")],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("cents__gte", 0)), name="counted_through_not_negative")
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="countedthrough",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="3d257f978bc534a095ed56e2cd130dff001d3567",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_4b0c5",
                    table="tables_countedthrough",
                    when="BEFORE",
                ),
            ),
        ),
    ]
