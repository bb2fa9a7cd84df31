"""Pots that are disputed: set aside under their hand's name, and paid later."""

from django.db import models
from django.db.models import Q

from casino.people.models import Player
from casino.rooms.models import GamingDay, Room
from tables.models.hands import Hand
from tables.models.seats import Seating
from tables.models.tables import Table


class DisputedPot(models.Model):
    """
    A counted pot that lies apart until the floor has decided (L-P11): one account per table holds all of them.

    `how` says what became of it: "" while it lies there, "paid" to those of its shares, "put_back" where it was none.
    """

    class How(models.TextChoices):
        PAID = "paid"
        PUT_BACK = "put_back"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="disputed_pots")
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="disputed_pots")
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    cents = models.PositiveBigIntegerField()
    transfer_id = models.BigIntegerField()
    set_aside_at = models.DateTimeField()
    set_aside_by_id = models.BigIntegerField(null=True)
    how = models.CharField(max_length=10, choices=How, blank=True)
    resolved_at = models.DateTimeField(null=True)
    resolved_by_id = models.BigIntegerField(null=True)

    may_change = ("how", "resolved_at", "resolved_by_id")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["hand"], condition=Q(resolved_at__isnull=True), name="disputed_pot_set_aside_once_per_hand"
            ),
            models.CheckConstraint(condition=Q(cents__gt=0), name="disputed_pot_holds_chips"),
            models.CheckConstraint(
                condition=Q(resolved_at__isnull=True, how="") | (Q(resolved_at__isnull=False) & ~Q(how="")),
                name="disputed_pot_is_resolved_somehow",
            ),
        ]
        indexes = [
            # For the floor's to-do: few among years of those that were paid.
            models.Index(fields=["room", "id"], condition=Q(resolved_at__isnull=True), name="disputed_pots_open"),
        ]

    def __str__(self) -> str:
        return f"disputed pot {self.pk}"


class DisputedShare(models.Model):
    """Who got how much of a disputed pot: in the seat named, or in the hands where the player has left."""

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    pot = models.ForeignKey(DisputedPot, on_delete=models.PROTECT, related_name="shares")
    player = models.ForeignKey(Player, on_delete=models.PROTECT)
    seating = models.ForeignKey(Seating, on_delete=models.PROTECT, null=True)
    cents = models.PositiveBigIntegerField()

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pot", "player"], name="disputed_share_one_per_player"),
            models.CheckConstraint(condition=Q(cents__gt=0), name="disputed_share_pays_something"),
        ]

    def __str__(self) -> str:
        return f"share {self.pk}"
