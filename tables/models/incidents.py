"""What the floor rules on: incidents with their clause and people, and the clock on a player."""

from django.db import models
from django.db.models import F, Q

from casino.people.models import Player
from casino.people.notes import Note
from casino.rooms.models import GamingDay, Room
from tables.models.hands import Hand
from tables.models.seats import Seating
from tables.models.tables import Table


class Incident(models.Model):
    """
    One entry of the incident log. What was said about it lies in `note`, a text of people's data that can be erased.

    `clause` is the id of a clause of the room's book, "" where none was named. A penalty runs until `ends_at` or until
    somebody ends it; `ended_by_id` None means that time did. `cents` is what was returned or passed on.
    """

    class Kind(models.TextChoices):
        RULING = "ruling"
        WARNING = "warning"
        PENALTY = "penalty"
        HAND_INSPECTED = "inspected"
        GAIN_RETURNED = "returned"
        CHIPS_PASSED = "passed"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    kind = models.CharField(max_length=10, choices=Kind)
    clause = models.CharField(max_length=12, blank=True)
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, null=True)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, null=True, related_name="incidents")
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, null=True, related_name="incidents")
    note = models.ForeignKey(Note, on_delete=models.PROTECT, null=True)
    cents = models.PositiveBigIntegerField(null=True)
    at = models.DateTimeField()
    by_id = models.BigIntegerField()
    ends_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_by_id = models.BigIntegerField(null=True)

    may_change = ("ended_at", "ended_by_id")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="penalty", ends_at__isnull=False) | (~Q(kind="penalty") & Q(ends_at__isnull=True)),
                name="incident_a_penalty_alone_has_an_end",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ends_at__isnull=False), name="incident_ends_where_it_runs"
            ),
        ]
        indexes = [
            # The log of incidents begins with the newest.
            models.Index(fields=["room", "-id"], name="incident_newest"),
            models.Index(
                fields=["room", "ends_at"],
                condition=Q(ends_at__isnull=False, ended_at__isnull=True),
                name="incident_penalties_running",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def is_running(self) -> bool:
        """Whether it is a penalty that nobody and no time has ended."""
        return self.ends_at is not None and self.ended_at is None


class IncidentPlayer(models.Model):
    """A player whom an incident is about, and the seat at that moment, None for who sat nowhere."""

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    incident = models.ForeignKey(Incident, on_delete=models.PROTECT, related_name="players")
    player = models.ForeignKey(Player, on_delete=models.PROTECT)
    seat_number = models.PositiveSmallIntegerField(null=True)

    may_change = ("player",)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["incident", "player"], name="incident_names_a_player_once")]

    def __str__(self) -> str:
        return f"player {self.player_id}"


class PlayerClock(models.Model):
    """
    The clock on a player who takes too long (H1.70, R-§18): it runs until `ends_at`.

    `hand` is the hand of that moment, as far as the log knew; with the next one a clock is over. `how` says how it
    ended: "" while it runs, or where nobody said.
    """

    class How(models.TextChoices):
        ACTED = "acted"
        RAN_OUT = "ran_out"
        TAKEN_BACK = "taken_back"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="clocks")
    seating = models.ForeignKey(Seating, on_delete=models.PROTECT)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, null=True)
    called_at = models.DateTimeField()
    called_by_id = models.BigIntegerField(null=True)
    ends_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    ended_by_id = models.BigIntegerField(null=True)
    how = models.CharField(max_length=10, choices=How, blank=True)

    may_change = ("how", "ended_at", "ended_by_id")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at__isnull=True), name="player_clock_one_at_a_time_per_table"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("called_at")),
                name="player_clock_ends_after_it_starts",
            ),
        ]

    def __str__(self) -> str:
        return f"clock {self.pk}"
