"""
Closed tips and counts of tip boxes say after which down the next box begins, and closed tips after which count they were
said: moments tell that no more, so several may end at one. Adds columns without a value to tables of few rows.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0029_rack_cash_since"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="closedtips",
            name="closed_tips_that_stand_end_once_at_a_moment",
        ),
        migrations.AddField(
            model_name="closedtips",
            name="last_down_id",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="closedtips",
            name="counts_before",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="tipcount",
            name="last_down_id",
            field=models.BigIntegerField(null=True),
        ),
        migrations.RemoveIndex(
            model_name="tipcount",
            name="tip_count_of_box_there",
        ),
        migrations.AddIndex(
            model_name="tipcount",
            index=models.Index(
                condition=models.Q(("closed", None)), fields=["table", "number"], name="tip_count_of_hung_box"
            ),
        ),
    ]
