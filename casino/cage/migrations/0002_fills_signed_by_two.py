"""
Slips between vault and drawer, and who signed a slip before anything moved.

Nobody who writes slips waits while they are read: it is no transaction; broken off anywhere, it is begun again where it
stood.
"""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrating import WhileTapsWrite


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("cage", "0001_drawers_and_slips"),
        ("people", "0003_floor_by_the_book"),
    ]

    operations = [
        WhileTapsWrite(
            [
                migrations.RemoveConstraint(
                    model_name="slip",
                    name="slip_knows_whose_deposit_or_seat",
                ),
                migrations.AddField(
                    model_name="slip",
                    name="approved_by",
                    field=models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="people.staff"
                    ),
                ),
                migrations.AlterField(
                    model_name="slip",
                    name="kind",
                    field=models.CharField(
                        choices=[
                            ("buy_in", "Buy In"),
                            ("cash_out", "Cash Out"),
                            ("deposit", "Deposit"),
                            ("withdrawal", "Withdrawal"),
                            ("fill", "Fill"),
                            ("credit", "Credit"),
                        ],
                        max_length=10,
                    ),
                ),
                migrations.AlterField(
                    model_name="slip",
                    name="method",
                    field=models.CharField(
                        choices=[("cash", "Cash"), ("card", "Card"), ("deposit", "Deposit"), ("chips", "Chips")],
                        max_length=10,
                        null=True,
                    ),
                ),
                migrations.AddConstraint(
                    model_name="slip",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            ("player__isnull", False),
                            models.Q(
                                ("destination", "hands"),
                                ("kind__in", ["buy_in", "cash_out", "fill", "credit"]),
                                models.Q(("method", "deposit"), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="slip_knows_whose_deposit_or_seat",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="slip",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind__in", ["fill", "credit"]), _negated=True),
                            models.Q(("status__in", ["paid", "void"]), _negated=True),
                            models.Q(("approved_by__isnull", False), ("player__isnull", True)),
                            _connector="OR",
                        ),
                        name="slip_of_the_vault_is_signed",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="slip",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            ("approved_by__isnull", True),
                            models.Q(("approved_by", models.F("paid_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="slip_signed_by_another",
                    ),
                ),
            ]
        ),
    ]
