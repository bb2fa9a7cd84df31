"""
Finds the box of a posting, and the kinds of box that a room numbers, by an index, and while tablets write.
"""

from django.db import migrations, models

from casino.migrating import WhileTapsWrite


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("boxes", "0001_boxes_and_counts"),
        ("rooms", "0003_days_in_the_log"),
        ("tables", "0017_place_of_box_differences"),
    ]

    operations = [
        WhileTapsWrite(
            [
                migrations.AddIndex(
                    model_name="box",
                    index=models.Index(
                        condition=models.Q(("taken_back_at__isnull", True)),
                        fields=["table", "account", "-hung_after", "-id"],
                        name="box_by_place_in_the_log",
                    ),
                ),
                migrations.AddIndex(
                    model_name="box",
                    index=models.Index(
                        condition=models.Q(("number__isnull", False), ("taken_back_at__isnull", True)),
                        fields=["room", "hung_at"],
                        name="box_numbered_by_time",
                    ),
                ),
            ]
        ),
    ]
