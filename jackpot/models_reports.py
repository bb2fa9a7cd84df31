"""What two persons have signed of the jackpots' books."""

import pgtrigger
from django.db import models
from django.db.models import F, Q

from casino.rooms.models import Room


class SignedReport(models.Model):
    """
    The reconciliation of all the room's jackpots over a span of gaming days, with the figures as signed. Never changed.

    `figures` is `reconciling.Report.as_json()`, in cents; `seen` is its fingerprint, which the log holds too.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    first_date = models.DateField()
    last_date = models.DateField()
    figures = models.JSONField()
    seen = models.CharField(max_length=64)
    agrees = models.BooleanField()
    at = models.DateTimeField()
    made_by_id = models.BigIntegerField()
    approved_by_id = models.BigIntegerField()

    may_change = ()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(first_date__lte=F("last_date")), name="report_span_ends_after_it_begins"
            ),
            models.CheckConstraint(condition=~Q(approved_by_id=F("made_by_id")), name="report_signed_by_another"),
        ]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"report {self.pk}"
