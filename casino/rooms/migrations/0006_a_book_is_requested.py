"""
A next rule book that waits for its signature is requested, as slips are, and so its fields are called. Their columns stay.

`rooms_nextbook` has a row for each version: its rows are read, and locked for that moment.
"""

from django.db import migrations, models
from django.db.models import F, Q

ON_ITS_WAY, WHO_ASKS, WHO_AND_WHEN = (
    "next_book_one_on_its_way_per_room",
    "next_book_who_asks_never_approves",
    "next_book_asked_for_names_who_and_from_when",
)


class Migration(migrations.Migration):
    dependencies = [("rooms", "0005_stages_are_final")]

    operations = [
        migrations.RemoveConstraint("nextbook", ON_ITS_WAY),
        migrations.RemoveConstraint("nextbook", WHO_ASKS),
        migrations.RemoveConstraint("nextbook", WHO_AND_WHEN),
        migrations.RunSQL(
            "UPDATE rooms_nextbook SET status = 'requested' WHERE status = 'asked'",
            "UPDATE rooms_nextbook SET status = 'asked' WHERE status = 'requested'",
        ),
        migrations.AlterField(
            "nextbook",
            "status",
            models.CharField(
                choices=[
                    ("edited", "Edited"),
                    ("requested", "Requested"),
                    ("approved", "Approved"),
                    ("in_force", "In Force"),
                    ("discarded", "Discarded"),
                ],
                default="edited",
                max_length=10,
            ),
        ),
        migrations.AlterField("nextbook", "asked_by_id", models.BigIntegerField(null=True, db_column="asked_by_id")),
        migrations.RenameField("nextbook", "asked_by_id", "requested_by_id"),
        migrations.AlterField("nextbook", "asked_at", models.DateTimeField(null=True, db_column="asked_at")),
        migrations.RenameField("nextbook", "asked_at", "requested_at"),
        migrations.AddConstraint(
            "nextbook",
            models.UniqueConstraint(
                fields=["room"], condition=Q(status__in=["edited", "requested", "approved"]), name=ON_ITS_WAY
            ),
        ),
        migrations.AddConstraint(
            "nextbook",
            models.CheckConstraint(
                condition=~Q(status__in=["requested", "approved", "in_force"])
                | Q(requested_by_id__isnull=False, requested_at__isnull=False, holds_from__isnull=False),
                name="next_book_requested_names_who_and_from_when",
            ),
        ),
        migrations.AddConstraint(
            "nextbook",
            models.CheckConstraint(
                condition=~Q(status__in=["approved", "in_force"])
                | (Q(decided_by_id__isnull=False, decided_at__isnull=False) & ~Q(decided_by_id=F("requested_by_id"))),
                name=WHO_ASKS,
            ),
        ),
    ]
