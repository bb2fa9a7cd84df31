"""Chips that the cage was paid for and that are on their way to a seat: who has them, until somebody says they came."""

from django.db import models
from django.db.models import Q

from casino.people.models import Staff


class PaidChips(models.Model):
    """
    With whom chips for a seat are after the cage was paid, since when, and when they were delivered there.

    `staff` answers for them: the cashier who sold them, or the runner who took them; still after they came. Nothing is
    posted by it: the seat has had them by the ledger since they were paid. So it leaves the slip's version alone; each
    step stands in the log. A slip of a house that asks for none, or sold at the table itself, has no such row.
    """

    class With(models.TextChoices):
        CAGE = "cage"
        RUNNER = "runner"

    slip = models.OneToOneField("cage.Slip", on_delete=models.PROTECT, related_name="chips")
    chips_with = models.CharField(max_length=10, choices=With)
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField()
    delivered_at = models.DateTimeField(null=True)
    delivered_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")

    may_change = ("chips_with", "staff", "since", "delivered_at", "delivered_by")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(delivered_at__isnull=True, delivered_by__isnull=True)
                | Q(delivered_at__isnull=False, delivered_by__isnull=False),
                name="paid_chips_delivered_by_somebody",
            )
        ]
        indexes = [
            # What is on its way is asked for by the pages of every table, and few among years of what came.
            models.Index(fields=["since"], condition=Q(delivered_at__isnull=True), name="paid_chips_on_way"),
            models.Index(fields=["delivered_at"], name="paid_chips_came"),
        ]

    def __str__(self) -> str:
        return f"slip {self.slip_id}: {self.chips_with}"
