"""More chips than anybody had in hand were brought: one more kind of to-do. Changes no rows and no column."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0010_boxes_to_judge"),
    ]

    operations = [
        migrations.AlterField(
            model_name="todo",
            name="kind",
            field=models.CharField(
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
                ],
                max_length=20,
            ),
        ),
    ]
