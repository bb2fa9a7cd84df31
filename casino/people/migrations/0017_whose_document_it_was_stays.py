"""
For whom a document was shown before is never written over. The trigger is made anew, under a short lock of the checks.
"""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("people", "0016_one_document_twice")]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="identitycheck",
            name="identity_check_only_erased",
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="identitycheck",
            trigger=pgtrigger.compiler.Trigger(
                name="identity_check_only_erased",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NEW.number <> '–' OR NEW.valid_until IS NOT NULL OR NEW.full_name <> ''\n    OR (OLD.id, OLD.room_id, OLD.player_id, OLD.document, OLD.also_of_id,\n    OLD.checked_at, OLD.checked_by_id) IS DISTINCT FROM (NEW.id, NEW.room_id, NEW.player_id, NEW.document,\n    NEW.also_of_id, NEW.checked_at, NEW.checked_by_id))",
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="dec2f59fe1420156a69de73d85dbd429c1d8863d",
                    operation="UPDATE",
                    pgid="pgtrigger_identity_check_only_erased_4d7e6",
                    table="people_identitycheck",
                    when="BEFORE",
                ),
            ),
        ),
    ]
