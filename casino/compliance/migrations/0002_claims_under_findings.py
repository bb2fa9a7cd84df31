"""A finding may rest on claims of lost cash too. A new column; the table is read once, while nobody writes notes."""

import django.contrib.postgres.fields
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("compliance", "0001_notes_and_findings"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="compliancenote",
            name="compliance_note_stands",
        ),
        migrations.RemoveConstraint(
            model_name="compliancenote",
            name="compliance_note_is_about_one_thing",
        ),
        migrations.AddField(
            model_name="compliancenote",
            name="claim_ids",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(), db_default=[], default=list, size=None
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="compliancenote",
            trigger=pgtrigger.compiler.Trigger(
                name="compliance_note_stands",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NEW.text <> '' OR NEW.reference <> '' OR NEW.erased_at IS NULL OR OLD.erased_at IS NOT NULL OR (OLD.id, OLD.room_id,\n    OLD.player_id, OLD.staff_id, OLD.kind, OLD.slip_ids, OLD.claim_ids, OLD.mark, OLD.reason, OLD.reported_date,\n    OLD.corrects_id, OLD.written_at, OLD.written_by_id) IS DISTINCT FROM (NEW.id, NEW.room_id, NEW.player_id,\n    NEW.staff_id, NEW.kind, NEW.slip_ids, NEW.claim_ids, NEW.mark, NEW.reason, NEW.reported_date, NEW.corrects_id,\n    NEW.written_at, NEW.written_by_id))",
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="a2ef970ff71785bfb6a0e6444c56f203afa0117d",
                    operation="UPDATE",
                    pgid="pgtrigger_compliance_note_stands_d2cca",
                    table="compliance_compliancenote",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="compliancenote",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("claim_ids", []),
                        ("kind", ""),
                        ("mark", "noted"),
                        ("slip_ids", []),
                        models.Q(
                            models.Q(("player__isnull", False), ("staff__isnull", True)),
                            models.Q(("player__isnull", True), ("staff__isnull", False)),
                            _connector="OR",
                        ),
                    ),
                    models.Q(
                        models.Q(("kind", ""), _negated=True),
                        models.Q(("claim_ids", []), ("slip_ids", []), _negated=True),
                        ("staff__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="compliance_note_is_about_one_thing",
            ),
        ),
    ]
