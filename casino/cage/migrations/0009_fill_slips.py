"""Fills and credits go their way as slips, numbered by the vault's row. New tables, and nothing else."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0008_floats_by_pieces"),
        ("rooms", "0003_days_in_the_log"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Vault",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("fills_issued", models.PositiveIntegerField(default=0)),
                ("room", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.CreateModel(
            name="FillSlip",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("kind", models.CharField(choices=[("fill", "Fill"), ("credit", "Credit")], max_length=10)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("requested", "Requested"),
                            ("authorised", "Authorised"),
                            ("delivered", "Delivered"),
                            ("verified", "Verified"),
                            ("refused", "Refused"),
                            ("returned", "Returned"),
                        ],
                        default="requested",
                        max_length=10,
                    ),
                ),
                ("place_kind", models.CharField(max_length=20)),
                ("place_id", models.BigIntegerField()),
                ("place_number", models.PositiveIntegerField()),
                ("version", models.PositiveBigIntegerField(default=1)),
                ("prints", models.PositiveIntegerField(default=0)),
                ("requested_at", models.DateTimeField()),
                ("wished_cash", models.JSONField()),
                ("wished_chips", models.JSONField()),
                ("wished_cash_cents", models.BigIntegerField()),
                ("wished_chips_cents", models.BigIntegerField()),
                ("authorised_at", models.DateTimeField(null=True)),
                ("sent_at", models.DateTimeField(null=True)),
                ("sent_cash", models.JSONField(null=True)),
                ("sent_chips", models.JSONField(null=True)),
                ("sent_cash_cents", models.BigIntegerField(null=True)),
                ("sent_chips_cents", models.BigIntegerField(null=True)),
                ("sent_transfer_id", models.BigIntegerField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("not_needed", "Not Needed"),
                            ("wrong_amount", "Wrong Amount"),
                            ("wrong_place", "Wrong Place"),
                            ("not_there", "Not There"),
                            ("closed", "Closed"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                ("got_cash", models.JSONField(null=True)),
                ("got_chips", models.JSONField(null=True)),
                ("got_cash_cents", models.BigIntegerField(null=True)),
                ("got_chips_cents", models.BigIntegerField(null=True)),
                ("got_transfer_id", models.BigIntegerField(null=True)),
                ("unjudged", models.BooleanField(default=False)),
                ("judged_at", models.DateTimeField(null=True)),
                (
                    "authorised_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("day", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday")),
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
                    "ended_with",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "judged_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "requested_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                (
                    "runner",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sent_by",
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
                        condition=models.Q(
                            ("status__in", ["requested", "authorised", "delivered"]),
                            ("unjudged", True),
                            _connector="OR",
                        ),
                        fields=["room", "number"],
                        name="fill_under_way",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("room", "number"), name="fill_numbered_once_per_room"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("wished_cash_cents__gte", 0),
                            ("wished_chips_cents__gte", 0),
                            models.Q(("wished_cash_cents__gt", 0), ("wished_chips_cents__gt", 0), _connector="OR"),
                        ),
                        name="fill_asks_for_something",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("authorised_at__isnull", True),
                                ("authorised_by__isnull", True),
                                ("status__in", ["requested", "refused"]),
                            ),
                            models.Q(
                                ("authorised_at__isnull", False),
                                ("authorised_by__isnull", False),
                                models.Q(("status", "requested"), _negated=True),
                                models.Q(("authorised_by", models.F("requested_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="fill_authorised_by_another",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("sent_transfer_id__isnull", True),
                                ("status__in", ["requested", "authorised", "refused"]),
                            ),
                            models.Q(
                                ("runner__isnull", False),
                                ("sent_at__isnull", False),
                                ("sent_by__isnull", False),
                                ("sent_cash_cents__gte", 0),
                                ("sent_chips_cents__gte", 0),
                                ("sent_transfer_id__isnull", False),
                                ("status__in", ["delivered", "verified", "returned"]),
                                models.Q(("runner", models.F("sent_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="fill_is_signed_for_by_its_runner",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("got_transfer_id__isnull", True),
                                ("status__in", ["requested", "authorised", "delivered", "refused"]),
                            ),
                            models.Q(
                                ("ended_by__isnull", False),
                                ("ended_with__isnull", False),
                                ("got_cash_cents__gte", 0),
                                ("got_chips_cents__gte", 0),
                                ("got_transfer_id__isnull", False),
                                ("status__in", ["verified", "returned"]),
                                models.Q(("ended_by", models.F("ended_with")), _negated=True),
                                models.Q(("ended_by", models.F("sent_by")), _negated=True),
                                models.Q(("ended_by", models.F("runner")), _negated=True),
                                models.Q(("ended_with", models.F("runner")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="fill_counted_by_two_others",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("ended_by__isnull", False),
                                ("status__in", ["refused", "returned"]),
                                models.Q(("reason", ""), _negated=True),
                            ),
                            models.Q(models.Q(("status__in", ["refused", "returned"]), _negated=True), ("reason", "")),
                            _connector="OR",
                        ),
                        name="fill_refused_or_returned_for_a_reason",
                    ),
                ],
            },
        ),
    ]
