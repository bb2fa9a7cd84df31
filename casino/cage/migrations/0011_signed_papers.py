"""Slips that their players signed on paper: a table of its own, and nothing of what there is."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0010_refused_requests"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SignedPaper",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("signed_at", models.DateTimeField()),
                (
                    "seen_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "slip",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="signed", to="cage.slip"
                    ),
                ),
            ],
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="signedpaper",
            trigger=pgtrigger.compiler.Trigger(
                name="signed_paper_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="5842638b27e279c4d85753f3672b2ff3f9233d89",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_signed_paper_append_only_b9f59",
                    table="cage_signedpaper",
                    when="BEFORE",
                ),
            ),
        ),
    ]
