"""Splash pots: when and where they fall, and the seed of a period. A new table, and two changes of a short one."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("promotions", "0001_funds_periods_and_hands"),
        ("rooms", "0003_days_in_the_log"),
        ("tables", "0016_free_of"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Splash",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("cents", models.PositiveBigIntegerField()),
                ("due_at", models.DateTimeField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("coming", "Coming"),
                            ("drawn", "Drawn"),
                            ("splashed", "Splashed"),
                            ("passed", "Passed"),
                            ("called_off", "Called Off"),
                        ],
                        default="coming",
                        max_length=10,
                    ),
                ),
                ("tables", models.JSONField(default=list)),
                ("drawn_at", models.DateTimeField(null=True)),
                ("done_at", models.DateTimeField(null=True)),
                ("done_by_id", models.BigIntegerField(null=True)),
                ("drawer_id", models.BigIntegerField(null=True)),
                ("transfer_id", models.BigIntegerField(null=True)),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[("no_tables", "No Tables"), ("table_broke", "Table Broke"), ("trouble", "Trouble")],
                        max_length=20,
                    ),
                ),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="period",
            name="period_decided_by_two",
        ),
        migrations.AddField(
            model_name="period",
            name="seed",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
        migrations.AlterField(
            model_name="period",
            name="status",
            field=models.CharField(
                choices=[
                    ("open", "Open"),
                    ("won", "Won"),
                    ("unwon", "Unwon"),
                    ("called_off", "Called Off"),
                    ("done", "Done"),
                ],
                default="open",
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="period",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("decided_at__isnull", True),
                        ("status", "open"),
                        models.Q(
                            ("reserved_cents", models.F("amount_cents")),
                            models.Q(
                                ("reserved_cents__lt", models.F("amount_cents")), models.Q(("seed", ""), _negated=True)
                            ),
                            _connector="OR",
                        ),
                    ),
                    models.Q(
                        ("decided_at__isnull", False),
                        ("reserved_cents", 0),
                        ("status", "done"),
                        models.Q(("seed", ""), _negated=True),
                    ),
                    models.Q(
                        models.Q(("status__in", ["open", "done"]), _negated=True),
                        ("approved_by__isnull", False),
                        ("decided_at__isnull", False),
                        ("decided_by__isnull", False),
                        ("reserved_cents", 0),
                        models.Q(("approved_by", models.F("decided_by")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="period_decided_by_two",
            ),
        ),
        migrations.AddField(
            model_name="splash",
            name="period",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="splashes", to="promotions.period"
            ),
        ),
        migrations.AddField(
            model_name="splash",
            name="table",
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to="tables.table"),
        ),
        migrations.AddIndex(
            model_name="splash",
            index=models.Index(condition=models.Q(("status", "coming")), fields=["due_at"], name="splash_to_come"),
        ),
        migrations.AddConstraint(
            model_name="splash",
            constraint=models.UniqueConstraint(fields=("period", "number"), name="splash_numbered_once_per_period"),
        ),
        migrations.AddConstraint(
            model_name="splash",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status__in", ["drawn", "splashed"]), _negated=True),
                    models.Q(("drawn_at__isnull", False), ("table__isnull", False)),
                    _connector="OR",
                ),
                name="splash_drawn_at_a_table",
            ),
        ),
        migrations.AddConstraint(
            model_name="splash",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "splashed"), _negated=True),
                    models.Q(("done_at__isnull", False), ("transfer_id__isnull", False)),
                    _connector="OR",
                ),
                name="splash_moves_chips",
            ),
        ),
        migrations.AddConstraint(
            model_name="splash",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "passed"), _negated=True),
                    models.Q(("reason", ""), _negated=True),
                    _connector="OR",
                ),
                name="splash_passed_with_a_reason",
            ),
        ),
    ]
