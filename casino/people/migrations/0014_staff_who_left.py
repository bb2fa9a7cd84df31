"""
Who works here no more has a moment at which they left, and can be erased; an inquiry can be about somebody on staff.

Staff are few, and so are inquiries. Of whom nobody knows when they left, their time runs from this upgrade.
"""

import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0013_what_an_inquiry_holds"),
        ("rooms", "0005_stages_are_final"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="staff",
            name="staff_username_once_per_room",
        ),
        migrations.RemoveConstraint(
            model_name="staff",
            name="staff_has_a_name",
        ),
        migrations.AddField(
            model_name="inquiry",
            name="staff",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="inquiries",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="staff",
            name="erased_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="staff",
            name="left_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.RunSQL("UPDATE people_staff SET left_at = now() WHERE NOT is_active", migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="inquiry",
            name="player",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="inquiries", to="people.player"
            ),
        ),
        migrations.AddConstraint(
            model_name="inquiry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("player__isnull", False), ("staff__isnull", True)),
                    models.Q(("player__isnull", True), ("staff__isnull", False)),
                    _connector="OR",
                ),
                name="inquiry_is_about_one_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="inquiry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("staff__isnull", True),
                    ("lifted_by_id__isnull", True),
                    models.Q(
                        models.Q(("staff", models.F("lifted_by_id")), _negated=True),
                        models.Q(("staff", models.F("lift_signed_by_id")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="inquiry_not_lifted_by_who_it_is_about",
            ),
        ),
        migrations.AddConstraint(
            model_name="staff",
            constraint=models.UniqueConstraint(
                models.F("room"),
                django.db.models.functions.text.Lower("username"),
                condition=models.Q(("erased_at__isnull", True)),
                name="staff_username_once_per_room",
            ),
        ),
        migrations.AddConstraint(
            model_name="staff",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("erased_at__isnull", False),
                    models.Q(models.Q(("username", ""), _negated=True), models.Q(("display_name", ""), _negated=True)),
                    _connector="OR",
                ),
                name="staff_has_a_name",
            ),
        ),
        migrations.AddConstraint(
            model_name="staff",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("erased_at__isnull", True),
                    models.Q(
                        ("display_name", ""),
                        ("is_active", False),
                        ("left_at__isnull", False),
                        ("pin", ""),
                        ("roles", []),
                        ("username", ""),
                    ),
                    _connector="OR",
                ),
                name="staff_erased_has_left_without_a_name",
            ),
        ),
    ]
