"""What the cage has done that cannot be so, for the floor to judge. Locks nothing: the table is new."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0002_fills_signed_by_two"),
        ("rooms", "0002_floor_by_the_book"),
        ("people", "0003_floor_by_the_book"),
    ]

    operations = [
        migrations.CreateModel(
            name="Doubt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("more_than_sold", "More Than Sold"), ("below_nothing", "Below Nothing")],
                        max_length=20,
                    ),
                ),
                ("cents", models.BigIntegerField()),
                ("raised_at", models.DateTimeField()),
                ("judged_at", models.DateTimeField(null=True)),
                (
                    "count",
                    models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to="cage.drawercount"),
                ),
                ("drawer", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="cage.drawer")),
                (
                    "judged_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="people.staff",
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                ("slip", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to="cage.slip")),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("judged_at__isnull", True)), fields=["room", "raised_at"], name="doubt_open"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("count__isnull", True), ("kind", "more_than_sold"), ("slip__isnull", False)),
                            models.Q(("count__isnull", False), ("kind", "below_nothing"), ("slip__isnull", True)),
                            _connector="OR",
                        ),
                        name="doubt_is_about_a_slip_or_a_count",
                    ),
                    models.CheckConstraint(condition=models.Q(("cents__gt", 0)), name="doubt_is_by_something"),
                ],
            },
        ),
    ]
