"""
Once more, as in 0002: a count of a rack says nothing of cash that was not counted from here on, where it said none.

A count whose answer was lost with the upgrade would be refused when it is sent again, though it was done.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0010_racks_count_cash")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
