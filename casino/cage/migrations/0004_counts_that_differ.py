"""A drawer that was counted short or over is judged by the floor. Locks the doubts while the old ones are checked."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0003_doubts"),
    ]

    operations = [
        migrations.AlterField(
            model_name="doubt",
            name="kind",
            field=models.CharField(
                choices=[
                    ("more_than_sold", "More Than Sold"),
                    ("below_nothing", "Below Nothing"),
                    ("count_differs", "Count Differs"),
                ],
                max_length=20,
            ),
        ),
        migrations.RemoveConstraint(model_name="doubt", name="doubt_is_about_a_slip_or_a_count"),
        migrations.AddConstraint(
            model_name="doubt",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("count__isnull", True), ("kind", "more_than_sold"), ("slip__isnull", False)),
                    models.Q(
                        ("count__isnull", False),
                        ("kind__in", ["below_nothing", "count_differs"]),
                        ("slip__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="doubt_is_about_a_slip_or_a_count",
            ),
        ),
    ]
