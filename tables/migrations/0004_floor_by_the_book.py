"""
What the floor does by the book: lists and calls, absence, moves and closings, downs, incidents, disputed pots, time charges.

It is no transaction, so that nobody who writes players or sittings waits while they are read; broken off anywhere, it is
begun again where it stood.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

from casino.migrating import Together, WhileTapsWrite


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("people", "0003_floor_by_the_book"),
        ("rooms", "0002_floor_by_the_book"),
        ("tables", "0003_newest_hand_of_an_opening"),
    ]

    operations = [
        Together(
            [
                migrations.CreateModel(
                    name="DeckChange",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "colour",
                            models.CharField(
                                choices=[("red", "Red"), ("blue", "Blue"), ("green", "Green"), ("black", "Black")],
                                max_length=10,
                            ),
                        ),
                        ("set_number", models.PositiveSmallIntegerField(default=1)),
                        (
                            "why",
                            models.CharField(
                                choices=[("push", "Push"), ("fault", "Fault"), ("floor", "Floor")],
                                default="push",
                                max_length=10,
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("by_id", models.BigIntegerField(null=True)),
                        (
                            "opening",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.PROTECT, to="tables.opening"
                            ),
                        ),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="deck_changes",
                                to="tables.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["table", "-id"], name="deck_newest_of_table")],
                    },
                ),
                migrations.CreateModel(
                    name="DisputedPot",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("cents", models.PositiveBigIntegerField()),
                        ("transfer_id", models.BigIntegerField()),
                        ("set_aside_at", models.DateTimeField()),
                        ("set_aside_by_id", models.BigIntegerField(null=True)),
                        (
                            "how",
                            models.CharField(
                                blank=True, choices=[("paid", "Paid"), ("put_back", "Put Back")], max_length=10
                            ),
                        ),
                        ("resolved_at", models.DateTimeField(null=True)),
                        ("resolved_by_id", models.BigIntegerField(null=True)),
                        ("day", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday")),
                        (
                            "hand",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="disputed_pots",
                                to="tables.hand",
                            ),
                        ),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="disputed_pots",
                                to="tables.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("resolved_at__isnull", True)),
                                fields=["room", "id"],
                                name="disputed_pots_open",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("resolved_at__isnull", True)),
                                fields=("hand",),
                                name="disputed_pot_set_aside_once_per_hand",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("cents__gt", 0)), name="disputed_pot_holds_chips"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("how", ""), ("resolved_at__isnull", True)),
                                    models.Q(("resolved_at__isnull", False), models.Q(("how", ""), _negated=True)),
                                    _connector="OR",
                                ),
                                name="disputed_pot_is_resolved_somehow",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Down",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("dealer_id", models.BigIntegerField()),
                        ("how", models.CharField(choices=[("pin", "Pin"), ("floor", "Floor")], max_length=5)),
                        ("began_at", models.DateTimeField()),
                        ("began_by_id", models.BigIntegerField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                        ("ended_by_id", models.BigIntegerField(null=True)),
                        (
                            "day",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday"
                            ),
                        ),
                        (
                            "opening",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.PROTECT, to="tables.opening"
                            ),
                        ),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="downs", to="tables.table"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["room", "began_at"], name="down_by_time")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at__isnull", True)),
                                fields=("table",),
                                name="down_one_dealer_per_table",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at__isnull", True)),
                                fields=("room", "dealer_id"),
                                name="down_one_table_per_dealer",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("ended_at__isnull", True), ("ended_at__gte", models.F("began_at")), _connector="OR"
                                ),
                                name="down_ends_after_it_begins",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Incident",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("ruling", "Ruling"),
                                    ("warning", "Warning"),
                                    ("penalty", "Penalty"),
                                    ("inspected", "Hand Inspected"),
                                    ("returned", "Gain Returned"),
                                    ("passed", "Chips Passed"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("clause", models.CharField(blank=True, max_length=12)),
                        ("cents", models.PositiveBigIntegerField(null=True)),
                        ("at", models.DateTimeField()),
                        ("by_id", models.BigIntegerField()),
                        ("ends_at", models.DateTimeField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                        ("ended_by_id", models.BigIntegerField(null=True)),
                        (
                            "day",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday"
                            ),
                        ),
                        (
                            "hand",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="incidents",
                                to="tables.hand",
                            ),
                        ),
                        (
                            "note",
                            models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to="people.note"),
                        ),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                        (
                            "table",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="incidents",
                                to="tables.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["room", "-id"], name="incident_newest"),
                            models.Index(
                                condition=models.Q(("ended_at__isnull", True), ("ends_at__isnull", False)),
                                fields=["room", "ends_at"],
                                name="incident_penalties_running",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("ends_at__isnull", False), ("kind", "penalty")),
                                    models.Q(models.Q(("kind", "penalty"), _negated=True), ("ends_at__isnull", True)),
                                    _connector="OR",
                                ),
                                name="incident_a_penalty_alone_has_an_end",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("ended_at__isnull", True), ("ends_at__isnull", False), _connector="OR"
                                ),
                                name="incident_ends_where_it_runs",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PlayerClock",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("called_at", models.DateTimeField()),
                        ("called_by_id", models.BigIntegerField(null=True)),
                        ("ends_at", models.DateTimeField()),
                        ("ended_at", models.DateTimeField(null=True)),
                        ("ended_by_id", models.BigIntegerField(null=True)),
                        (
                            "how",
                            models.CharField(
                                blank=True,
                                choices=[("acted", "Acted"), ("ran_out", "Ran Out"), ("taken_back", "Taken Back")],
                                max_length=10,
                            ),
                        ),
                        (
                            "hand",
                            models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to="tables.hand"),
                        ),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                        (
                            "seating",
                            models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="tables.seating"),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="clocks", to="tables.table"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at__isnull", True)),
                                fields=("table",),
                                name="player_clock_one_at_a_time_per_table",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("ended_at__isnull", True),
                                    ("ended_at__gte", models.F("called_at")),
                                    _connector="OR",
                                ),
                                name="player_clock_ends_after_it_starts",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SeatDraw",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("commitment", models.CharField(max_length=64)),
                        ("seed", models.CharField(max_length=64)),
                        (
                            "seats",
                            django.contrib.postgres.fields.ArrayField(
                                base_field=models.PositiveSmallIntegerField(), size=None
                            ),
                        ),
                        ("prepared_at", models.DateTimeField()),
                        ("drawn_at", models.DateTimeField(null=True)),
                        ("cards", models.JSONField(null=True)),
                        (
                            "order",
                            django.contrib.postgres.fields.ArrayField(
                                base_field=models.PositiveSmallIntegerField(), default=list, size=None
                            ),
                        ),
                        (
                            "opening",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="seat_draws",
                                to="tables.opening",
                            ),
                        ),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("drawn_at__isnull", True)),
                                fields=("opening",),
                                name="seat_draw_one_prepared_at_a_time",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("drawn_at__isnull", True), ("cards__isnull", False), _connector="OR"
                                ),
                                name="seat_draw_shows_its_cards",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TableChange",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("asked_at", models.DateTimeField()),
                        ("asked_by_id", models.BigIntegerField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                        ("ended_by_id", models.BigIntegerField(null=True)),
                        ("ended_why", models.CharField(blank=True, max_length=20)),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                        (
                            "seating",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="table_changes",
                                to="tables.seating",
                            ),
                        ),
                        (
                            "to_table",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.PROTECT, to="tables.table"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("ended_at__isnull", True)),
                                fields=["room", "asked_at"],
                                name="table_change_open",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at__isnull", True)),
                                fields=("seating",),
                                name="table_change_asked_once_per_seating",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("ended_at__isnull", True), ("ended_at__gte", models.F("asked_at")), _connector="OR"
                                ),
                                name="table_change_ends_after_it_was_asked",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TimeTaken",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("rule_book_version_id", models.BigIntegerField()),
                        ("number", models.PositiveIntegerField()),
                        ("began_at", models.DateTimeField()),
                        ("charge", models.JSONField()),
                        ("is_let_go", models.BooleanField(default=False)),
                        ("due_cents", models.PositiveBigIntegerField(default=0)),
                        ("paid_cents", models.PositiveBigIntegerField(default=0)),
                        ("taken_at", models.DateTimeField()),
                        ("taken_by_id", models.BigIntegerField(null=True)),
                        ("taken_back_at", models.DateTimeField(null=True)),
                        ("taken_back_by_id", models.BigIntegerField(null=True)),
                        ("transfer_id", models.BigIntegerField(null=True)),
                        ("day", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday")),
                        (
                            "opening",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="times", to="tables.opening"
                            ),
                        ),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                        ("table", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="tables.table")),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("taken_back_at__isnull", True)),
                                fields=("opening", "number"),
                                name="time_taken_once_per_period",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("is_let_go", False), ("paid_cents", 0), _connector="OR"),
                                name="time_taken_nobody_pays_what_is_let_go",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("taken_back_at__isnull", True),
                                    ("taken_back_at__gte", models.F("taken_at")),
                                    _connector="OR",
                                ),
                                name="time_taken_back_after_it_was_taken",
                            ),
                        ],
                    },
                ),
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
                    options={
                        "constraints": [
                            models.CheckConstraint(
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
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DisputedShare",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("cents", models.PositiveBigIntegerField()),
                        ("player", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="people.player")),
                        (
                            "pot",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="shares",
                                to="tables.disputedpot",
                            ),
                        ),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                        (
                            "seating",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.PROTECT, to="tables.seating"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("pot", "player"), name="disputed_share_one_per_player"),
                            models.CheckConstraint(
                                condition=models.Q(("cents__gt", 0)), name="disputed_share_pays_something"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="IncidentPlayer",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seat_number", models.PositiveSmallIntegerField(null=True)),
                        (
                            "incident",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="players",
                                to="tables.incident",
                            ),
                        ),
                        ("player", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="people.player")),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("incident", "player"), name="incident_names_a_player_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TimeShare",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seat_number", models.PositiveSmallIntegerField()),
                        ("was_away", models.BooleanField(default=False)),
                        ("due_cents", models.PositiveBigIntegerField(default=0)),
                        ("paid_cents", models.PositiveBigIntegerField(default=0)),
                        ("player", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="people.player")),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                        (
                            "time",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="shares",
                                to="tables.timetaken",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("time", "seat_number"), name="time_share_once_per_seat")
                        ],
                    },
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
                                to="tables.waitinglist",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status__in", ["waiting", "called"])),
                                fields=["waiting_list", "place", "id"],
                                name="waiting_in_order",
                            ),
                            models.Index(
                                condition=models.Q(("status", "called")),
                                fields=["call_expires_at"],
                                name="waiting_calls_due",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("status__in", ["waiting", "called"])),
                                fields=("waiting_list", "player"),
                                name="waiting_once_per_list",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("status", "called")),
                                fields=("table", "seat_number"),
                                name="waiting_one_player_per_promised_seat",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("status", "called")),
                                fields=("player",),
                                name="waiting_nobody_is_called_to_two_seats",
                            ),
                            models.CheckConstraint(
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
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("ended_at__isnull", True), ("status__in", ["waiting", "called"])),
                                    models.Q(
                                        ("ended_at__isnull", False), ("status__in", ["seated", "struck", "dropped"])
                                    ),
                                    _connector="OR",
                                ),
                                name="waiting_ends_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("ended_at__isnull", True),
                                    ("ended_at__gte", models.F("joined_at")),
                                    _connector="OR",
                                ),
                                name="waiting_ends_after_it_starts",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TableMove",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("why", models.CharField(max_length=20)),
                        ("chips_cents", models.PositiveBigIntegerField(default=0)),
                        ("moved_at", models.DateTimeField()),
                        ("moved_by_id", models.BigIntegerField(null=True)),
                        ("after_hand_id", models.BigIntegerField(null=True)),
                        ("taken_back_at", models.DateTimeField(null=True)),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                        (
                            "seating_from",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="moves_away",
                                to="tables.seating",
                            ),
                        ),
                        (
                            "seating_to",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="moved_from",
                                to="tables.seating",
                            ),
                        ),
                        (
                            "waiting",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.PROTECT, to="tables.waiting"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("taken_back_at__isnull", True)),
                                fields=("seating_from",),
                                name="table_move_once_from_a_seat",
                            )
                        ],
                    },
                ),
            ]
        ),
        WhileTapsWrite(
            [
                migrations.RemoveConstraint(
                    model_name="seating",
                    name="seating_one_player_per_seat",
                ),
                migrations.RemoveConstraint(
                    model_name="seating",
                    name="seating_one_seat_per_player",
                ),
                migrations.AddField(
                    model_name="game",
                    name="button",
                    field=models.CharField(default="rotates", max_length=20),
                ),
                migrations.AddField(
                    model_name="game",
                    name="family",
                    field=models.CharField(blank=True, default="", max_length=40),
                ),
                migrations.AddField(
                    model_name="game",
                    name="may_post_to_come_in",
                    field=models.BooleanField(default=True),
                ),
                migrations.AddField(
                    model_name="game",
                    name="may_two_go_on",
                    field=models.BooleanField(default=False),
                ),
                migrations.AddField(
                    model_name="game",
                    name="players_min",
                    field=models.PositiveSmallIntegerField(default=2),
                ),
                migrations.AddField(
                    model_name="game",
                    name="straddle",
                    field=models.CharField(default="off", max_length=20),
                ),
                migrations.AddField(
                    model_name="game",
                    name="time_charge",
                    field=models.JSONField(null=True),
                ),
                migrations.AddField(
                    model_name="opening",
                    name="continues",
                    field=models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="continued_by",
                        to="tables.opening",
                    ),
                ),
                migrations.AddField(
                    model_name="opening",
                    name="feeds",
                    field=models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="fed_by",
                        to="tables.opening",
                    ),
                ),
                migrations.AddField(
                    model_name="opening",
                    name="last_hand_number",
                    field=models.PositiveBigIntegerField(null=True),
                ),
                migrations.AddField(
                    model_name="seating",
                    name="away_limit_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="seating",
                    name="away_since",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="seating",
                    name="barred_since",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="seating",
                    name="buttons_passed",
                    field=models.PositiveSmallIntegerField(default=0),
                ),
                migrations.AddField(
                    model_name="seating",
                    name="change_asked_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="seating",
                    name="change_to",
                    field=models.PositiveSmallIntegerField(null=True),
                ),
                migrations.AddField(
                    model_name="seating",
                    name="changed_from",
                    field=models.JSONField(null=True),
                ),
                migrations.AddField(
                    model_name="seating",
                    name="is_played_over",
                    field=models.BooleanField(default=False),
                ),
                migrations.AddField(
                    model_name="seating",
                    name="long_break_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="seating",
                    name="missed",
                    field=models.CharField(
                        blank=True,
                        choices=[("", "None"), ("small", "Small"), ("both", "Both")],
                        default="",
                        max_length=5,
                    ),
                ),
                migrations.AddField(
                    model_name="seating",
                    name="plays_until",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="seating",
                    name="right_from",
                    field=models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.opening"
                    ),
                ),
                migrations.AddField(
                    model_name="seating",
                    name="short_buy_in_cents",
                    field=models.PositiveBigIntegerField(default=0),
                ),
                migrations.AddField(
                    model_name="seating",
                    name="straddles",
                    field=models.BooleanField(default=False),
                ),
                migrations.AlterField(
                    model_name="seating",
                    name="entry",
                    field=models.CharField(
                        choices=[("in", "In"), ("waits", "Waits"), ("posts", "Posts"), ("straddles", "Straddles")],
                        max_length=10,
                    ),
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
                        ],
                        max_length=20,
                    ),
                ),
                migrations.AddConstraint(
                    model_name="game",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("rake__isnull", True), ("time_charge__isnull", True), _connector="OR"),
                        name="game_charges_in_one_way",
                        violation_error_message="L-P17",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="seating",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("is_played_over", False), ("left_at__isnull", True)),
                        fields=("table", "seat_number"),
                        name="seating_one_player_per_seat",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="seating",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("is_played_over", True), ("left_at__isnull", True)),
                        fields=("table", "seat_number"),
                        name="seating_one_absent_holder_per_seat",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="seating",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("left_at__isnull", True)),
                        fields=("player",),
                        name="seating_one_seat_per_person",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="seating",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("missed", ""), models.Q(("entry", "in"), _negated=True), _connector="OR"),
                        name="seating_missed_blinds_are_paid_or_waited_out",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="seating",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("away_since__isnull", True), ("is_held", True), _connector="OR"),
                        name="seating_away_is_held",
                    ),
                ),
            ]
        ),
    ]
