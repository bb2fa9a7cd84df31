"""
Once more, as in 0002: whoever counts a box that has no number says from here on why it has none.

An answer that was not heard with the upgrade would be a refusal when its tap is sent again.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0016_sheets_and_marks_say_more")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
