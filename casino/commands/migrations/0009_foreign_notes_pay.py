"""
Once more, as in 0002: what pays for chips may be foreign notes, and a drawer's count says which lie there.

What was done and whose answer was lost with the upgrade would be refused when it is sent again.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0008_requests_say_where_the_money_is")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
