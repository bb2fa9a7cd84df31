"""One more kind of slip: a prize that waits for whoever won it. Changes no rows and no column."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0004_counts_that_differ"),
    ]

    operations = [
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
                    ("prize", "Prize"),
                ],
                max_length=10,
            ),
        ),
    ]
