"""
Once more, as in 0002: who stocks the vault names who signed it from here on.

A stocking whose answer was lost with the upgrade would be refused when it is sent again, though it was done.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0004_a_seat_is_one_argument")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
