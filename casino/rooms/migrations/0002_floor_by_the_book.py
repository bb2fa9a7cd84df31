"""The next rule book, until two managers have signed it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0001_room_days_and_places"),
    ]

    operations = [
        migrations.CreateModel(
            name="NextBook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("edited", "Edited"),
                            ("asked", "Asked"),
                            ("approved", "Approved"),
                            ("in_force", "In Force"),
                            ("discarded", "Discarded"),
                        ],
                        default="edited",
                        max_length=10,
                    ),
                ),
                ("edited_by_id", models.BigIntegerField()),
                ("edited_at", models.DateTimeField()),
                ("asked_by_id", models.BigIntegerField(null=True)),
                ("asked_at", models.DateTimeField(null=True)),
                ("holds_from", models.DateTimeField(null=True)),
                ("decided_by_id", models.BigIntegerField(null=True)),
                ("decided_at", models.DateTimeField(null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "became",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="was_next",
                        to="rooms.rulebookversion",
                    ),
                ),
                (
                    "edited_from",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.rulebookversion"
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("status", "approved")), fields=["holds_from"], name="next_book_due"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status__in", ["edited", "asked", "approved"])),
                        fields=("room",),
                        name="next_book_one_on_its_way_per_room",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status__in", ["asked", "approved", "in_force"]), _negated=True),
                            models.Q(
                                ("asked_at__isnull", False),
                                ("asked_by_id__isnull", False),
                                ("holds_from__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="next_book_asked_for_names_who_and_from_when",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status__in", ["approved", "in_force"]), _negated=True),
                            models.Q(
                                ("decided_at__isnull", False),
                                ("decided_by_id__isnull", False),
                                models.Q(("decided_by_id", models.F("asked_by_id")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="next_book_who_asks_never_approves",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("became__isnull", False), ("status", "in_force")),
                            models.Q(models.Q(("status", "in_force"), _negated=True), ("became__isnull", True)),
                            _connector="OR",
                        ),
                        name="next_book_in_force_is_a_version",
                    ),
                ],
            },
        ),
    ]
