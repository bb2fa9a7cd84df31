"""
Racks: chips brought to a table, checks of what lies there, and what a push asked about it. Two new tables, a column that may
be empty, which rewrites nothing, and two more kinds of to-do, which change no column.
"""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0003_days_in_the_log"),
        ("tables", "0017_place_of_box_differences"),
    ]

    operations = [
        migrations.AddField(
            model_name="down",
            name="counts_rack",
            field=models.BooleanField(null=True),
        ),
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
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="RackFill",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("by_id", models.BigIntegerField()),
                ("approved_by_id", models.BigIntegerField()),
                ("pieces", models.JSONField()),
                ("cents", models.BigIntegerField()),
                ("transfer_id", models.BigIntegerField()),
                ("day", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday")),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="rack_fills", to="tables.table"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RackCheck",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("opening", "Opening"),
                            ("push", "Push"),
                            ("unannounced", "Unannounced"),
                            ("floor", "Floor"),
                            ("closing", "Closing"),
                        ],
                        max_length=12,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("by_id", models.BigIntegerField(null=True)),
                ("approved_by_id", models.BigIntegerField(null=True)),
                ("dealer_id", models.BigIntegerField(null=True)),
                ("pieces", models.JSONField(null=True)),
                ("cents", models.BigIntegerField(null=True)),
                ("expected_cents", models.BigIntegerField()),
                ("place", models.BigIntegerField()),
                ("transfer_id", models.BigIntegerField(null=True)),
                ("day", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday")),
                (
                    "down",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rack_checks",
                        to="tables.down",
                    ),
                ),
                (
                    "first_down",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.down",
                    ),
                ),
                (
                    "last_down",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.down",
                    ),
                ),
                (
                    "opening",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.opening"
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="rack_checks", to="tables.table"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["room", "day", "table", "id"], name="rack_check_of_day")],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "number"), name="rack_check_numbered_once_per_table"),
                    models.CheckConstraint(
                        condition=models.Q(("cents__gte", 0), ("cents__isnull", True), _connector="OR"),
                        name="rack_check_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("cents__isnull", True), ("pieces__isnull", True), ("transfer_id__isnull", True)),
                            models.Q(("cents__isnull", False), ("pieces__isnull", False)),
                            _connector="OR",
                        ),
                        name="rack_check_moves_what_was_counted",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "closing"), _negated=True),
                            models.Q(("approved_by_id__isnull", False), ("cents__isnull", False)),
                            _connector="OR",
                        ),
                        name="rack_check_closing_counted_by_two",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("approved_by_id__isnull", True),
                            models.Q(("approved_by_id", models.F("by_id")), _negated=True),
                            _connector="OR",
                        ),
                        name="rack_check_signed_by_another",
                    ),
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rackcheck",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="260415c146210211afe22c8e33704a77add61840",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_b312e",
                    table="tables_rackcheck",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="rackfill",
            constraint=models.UniqueConstraint(fields=("table", "number"), name="rack_fill_numbered_once_per_table"),
        ),
        migrations.AddConstraint(
            model_name="rackfill",
            constraint=models.CheckConstraint(condition=models.Q(("cents__gt", 0)), name="rack_fill_brings_something"),
        ),
        migrations.AddConstraint(
            model_name="rackfill",
            constraint=models.CheckConstraint(
                condition=models.Q(("approved_by_id", models.F("by_id")), _negated=True),
                name="rack_fill_signed_by_another",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rackfill",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="1845af188b2fbdfa33e7827fb5e506857f801061",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_3b601",
                    table="tables_rackfill",
                    when="BEFORE",
                ),
            ),
        ),
    ]
