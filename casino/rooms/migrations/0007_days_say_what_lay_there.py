"""Days keep the seed of the digest by which the log says what lay on all accounts as they closed."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0006_a_book_is_requested"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="gamingday",
            name="stages_are_final",
        ),
        migrations.AddField(
            model_name="gamingday",
            name="balances_seed",
            field=models.CharField(db_default="", default="", max_length=64),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="gamingday",
            trigger=pgtrigger.compiler.Trigger(
                name="stages_are_final",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.closed_at IS NOT NULL AND (NEW.closed_at, NEW.balances_seed) IS DISTINCT FROM (OLD.closed_at, OLD.balances_seed) OR OLD.counted_at IS NOT NULL AND (NEW.counted_at, NEW.counted_by_id, NEW.counted_with_id) IS DISTINCT FROM (OLD.counted_at, OLD.counted_by_id, OLD.counted_with_id) OR OLD.closed_at IS NOT NULL AND OLD.counted_at IS NULL AND OLD.counts_wait <> (NEW.counts_wait OR NEW.counted_at IS NOT NULL))",
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="b0a9778efda3a6c8251a3d8949de0b33682ca026",
                    operation="UPDATE",
                    pgid="pgtrigger_stages_are_final_b5c72",
                    table="rooms_gamingday",
                    when="BEFORE",
                ),
            ),
        ),
    ]
