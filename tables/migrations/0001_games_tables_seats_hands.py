"""The first tables: games on offer, tables and their openings, seats, hands, to-dos. Locks nothing: all is new."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("people", "0001_staff_players_devices"),
        ("rooms", "0001_room_days_and_places"),
    ]

    operations = [
        migrations.CreateModel(
            name="Game",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60)),
                ("variant", models.CharField(max_length=30)),
                (
                    "structure",
                    models.CharField(
                        choices=[("no_limit", "No Limit"), ("pot_limit", "Pot Limit"), ("limit", "Limit")],
                        max_length=10,
                    ),
                ),
                ("small_blind_cents", models.PositiveBigIntegerField()),
                ("big_blind_cents", models.PositiveBigIntegerField()),
                ("buy_in_min_cents", models.PositiveBigIntegerField()),
                ("buy_in_max_cents", models.PositiveBigIntegerField(null=True)),
                ("seats", models.PositiveSmallIntegerField()),
                ("chip_cents", models.PositiveBigIntegerField(default=100)),
                ("rake", models.JSONField(null=True)),
                ("drop", models.JSONField(null=True)),
                ("is_offered", models.BooleanField(default=True)),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.CreateModel(
            name="Hand",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField()),
                ("hand_id", models.UUIDField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("dealt", "Dealt"),
                            ("settled", "Settled"),
                            ("not_logged", "Not Logged"),
                            ("void", "Void"),
                            ("undone", "Undone"),
                            ("corrected", "Corrected"),
                        ],
                        max_length=12,
                    ),
                ),
                ("dealer_id", models.BigIntegerField(null=True)),
                ("rule_book_version_id", models.BigIntegerField()),
                ("dealt_at", models.DateTimeField(null=True)),
                ("beyond_initial_deal_at", models.DateTimeField(null=True)),
                ("settled_at", models.DateTimeField(null=True)),
                ("button_seat", models.PositiveSmallIntegerField()),
                ("small_blind_seat", models.PositiveSmallIntegerField(null=True)),
                ("big_blind_seat", models.PositiveSmallIntegerField()),
                ("street", models.CharField(default="initial", max_length=10)),
                ("pot_cents", models.PositiveBigIntegerField(null=True)),
                ("pot_is_at_least", models.BooleanField(default=False)),
                ("rake_due_cents", models.PositiveBigIntegerField(default=0)),
                ("rake_taken_cents", models.PositiveBigIntegerField(default=0)),
                ("drop_due_cents", models.PositiveBigIntegerField(default=0)),
                ("drop_taken_cents", models.PositiveBigIntegerField(default=0)),
                ("transfer_id", models.BigIntegerField(null=True)),
                ("before", models.JSONField(default=dict)),
                ("ended_at", models.DateTimeField(null=True)),
                ("ended_by_id", models.BigIntegerField(null=True)),
                ("reason", models.CharField(blank=True, max_length=40)),
                (
                    "corrects",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="corrections",
                        to="tables.hand",
                    ),
                ),
                ("day", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday")),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.CreateModel(
            name="HandPot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("index", models.PositiveSmallIntegerField()),
                ("cents", models.PositiveBigIntegerField(null=True)),
                ("rake_cents", models.PositiveBigIntegerField(default=0)),
                ("drop_cents", models.PositiveBigIntegerField(default=0)),
                (
                    "winner_seats",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveSmallIntegerField(), default=list, size=None
                    ),
                ),
                (
                    "hand",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="pots", to="tables.hand"
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.CreateModel(
            name="HandSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat_number", models.PositiveSmallIntegerField()),
                ("post", models.CharField(blank=True, max_length=20)),
                ("live_cents", models.PositiveBigIntegerField(default=0)),
                ("dead_cents", models.PositiveBigIntegerField(default=0)),
                (
                    "hand",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="tables.hand"
                    ),
                ),
                ("player", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="people.player")),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.CreateModel(
            name="Opening",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rule_book_version_id", models.BigIntegerField()),
                ("opened_at", models.DateTimeField()),
                ("opened_by_id", models.BigIntegerField()),
                ("closed_at", models.DateTimeField(null=True)),
                ("closed_by_id", models.BigIntegerField(null=True)),
                ("draw", models.JSONField(null=True)),
                ("last", models.JSONField(null=True)),
                ("button_here", models.PositiveSmallIntegerField(null=True)),
                ("day", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday")),
                ("game", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="tables.game")),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.AddField(
            model_name="hand",
            name="opening",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="tables.opening"),
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("hand_number", models.PositiveBigIntegerField(default=0)),
                ("version", models.PositiveBigIntegerField(default=0)),
                (
                    "hand",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.hand"
                    ),
                ),
                (
                    "opening",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.opening"
                    ),
                ),
                ("place", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, to="rooms.place")),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.CreateModel(
            name="Seating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat_number", models.PositiveSmallIntegerField()),
                (
                    "entry",
                    models.CharField(choices=[("in", "In"), ("waits", "Waits"), ("posts", "Posts")], max_length=10),
                ),
                ("is_held", models.BooleanField(default=False)),
                ("chips_in_cents", models.PositiveBigIntegerField(default=0)),
                ("sat_down_at", models.DateTimeField()),
                ("seated_by_id", models.BigIntegerField(null=True)),
                ("left_at", models.DateTimeField(null=True)),
                ("left_stack_cents", models.PositiveBigIntegerField(null=True)),
                ("left_after_hand_id", models.BigIntegerField(null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                ("opening", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="tables.opening")),
                ("player", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="people.player")),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                ("table", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="tables.table")),
            ],
        ),
        migrations.AddField(
            model_name="opening",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="openings", to="tables.table"
            ),
        ),
        migrations.AddField(
            model_name="hand",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="hands", to="tables.table"
            ),
        ),
        migrations.CreateModel(
            name="BoxDifference",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rake_cents", models.BigIntegerField(default=0)),
                ("drop_cents", models.BigIntegerField(default=0)),
                ("reason", models.CharField(max_length=40)),
                ("at", models.DateTimeField()),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                ("hand", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="tables.hand")),
                ("table", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="tables.table")),
            ],
        ),
        migrations.CreateModel(
            name="ToDo",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("hand_differs", "Hand Differs"),
                            ("rake_differs", "Rake Differs"),
                            ("hand_not_logged", "Hand Not Logged"),
                            ("hand_abandoned", "Hand Abandoned"),
                            ("late_fact", "Late Fact"),
                        ],
                        max_length=20,
                    ),
                ),
                ("data", models.JSONField(default=dict)),
                ("raised_at", models.DateTimeField()),
                ("done_at", models.DateTimeField(null=True)),
                ("done_by_id", models.BigIntegerField(null=True)),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                ("table", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="tables.table")),
            ],
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_offered", True)), fields=("room", "name"), name="game_offered_once_per_room"
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(("seats__gte", 2), ("seats__lte", 12)),
                name="game_has_two_to_twelve_seats",
                violation_error_message="H2.2",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(("drop__isnull", True), ("seats__lte", 10), _connector="OR"),
                name="game_with_jackpot_has_ten_seats_at_most",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("big_blind_cents__gte", models.F("small_blind_cents")), ("small_blind_cents__gt", 0)
                ),
                name="game_big_blind_is_not_under_the_small",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("buy_in_max_cents__isnull", True),
                    ("buy_in_max_cents__gte", models.F("buy_in_min_cents")),
                    _connector="OR",
                ),
                name="game_buy_in_limits_leave_room",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(("buy_in_min_cents__gt", 0)),
                name="game_buy_in_minimum_is_something",
                violation_error_message="H2.14",
            ),
        ),
        migrations.AddConstraint(
            model_name="handpot",
            constraint=models.UniqueConstraint(fields=("hand", "index"), name="hand_pot_formed_once"),
        ),
        migrations.AddConstraint(
            model_name="handseat",
            constraint=models.UniqueConstraint(fields=("hand", "seat_number"), name="hand_seat_dealt_in_once"),
        ),
        migrations.AddConstraint(
            model_name="handseat",
            constraint=models.UniqueConstraint(fields=("hand", "player"), name="hand_seat_player_dealt_in_once"),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.UniqueConstraint(fields=("room", "number"), name="table_numbered_once_per_room"),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.CheckConstraint(
                condition=models.Q(("hand__isnull", True), ("opening__isnull", False), _connector="OR"),
                name="table_plays_hands_while_it_is_open",
            ),
        ),
        migrations.AddIndex(
            model_name="seating",
            index=models.Index(fields=["player", "left_at"], name="seating_by_player"),
        ),
        migrations.AddConstraint(
            model_name="seating",
            constraint=models.UniqueConstraint(
                condition=models.Q(("left_at__isnull", True)),
                fields=("table", "seat_number"),
                name="seating_one_player_per_seat",
            ),
        ),
        migrations.AddConstraint(
            model_name="seating",
            constraint=models.UniqueConstraint(
                condition=models.Q(("left_at__isnull", True)),
                fields=("table", "player"),
                name="seating_one_seat_per_player",
            ),
        ),
        migrations.AddConstraint(
            model_name="seating",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("left_at__isnull", True), ("left_at__gte", models.F("sat_down_at")), _connector="OR"
                ),
                name="seating_ends_after_it_starts",
            ),
        ),
        migrations.AddConstraint(
            model_name="seating",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("left_at__isnull", False),
                    models.Q(("left_after_hand_id__isnull", True), ("left_stack_cents__isnull", True)),
                    _connector="OR",
                ),
                name="seating_stack_is_counted_on_leaving",
            ),
        ),
        migrations.AddConstraint(
            model_name="seating",
            constraint=models.CheckConstraint(
                condition=models.Q(("seat_number__gte", 1), ("seat_number__lte", 12)),
                name="seating_seat_is_one_to_twelve",
            ),
        ),
        migrations.AddConstraint(
            model_name="opening",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at__isnull", True)),
                fields=("table",),
                name="opening_one_at_a_time_per_table",
            ),
        ),
        migrations.AddConstraint(
            model_name="opening",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("closed_at__isnull", True), ("closed_at__gte", models.F("opened_at")), _connector="OR"
                ),
                name="opening_ends_after_it_starts",
            ),
        ),
        migrations.AddIndex(
            model_name="hand",
            index=models.Index(fields=["table", "-id"], name="hand_newest_of_table"),
        ),
        migrations.AddIndex(
            model_name="hand",
            index=models.Index(fields=["room", "settled_at"], name="hand_by_time"),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.UniqueConstraint(fields=("table", "hand_id"), name="hand_made_once_on_its_tablet"),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status__in", ["dealt", "settled", "not_logged"])),
                fields=("table", "number"),
                name="hand_numbered_once_per_table",
            ),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "dealt")), fields=("table",), name="hand_one_in_progress_per_table"
            ),
        ),
        migrations.AddIndex(
            model_name="todo",
            index=models.Index(
                condition=models.Q(("done_at__isnull", True)), fields=["room", "raised_at"], name="todo_open"
            ),
        ),
    ]
