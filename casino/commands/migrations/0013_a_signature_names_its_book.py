"""
Once more, as in 0002: the signature under the next rule book names which book was read.

One whose answer was lost before the upgrade would be refused when it is sent again, as another command.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0012_answers_are_called_so")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
