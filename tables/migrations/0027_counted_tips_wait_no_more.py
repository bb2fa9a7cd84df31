"""
Closed tips wait no more once they are counted, also by a process of before the upgrade that serves meanwhile. Rewrites the
few that such a one has counted since 0026, while nobody else may write them.
"""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0026_tips_taken_back"),
    ]

    operations = [
        pgtrigger.migrations.AddTrigger(
            model_name="tipcount",
            trigger=pgtrigger.compiler.Trigger(
                name="its_closed_tips_wait_no_more",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (NEW."closed_id" IS NOT NULL)',
                    func="UPDATE tables_closedtips SET waits = false WHERE id = NEW.closed_id; RETURN NULL;",
                    hash="d1d0923b10f327cca6af3e085151be8aa776ac66",
                    operation="INSERT",
                    pgid="pgtrigger_its_closed_tips_wait_no_more_307bb",
                    table="tables_tipcount",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(
            "UPDATE tables_closedtips SET waits = false"
            " WHERE waits AND EXISTS (SELECT FROM tables_tipcount WHERE closed_id = tables_closedtips.id)",
            migrations.RunSQL.noop,
        ),
    ]
