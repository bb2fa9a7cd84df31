"""Time charges as they were taken, period by period, with each player's share."""

from django.db import models
from django.db.models import F, Q

from casino.people.models import Player
from casino.rooms.models import GamingDay, Room
from tables.models.tables import Opening, Table


class TimeTaken(models.Model):
    """
    One period of a table's time charge: taken, or let go by the floor because nobody played (H1.91, L-P21).

    `number` counts the periods of an opening from 1; `began_at` is when the period began. Amounts are cents: what was
    due by the charge, and what lies in its box. One that was taken back stays, and its period can be taken anew.
    `from_sheet` is the number of the paper sheet that it was caught up from.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT)
    opening = models.ForeignKey(Opening, on_delete=models.PROTECT, related_name="times")
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    rule_book_version_id = models.BigIntegerField()
    number = models.PositiveIntegerField()
    began_at = models.DateTimeField()
    charge = models.JSONField()
    is_let_go = models.BooleanField(default=False)
    due_cents = models.PositiveBigIntegerField(default=0)
    paid_cents = models.PositiveBigIntegerField(default=0)
    taken_at = models.DateTimeField()
    taken_by_id = models.BigIntegerField(null=True)
    taken_back_at = models.DateTimeField(null=True)
    taken_back_by_id = models.BigIntegerField(null=True)
    transfer_id = models.BigIntegerField(null=True)
    from_sheet = models.PositiveBigIntegerField(null=True)

    may_change = ("taken_back_at", "taken_back_by_id", "transfer_id")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["opening", "number"],
                condition=Q(taken_back_at__isnull=True),
                name="time_taken_once_per_period",
            ),
            models.CheckConstraint(
                condition=Q(is_let_go=False) | Q(paid_cents=0), name="time_taken_nobody_pays_what_is_let_go"
            ),
            models.CheckConstraint(
                condition=Q(taken_back_at__isnull=True) | Q(taken_back_at__gte=F("taken_at")),
                name="time_taken_back_after_it_was_taken",
            ),
        ]

    def __str__(self) -> str:
        return f"period {self.number}"


class TimeShare(models.Model):
    """What one player owed for a period, and paid, in cents; who was away is there too."""

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    time = models.ForeignKey(TimeTaken, on_delete=models.PROTECT, related_name="shares")
    player = models.ForeignKey(Player, on_delete=models.PROTECT)
    seat_number = models.PositiveSmallIntegerField()
    was_away = models.BooleanField(default=False)
    due_cents = models.PositiveBigIntegerField(default=0)
    paid_cents = models.PositiveBigIntegerField(default=0)

    may_change = ()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["time", "seat_number"], name="time_share_once_per_seat")]

    def __str__(self) -> str:
        return f"seat {self.seat_number}"
