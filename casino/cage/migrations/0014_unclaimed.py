"""Chips and cash that somebody left behind: a table of its own, and nothing of what there is."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0013_carried_items"),
        ("people", "0010_tokens_of_what_is_gone"),
        ("rooms", "0003_days_in_the_log"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Unclaimed",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("what", models.CharField(choices=[("chips", "Chips"), ("cash", "Cash")], max_length=5)),
                ("amount_cents", models.BigIntegerField()),
                (
                    "where",
                    models.CharField(
                        choices=[("table", "Table"), ("floor", "Floor"), ("cage", "Cage"), ("elsewhere", "Elsewhere")],
                        max_length=10,
                    ),
                ),
                ("table_number", models.PositiveIntegerField(null=True)),
                ("seat_number", models.PositiveIntegerField(null=True)),
                ("found_at", models.DateTimeField()),
                ("taken_in_at", models.DateTimeField()),
                ("transfer_id", models.BigIntegerField()),
                (
                    "ended_as",
                    models.CharField(
                        blank=True, choices=[("claimed", "Claimed"), ("kept", "Kept")], default="", max_length=10
                    ),
                ),
                ("ended_at", models.DateTimeField(null=True)),
                ("end_transfer_id", models.BigIntegerField(null=True)),
                (
                    "approved_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "claimed_by",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="people.player"
                    ),
                ),
                (
                    "drawer",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="cage.drawer"),
                ),
                (
                    "end_approved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="people.player"
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                (
                    "taken_in_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("ended_as", "")), fields=["room", "number"], name="unclaimed_open")
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("room", "number"), name="unclaimed_numbered_once_per_room"),
                    models.CheckConstraint(condition=models.Q(("amount_cents__gt", 0)), name="unclaimed_is_something"),
                    models.CheckConstraint(
                        condition=models.Q(("approved_by", models.F("taken_in_by")), _negated=True),
                        name="unclaimed_taken_in_by_two",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("end_transfer_id__isnull", True), ("ended_as", ""), ("ended_at__isnull", True)),
                            models.Q(
                                ("end_approved_by__isnull", False),
                                ("end_transfer_id__isnull", False),
                                ("ended_at__gte", models.F("taken_in_at")),
                                ("ended_by__isnull", False),
                                models.Q(("ended_as", ""), _negated=True),
                                models.Q(("end_approved_by", models.F("ended_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="unclaimed_ended_by_two",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("claimed_by__isnull", False), ("ended_as", "claimed")),
                            models.Q(models.Q(("ended_as", "claimed"), _negated=True), ("claimed_by__isnull", True)),
                            _connector="OR",
                        ),
                        name="unclaimed_claimed_by_somebody",
                    ),
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="unclaimed",
            trigger=pgtrigger.compiler.Trigger(
                name="unclaimed_never_deleted",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="54494756dda078888381c157402531c2218b0a54",
                    operation="DELETE",
                    pgid="pgtrigger_unclaimed_never_deleted_c4d42",
                    table="cage_unclaimed",
                    when="BEFORE",
                ),
            ),
        ),
    ]
