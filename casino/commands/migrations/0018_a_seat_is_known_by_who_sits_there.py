"""
Once more, as in 0002: a command about a seat is compared by who sits there, and no longer by the seat's number.

A buy-in that was asked for before the upgrade, and whose answer was lost, would be refused when it is sent again.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0017_a_box_says_why_it_has_no_number")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
