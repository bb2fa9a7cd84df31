"""
A document that somebody was shown can be erased: its number and its end, and nothing else of the check.

Triggers alone: no row is read, and nobody waits for longer than it takes to write them down.
"""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0011_compliance_role"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="identitycheck",
            name="identity_check_append_only",
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="identitycheck",
            trigger=pgtrigger.compiler.Trigger(
                name="identity_check_never_deleted",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="ab9d5ebce7aa11ad958dc49ff43e7563a50386a3",
                    operation="DELETE",
                    pgid="pgtrigger_identity_check_never_deleted_a7d64",
                    table="people_identitycheck",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="identitycheck",
            trigger=pgtrigger.compiler.Trigger(
                name="identity_check_only_erased",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NEW.number <> '–' OR NEW.valid_until IS NOT NULL OR (OLD.id, OLD.room_id, OLD.player_id, OLD.document,\n    OLD.checked_at, OLD.checked_by_id) IS DISTINCT FROM (NEW.id, NEW.room_id, NEW.player_id, NEW.document,\n    NEW.checked_at, NEW.checked_by_id))",
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="c9647118e967fd9f0827e9fe0684e52d4f499b13",
                    operation="UPDATE",
                    pgid="pgtrigger_identity_check_only_erased_4d7e6",
                    table="people_identitycheck",
                    when="BEFORE",
                ),
            ),
        ),
    ]
