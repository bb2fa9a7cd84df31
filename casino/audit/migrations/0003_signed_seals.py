"""
Number and sign seals; those of before keep their keyed hash.

Locks audit_seal, which no tap waits for: columns come without a rewrite, and constraints read the table once.
"""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0002_find_in_years_of_log"),
    ]

    operations = [
        migrations.CreateModel(
            name="SealKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(unique=True)),
                ("public", models.CharField(max_length=64)),
                ("signature", models.CharField(blank=True, max_length=128)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="seal",
            name="key_version",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="seal",
            name="number",
            field=models.PositiveBigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="seal",
            name="previous",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
        migrations.AddField(
            model_name="seal",
            name="signature",
            field=models.CharField(blank=True, default="", max_length=128),
        ),
        migrations.AlterField(
            model_name="seal",
            name="mac",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
        migrations.AddConstraint(
            model_name="seal",
            constraint=models.UniqueConstraint(fields=("room_id", "number"), name="seal_numbered_once_per_room"),
        ),
        migrations.AddConstraint(
            model_name="seal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("key_version__isnull", True), ("number__isnull", True), models.Q(("mac", ""), _negated=True)
                    ),
                    models.Q(
                        ("key_version__isnull", False),
                        ("mac", ""),
                        ("number__isnull", False),
                        models.Q(("signature", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="seal_is_signed",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="sealkey",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="bef89f9a735f0b59d5cc9114b92da3f32788ca9a",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_6b2eb",
                    table="audit_sealkey",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="sealkey",
            trigger=pgtrigger.compiler.Trigger(
                name="no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'the log is append-only';",
                    hash="1975bd902380640f575b361a3fca637e59f58df7",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_no_truncate_4c442",
                    table="audit_sealkey",
                    when="BEFORE",
                ),
            ),
        ),
    ]
