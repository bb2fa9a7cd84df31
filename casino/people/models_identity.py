"""Who a player was shown to be, by which document. It stands here alone: no event and no pushed fragment holds it."""

import pgtrigger
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Replace, Upper

from casino.people.erased import ERASED
from casino.rooms.models import Room

# What of a check may be written over, and by what.
_NOT_ERASED = f"""
    NEW.number <> '{ERASED}' OR NEW.valid_until IS NOT NULL OR NEW.full_name <> ''
    OR (OLD.id, OLD.room_id, OLD.player_id, OLD.document, OLD.also_of_id,
    OLD.checked_at, OLD.checked_by_id) IS DISTINCT FROM (NEW.id, NEW.room_id, NEW.player_id, NEW.document,
    NEW.also_of_id, NEW.checked_at, NEW.checked_by_id)
"""

# A number as it is compared: whoever types it leaves spaces and writes small letters as they like.
PLAIN_NUMBER = Upper(Replace("number", Value(" "), Value("")))


class IdentityCheck(models.Model):
    """
    Somebody on staff saw a document of a player. A later check is another row; the newest that is valid counts.

    `number` is the document's own, `full_name` the name on it; `valid_until` is its last day, None for one without
    an end; `also_of` the record of another person for which the same document was shown before. The first three are
    gone, and `ERASED` stands for the number, once the player was erased and the book's `identity_wish_days` are
    over: that somebody was checked, when and by whom, stays.
    """

    class Document(models.TextChoices):
        PASSPORT = "passport"
        IDENTITY_CARD = "identity_card"
        DRIVING_LICENCE = "driving_licence"
        RESIDENCE_PERMIT = "residence_permit"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    player = models.ForeignKey("people.Player", on_delete=models.PROTECT, related_name="identity_checks")
    document = models.CharField(max_length=16, choices=Document)
    number = models.CharField(max_length=30)
    full_name = models.CharField(max_length=120, default="", db_default="", blank=True)
    valid_until = models.DateField(null=True)
    checked_at = models.DateTimeField()
    checked_by_id = models.BigIntegerField()
    also_of = models.ForeignKey("people.Player", on_delete=models.PROTECT, null=True, related_name="+")

    may_change = ("number", "full_name", "valid_until")

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(number=""), name="identity_check_names_the_document")]
        indexes = [
            models.Index(fields=["player", "-id"], name="identity_check_newest"),
            models.Index(fields=["room"], condition=Q(also_of__isnull=False), name="identity_check_shown_twice"),
            models.Index(F("room"), F("document"), PLAIN_NUMBER, name="identity_check_by_number"),
        ]
        triggers = [
            pgtrigger.Protect(name="identity_check_never_deleted", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="identity_check_only_erased",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(_NOT_ERASED),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.document} of {self.player_id}"
