"""
Once more, as in 0002: a rack's count says which cash lies there.

What was done and whose answer was lost with the upgrade would be refused when it is sent again.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0009_foreign_notes_pay")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
