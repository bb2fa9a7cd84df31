"""Hands as they were dealt and logged."""

from collections.abc import Mapping

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from casino.people.models import Player
from casino.poker.charged_pots import ChargePolicy
from casino.poker.positions import LastHand
from casino.rooms.models import GamingDay, Room
from tables.models.tables import Opening, Table
from tables.rules.in_turn import InTurn


class Hand(models.Model):
    """
    One hand. Amounts are cents; seats are numbers from 1.

    `hand_id` was made on the tablet, so that progress and settlement find each other. `before` is as stored what
    `in_turn` is, {} where that is None: {"last": the opening's of before, or null, "button_here": seat or null,
    "entries": {seating id: entry}, "missed": {seating id: [markers before, after]}}, and where there are any "passed":
    [ids of seatings that the button passed], "gives_back": {holder's seating id: id of the seating that plays over}.
    A correction leaves this row as it was logged and adds a new one that `corrects` it; an undone hand that is logged
    again stays too, and is what the new row is `again_of`. `free_of` are the kinds of charge that it does not pay, for
    time was paid when it was dealt (H7.18); None of hands of before, where the opening tells. `from_sheet` is the
    number of the paper sheet from which it was caught up; of such a hand nobody knows pot, winner or who was dealt in.
    """

    class Status(models.TextChoices):
        DEALT = "dealt"
        SETTLED = "settled"
        NOT_LOGGED = "not_logged"
        VOID = "void"
        UNDONE = "undone"
        CORRECTED = "corrected"

    # For statements: of whom `in_turn` is None. Years of rows have {} there, so it has not become null.
    MOVES_NOTHING = Q(before={})

    # Written twice and more for each hand, each time with all its indexes: none that another one begins with.
    room = models.ForeignKey(Room, on_delete=models.PROTECT, db_index=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="hands", db_index=False)
    # Its index is the one with the time, below.
    opening = models.ForeignKey(Opening, on_delete=models.PROTECT, db_index=False)
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    number = models.PositiveBigIntegerField()
    hand_id = models.UUIDField()
    status = models.CharField(max_length=12, choices=Status)
    dealer_id = models.BigIntegerField(null=True)
    rule_book_version_id = models.BigIntegerField()
    dealt_at = models.DateTimeField(null=True)
    beyond_initial_deal_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)
    button_seat = models.PositiveSmallIntegerField(null=True)
    small_blind_seat = models.PositiveSmallIntegerField(null=True)
    big_blind_seat = models.PositiveSmallIntegerField(null=True)
    # How far it went: "initial", or "beyond" the initial deal (H1.90); which street it ended on nobody logs.
    street = models.CharField(max_length=10, default="initial")
    pot_cents = models.PositiveBigIntegerField(null=True)
    pot_is_at_least = models.BooleanField(default=False)
    transfer_id = models.BigIntegerField(null=True)
    before = models.JSONField(default=dict)
    free_of = ArrayField(models.CharField(max_length=20), null=True)
    from_sheet = models.PositiveBigIntegerField(null=True)
    corrects = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="corrections", db_index=False
    )
    # Few hands have one: `hand_logged_again` has these alone.
    again_of = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    ended_at = models.DateTimeField(null=True)
    ended_by_id = models.BigIntegerField(null=True)
    # Why it was voided, undone or corrected: a code, never free text about people.
    reason = models.CharField(max_length=40, blank=True)

    may_change = (
        "status", "dealer_id", "beyond_initial_deal_at", "settled_at", "street", "pot_cents", "pot_is_at_least",
        "transfer_id", "before", "ended_at", "ended_by_id", "reason", "again_of", "from_sheet",
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "hand_id"], name="hand_made_once_on_its_tablet"),
            models.UniqueConstraint(
                fields=["table", "number"],
                condition=Q(status__in=["dealt", "settled", "not_logged"]),
                name="hand_numbered_once_per_table",
            ),
            models.UniqueConstraint(
                fields=["table"], condition=Q(status="dealt"), name="hand_one_in_progress_per_table"
            ),
        ]
        indexes = [
            models.Index(fields=["table", "-id"], name="hand_newest_of_table"),
            models.Index(fields=["room", "settled_at"], name="hand_by_time"),
            # Each hand that arrives asks whether a newer one was there before it.
            models.Index(fields=["opening", "dealt_at"], name="hand_by_opening_and_time"),
            # Each push of the tablet asks for the newest hand of its game that stands.
            models.Index(
                fields=["opening", "-number", "-id"],
                condition=Q(status__in=["settled", "not_logged"]),
                name="hand_newest_of_opening",
            ),
            models.Index(fields=["corrects"], condition=Q(corrects__isnull=False), name="hand_corrected"),
            models.Index(fields=["again_of"], condition=Q(again_of__isnull=False), name="hand_logged_again"),
            # Who asks for hands that were voided, say, asks for few among years of settled ones.
            models.Index(fields=["table", "status", "-id"], condition=~Q(status="settled"), name="hand_not_settled"),
        ]

    def __str__(self) -> str:
        return f"hand {self.number}"

    @property
    def in_turn(self) -> InTurn | None:
        """
        What the hand keeps because button and blinds go on from it; None where it moved nothing: it came late, or
        nobody knew the button.
        """
        return InTurn.read(self.before)

    def as_last(
        self, players: Mapping[int, int], *, winner_seats: tuple[int, ...] = (), betting_button: int | None = None
    ) -> LastHand | None:
        """
        Return the hand as the one before the next, None where its button or big blind is unknown; `players` are ids by
        seat.
        """
        if self.button_seat is None or self.big_blind_seat is None:
            return None
        return LastHand.played(
            players,
            button=self.button_seat,
            small_blind=self.small_blind_seat,
            big_blind=self.big_blind_seat,
            was_heads_up=len(players) == 2,
            winner_seats=winner_seats,
            betting_button=betting_button,
        )

    @property
    def charges_due(self) -> Mapping[str, ChargePolicy]:
        """What it pays, by kind, by the terms under which it was dealt."""
        free = self.free_of
        if free is None:
            free = self.opening.free_of(self.dealt_at or self.opening.opened_at)
        return {kind: policy for kind, policy in self.opening.terms.charges.items() if kind not in free}

    def due(self, kind: str) -> int:
        """Return what was due of a kind of charge, in cents. One query, unless `charges` were fetched."""
        return sum(charge.due_cents for charge in self.charges.all() if charge.kind == kind)

    def taken(self, kind: str) -> int:
        """Return what was taken of it. One query, unless `charges` were fetched."""
        return sum(charge.taken_cents for charge in self.charges.all() if charge.kind == kind)


class HandSeat(models.Model):
    """A player dealt into a hand, and what was posted there: live in front, dead to the pot."""

    # This table grows fastest: by its hand a seat is found by a constraint's index, and nobody asks by the room alone.
    room = models.ForeignKey(Room, on_delete=models.PROTECT, db_index=False)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="seats", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT)
    seat_number = models.PositiveSmallIntegerField()
    post = models.CharField(max_length=20, blank=True)
    live_cents = models.PositiveBigIntegerField(default=0)
    dead_cents = models.PositiveBigIntegerField(default=0)

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hand", "seat_number"], name="hand_seat_dealt_in_once"),
            models.UniqueConstraint(fields=["hand", "player"], name="hand_seat_player_dealt_in_once"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat_number}"


class HandPot(models.Model):
    """A pot of a hand in order of formation (0 is the main pot): counted, and who won it."""

    room = models.ForeignKey(Room, on_delete=models.PROTECT, db_index=False)
    # `hand_pot_formed_once` begins with it.
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="pots", db_index=False)
    index = models.PositiveSmallIntegerField()
    cents = models.PositiveBigIntegerField(null=True)
    winner_seats = ArrayField(models.PositiveSmallIntegerField(), default=list)

    may_change = ()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["hand", "index"], name="hand_pot_formed_once")]

    def __str__(self) -> str:
        return f"pot {self.index}"

    def paid(self, kind: str) -> int:
        """Return what a kind of charge took from this pot. One query, unless the hand's `charges` were fetched."""
        by_pot = next((charge.by_pot for charge in self.hand.charges.all() if charge.kind == kind), [])
        return by_pot[self.index] if self.index < len(by_pot) else 0


class HandCharge(models.Model):
    """
    What one kind of charge took from a hand, in cents: the rake, the jackpot's drop (`tables.charges`).

    A hand has one row for each kind of which something was due or taken. `by_pot` is what each pot paid of
    `taken_cents`, main pot first; empty where none paid, or nobody knows the pots.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT, db_index=False)
    # `hand_charged_once_of_a_kind` begins with it.
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="charges", db_index=False)
    kind = models.CharField(max_length=20)
    due_cents = models.PositiveBigIntegerField(default=0)
    taken_cents = models.PositiveBigIntegerField(default=0)
    by_pot = ArrayField(models.PositiveBigIntegerField(), default=list)

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hand", "kind"], name="hand_charged_once_of_a_kind"),
            models.CheckConstraint(
                condition=Q(due_cents__gt=0) | Q(taken_cents__gt=0), name="hand_charge_is_something"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.taken_cents}"


class BoxDifference(models.Model):
    """
    What the box of a kind of charge holds beyond its log, or lacks, since a hand was undone, voided or corrected.

    An undo changes the log, not the box: the rake that was dropped lies in it. The count of a box expects what the log
    put there plus these (cents, positive: more in the box than the log says). `place` is the newest posting on the
    table's account of that charge when it was noted, which tells the box; None: noted before boxes were counted. A
    count closes them with rows of the opposite, whose reason is COUNTED.
    """

    COUNTED = "counted"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT)
    kind = models.CharField(max_length=20)
    cents = models.BigIntegerField()
    reason = models.CharField(max_length=40)
    at = models.DateTimeField()
    place = models.BigIntegerField(null=True)

    may_change = ()

    def __str__(self) -> str:
        return f"{self.kind} {self.cents}"
