"""The tables of the room, and each time that one is opened."""

from dataclasses import asdict
from typing import Any

from django.db import models
from django.db.models import F, Q

from casino.poker.blinds import LastHand
from casino.rooms.models import GamingDay, Place, Room
from tables.models.games import Game


class Table(models.Model):
    """
    A table of the room. Its row is the lock that owns every decision at the table.

    `version` grows with each command; `hand_number` is the running number of its newest hand.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    place = models.OneToOneField(Place, on_delete=models.PROTECT)
    number = models.PositiveIntegerField()
    opening = models.ForeignKey("Opening", on_delete=models.PROTECT, null=True, related_name="+")
    hand = models.ForeignKey("Hand", on_delete=models.PROTECT, null=True, related_name="+")
    hand_number = models.PositiveBigIntegerField(default=0)
    version = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="table_numbered_once_per_room"),
            models.CheckConstraint(
                condition=Q(hand__isnull=True) | Q(opening__isnull=False), name="table_plays_hands_while_it_is_open"
            ),
        ]

    def __str__(self) -> str:
        return f"Table {self.number}"

    @property
    def is_open(self) -> bool:
        return self.opening_id is not None

    @property
    def chain(self) -> str:
        return f"table.{self.number}"


class Opening(models.Model):
    """
    One time that a table runs a game: from the floor's decision (H2.1) to its closing.

    `draw` is the button draw as it happened (H4.22): {"seats": [...], "players": [...], "winner": seat}.
    `last` is who held the button and posted the blinds on the hand before (A37), None before the first;
    `button_here` is the seat where the dealer said that the button is, until the next hand is played.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="openings")
    game = models.ForeignKey(Game, on_delete=models.PROTECT)
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    rule_book_version_id = models.BigIntegerField()
    opened_at = models.DateTimeField()
    opened_by_id = models.BigIntegerField()
    closed_at = models.DateTimeField(null=True)
    closed_by_id = models.BigIntegerField(null=True)
    draw = models.JSONField(null=True)
    last = models.JSONField(null=True)
    button_here = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(closed_at__isnull=True), name="opening_one_at_a_time_per_table"
            ),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True) | Q(closed_at__gte=F("opened_at")),
                name="opening_ends_after_it_starts",
            ),
        ]

    def __str__(self) -> str:
        return f"opening {self.pk}"

    @property
    def last_hand(self) -> LastHand | None:
        return LastHand(**self.last) if self.last else None

    @property
    def draw_winner(self) -> int | None:
        return self.draw["winner"] if self.draw else None


def stored_last_hand(last: LastHand | None) -> dict[str, Any] | None:
    """Return the plain form in which an opening keeps the hand before."""
    return asdict(last) if last else None
