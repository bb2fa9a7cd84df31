"""
Tokens of devices that were shut out, of people who have left, and of devices for which no manager answers any more, end.

They open nothing already, and what takes one of these away ends its tokens by itself now; those of before were still listed
as living. Writes rows of the tokens, which are few.
"""

from django.db import migrations

OF_WHAT_IS_GONE = """
UPDATE people_apitoken token SET revoked_at = now() WHERE revoked_at IS NULL AND (
    EXISTS (SELECT FROM people_device WHERE id = token.device_id AND revoked_at IS NOT NULL)
    OR EXISTS (SELECT FROM people_staff WHERE id = token.staff_id AND NOT is_active)
    OR token.staff_id IS NULL AND NOT EXISTS (
        SELECT FROM people_staff WHERE id = token.made_by_id AND is_active AND 'manager' = ANY(roles)
    )
)
"""


class Migration(migrations.Migration):
    dependencies = [("people", "0009_ends_of_sessions")]

    operations = [migrations.RunSQL(OF_WHAT_IS_GONE, migrations.RunSQL.noop)]
