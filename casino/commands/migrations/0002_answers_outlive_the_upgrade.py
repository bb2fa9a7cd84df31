"""
Have what was answered before this upgrade be answered again: a logged hand has other fields from here on.

A tap that was carried out, and whose answer was lost when the room stopped, is sent again afterwards. Compared by its
arguments it would be another command, refused, and dropped by its tablet with whatever depends on it. Answers are kept
for two gaming days, so this writes some ten thousand rows at most. Going back leaves them: their ids still say enough.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0001_answers_by_command_id")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
