"""Who sits where, from sitting down to leaving."""

from django.db import models
from django.db.models import F, Q

from casino.people.models import Player
from casino.poker.blinds import Entry, Occupant
from casino.rooms.models import Room
from tables.models.tables import Opening, Table


class Seating(models.Model):
    """
    A player in a seat.

    `entry` is how the player comes into the blinds (H4.30-H4.32). `chips_in_cents` is all that was put
    on the table, bought or brought; it is no stack: a stack is a count. `left_stack_cents` is the count
    on leaving; None on a seating that has ended means that it was not counted, until the cash-out of
    the day supplies it. `left_after_hand_id` is the table's newest hand at that moment: a tablet that was away
    sends what it dealt before and after in one go, so moments do not say which hands came between.
    """

    class EntryKind(models.TextChoices):
        IN = Entry.IN.value
        WAITS = Entry.WAITS.value
        POSTS = Entry.POSTS.value

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT)
    opening = models.ForeignKey(Opening, on_delete=models.PROTECT)
    player = models.ForeignKey(Player, on_delete=models.PROTECT)
    seat_number = models.PositiveSmallIntegerField()
    entry = models.CharField(max_length=10, choices=EntryKind)
    is_held = models.BooleanField(default=False)
    chips_in_cents = models.PositiveBigIntegerField(default=0)
    sat_down_at = models.DateTimeField()
    seated_by_id = models.BigIntegerField(null=True)
    left_at = models.DateTimeField(null=True)
    left_stack_cents = models.PositiveBigIntegerField(null=True)
    left_after_hand_id = models.BigIntegerField(null=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "seat_number"],
                condition=Q(left_at__isnull=True),
                name="seating_one_player_per_seat",
            ),
            models.UniqueConstraint(
                fields=["table", "player"], condition=Q(left_at__isnull=True), name="seating_one_seat_per_player"
            ),
            models.CheckConstraint(
                condition=Q(left_at__isnull=True) | Q(left_at__gte=F("sat_down_at")),
                name="seating_ends_after_it_starts",
            ),
            models.CheckConstraint(
                condition=Q(left_at__isnull=False) | Q(left_stack_cents__isnull=True, left_after_hand_id__isnull=True),
                name="seating_stack_is_counted_on_leaving",
            ),
            models.CheckConstraint(
                condition=Q(seat_number__gte=1, seat_number__lte=12), name="seating_seat_is_one_to_twelve"
            ),
        ]
        indexes = [
            models.Index(fields=["player", "left_at"], name="seating_by_player"),
            # Who sat there at a moment of tonight, among all who ever did.
            models.Index(fields=["table", "left_at"], name="seating_by_leaving"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat_number}"

    @property
    def occupant(self) -> Occupant:
        """Return the seat as the rules of the blinds see it: without chips nobody is dealt in (H1.60)."""
        return Occupant(
            seat_number=self.seat_number,
            player_id=self.player_id,
            entry=Entry(self.entry),
            is_held=self.is_held or self.chips_in_cents == 0,
        )
