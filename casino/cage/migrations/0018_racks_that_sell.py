"""Racks that sell number their slips as drawers do. Locks drawers, a few rows, while they are checked and indexed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0017_runners_banks"),
    ]

    operations = [
        # Processes of before add drawers without saying it.
        migrations.AddField(
            model_name="drawer",
            name="place_kind",
            field=models.CharField(blank=True, db_default="", default="", max_length=20),
        ),
        migrations.AddField(model_name="drawer", name="place_id", field=models.BigIntegerField(null=True)),
        migrations.AddField(model_name="drawer", name="place_number", field=models.PositiveIntegerField(null=True)),
        migrations.AddConstraint(
            model_name="drawer",
            constraint=models.UniqueConstraint(
                condition=models.Q(("place_kind", ""), _negated=True),
                fields=("room", "place_kind", "place_id"),
                name="drawer_one_per_rack",
            ),
        ),
        migrations.AddConstraint(
            model_name="drawer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("place_id__isnull", True), ("place_kind", ""), ("place_number__isnull", True)),
                    models.Q(
                        ("is_bank", False),
                        ("place_id__isnull", False),
                        ("place_number__isnull", False),
                        models.Q(("place_kind", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="drawer_of_a_rack_knows_its_place",
            ),
        ),
    ]
