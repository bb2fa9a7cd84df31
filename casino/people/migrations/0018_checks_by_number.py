"""
Checks are found by room, document and number, as whoever shows a document waits: indexed while taps write.
"""

from django.db import migrations, models
from django.db.models import F, Value
from django.db.models.functions import Replace, Upper

from casino.migrating import WhileTapsWrite


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("people", "0017_whose_document_it_was_stays")]

    operations = [
        WhileTapsWrite(
            [
                migrations.AddIndex(
                    "identitycheck",
                    models.Index(
                        F("room"),
                        F("document"),
                        Upper(Replace("number", Value(" "), Value(""))),
                        name="identity_check_by_number",
                    ),
                ),
            ]
        ),
    ]
