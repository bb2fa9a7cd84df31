"""
Closed tips say whether they wait, and can be taken back. Rewrites the few rows of closed tips once, while nobody else may
write them.
"""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0005_stages_are_final"),
        ("tables", "0025_cash_in_racks"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="closedtips",
            name="append_only",
        ),
        migrations.RemoveConstraint(
            model_name="closedtips",
            name="closed_tips_end_once_at_a_moment",
        ),
        migrations.AddField(
            model_name="closedtips",
            name="taken_back_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="closedtips",
            name="taken_back_by_id",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="closedtips",
            name="waits",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddIndex(
            model_name="closedtips",
            index=models.Index(
                condition=models.Q(("waits", True)), fields=["room", "table"], name="closed_tips_that_wait"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="closedtips",
            trigger=pgtrigger.compiler.Trigger(
                name="closed_tips_never_deleted",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="201b5b330d73c017be4ef831fc9fca2c5539cacd",
                    operation="DELETE",
                    pgid="pgtrigger_closed_tips_never_deleted_88cf9",
                    table="tables_closedtips",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="closedtips",
            constraint=models.UniqueConstraint(
                condition=models.Q(("taken_back_at__isnull", True)),
                fields=("table", "until"),
                name="closed_tips_that_stand_end_once_at_a_moment",
            ),
        ),
        migrations.AddConstraint(
            model_name="closedtips",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("taken_back_at__isnull", True), ("taken_back_by_id__isnull", True)),
                    models.Q(
                        ("taken_back_at__gte", models.F("at")), ("taken_back_by_id__isnull", False), ("waits", False)
                    ),
                    _connector="OR",
                ),
                name="closed_tips_taken_back_by_somebody",
            ),
        ),
        migrations.RunSQL(
            "UPDATE tables_closedtips SET waits = false"
            " WHERE EXISTS (SELECT FROM tables_tipcount WHERE closed_id = tables_closedtips.id)",
            migrations.RunSQL.noop,
        ),
    ]
