"""
A check keeps the name on the document, which outlives the player's own wish to be forgotten with its number.

Adds a column without rewriting the rows; the trigger is made anew under the same short lock. Checks of before keep their
number alone: the name on their player is that of the newest document, and not surely theirs.
"""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0014_staff_who_left"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="identitycheck",
            name="identity_check_only_erased",
        ),
        migrations.AddField(
            model_name="identitycheck",
            name="full_name",
            field=models.CharField(blank=True, db_default="", default="", max_length=120),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="identitycheck",
            trigger=pgtrigger.compiler.Trigger(
                name="identity_check_only_erased",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NEW.number <> '–' OR NEW.valid_until IS NOT NULL OR NEW.full_name <> ''\n    OR (OLD.id, OLD.room_id, OLD.player_id, OLD.document,\n    OLD.checked_at, OLD.checked_by_id) IS DISTINCT FROM (NEW.id, NEW.room_id, NEW.player_id, NEW.document,\n    NEW.checked_at, NEW.checked_by_id))",
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="283e2b92ffd00c0d2af1c34c782f047033f768b5",
                    operation="UPDATE",
                    pgid="pgtrigger_identity_check_only_erased_4d7e6",
                    table="people_identitycheck",
                    when="BEFORE",
                ),
            ),
        ),
    ]
