"""
What is taken back: a splash while its drawer's session lasts, a decision by the transfer that moved its money.

New columns without a value, and of prizes, a few a day, an index and a check: their table is locked for a moment.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("promotions", "0002_splash_pots"),
    ]

    operations = [
        migrations.AddField(
            model_name="period",
            name="transfer_id",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="splash",
            name="session_id",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="prize",
            name="taken_back_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name="prize",
            name="entry",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="prizes",
                to="promotions.entry",
            ),
        ),
        migrations.AddConstraint(
            model_name="prize",
            constraint=models.UniqueConstraint(
                condition=models.Q(("taken_back_at__isnull", True)), fields=("entry",), name="prize_one_of_a_hand"
            ),
        ),
        migrations.AddConstraint(
            model_name="prize",
            constraint=models.CheckConstraint(
                condition=models.Q(("taken_back_at__isnull", True), ("paid_at__isnull", True), _connector="OR"),
                name="prize_taken_back_is_unpaid",
            ),
        ),
    ]
