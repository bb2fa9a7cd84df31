"""
Once more, as in 0002: a drawer is opened by a count of two from here on, and what a day closes over has its reason.

An opening whose answer was lost with the upgrade would be refused when it is sent again, though it was done.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0006_drawers_by_pieces")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
