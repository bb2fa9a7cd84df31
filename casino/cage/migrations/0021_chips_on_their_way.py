"""Chips that were paid and are on their way to a seat: a table of its own, and nothing of what there is."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0020_notes_brought"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PaidChips",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("chips_with", models.CharField(choices=[("cage", "Cage"), ("runner", "Runner")], max_length=10)),
                ("since", models.DateTimeField()),
                ("delivered_at", models.DateTimeField(null=True)),
                (
                    "delivered_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "slip",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="chips", to="cage.slip"
                    ),
                ),
                (
                    "staff",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("delivered_at__isnull", True)), fields=["since"], name="paid_chips_on_way"
                    ),
                    models.Index(fields=["delivered_at"], name="paid_chips_came"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("delivered_at__isnull", True), ("delivered_by__isnull", True)),
                            models.Q(("delivered_at__isnull", False), ("delivered_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="paid_chips_delivered_by_somebody",
                    )
                ],
            },
        ),
    ]
