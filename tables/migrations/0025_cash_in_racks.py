"""Counts of a rack count its cash too. Adds columns, and judges rack checks while taps write."""

from django.db import migrations, models

from casino.migrating import WhileTapsWrite


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("tables", "0024_tips_closed_at_the_push"),
    ]

    operations = [
        WhileTapsWrite(
            [
                migrations.AddField("rackcheck", "cash_pieces", models.JSONField(null=True)),
                migrations.AddField("rackcheck", "cash_cents", models.BigIntegerField(null=True)),
                # Processes of before count no cash.
                migrations.AddField(
                    "rackcheck", "expected_cash_cents", models.BigIntegerField(db_default=0, default=0)
                ),
                migrations.AddConstraint(
                    "rackcheck",
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("cash_cents__isnull", True), ("cash_pieces__isnull", True)),
                            models.Q(("cash_cents__gte", 0), ("cash_pieces__isnull", False), ("cents__isnull", False)),
                            _connector="OR",
                        ),
                        name="rack_check_cash_with_its_chips",
                    ),
                ),
            ]
        ),
    ]
