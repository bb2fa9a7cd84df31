"""
Once more, as in 0002: whoever catches a table up says from here on why a dealer signs who is not known to have dealt,
and whoever marks a finding on which claims of lost cash it rests.

An answer that was not heard with the upgrade would be a refusal when its tap is sent again.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0015_compliance_by_two")]

    operations = [migrations.RunSQL("UPDATE commands_claim SET body_hash = ''", migrations.RunSQL.noop)]
