"""Reads the movements, a few a day, without keeping anybody from them."""

from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0004_closing_a_pool"),
    ]

    operations = [
        ValidateConstraint(model_name="movement", name="movement_falls_for_few_reasons"),
    ]
