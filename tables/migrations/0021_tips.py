"""
Tips: counts of the box by two, what was handed to payroll, and the dealers' shares. Three new tables, and one more kind of
to-do, which changes no column.
"""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0003_days_in_the_log"),
        ("tables", "0020_counted_through"),
    ]

    operations = [
        migrations.AlterField(
            model_name="todo",
            name="kind",
            field=models.CharField(
                choices=[
                    ("hand_differs", "Hand Differs"),
                    ("rake_differs", "Rake Differs"),
                    ("hand_not_logged", "Hand Not Logged"),
                    ("hand_abandoned", "Hand Abandoned"),
                    ("late_fact", "Late Fact"),
                    ("kept_apart", "Kept Apart"),
                    ("time_differs", "Time Differs"),
                    ("tap_kept", "Tap Kept"),
                    ("stack_above_play", "Stack Above Play"),
                    ("tips_above_play", "Tips Above Play"),
                    ("floor_called", "Floor Called"),
                    ("box_differs", "Box Differs"),
                    ("brought_unseen", "Brought Unseen"),
                    ("rack_differs", "Rack Differs"),
                    ("rack_not_counted", "Rack Not Counted"),
                    ("caught_up", "Caught Up"),
                    ("tips_differ", "Tips Differ"),
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="TipPayroll",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("by_id", models.BigIntegerField()),
                ("approved_by_id", models.BigIntegerField()),
                ("last_count_id", models.BigIntegerField()),
                ("cents", models.BigIntegerField()),
                ("seconds", models.JSONField()),
                ("transfer_id", models.BigIntegerField()),
                (
                    "day",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.gamingday"
                    ),
                ),
                (
                    "posted_on",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.gamingday"
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.CreateModel(
            name="TipShare",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("dealer_id", models.BigIntegerField()),
                ("cents", models.BigIntegerField()),
                (
                    "payroll",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="shares", to="tables.tippayroll"
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.CreateModel(
            name="TipCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("by_id", models.BigIntegerField()),
                ("approved_by_id", models.BigIntegerField()),
                ("dealer_id", models.BigIntegerField(null=True)),
                ("pieces", models.JSONField()),
                ("cents", models.BigIntegerField()),
                ("noted_cents", models.BigIntegerField()),
                ("transfer_id", models.BigIntegerField(null=True)),
                ("day", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday")),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="tip_counts", to="tables.table"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["room", "day", "id"], name="tip_count_of_day")],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "number"), name="tip_count_numbered_once_per_table"),
                    models.CheckConstraint(condition=models.Q(("cents__gte", 0)), name="tip_count_not_negative"),
                    models.CheckConstraint(
                        condition=models.Q(("approved_by_id", models.F("by_id")), _negated=True),
                        name="tip_count_signed_by_another",
                    ),
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="tipcount",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="7ae390828d66fcea937c26dd8912bbfa79b3a140",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_4445e",
                    table="tables_tipcount",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="tippayroll",
            constraint=models.UniqueConstraint(fields=("day", "number"), name="tip_payroll_numbered_once_per_day"),
        ),
        migrations.AddConstraint(
            model_name="tippayroll",
            constraint=models.CheckConstraint(condition=models.Q(("cents__gt", 0)), name="tip_payroll_of_something"),
        ),
        migrations.AddConstraint(
            model_name="tippayroll",
            constraint=models.CheckConstraint(
                condition=models.Q(("approved_by_id", models.F("by_id")), _negated=True),
                name="tip_payroll_signed_by_another",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="tippayroll",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="c7c3cf0b14461a1a10fa9059141bdbefe6b2530b",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_416a3",
                    table="tables_tippayroll",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="tipshare",
            constraint=models.UniqueConstraint(fields=("payroll", "dealer_id"), name="tip_share_once_per_dealer"),
        ),
        migrations.AddConstraint(
            model_name="tipshare",
            constraint=models.CheckConstraint(condition=models.Q(("cents__gte", 0)), name="tip_share_not_negative"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="tipshare",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="0684376ef6b464bcb686c47983a2a06bfb995b69",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_204b9",
                    table="tables_tipshare",
                    when="BEFORE",
                ),
            ),
        ),
    ]
