"""Who has the money of chips that were asked for: a table of its own, and nothing of what there is."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0014_unclaimed"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RequestMoney",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "money_with",
                    models.CharField(
                        choices=[("player", "Player"), ("dealer", "Dealer"), ("runner", "Runner"), ("cage", "Cage")],
                        max_length=10,
                    ),
                ),
                ("since", models.DateTimeField()),
                ("is_held", models.BooleanField()),
                (
                    "slip",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="money", to="cage.slip"
                    ),
                ),
                (
                    "staff",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("is_held", True)), fields=["since"], name="request_money_held")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("is_held", False), ("money_with", "player"), ("staff__isnull", True)),
                            models.Q(models.Q(("money_with", "player"), _negated=True), ("staff__isnull", False)),
                            _connector="OR",
                        ),
                        name="request_money_somebody_answers_for_it",
                    )
                ],
            },
        ),
    ]
