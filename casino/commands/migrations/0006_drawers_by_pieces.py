"""
Once more, as in 0002: a drawer is counted by denomination and by two from here on.

A count whose answer was lost with the upgrade would be refused when it is sent again, though it was done.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0005_the_vault_by_two")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
