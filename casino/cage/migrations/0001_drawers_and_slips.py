import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("people", "0001_staff_players_devices"),
        ("rooms", "0001_room_days_and_places"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Drawer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=40)),
                ("slips_issued", models.PositiveIntegerField(default=0)),
                ("version", models.PositiveBigIntegerField(default=1)),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.CreateModel(
            name="DrawerSession",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("float_cash_cents", models.BigIntegerField()),
                ("float_chips_cents", models.BigIntegerField()),
                ("opened_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "closed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("day", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday")),
                ("drawer", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="cage.drawer")),
                (
                    "opened_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DrawerCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("counted_at", models.DateTimeField()),
                ("cash_cents", models.BigIntegerField()),
                ("chips_cents", models.BigIntegerField()),
                ("card_slips_cents", models.BigIntegerField()),
                ("expected_cash_cents", models.BigIntegerField()),
                ("expected_chips_cents", models.BigIntegerField()),
                ("expected_card_slips_cents", models.BigIntegerField()),
                (
                    "counted_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("session", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="cage.drawersession")),
            ],
        ),
        migrations.CreateModel(
            name="Slip",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("buy_in", "Buy In"),
                            ("cash_out", "Cash Out"),
                            ("deposit", "Deposit"),
                            ("withdrawal", "Withdrawal"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("requested", "Requested"),
                            ("cancelled", "Cancelled"),
                            ("paid", "Paid"),
                            ("void", "Void"),
                        ],
                        default="requested",
                        max_length=10,
                    ),
                ),
                ("amount_cents", models.BigIntegerField()),
                (
                    "method",
                    models.CharField(
                        choices=[("cash", "Cash"), ("card", "Card"), ("deposit", "Deposit")], max_length=10, null=True
                    ),
                ),
                ("destination", models.CharField(default="hands", max_length=20)),
                ("about", models.JSONField(default=dict)),
                ("version", models.PositiveBigIntegerField(default=1)),
                ("requested_at", models.DateTimeField()),
                ("cancelled_at", models.DateTimeField(null=True)),
                ("number", models.PositiveIntegerField(null=True)),
                ("paid_at", models.DateTimeField(null=True)),
                ("transfer_id", models.BigIntegerField(null=True)),
                ("prints", models.PositiveIntegerField(default=0)),
                ("voided_at", models.DateTimeField(null=True)),
                (
                    "void_reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("wrong_amount", "Wrong Amount"),
                            ("wrong_player", "Wrong Player"),
                            ("wrong_method", "Wrong Method"),
                            ("card_declined", "Card Declined"),
                            ("not_handed_over", "Not Handed Over"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                ("void_transfer_id", models.BigIntegerField(null=True)),
                (
                    "cancelled_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("drawer", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to="cage.drawer")),
                (
                    "paid_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to="people.player"),
                ),
                (
                    "requested_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                (
                    "session",
                    models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to="cage.drawersession"),
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
                (
                    "voided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="drawer",
            constraint=models.UniqueConstraint(fields=("room", "number"), name="drawer_numbered_once_per_room"),
        ),
        migrations.AddConstraint(
            model_name="drawer",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gte", 1)), name="drawer_numbers_start_at_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="drawersession",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at__isnull", True)),
                fields=("drawer",),
                name="drawer_session_one_open_per_drawer",
            ),
        ),
        migrations.AddConstraint(
            model_name="drawersession",
            constraint=models.CheckConstraint(
                condition=models.Q(("float_cash_cents__gte", 0), ("float_chips_cents__gte", 0)),
                name="drawer_session_float_not_negative",
            ),
        ),
        migrations.AddConstraint(
            model_name="drawersession",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("closed_at__isnull", True), ("closed_by__isnull", True)),
                    models.Q(("closed_at__gte", models.F("opened_at")), ("closed_by__isnull", False)),
                    _connector="OR",
                ),
                name="drawer_session_closes_after_it_opens",
            ),
        ),
        migrations.AddConstraint(
            model_name="drawercount",
            constraint=models.UniqueConstraint(
                fields=("session", "number"), name="drawer_count_numbered_once_per_session"
            ),
        ),
        migrations.AddConstraint(
            model_name="drawercount",
            constraint=models.CheckConstraint(
                condition=models.Q(("card_slips_cents__gte", 0), ("cash_cents__gte", 0), ("chips_cents__gte", 0)),
                name="drawer_count_not_negative",
            ),
        ),
        migrations.AddIndex(
            model_name="slip",
            index=models.Index(
                condition=models.Q(("status", "requested")), fields=["room", "requested_at"], name="slip_waiting"
            ),
        ),
        migrations.AddIndex(
            model_name="slip",
            index=models.Index(fields=["session", "number"], name="slip_by_session"),
        ),
        migrations.AddIndex(
            model_name="slip",
            index=models.Index(fields=["player", "paid_at"], name="slip_by_player"),
        ),
        migrations.AddConstraint(
            model_name="slip",
            constraint=models.UniqueConstraint(fields=("drawer", "number"), name="slip_numbered_once_per_drawer"),
        ),
        migrations.AddConstraint(
            model_name="slip",
            constraint=models.CheckConstraint(
                condition=models.Q(("amount_cents__gt", 0)), name="slip_is_about_something"
            ),
        ),
        migrations.AddConstraint(
            model_name="slip",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("player__isnull", False),
                    models.Q(
                        ("destination", "hands"),
                        ("kind__in", ["buy_in", "cash_out"]),
                        models.Q(("method", "deposit"), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="slip_knows_whose_deposit_or_seat",
            ),
        ),
        migrations.AddConstraint(
            model_name="slip",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("number__isnull", True),
                        ("status__in", ["requested", "cancelled"]),
                        ("transfer_id__isnull", True),
                    ),
                    models.Q(
                        ("drawer__isnull", False),
                        ("method__isnull", False),
                        ("number__isnull", False),
                        ("paid_at__isnull", False),
                        ("paid_by__isnull", False),
                        ("session__isnull", False),
                        ("status__in", ["paid", "void"]),
                        ("transfer_id__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="slip_has_its_number_once_paid",
            ),
        ),
        migrations.AddConstraint(
            model_name="slip",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "void"), _negated=True),
                    models.Q(
                        ("void_transfer_id__isnull", False),
                        ("voided_at__isnull", False),
                        ("voided_by__isnull", False),
                        ("void_approved_by__isnull", False),
                        models.Q(("void_approved_by", models.F("voided_by")), _negated=True),
                        models.Q(("void_approved_by", models.F("paid_by")), _negated=True),
                        models.Q(("void_reason", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="slip_voided_by_two",
            ),
        ),
    ]
