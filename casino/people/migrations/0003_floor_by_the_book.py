"""
What keeps players from playing, passes for phones, two records of one person, notes, and who works for a day.

It is no transaction, so that nobody who writes players or sittings waits while they are read; broken off anywhere, it is
begun again where it stood.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.text
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

from casino.migrating import Together, WhileTapsWrite


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("people", "0002_players_by_nickname"),
        ("rooms", "0002_floor_by_the_book"),
    ]

    operations = [
        Together(
            [
                migrations.CreateModel(
                    name="Exclusion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(choices=[("ban", "Ban"), ("own", "Own")], max_length=5)),
                        ("began_at", models.DateTimeField()),
                        ("until", models.DateTimeField(null=True)),
                        ("clause", models.CharField(blank=True, default="", max_length=12)),
                        ("reason", models.CharField(blank=True, default="", max_length=300)),
                        ("made_by_id", models.BigIntegerField()),
                        ("lifted_at", models.DateTimeField(null=True)),
                        ("lifted_by_id", models.BigIntegerField(null=True)),
                        ("lift_signed_by_id", models.BigIntegerField(null=True)),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="exclusions",
                                to="people.player",
                            ),
                        ),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("lifted_at__isnull", True)),
                                fields=["player"],
                                name="exclusion_standing",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "own"), _negated=True), ("until__isnull", False), _connector="OR"
                                ),
                                name="exclusion_by_own_wish_has_an_end",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("until__isnull", True), ("until__gt", models.F("began_at")), _connector="OR"
                                ),
                                name="exclusion_ends_after_it_begins",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("lift_signed_by_id__isnull", True),
                                        ("lifted_at__isnull", True),
                                        ("lifted_by_id__isnull", True),
                                    ),
                                    models.Q(
                                        ("lift_signed_by_id__isnull", False),
                                        ("lifted_at__isnull", False),
                                        ("lifted_by_id__isnull", False),
                                        models.Q(("lifted_by_id", models.F("lift_signed_by_id")), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="exclusion_lifted_by_two",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "own"), _negated=True),
                                    ("lifted_at__isnull", True),
                                    ("lifted_at__gte", models.F("until")),
                                    _connector="OR",
                                ),
                                name="exclusion_by_own_wish_stands_to_its_end",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="KeptApart",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("reason", models.CharField(blank=True, default="", max_length=300)),
                        ("made_at", models.DateTimeField()),
                        ("made_by_id", models.BigIntegerField()),
                        ("ended_at", models.DateTimeField(null=True)),
                        ("ended_by_id", models.BigIntegerField(null=True)),
                        (
                            "one",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="people.player"
                            ),
                        ),
                        (
                            "other",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="people.player"
                            ),
                        ),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("ended_at__isnull", True)),
                                fields=["other"],
                                name="kept_apart_by_other",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("one__lt", models.F("other"))), name="kept_apart_are_two"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("ended_at__isnull", True)),
                                fields=("one", "other"),
                                name="kept_apart_once_per_pair",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Note",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("text", models.CharField(blank=True, max_length=500)),
                        (
                            "about",
                            django.contrib.postgres.fields.ArrayField(
                                base_field=models.BigIntegerField(), default=list, size=None
                            ),
                        ),
                        ("written_at", models.DateTimeField()),
                        ("written_by_id", models.BigIntegerField()),
                        ("erased_at", models.DateTimeField(null=True)),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("erased_at__isnull", True), ("text", ""), _connector="OR"),
                                name="note_erased_says_nothing",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="OwnLimit",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(choices=[("buy_in", "Buy In"), ("hours", "Hours")], max_length=6)),
                        ("amount", models.PositiveBigIntegerField(null=True)),
                        ("asked_at", models.DateTimeField()),
                        ("asked_by_id", models.BigIntegerField()),
                        (
                            "day",
                            models.ForeignKey(
                                null=True, on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday"
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="own_limits",
                                to="people.player",
                            ),
                        ),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                    ],
                    options={
                        "indexes": [models.Index(fields=["player", "id"], name="own_limit_in_order")],
                    },
                ),
                migrations.CreateModel(
                    name="PlayerPass",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("token_hash", models.CharField(max_length=64, unique=True)),
                        ("code_hash", models.CharField(max_length=64, unique=True)),
                        ("given_by_id", models.BigIntegerField()),
                        ("given_at", models.DateTimeField()),
                        ("revoked_at", models.DateTimeField(null=True)),
                        ("day", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday")),
                        ("player", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="people.player")),
                        ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("token_hash__regex", "^[0-9a-f]{64}$")),
                                name="player_pass_token_is_hashed",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("revoked_at__isnull", True)),
                                fields=("player",),
                                name="player_pass_one_at_a_time",
                            ),
                        ],
                    },
                ),
                pgtrigger.migrations.AddTrigger(
                    model_name="exclusion",
                    trigger=pgtrigger.compiler.Trigger(
                        name="exclusion_never_deleted",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                            hash="09c96a58bb3676b66d2c87f690c2894902b11c20",
                            operation="DELETE",
                            pgid="pgtrigger_exclusion_never_deleted_c0bbc",
                            table="people_exclusion",
                            when="BEFORE",
                        ),
                    ),
                ),
                pgtrigger.migrations.AddTrigger(
                    model_name="exclusion",
                    trigger=pgtrigger.compiler.Trigger(
                        name="exclusion_end_stands",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD."began_at" IS DISTINCT FROM (NEW."began_at") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."until" IS DISTINCT FROM (NEW."until"))',
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                            hash="cdffff308694bbf016c300a16625e8af191ae7bd",
                            operation="UPDATE",
                            pgid="pgtrigger_exclusion_end_stands_4490a",
                            table="people_exclusion",
                            when="BEFORE",
                        ),
                    ),
                ),
                pgtrigger.migrations.AddTrigger(
                    model_name="ownlimit",
                    trigger=pgtrigger.compiler.Trigger(
                        name="own_limit_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                            hash="bc3a05ac9bda270668a7d3af75af38893db391c4",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_own_limit_append_only_7febd",
                            table="people_ownlimit",
                            when="BEFORE",
                        ),
                    ),
                ),
            ]
        ),
        WhileTapsWrite(
            [
                migrations.RemoveConstraint(
                    model_name="player",
                    name="player_nickname_once_per_room",
                ),
                migrations.AddField(
                    model_name="player",
                    name="is_shown_as_number",
                    field=models.BooleanField(default=False),
                ),
                migrations.AddField(
                    model_name="player",
                    name="is_watched",
                    field=models.BooleanField(default=False),
                ),
                migrations.AddField(
                    model_name="player",
                    name="merged_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="player",
                    name="merged_into",
                    field=models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="merged",
                        to="people.player",
                    ),
                ),
                migrations.AddField(
                    model_name="player",
                    name="number",
                    field=models.PositiveIntegerField(null=True),
                ),
                migrations.AddField(
                    model_name="staff",
                    name="for_day",
                    field=models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.gamingday"
                    ),
                ),
                migrations.AddConstraint(
                    model_name="player",
                    constraint=models.UniqueConstraint(
                        models.F("room"),
                        django.db.models.functions.text.Lower("nickname"),
                        condition=models.Q(("erased_at__isnull", True), ("merged_into__isnull", True)),
                        name="player_nickname_once_per_room",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="player",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("merged_at__isnull", True), ("merged_into__isnull", True)),
                            models.Q(
                                ("merged_at__isnull", False),
                                ("merged_into__isnull", False),
                                models.Q(("merged_into", models.F("id")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="player_merged_into_another",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="player",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("number__isnull", False)),
                        fields=("room", "number"),
                        name="player_number_once_per_room",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="player",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("is_shown_as_number", False), ("number__isnull", False), _connector="OR"),
                        name="player_shown_as_number_has_one",
                    ),
                ),
            ]
        ),
    ]
