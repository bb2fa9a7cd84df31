"""What of a kind was ever carried over a day's end is found by an index, which is built while taps write."""

from django.db import migrations, models

from casino.migrating import WhileTapsWrite


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("cage", "0026_drawer_is_counted_first")]

    operations = [
        WhileTapsWrite(
            [
                migrations.AddIndex(
                    "carrieditem", models.Index(fields=["room", "kind", "number"], name="carried_item_by_kind")
                )
            ]
        )
    ]
