"""Requests that the cage refused: why, and whether the floor knows."""

from django.db import models
from django.db.models import F, Q

from casino.people.models import Staff


class RefusedRequest(models.Model):
    """
    The cage's no to chips that were asked for: its slip is cancelled, and the floor is told why until somebody there
    has seen it.

    What stands at a table's own tablet meanwhile says "see the floor" and no reason: players read it.
    """

    class Reason(models.TextChoices):
        CARD_DECLINED = "card_declined"
        NO_MONEY = "no_money"
        IDENTITY_NEEDED = "identity_needed"
        OWN_LIMIT = "own_limit"
        NOBODY_CAME = "nobody_came"
        ASK_THE_CAGE = "ask_the_cage"

    slip = models.OneToOneField("cage.Slip", on_delete=models.PROTECT, related_name="refused")
    reason = models.CharField(max_length=20, choices=Reason)
    refused_at = models.DateTimeField()
    refused_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    seen_at = models.DateTimeField(null=True)
    seen_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")

    may_change = ("seen_at", "seen_by")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(seen_at__isnull=True, seen_by__isnull=True)
                | Q(seen_at__gte=F("refused_at"), seen_by__isnull=False),
                name="refused_request_seen_by_somebody",
            )
        ]
        indexes = [
            models.Index(fields=["refused_at"], condition=Q(seen_at__isnull=True), name="refused_request_unseen")
        ]

    def __str__(self) -> str:
        return f"slip {self.slip_id}: {self.reason}"
