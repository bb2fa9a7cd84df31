"""What was found missing at a table, or too much, once everything that lay there was counted."""

import pgtrigger
from django.db import models
from django.db.models import F, Q

from casino.rooms.models import GamingDay, Room
from tables.models.counted_through import CountedThrough
from tables.models.tables import Opening, Table


class TableDifference(models.Model):
    """
    What a floor person stated to be missing at a table; negative: there was too much. Never changed.

    `in_play_cents` is what the log had in play, `counted_cents` what lay there: what was `counted` through between two
    hands, nothing where the table was closed and everybody counted out. `number` runs by table; what explains a
    difference afterwards is stated by another, the other way.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="differences")
    number = models.PositiveIntegerField()
    opening = models.ForeignKey(Opening, on_delete=models.PROTECT, related_name="+")
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    at = models.DateTimeField()
    by_id = models.BigIntegerField()
    counted = models.ForeignKey(CountedThrough, on_delete=models.PROTECT, null=True, related_name="+")
    counted_cents = models.BigIntegerField()
    in_play_cents = models.BigIntegerField()
    cents = models.BigIntegerField()
    transfer_id = models.BigIntegerField()

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="table_difference_numbered_once_per_table"),
            models.CheckConstraint(
                condition=Q(cents=F("in_play_cents") - F("counted_cents")) & ~Q(cents=0),
                name="table_difference_is_what_was_not_counted",
            ),
        ]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"difference {self.table_id} {self.number}"
