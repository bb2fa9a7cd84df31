"""Vouchers: a table of its own. Slips know one more means of payment, which changes no row and no column."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0011_signed_papers"),
        ("rooms", "0003_days_in_the_log"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="slip",
            name="method",
            field=models.CharField(
                choices=[
                    ("cash", "Cash"),
                    ("card", "Card"),
                    ("deposit", "Deposit"),
                    ("voucher", "Voucher"),
                    ("chips", "Chips"),
                ],
                max_length=10,
                null=True,
            ),
        ),
        migrations.CreateModel(
            name="Voucher",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("check_letters", models.CharField(max_length=4)),
                ("amount_cents", models.BigIntegerField()),
                (
                    "origin",
                    models.CharField(
                        choices=[("promotion", "Promotion"), ("marketing", "Marketing"), ("made_good", "Made Good")],
                        max_length=10,
                    ),
                ),
                ("last_date", models.DateField()),
                ("issued_at", models.DateTimeField()),
                ("transfer_id", models.BigIntegerField()),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "ended_as",
                    models.CharField(
                        blank=True, choices=[("over", "Over"), ("void", "Void")], default="", max_length=10
                    ),
                ),
                (
                    "void_reason",
                    models.CharField(
                        blank=True,
                        choices=[("lost", "Lost"), ("mistake", "Mistake"), ("misused", "Misused")],
                        default="",
                        max_length=10,
                    ),
                ),
                ("end_transfer_id", models.BigIntegerField(null=True)),
                (
                    "approved_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
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
                    "issued_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                (
                    "taken_with",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="voucher", to="cage.slip"
                    ),
                ),
                (
                    "void_approved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("ended_as", ""), ("taken_with", None)),
                        fields=["room", "last_date"],
                        name="voucher_open",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("room", "number"), name="voucher_numbered_once_per_room"),
                    models.CheckConstraint(
                        condition=models.Q(("amount_cents__gt", 0)), name="voucher_is_over_something"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("approved_by", models.F("issued_by")), _negated=True),
                        name="voucher_issued_by_two",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("end_transfer_id__isnull", True), ("ended_as", ""), ("ended_at__isnull", True)),
                            models.Q(
                                ("end_transfer_id__isnull", False),
                                ("ended_at__gte", models.F("issued_at")),
                                ("taken_with__isnull", True),
                                models.Q(("ended_as", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="voucher_taken_or_ended",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_as", "void"), _negated=True),
                            models.Q(
                                ("ended_by__isnull", False),
                                ("void_approved_by__isnull", False),
                                models.Q(("void_reason", ""), _negated=True),
                                models.Q(("void_approved_by", models.F("ended_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="voucher_voided_by_two",
                    ),
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="voucher",
            trigger=pgtrigger.compiler.Trigger(
                name="voucher_never_deleted",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="513abe7662885c037669d1d2aaf13bca32617fb6",
                    operation="DELETE",
                    pgid="pgtrigger_voucher_never_deleted_1e4e6",
                    table="cage_voucher",
                    when="BEFORE",
                ),
            ),
        ),
    ]
