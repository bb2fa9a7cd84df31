"""Requests that the cage refused, with the reason: a table of its own, and nothing of what there is."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0009_fill_slips"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RefusedRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("card_declined", "Card Declined"),
                            ("no_money", "No Money"),
                            ("identity_needed", "Identity Needed"),
                            ("own_limit", "Own Limit"),
                            ("nobody_came", "Nobody Came"),
                            ("ask_the_cage", "Ask The Cage"),
                        ],
                        max_length=20,
                    ),
                ),
                ("refused_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField(null=True)),
                (
                    "refused_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "seen_by",
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
                        on_delete=django.db.models.deletion.PROTECT, related_name="refused", to="cage.slip"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("seen_at__isnull", True)),
                        fields=["refused_at"],
                        name="refused_request_unseen",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("seen_at__isnull", True), ("seen_by__isnull", True)),
                            models.Q(("seen_at__gte", models.F("refused_at")), ("seen_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="refused_request_seen_by_somebody",
                    )
                ],
            },
        ),
    ]
