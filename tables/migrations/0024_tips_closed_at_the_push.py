"""
Tips that a dealer closes at the push, and receipts of shares. Two new tables, and two columns without a value in one of
few rows; shares of before get their receipts, in the order in which they were made.
"""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0005_stages_are_final"),
        ("tables", "0023_time_and_decks_from_paper"),
    ]

    operations = [
        migrations.CreateModel(
            name="TipReceipt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("prints", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.AddField(
            model_name="tipcount",
            name="seconds",
            field=models.JSONField(null=True),
        ),
        migrations.CreateModel(
            name="ClosedTips",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("until", models.DateTimeField()),
                ("at", models.DateTimeField()),
                ("by_id", models.BigIntegerField()),
                ("seconds", models.JSONField()),
                ("noted_cents", models.BigIntegerField()),
                (
                    "day",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.gamingday"
                    ),
                ),
                (
                    "down",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.down"),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="closed_tips", to="tables.table"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="tipcount",
            name="closed",
            field=models.OneToOneField(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="count", to="tables.closedtips"
            ),
        ),
        migrations.AddIndex(
            model_name="tipcount",
            index=models.Index(
                condition=models.Q(("closed", None)), fields=["table", "at"], name="tip_count_of_box_there"
            ),
        ),
        migrations.AddConstraint(
            model_name="tipcount",
            constraint=models.CheckConstraint(
                condition=models.Q(("dealer_id__isnull", True), ("seconds__isnull", True), _connector="OR"),
                name="tip_count_of_one_or_shared",
            ),
        ),
        migrations.AddField(
            model_name="tipreceipt",
            name="room",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room"),
        ),
        migrations.AddField(
            model_name="tipreceipt",
            name="share",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="receipt", to="tables.tipshare"
            ),
        ),
        migrations.AddConstraint(
            model_name="closedtips",
            constraint=models.UniqueConstraint(fields=("table", "number"), name="closed_tips_numbered_once_per_table"),
        ),
        migrations.AddConstraint(
            model_name="closedtips",
            constraint=models.UniqueConstraint(fields=("table", "until"), name="closed_tips_end_once_at_a_moment"),
        ),
        migrations.AddConstraint(
            model_name="closedtips",
            constraint=models.CheckConstraint(
                condition=models.Q(("noted_cents__gte", 0)), name="closed_tips_not_negative"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="closedtips",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="31abbe2864753f55c4b002a3131bf44850954a23",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_2a961",
                    table="tables_closedtips",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="tipreceipt",
            constraint=models.UniqueConstraint(fields=("room", "number"), name="tip_receipt_numbered_once_per_room"),
        ),
        migrations.RunSQL(
            """
            INSERT INTO tables_tipreceipt (room_id, share_id, number, prints)
            SELECT room_id, id, row_number() OVER (PARTITION BY room_id ORDER BY id), 0 FROM tables_tipshare
            """,
            migrations.RunSQL.noop,
        ),
    ]
