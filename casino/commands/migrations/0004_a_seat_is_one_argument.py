"""
Once more, as in 0002: chips that a seat asks of the cage name that seat as one argument from here on.

A buy-in that was asked for before the upgrade, and whose answer was lost, would be refused when it is sent again, and asked
for a second time by whoever follows that sentence.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0003_answers_outlive_another_upgrade")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
