"""
Once more, as in 0002: whoever opens a table says from here on whether it has cash plays, and whoever counts a rack before
that may say that it is as it was left.

An answer that was not heard with the upgrade would be a refusal when its tap is sent again.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0013_a_signature_names_its_book")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
