"""Foreign notes and voucher prints: tables of their own. Counts of drawers get two sums, and nothing is rewritten."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0015_money_of_requests"),
        ("rooms", "0005_stages_are_final"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="drawercount",
            name="expected_foreign_cents",
            field=models.BigIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="drawercount",
            name="foreign_cents",
            field=models.BigIntegerField(db_default=0, default=0),
        ),
        migrations.AlterField(
            model_name="slip",
            name="method",
            field=models.CharField(
                choices=[
                    ("cash", "Cash"),
                    ("card", "Card"),
                    ("deposit", "Deposit"),
                    ("voucher", "Voucher"),
                    ("foreign", "Foreign"),
                    ("chips", "Chips"),
                ],
                max_length=10,
                null=True,
            ),
        ),
        migrations.CreateModel(
            name="NoteRate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("currency", models.CharField(max_length=3)),
                ("rate_millionths", models.BigIntegerField(null=True)),
                ("recorded_at", models.DateTimeField()),
                (
                    "recorded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.CreateModel(
            name="NotesCounted",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("currency", models.CharField(max_length=3)),
                ("pieces", models.JSONField()),
                ("face_cents", models.BigIntegerField()),
                ("expected_face_cents", models.BigIntegerField()),
                ("cents", models.BigIntegerField()),
                ("expected_cents", models.BigIntegerField()),
                (
                    "count",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="notes", to="cage.drawercount"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="NotesTaken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("currency", models.CharField(max_length=3)),
                ("pieces", models.JSONField()),
                ("face_cents", models.BigIntegerField()),
                ("value_cents", models.BigIntegerField()),
                (
                    "rate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="cage.noterate"
                    ),
                ),
                (
                    "slip",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="notes", to="cage.slip"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="VoucherPrint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("printed_at", models.DateTimeField()),
                (
                    "printed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "voucher",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="printings", to="cage.voucher"
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="noterate",
            index=models.Index(fields=["room", "currency", "-id"], name="note_rate_newest"),
        ),
        migrations.AddConstraint(
            model_name="noterate",
            constraint=models.CheckConstraint(
                condition=models.Q(("rate_millionths__isnull", True), ("rate_millionths__gt", 0), _connector="OR"),
                name="note_rate_is_above_nothing",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="noterate",
            trigger=pgtrigger.compiler.Trigger(
                name="note_rate_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="66953b680a00edf48f0d099150b25c440d14f0e4",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_note_rate_append_only_08089",
                    table="cage_noterate",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="notescounted",
            constraint=models.UniqueConstraint(fields=("count", "currency"), name="notes_counted_once_per_currency"),
        ),
        migrations.AddConstraint(
            model_name="notescounted",
            constraint=models.CheckConstraint(
                condition=models.Q(("cents__gte", 0), ("face_cents__gte", 0)), name="notes_counted_not_negative"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="notescounted",
            trigger=pgtrigger.compiler.Trigger(
                name="notes_counted_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="ac7b6c4ecbe4ac8f30f7d85ed0312cffc3f38c42",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_notes_counted_append_only_74c4d",
                    table="cage_notescounted",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="notestaken",
            constraint=models.CheckConstraint(
                condition=models.Q(("face_cents__gt", 0), ("value_cents__gt", 0)), name="notes_taken_are_something"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="notestaken",
            trigger=pgtrigger.compiler.Trigger(
                name="notes_taken_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="e6abfd63f1b56b0a7c1a27c9984b556797cc7d4e",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_notes_taken_append_only_95026",
                    table="cage_notestaken",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="voucherprint",
            constraint=models.UniqueConstraint(fields=("voucher", "number"), name="voucher_print_numbered_once"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="voucherprint",
            trigger=pgtrigger.compiler.Trigger(
                name="voucher_print_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="3a55c821d1849dd402995eac3ad55c604227b9c7",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_voucher_print_append_only_3920c",
                    table="cage_voucherprint",
                    when="BEFORE",
                ),
            ),
        ),
    ]
