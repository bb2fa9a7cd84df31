"""
Say of each PIN and password who chose it.

Nobody could change their own before: all of them were set by another, and the demo's are published. Locks the table of
the staff, some hundred rows, for a moment.
"""

from django.db import migrations, models

SET_BY = [("owner", "Owner"), ("another", "Another"), ("published", "Published")]
SET_BY_OTHERS = """
    UPDATE people_staff SET
      pin_set_by = CASE WHEN people_staff.pin = '' THEN 'owner' ELSE found.set_by END,
      password_set_by = CASE WHEN password = '' OR password LIKE '!%' THEN 'owner' ELSE found.set_by END
    FROM (SELECT id, CASE slug WHEN 'demo' THEN 'published' ELSE 'another' END AS set_by FROM rooms_room) AS found
    WHERE people_staff.room_id = found.id
"""


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0005_tokens_end"),
        ("rooms", "0002_floor_by_the_book"),
    ]

    operations = [
        migrations.AddField(
            model_name="staff",
            name="password_set_by",
            field=models.CharField(choices=SET_BY, default="owner", max_length=10),
        ),
        migrations.AddField(
            model_name="staff",
            name="pin_set_by",
            field=models.CharField(choices=SET_BY, default="owner", max_length=10),
        ),
        migrations.RunSQL(SET_BY_OTHERS, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="staff",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("password_set_by__in", ["owner", "another", "published"]),
                    ("pin_set_by__in", ["owner", "another", "published"]),
                ),
                name="staff_secrets_were_set_by_somebody",
            ),
        ),
    ]
