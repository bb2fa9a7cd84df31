"""A drawer is counted by denomination, and by two. Locks the counts, some thousand rows, while they are checked."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0006_days_in_the_log"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="drawercount",
            name="counted_with",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(model_name="drawercount", name="cash_pieces", field=models.JSONField(null=True)),
        migrations.AddField(model_name="drawercount", name="chip_pieces", field=models.JSONField(null=True)),
        migrations.AddConstraint(
            model_name="drawercount",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("cash_pieces__isnull", True), ("chip_pieces__isnull", True), ("counted_with__isnull", True)
                    ),
                    models.Q(
                        ("cash_pieces__isnull", False),
                        ("chip_pieces__isnull", False),
                        ("counted_with__isnull", False),
                        models.Q(("counted_with", models.F("counted_by")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="drawer_count_by_pieces_and_by_two",
            ),
        ),
    ]
