"""A drawer's float is counted by denomination, and by two. Locks the sessions, some thousand rows, while checked."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0007_counts_by_pieces"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="drawersession",
            name="opened_with",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(model_name="drawersession", name="float_cash_pieces", field=models.JSONField(null=True)),
        migrations.AddField(model_name="drawersession", name="float_chip_pieces", field=models.JSONField(null=True)),
        migrations.AddConstraint(
            model_name="drawersession",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("float_cash_pieces__isnull", True),
                        ("float_chip_pieces__isnull", True),
                        ("opened_with__isnull", True),
                    ),
                    models.Q(
                        ("float_cash_pieces__isnull", False),
                        ("float_chip_pieces__isnull", False),
                        ("opened_with__isnull", False),
                        models.Q(("opened_with", models.F("opened_by")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="drawer_session_opened_by_pieces_and_by_two",
            ),
        ),
    ]
