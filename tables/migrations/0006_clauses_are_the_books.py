"""CHECKs name no clause any more: the book in force does. Changes nothing in the database, and locks nothing."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0005_more_to_judge"),
    ]

    operations = [
        migrations.AlterConstraint(
            model_name="game",
            name="game_has_two_to_twelve_seats",
            constraint=models.CheckConstraint(
                condition=Q(seats__gte=2, seats__lte=12), name="game_has_two_to_twelve_seats"
            ),
        ),
        migrations.AlterConstraint(
            model_name="game",
            name="game_charges_in_one_way",
            constraint=models.CheckConstraint(
                condition=Q(rake__isnull=True) | Q(time_charge__isnull=True), name="game_charges_in_one_way"
            ),
        ),
        migrations.AlterConstraint(
            model_name="game",
            name="game_buy_in_minimum_is_something",
            constraint=models.CheckConstraint(
                condition=Q(buy_in_min_cents__gt=0), name="game_buy_in_minimum_is_something"
            ),
        ),
    ]
