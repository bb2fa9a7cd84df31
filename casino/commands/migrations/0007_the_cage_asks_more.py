"""
Once more, as in 0002: a drawer is opened by a count of two, a day closes over what is carried with a reason, a buy-in may
name a voucher.

What was done and whose answer was lost with the upgrade would be refused when it is sent again.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0006_drawers_by_pieces")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
