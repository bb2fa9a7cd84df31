"""Foreign notes that leave the vault to be exchanged: a table of its own, and nothing is rewritten."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0018_racks_that_sell"),
        ("rooms", "0005_stages_are_final"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="NotesExchanged",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("currency", models.CharField(max_length=3)),
                ("pieces", models.JSONField()),
                ("face_cents", models.BigIntegerField()),
                ("worth_cents", models.BigIntegerField()),
                ("got_cents", models.BigIntegerField()),
                ("exchanged_at", models.DateTimeField()),
                ("transfer_id", models.BigIntegerField()),
                ("reversed_at", models.DateTimeField(null=True)),
                (
                    "reversal_reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("wrong_amount", "Wrong Amount"),
                            ("wrong_notes", "Wrong Notes"),
                            ("not_taken", "Not Taken"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                ("reversal_transfer_id", models.BigIntegerField(null=True)),
                (
                    "approved_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "exchanged_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "reversal_approved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "reversed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("room", "number"), name="notes_exchanged_numbered_once_per_room"),
                    models.CheckConstraint(
                        condition=models.Q(("face_cents__gt", 0), ("got_cents__gte", 0)),
                        name="notes_exchanged_are_some",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("approved_by", models.F("exchanged_by")), _negated=True),
                        name="notes_exchanged_by_two",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("reversal_approved_by__isnull", True),
                                ("reversal_reason", ""),
                                ("reversal_transfer_id__isnull", True),
                                ("reversed_at__isnull", True),
                                ("reversed_by__isnull", True),
                            ),
                            models.Q(
                                ("reversal_approved_by__isnull", False),
                                ("reversal_transfer_id__isnull", False),
                                ("reversed_at__gte", models.F("exchanged_at")),
                                ("reversed_by__isnull", False),
                                models.Q(("reversal_reason", ""), _negated=True),
                                models.Q(("reversal_approved_by", models.F("reversed_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="notes_exchanged_taken_back_by_two",
                    ),
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="notesexchanged",
            trigger=pgtrigger.compiler.Trigger(
                name="notes_exchanged_never_deleted",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="3790128a18780814e98a89e64ef92665f1a10418",
                    operation="DELETE",
                    pgid="pgtrigger_notes_exchanged_never_deleted_dccc1",
                    table="cage_notesexchanged",
                    when="BEFORE",
                ),
            ),
        ),
    ]
