"""Who a player was shown to be, by which document. It stands here alone: no event and no pushed fragment holds it."""

import pgtrigger
from django.db import models
from django.db.models import Q

from casino.rooms.models import Room


class IdentityCheck(models.Model):
    """
    Somebody on staff saw a document of a player. A later check is another row; the newest that is valid counts.

    `number` is the document's own; `valid_until` is its last day, None for one without an end.
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
    valid_until = models.DateField(null=True)
    checked_at = models.DateTimeField()
    checked_by_id = models.BigIntegerField()

    may_change = ()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(number=""), name="identity_check_names_the_document")]
        indexes = [models.Index(fields=["player", "-id"], name="identity_check_newest")]
        triggers = [pgtrigger.Protect(name="identity_check_append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.document} of {self.player_id}"
