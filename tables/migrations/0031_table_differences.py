"""What is missing at tables and of tip boxes is posted as such. Counts of before posted none: a default, no rewrite."""

import django.db.models.deletion
import django.db.models.expressions
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0005_stages_are_final"),
        ("tables", "0030_tip_boxes_by_their_downs"),
    ]

    operations = [
        migrations.CreateModel(
            name="TableDifference",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("by_id", models.BigIntegerField()),
                ("counted_cents", models.BigIntegerField()),
                ("in_play_cents", models.BigIntegerField()),
                ("cents", models.BigIntegerField()),
                ("transfer_id", models.BigIntegerField()),
            ],
        ),
        migrations.AddField(
            model_name="tipcount",
            name="missing_cents",
            field=models.BigIntegerField(db_default=0, default=0),
        ),
        migrations.AddConstraint(
            model_name="tipcount",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("missing_cents", 0),
                    models.Q(
                        (
                            "missing_cents",
                            django.db.models.expressions.CombinedExpression(
                                models.F("noted_cents"), "-", models.F("cents")
                            ),
                        ),
                        ("missing_cents__gt", 0),
                    ),
                    _connector="OR",
                ),
                name="tip_count_misses_what_was_noted",
            ),
        ),
        migrations.AddField(
            model_name="tabledifference",
            name="counted",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.countedthrough"
            ),
        ),
        migrations.AddField(
            model_name="tabledifference",
            name="day",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday"),
        ),
        migrations.AddField(
            model_name="tabledifference",
            name="opening",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.opening"),
        ),
        migrations.AddField(
            model_name="tabledifference",
            name="room",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room"),
        ),
        migrations.AddField(
            model_name="tabledifference",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="differences", to="tables.table"
            ),
        ),
        migrations.AddConstraint(
            model_name="tabledifference",
            constraint=models.UniqueConstraint(
                fields=("table", "number"), name="table_difference_numbered_once_per_table"
            ),
        ),
        migrations.AddConstraint(
            model_name="tabledifference",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "cents",
                        django.db.models.expressions.CombinedExpression(
                            models.F("in_play_cents"), "-", models.F("counted_cents")
                        ),
                    ),
                    models.Q(("cents", 0), _negated=True),
                ),
                name="table_difference_is_what_was_not_counted",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="tabledifference",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="d4d66ed18fd48ee9a5220ecf2e0526d07ae65cc0",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_2f0bc",
                    table="tables_tabledifference",
                    when="BEFORE",
                ),
            ),
        ),
    ]
