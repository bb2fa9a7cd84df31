"""A drawer that a runner holds. Locks drawers and their sessions, some thousand rows, while checked and indexed."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0016_foreign_notes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # Processes of before add drawers without saying it.
        migrations.AddField(
            model_name="drawer", name="is_bank", field=models.BooleanField(db_default=False, default=False)
        ),
        migrations.AddField(
            model_name="drawersession",
            name="holder",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="drawersession",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at__isnull", True), ("holder__isnull", False)),
                fields=("holder",),
                name="drawer_session_one_bank_per_runner",
            ),
        ),
        migrations.AddConstraint(
            model_name="drawersession",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("holder__isnull", True),
                    models.Q(("holder", models.F("opened_with")), ("opened_with__isnull", False)),
                    _connector="OR",
                ),
                name="drawer_session_bank_counted_by_its_runner",
            ),
        ),
    ]
