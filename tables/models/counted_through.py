"""A table counted through between two hands, where play goes on over the gaming day's end."""

import pgtrigger
from django.db import models
from django.db.models import Q

from casino.rooms.models import GamingDay, Room
from tables.models.tables import Opening, Table


class CountedThrough(models.Model):
    """
    What lay before everybody at a table between two hands, as counted, beside what the log had in play. Never changed.

    `stacks` are [seating, seat, cents] each, `cents` is their sum. It holds as long as nothing is done at the table:
    `table_version` is the table's then.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="+")
    opening = models.ForeignKey(Opening, on_delete=models.PROTECT, related_name="+")
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    at = models.DateTimeField()
    counted_by_id = models.BigIntegerField()
    stacks = models.JSONField()
    cents = models.BigIntegerField()
    in_play_cents = models.BigIntegerField()
    table_version = models.PositiveBigIntegerField()

    may_change = ()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(cents__gte=0), name="counted_through_not_negative")]
        # The newest count of an opening is the one that may still hold.
        indexes = [models.Index(fields=["opening", "-id"], name="counted_through_newest")]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"table {self.table_id} at {self.at}"

    @property
    def difference_cents(self) -> int:
        """By how much they differ from what the log had in play."""
        return self.cents - self.in_play_cents
