"""Whose document was seen. A new, empty table."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0007_tokens_end"),
        ("rooms", "0002_floor_by_the_book"),
    ]

    operations = [
        migrations.CreateModel(
            name="IdentityCheck",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "document",
                    models.CharField(
                        choices=[
                            ("passport", "Passport"),
                            ("identity_card", "Identity Card"),
                            ("driving_licence", "Driving Licence"),
                            ("residence_permit", "Residence Permit"),
                        ],
                        max_length=16,
                    ),
                ),
                ("number", models.CharField(max_length=30)),
                ("valid_until", models.DateField(null=True)),
                ("checked_at", models.DateTimeField()),
                ("checked_by_id", models.BigIntegerField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="identity_checks", to="people.player"
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
            options={
                "indexes": [models.Index(fields=["player", "-id"], name="identity_check_newest")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("number", ""), _negated=True), name="identity_check_names_the_document"
                    )
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="identitycheck",
            trigger=pgtrigger.compiler.Trigger(
                name="identity_check_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="af3b4cc2d3dabf516135e763c5c063eaf09e13e5",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_identity_check_append_only_f23e9",
                    table="people_identitycheck",
                    when="BEFORE",
                ),
            ),
        ),
    ]
