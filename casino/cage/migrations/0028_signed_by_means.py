"""
Players sign all that moves their deposit, and what does is found by an index, which is built while taps write.

What was paid out of a deposit or onto one on the day that is open, when nobody had such a slip signed, is noted as
needing no signature: a few rows of the sessions of that day. Deposits and withdrawals were to be signed before.
"""

from django.db import migrations, models
from django.db.models import Q

from casino.migrating import WhileTapsWrite

OF_BEFORE = """
    UPDATE cage_slip SET needs_no_signature = true
    WHERE method = 'deposit' AND status = 'paid' AND session_id IN (
        SELECT id FROM cage_drawersession
        WHERE closed_at IS NULL OR closed_day_id IN (SELECT id FROM rooms_gamingday WHERE closed_at IS NULL)
    ) AND transfer_id IN (
        SELECT transfer.id FROM ledger_transfer transfer JOIN rooms_gamingday day ON day.id = transfer.day_id
        WHERE day.closed_at IS NULL
    )
"""


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("cage", "0027_carried_items_by_kind"),
        ("ledger", "0001_accounts_transfers_postings"),
        ("rooms", "0001_room_days_and_places"),
    ]

    operations = [
        WhileTapsWrite(
            [
                migrations.AddField("slip", "needs_no_signature", models.BooleanField(db_default=False, default=False)),
                migrations.AddIndex(
                    "slip",
                    models.Index(
                        fields=["session"],
                        condition=(Q(kind__in=["deposit", "withdrawal"]) | Q(method="deposit")) & Q(status="paid"),
                        name="slip_moves_deposit",
                    ),
                ),
            ]
        ),
        migrations.RunSQL(OF_BEFORE, migrations.RunSQL.noop),
    ]
