"""
Once more, as in 0002: chips that are brought say from here on whether they were counted again, and lists have commands of
their own names.

Chips that a tap before the upgrade has brought, and whose answer was lost, would be refused when it is sent again, and
whoever follows that sentence brings them twice.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0002_answers_outlive_the_upgrade")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
