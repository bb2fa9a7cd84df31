"""Paper that a player has signed: of what moves a deposit."""

import pgtrigger
from django.db import models

from casino.people.models import Staff


class SignedPaper(models.Model):
    """
    The player signed the printed slip that moves their deposit, and a cashier saw it; the paper stays at the cage.

    The signature is on the paper that has the slip's number. A slip has one such row at most, and none is changed.
    """

    slip = models.OneToOneField("cage.Slip", on_delete=models.PROTECT, related_name="signed")
    signed_at = models.DateTimeField()
    seen_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")

    may_change = ()

    class Meta:
        triggers = [pgtrigger.Protect(name="signed_paper_append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"slip {self.slip_id}"
