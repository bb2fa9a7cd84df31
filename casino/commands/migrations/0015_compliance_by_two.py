"""
Once more, as in 0002: whoever changes roles says from here on who signs it besides, where compliance is among them.

An answer that was not heard with the upgrade would be a refusal when its tap is sent again.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0014_tables_say_cash_plays")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
