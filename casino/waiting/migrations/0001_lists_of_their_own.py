"""
The lists become an app of their own: their rows were the tables', and stay as they are; only the tables' names change.

Locks `tables_waiting` and `tables_waitinglist` for the moment in which they are renamed.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("people", "0007_tokens_end"),
        ("rooms", "0002_floor_by_the_book"),
        ("tables", "0013_claims_are_kept_elsewhere"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="WaitingList",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("version", models.PositiveBigIntegerField(default=0)),
                        ("places_given", models.PositiveBigIntegerField(default=0)),
                        ("seats_opened", models.PositiveSmallIntegerField(null=True)),
                        ("measured_minutes", models.PositiveSmallIntegerField(null=True)),
                        ("measured_at", models.DateTimeField(null=True)),
                        (
                            "game",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="waiting_list",
                                to="tables.game",
                            ),
                        ),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                    ],
                    options={"db_table": "tables_waitinglist"},
                ),
                migrations.CreateModel(
                    name="Waiting",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("waiting", "Waiting"),
                                    ("called", "Called"),
                                    ("seated", "Seated"),
                                    ("struck", "Struck"),
                                    ("dropped", "Dropped"),
                                ],
                                default="waiting",
                                max_length=10,
                            ),
                        ),
                        ("place", models.BigIntegerField()),
                        ("joined_at", models.DateTimeField()),
                        ("joined_by_id", models.BigIntegerField(null=True)),
                        ("check_in_by", models.DateTimeField(null=True)),
                        ("missed_calls", models.PositiveSmallIntegerField(default=0)),
                        ("seat_number", models.PositiveSmallIntegerField(null=True)),
                        ("seat_opened_at", models.DateTimeField(null=True)),
                        ("called_at", models.DateTimeField(null=True)),
                        ("called_by_id", models.BigIntegerField(null=True)),
                        ("call_expires_at", models.DateTimeField(null=True)),
                        ("on_the_way_at", models.DateTimeField(null=True)),
                        ("asks_more_at", models.DateTimeField(null=True)),
                        ("is_more_refused", models.BooleanField(default=False)),
                        ("fetches_chips_until", models.DateTimeField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                        ("ended_by_id", models.BigIntegerField(null=True)),
                        ("ended_why", models.CharField(blank=True, max_length=20)),
                        ("version", models.PositiveIntegerField(default=1)),
                        ("player", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="people.player")),
                        (
                            "right_from",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.PROTECT, to="tables.opening"
                            ),
                        ),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                        (
                            "table",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.PROTECT, to="tables.table"
                            ),
                        ),
                        (
                            "waiting_list",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to="waiting.waitinglist",
                            ),
                        ),
                    ],
                    options={"db_table": "tables_waiting"},
                ),
                migrations.AddConstraint(
                    model_name="waitinglist",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("measured_at__isnull", True),
                                ("measured_minutes__isnull", True),
                                ("seats_opened__isnull", True),
                            ),
                            models.Q(
                                ("measured_at__isnull", False),
                                ("measured_minutes__isnull", False),
                                ("seats_opened__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="waiting_list_measure_is_whole",
                    ),
                ),
                migrations.AddIndex(
                    model_name="waiting",
                    index=models.Index(
                        condition=models.Q(("status__in", ["waiting", "called"])),
                        fields=["waiting_list", "place", "id"],
                        name="waiting_in_order",
                    ),
                ),
                migrations.AddIndex(
                    model_name="waiting",
                    index=models.Index(
                        condition=models.Q(("status", "called")), fields=["call_expires_at"], name="waiting_calls_due"
                    ),
                ),
                migrations.AddConstraint(
                    model_name="waiting",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("status__in", ["waiting", "called"])),
                        fields=("waiting_list", "player"),
                        name="waiting_once_per_list",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="waiting",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("status", "called")),
                        fields=("table", "seat_number"),
                        name="waiting_one_player_per_promised_seat",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="waiting",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("status", "called")),
                        fields=("player",),
                        name="waiting_nobody_is_called_to_two_seats",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="waiting",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "called"), _negated=True),
                            models.Q(
                                ("call_expires_at__isnull", False),
                                ("called_at__isnull", False),
                                ("seat_number__isnull", False),
                                ("table__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="waiting_a_call_is_to_a_seat_and_ends",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="waiting",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at__isnull", True), ("status__in", ["waiting", "called"])),
                            models.Q(("ended_at__isnull", False), ("status__in", ["seated", "struck", "dropped"])),
                            _connector="OR",
                        ),
                        name="waiting_ends_once",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="waiting",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            ("ended_at__isnull", True), ("ended_at__gte", models.F("joined_at")), _connector="OR"
                        ),
                        name="waiting_ends_after_it_starts",
                    ),
                ),
            ],
        ),
        migrations.AlterModelTable(name="waitinglist", table=None),
        migrations.AlterModelTable(name="waiting", table=None),
    ]
