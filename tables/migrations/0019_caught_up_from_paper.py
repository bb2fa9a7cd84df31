from django.db import migrations, models


class Migration(migrations.Migration):
    """Columns that are empty, which PostgreSQL adds without reading a row."""

    dependencies = [("tables", "0018_racks")]

    operations = [
        migrations.AddField("hand", "from_sheet", models.PositiveBigIntegerField(null=True)),
        migrations.AddField("seating", "from_sheet", models.PositiveBigIntegerField(null=True)),
        migrations.AddField("down", "from_sheet", models.PositiveBigIntegerField(null=True)),
        migrations.AlterField(
            "todo",
            "kind",
            models.CharField(
                choices=[
                    ("hand_differs", "Hand Differs"),
                    ("rake_differs", "Rake Differs"),
                    ("hand_not_logged", "Hand Not Logged"),
                    ("hand_abandoned", "Hand Abandoned"),
                    ("late_fact", "Late Fact"),
                    ("kept_apart", "Kept Apart"),
                    ("time_differs", "Time Differs"),
                    ("tap_kept", "Tap Kept"),
                    ("stack_above_play", "Stack Above Play"),
                    ("tips_above_play", "Tips Above Play"),
                    ("floor_called", "Floor Called"),
                    ("box_differs", "Box Differs"),
                    ("brought_unseen", "Brought Unseen"),
                    ("rack_differs", "Rack Differs"),
                    ("rack_not_counted", "Rack Not Counted"),
                    ("caught_up", "Caught Up"),
                ],
                max_length=20,
            ),
        ),
    ]
