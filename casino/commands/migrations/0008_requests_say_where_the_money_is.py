"""
Once more, as in 0002: who asks the cage for chips may say who has the money, and what is caught up from paper says decks
and periods of the time charge, too.

What was done and whose answer was lost with the upgrade would be refused when it is sent again.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0007_the_cage_asks_more")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
