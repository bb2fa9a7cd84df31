"""What is carried over the end of a gaming day, with a reason. Makes a table, and locks nothing that taps wait for."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0012_vouchers"),
        ("rooms", "0005_stages_are_final"),
    ]

    operations = [
        migrations.CreateModel(
            name="CarriedItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "stage",
                    models.CharField(choices=[("operations", "Operations"), ("counted", "Counted")], max_length=10),
                ),
                ("kind", models.CharField(max_length=20)),
                ("number", models.BigIntegerField()),
                ("rows", models.JSONField()),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("looked_into", "Looked Into"),
                            ("somebody_gone", "Somebody Gone"),
                            ("no_time", "No Time"),
                            ("nothing_to_find", "Nothing To Find"),
                            ("plays_on", "Plays On"),
                            ("under_seal", "Under Seal"),
                            ("not_found", "Not Found"),
                        ],
                        max_length=20,
                    ),
                ),
                ("carried_at", models.DateTimeField()),
                ("carried_by_id", models.BigIntegerField()),
                ("day", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday")),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("day", "stage", "kind", "number"), name="carried_item_once_per_closing"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("stage__in", ["operations", "counted"]), models.Q(("reason", ""), _negated=True)
                        ),
                        name="carried_item_has_its_reason",
                    ),
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="carrieditem",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="3f2d6d4a517965ba1657d66f1a92bf57d391a421",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_a6a68",
                    table="cage_carrieditem",
                    when="BEFORE",
                ),
            ),
        ),
    ]
