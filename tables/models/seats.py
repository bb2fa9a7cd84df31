"""Who sits where, from sitting down to leaving."""

from collections.abc import Iterable

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest

from casino.people.models import Player
from casino.poker.missed import Missed
from casino.poker.positions import Entry, Occupant
from casino.rooms.models import Room
from casino.rows import Tracked
from casino.rulebooks.units import SEATS_MAX
from tables.models.tables import Opening, Table


class Seating(Tracked):
    """
    A player in a seat.

    `entry` is how the player comes into the blinds (H4.30-H4.34), `missed` the missed blind markers in front of them
    (H4.36), which make them come in anew; `straddles` stands until it is cancelled (H4.18). `away_since` is when the
    seat was held. `chips_in_cents` is all that was put
    on the table, bought or brought; it is no stack: a stack is a count. `left_stack_cents` is the count
    on leaving; None on a seating that has ended means that it was not counted, until the cash-out of
    the day supplies it: then it goes to the record with which the player's is joined meanwhile, and `sat_as_id` is the
    one under which they sat. `left_after_hand_id` is the table's newest hand at that moment: a tablet that was away
    sends what it dealt before and after in one go, so moments do not say which hands came between.
    `barred_since` is when an exclusion caught the player here: dealt in no more, and the floor counts and lets them
    leave. `plays_until` is when the hours are used up that the player has set for themselves.

    Away: `away_limit_at` is until when the seat is held at least (H1.10), None where buttons are counted instead:
    `buttons_passed` are those since the player went (R-§4). `long_break_at` is when the evening's long break began in
    this seat (H1.9). `is_played_over`: somebody else plays here until the player is back (H4.48); that one's row
    has `holder`, set by who reads both. `change_wished_at` and `change_to` are a wish for another seat, None for any
    (H4.45), and `changed_from` is what taking the last change back gives back. `short_buy_in_cents` is what of
    `chips_in_cents` was a short buy-in (H2.19). `right_from` is the game that closed under a player who then waited by
    right of it and came here (R-§3-4). `from_sheet` is the number of the paper sheet from which something of this
    seating was caught up: its beginning, its chips, how it stands, or its end.
    """

    class EntryKind(models.TextChoices):
        IN = Entry.IN.value
        WAITS = Entry.WAITS.value
        POSTS = Entry.POSTS.value
        STRADDLES = Entry.STRADDLES.value

    class MissedBlinds(models.TextChoices):
        NONE = Missed.NONE.value
        SMALL = Missed.SMALL.value
        BOTH = Missed.BOTH.value

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT)
    opening = models.ForeignKey(Opening, on_delete=models.PROTECT)
    player = models.ForeignKey(Player, on_delete=models.PROTECT)
    seat_number = models.PositiveSmallIntegerField()
    entry = models.CharField(max_length=10, choices=EntryKind)
    missed = models.CharField(max_length=5, choices=MissedBlinds, default=Missed.NONE.value, blank=True)
    straddles = models.BooleanField(default=False)
    is_held = models.BooleanField(default=False)
    away_since = models.DateTimeField(null=True)
    away_limit_at = models.DateTimeField(null=True)
    long_break_at = models.DateTimeField(null=True)
    buttons_passed = models.PositiveSmallIntegerField(default=0)
    is_played_over = models.BooleanField(default=False)
    change_wished_at = models.DateTimeField(null=True, db_column="change_asked_at")
    change_to = models.PositiveSmallIntegerField(null=True)
    changed_from = models.JSONField(null=True)
    chips_in_cents = models.PositiveBigIntegerField(default=0)
    short_buy_in_cents = models.PositiveBigIntegerField(default=0)
    right_from = models.ForeignKey(Opening, on_delete=models.PROTECT, null=True, related_name="+")
    sat_down_at = models.DateTimeField()
    seated_by_id = models.BigIntegerField(null=True)
    left_at = models.DateTimeField(null=True)
    left_stack_cents = models.PositiveBigIntegerField(null=True)
    sat_as_id = models.BigIntegerField(null=True)
    left_after_hand_id = models.BigIntegerField(null=True)
    barred_since = models.DateTimeField(null=True)
    plays_until = models.DateTimeField(null=True)
    from_sheet = models.PositiveBigIntegerField(null=True)
    version = models.PositiveIntegerField(default=1)

    # Whose seat it is, where its player plays over (H4.48).
    holder: "Seating | None" = None

    # From when on somebody sat on the gaming day of what the table runs: who plays on from the day before, from its
    # opening.
    SAT_ON_DAY = Greatest("sat_down_at", "opening__day__opened_at")

    may_change = (
        "opening", "player", "seat_number", "entry", "missed", "straddles", "is_held", "away_since", "away_limit_at",
        "long_break_at", "buttons_passed", "is_played_over", "change_wished_at", "change_to", "changed_from",
        "chips_in_cents", "short_buy_in_cents", "left_at", "left_stack_cents", "left_after_hand_id", "barred_since",
        "plays_until", "sat_as_id", "from_sheet", "version",
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "seat_number"],
                condition=Q(left_at__isnull=True, is_played_over=False),
                name="seating_one_player_per_seat",
            ),
            models.UniqueConstraint(
                fields=["table", "seat_number"],
                condition=Q(left_at__isnull=True, is_played_over=True),
                name="seating_one_absent_holder_per_seat",
            ),
            # No house lets one person hold two seats (H2.8, U45 read for a live room).
            models.UniqueConstraint(
                fields=["player"], condition=Q(left_at__isnull=True), name="seating_one_seat_per_person"
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
                condition=Q(missed="") | ~Q(entry=Entry.IN.value), name="seating_missed_blinds_are_paid_or_waited_out"
            ),
            models.CheckConstraint(condition=Q(away_since__isnull=True) | Q(is_held=True), name="seating_away_is_held"),
            models.CheckConstraint(
                condition=Q(seat_number__gte=1, seat_number__lte=SEATS_MAX), name="seating_seat_is_one_to_twelve"
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
    def is_on_long_break(self) -> bool:
        """Say whether this absence is the evening's long break, not one after it (H1.9)."""
        return self.is_held and self.long_break_at is not None and self.long_break_at == self.away_since

    @property
    def may_be_dealt_in(self) -> bool:
        """Say whether a hand deals them in: who is there, has chips (H1.60) and may still play."""
        return not self.is_held and self.chips_in_cents > 0 and self.barred_since is None

    @property
    def occupant(self) -> Occupant:
        """Return the seat as the rules of the blinds see it."""
        return Occupant(
            seat_number=self.seat_number,
            player_id=self.player_id,
            entry=Entry(self.entry),
            is_held=not self.may_be_dealt_in,
            missed=Missed(self.missed),
            straddles=self.straddles,
        )


def at_seats(seatings: Iterable[Seating]) -> list[Seating]:
    """Return who plays in each seat; whoever is played over is the `holder` of the one who plays there (H4.48)."""
    seatings = list(seatings)
    holders = {(each.table_id, each.seat_number): each for each in seatings if each.is_played_over}
    playing = [each for each in seatings if not each.is_played_over]
    for each in playing:
        each.holder = holders.get((each.table_id, each.seat_number))
    return playing
