"""Promotions: funds, their periods, the hands that were shown, and what was won. New tables."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("people", "0010_tokens_of_what_is_gone"),
        ("rooms", "0003_days_in_the_log"),
        ("tables", "0016_free_of"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Fund",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(max_length=40)),
                ("version", models.PositiveBigIntegerField(default=0)),
                ("carried_cents", models.PositiveBigIntegerField(default=0)),
                ("made_at", models.DateTimeField()),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.CreateModel(
            name="Period",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "status",
                    models.CharField(
                        choices=[("open", "Open"), ("won", "Won"), ("unwon", "Unwon"), ("called_off", "Called Off")],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("begins_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("amount_cents", models.PositiveBigIntegerField()),
                ("carried_cents", models.PositiveBigIntegerField(default=0)),
                ("reserved_cents", models.PositiveBigIntegerField()),
                ("rule_book_version_id", models.BigIntegerField()),
                ("opened_at", models.DateTimeField()),
                ("opened_by_id", models.BigIntegerField()),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[("mistake", "Mistake"), ("no_games", "No Games"), ("trouble", "Trouble")],
                        max_length=20,
                    ),
                ),
                (
                    "approved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "fund",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="periods", to="promotions.fund"
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat_number", models.PositiveSmallIntegerField()),
                ("variant", models.CharField(max_length=30)),
                ("cards", models.CharField(max_length=40)),
                ("board", models.CharField(blank=True, max_length=40)),
                ("five", models.CharField(max_length=20)),
                ("made", models.CharField(max_length=20)),
                ("ranks", models.JSONField()),
                ("shown_at", models.DateTimeField()),
                ("entered_at", models.DateTimeField()),
                ("taken_back_at", models.DateTimeField(null=True)),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[("cards", "Cards"), ("player", "Player"), ("does_not_count", "Does Not Count")],
                        max_length=20,
                    ),
                ),
                (
                    "entered_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "hand",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tables.hand",
                    ),
                ),
                ("player", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="people.player")),
                ("table", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="tables.table")),
                (
                    "taken_back_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "period",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="entries", to="promotions.period"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Prize",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("cents", models.PositiveBigIntegerField()),
                ("slip_id", models.BigIntegerField(null=True)),
                ("paid_at", models.DateTimeField(null=True)),
                ("entry", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, to="promotions.entry")),
                ("player", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="people.player")),
            ],
        ),
        migrations.AddConstraint(
            model_name="fund",
            constraint=models.UniqueConstraint(fields=("room", "code"), name="fund_one_of_a_code"),
        ),
        migrations.AddIndex(
            model_name="period",
            index=models.Index(fields=["fund", "begins_at"], name="period_of_a_fund"),
        ),
        migrations.AddConstraint(
            model_name="period",
            constraint=models.CheckConstraint(
                condition=models.Q(("ends_at__gt", models.F("begins_at"))), name="period_ends_after_it_begins"
            ),
        ),
        migrations.AddConstraint(
            model_name="period",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("decided_at__isnull", True), ("reserved_cents", models.F("amount_cents")), ("status", "open")
                    ),
                    models.Q(
                        models.Q(("status", "open"), _negated=True),
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
        migrations.AddConstraint(
            model_name="period",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "called_off"), _negated=True),
                    models.Q(("reason", ""), _negated=True),
                    _connector="OR",
                ),
                name="period_called_off_with_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("taken_back_at__isnull", True)),
                fields=("period", "player", "cards", "board"),
                name="entry_stands_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("taken_back_at__isnull", True),
                    models.Q(("taken_back_by__isnull", False), models.Q(("reason", ""), _negated=True)),
                    _connector="OR",
                ),
                name="entry_taken_back_with_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="prize",
            constraint=models.CheckConstraint(condition=models.Q(("cents__gt", 0)), name="prize_is_something"),
        ),
        migrations.AddConstraint(
            model_name="prize",
            constraint=models.CheckConstraint(
                condition=models.Q(("paid_at__isnull", True), ("slip_id__isnull", False), _connector="OR"),
                name="prize_paid_by_a_slip",
            ),
        ),
    ]
