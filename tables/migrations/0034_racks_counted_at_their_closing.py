"""A rack is counted by two at its closing and stays. Judges rack checks while taps write; none of before is one."""

from django.db import migrations, models

from casino.migrating import WhileTapsWrite

KINDS = ["opening", "push", "unannounced", "floor", "at_closing", "closing"]


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("tables", "0033_seatings_know_under_which_record"),
    ]

    operations = [
        WhileTapsWrite(
            [
                migrations.AlterField(
                    "rackcheck",
                    "kind",
                    models.CharField(max_length=12, choices=[(kind, kind.replace("_", " ").title()) for kind in KINDS]),
                ),
                migrations.AddConstraint(
                    "rackcheck",
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "at_closing"), _negated=True),
                            models.Q(("approved_by_id__isnull", False), ("cents__isnull", False)),
                            _connector="OR",
                        ),
                        name="rack_check_at_closing_counted_by_two",
                    ),
                ),
            ]
        ),
    ]
