"""Who waits for which game, is called to which seat, and what became of it."""

from datetime import datetime

from django.db import models
from django.db.models import F, Q

from casino.people.models import Player
from casino.rooms.models import GamingDay, Room
from tables.claims import Promise
from tables.models import Game, Opening, Table


class WaitingList(models.Model):
    """
    The list of one game on offer, also of one that does not run yet: then it is an interest list (H2.3, H2.4).

    Its row is the lock that owns the order and every call from it; `version` grows with each command, `places_given`
    with each place at its end. With new terms of the same game the list goes on. `seats_opened` is how many seats came
    free at the game's tables in the `measured_minutes` before `measured_at`: what an estimate is made of.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="waiting_list")
    version = models.PositiveBigIntegerField(default=0)
    places_given = models.PositiveBigIntegerField(default=0)
    seats_opened = models.PositiveSmallIntegerField(null=True)
    measured_minutes = models.PositiveSmallIntegerField(null=True)
    measured_at = models.DateTimeField(null=True)

    may_change = ("game", "version", "places_given", "seats_opened", "measured_minutes", "measured_at")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(seats_opened__isnull=True, measured_minutes__isnull=True, measured_at__isnull=True)
                | Q(seats_opened__isnull=False, measured_minutes__isnull=False, measured_at__isnull=False),
                name="waiting_list_measure_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"list {self.pk}"

    @property
    def chain(self) -> str:
        return f"list.{self.pk}"


class Waiting(models.Model):
    """
    A player on a list, from joining it to the seat or away from it.

    `day` is the gaming day whose list it is, None of days that were over before rows said so: a list ends with its day.
    `place` orders the list, then `id`; the floor may change it, with a reason. `check_in_by` is set while a player who
    has called in is not there yet. A call promises `table` and `seat_number` until `call_expires_at`; `seat_opened_at`
    is shown beside it (A21). `fetches_chips_until` keeps the promised seat while the player is at the cage.
    `on_the_way_at` and `asks_more_at` are the player's own answers to a call; `is_more_refused`: the floor gave no more
    time. `missed_calls` counts those that went by (H2.6). `ended_why` is a code. `right_from`: the player sat at that
    table when it closed, and has a right before the list (H2.11). `from_sheet` is the number of the paper sheet that
    something of this entry was caught up from.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        CALLED = "called"
        SEATED = "seated"
        STRUCK = "struck"
        DROPPED = "dropped"

    LIVE = (Status.WAITING, Status.CALLED)

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    waiting_list = models.ForeignKey(WaitingList, on_delete=models.PROTECT, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT)
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    place = models.BigIntegerField()
    right_from = models.ForeignKey(Opening, on_delete=models.PROTECT, null=True)
    # A key, not `joined_at`: the clock may be set back to before the day opened.
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, null=True)
    joined_at = models.DateTimeField()
    joined_by_id = models.BigIntegerField(null=True)
    check_in_by = models.DateTimeField(null=True)
    missed_calls = models.PositiveSmallIntegerField(default=0)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, null=True)
    seat_number = models.PositiveSmallIntegerField(null=True)
    seat_opened_at = models.DateTimeField(null=True)
    called_at = models.DateTimeField(null=True)
    called_by_id = models.BigIntegerField(null=True)
    call_expires_at = models.DateTimeField(null=True)
    on_the_way_at = models.DateTimeField(null=True)
    asks_more_at = models.DateTimeField(null=True)
    is_more_refused = models.BooleanField(default=False)
    fetches_chips_until = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_by_id = models.BigIntegerField(null=True)
    ended_why = models.CharField(max_length=20, blank=True)
    version = models.PositiveIntegerField(default=1)
    from_sheet = models.PositiveBigIntegerField(null=True)

    may_change = (
        "player", "status", "place", "right_from", "check_in_by", "missed_calls", "table", "seat_number",
        "seat_opened_at", "called_at", "called_by_id", "call_expires_at", "on_the_way_at", "asks_more_at",
        "is_more_refused", "fetches_chips_until", "ended_at", "ended_by_id", "ended_why", "version",
        "from_sheet",
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["waiting_list", "player"],
                condition=Q(status__in=["waiting", "called"]),
                name="waiting_once_per_list",
            ),
            models.UniqueConstraint(
                fields=["table", "seat_number"],
                condition=Q(status="called"),
                name="waiting_one_player_per_promised_seat",
            ),
            models.UniqueConstraint(
                fields=["player"], condition=Q(status="called"), name="waiting_nobody_is_called_to_two_seats"
            ),
            models.CheckConstraint(
                condition=~Q(status="called")
                | Q(
                    table__isnull=False,
                    seat_number__isnull=False,
                    called_at__isnull=False,
                    call_expires_at__isnull=False,
                ),
                name="waiting_a_call_is_to_a_seat_and_ends",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "called"], ended_at__isnull=True)
                | Q(status__in=["seated", "struck", "dropped"], ended_at__isnull=False),
                name="waiting_ends_once",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("joined_at")),
                name="waiting_ends_after_it_starts",
            ),
        ]
        indexes = [
            models.Index(
                fields=["waiting_list", "place", "id"],
                condition=Q(status__in=["waiting", "called"]),
                name="waiting_in_order",
            ),
            models.Index(fields=["call_expires_at"], condition=Q(status="called"), name="waiting_calls_due"),
        ]

    def __str__(self) -> str:
        return f"{self.status} {self.place}"

    @property
    def is_there(self) -> bool:
        """Whether the player is in the room: who has called in is not until the check-in."""
        return self.check_in_by is None

    @property
    def holds_until(self) -> datetime | None:
        """
        Return until when the promised seat is kept: the call's end or the cage's, whichever comes later; None while
        nobody was called.
        """
        return max(filter(None, (self.fetches_chips_until, self.call_expires_at)), default=None)

    @property
    def promise(self) -> Promise | None:
        """Return the seat that a call keeps for its player, None while nobody was called."""
        if self.status != self.Status.CALLED or self.table_id is None or self.seat_number is None:
            return None
        return Promise(self.table_id, self.seat_number, self.player, self.holds_until)
