"""
The room's promotions: the fund of each, its periods, the hands that were shown in them, and what was won.

The money itself stands in the ledger (`promotions.chart`): a fund's row is the lock of whoever changes anything of its
promotion. `ledger check` holds rows and accounts against each other.
"""

from django.db import models
from django.db.models import F, Q

from casino.people.models import Player, Staff
from casino.poker.ranking import Made, Worth
from casino.rooms.models import Room
from tables.models import Hand, Table


class Fund(models.Model):
    """
    The money of one promotion of the room, by its code in the rule book; made when money is first put in.

    `version` grows with whatever is done to the promotion, and is what a request about it decides on. `carried_cents`
    of it the next period pays besides its own amount, because nobody won it before.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    code = models.CharField(max_length=40)
    version = models.PositiveBigIntegerField(default=0)
    carried_cents = models.PositiveBigIntegerField(default=0)
    made_at = models.DateTimeField()

    may_change = ("version", "carried_cents")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["room", "code"], name="fund_one_of_a_code")]

    def __str__(self) -> str:
        return self.code

    @property
    def chain(self) -> str:
        """The log's chain of what is done to it."""
        return f"promotion.{self.pk}"


class Period(models.Model):
    """
    One period of a promotion, from `begins_at` until just before `ends_at`: what is shown in it takes part.

    `amount_cents` is what it pays, `carried_cents` of that from periods before that nobody won. `reserved_cents` of it
    the fund still has promised: of a high hand all of it while the period is open, of splash pots those that are to
    come, and nothing once it was decided. A period of splash pots has a `seed` that is shown when it is over,
    and is done by itself with its last splash. `transfer_id` moved the money when it was won or not, if any was moved.
    A decision that is taken back leaves the period open, as it was.
    """

    class Status(models.TextChoices):
        OPEN = "open"
        WON = "won"
        UNWON = "unwon"
        CALLED_OFF = "called_off"
        DONE = "done"

    class Reason(models.TextChoices):
        MISTAKE = "mistake"
        NO_GAMES = "no_games"
        TROUBLE = "trouble"

    class BackFor(models.TextChoices):
        """Why a decision was taken back; the log keeps it."""

        WRONG_HAND = "wrong_hand"
        WRONG_TAP = "wrong_tap"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    fund = models.ForeignKey(Fund, on_delete=models.PROTECT, related_name="periods")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    amount_cents = models.PositiveBigIntegerField()
    carried_cents = models.PositiveBigIntegerField(default=0)
    reserved_cents = models.PositiveBigIntegerField()
    rule_book_version_id = models.BigIntegerField()
    opened_at = models.DateTimeField()
    opened_by_id = models.BigIntegerField()
    # The last word: won, unwon or called off, always signed by another.
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    approved_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=20, choices=Reason, blank=True)
    seed = models.CharField(max_length=64, blank=True, default="")
    transfer_id = models.BigIntegerField(null=True)

    may_change = (
        "status", "amount_cents", "carried_cents", "reserved_cents", "decided_at", "decided_by", "approved_by",
        "reason", "transfer_id",
    )  # fmt: skip

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(ends_at__gt=F("begins_at")), name="period_ends_after_it_begins"),
            models.CheckConstraint(
                condition=Q(status="open", decided_at__isnull=True)
                & (Q(reserved_cents=F("amount_cents")) | Q(reserved_cents__lt=F("amount_cents")) & ~Q(seed=""))
                | Q(status="done", reserved_cents=0, decided_at__isnull=False) & ~Q(seed="")
                | ~Q(status__in=["open", "done"])
                & Q(reserved_cents=0, decided_at__isnull=False, decided_by__isnull=False, approved_by__isnull=False)
                & ~Q(approved_by=F("decided_by")),
                name="period_decided_by_two",
            ),
            models.CheckConstraint(
                condition=~Q(status="called_off") | ~Q(reason=""), name="period_called_off_with_a_reason"
            ),
        ]
        indexes = [models.Index(fields=["fund", "begins_at"], name="period_of_a_fund")]

    def __str__(self) -> str:
        return f"period {self.pk}"

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN


class Splash(models.Model):
    """
    One pot of a period that the house splashes, from `due_at` on, numbered in the order of time.

    When it is due a table is drawn among `tables`, the numbers of those that played then; there the floor puts
    `cents` into the next pot, in chips out of a drawer. Where none played, or it could not be done, it is passed over.
    One that was noted by mistake is taken back while the drawer's session (`session_id`) lasts, and is drawn again.
    """

    class Status(models.TextChoices):
        COMING = "coming"
        DRAWN = "drawn"
        SPLASHED = "splashed"
        PASSED = "passed"
        CALLED_OFF = "called_off"

    class Reason(models.TextChoices):
        NO_TABLES = "no_tables"
        TABLE_BROKE = "table_broke"
        TROUBLE = "trouble"

    class BackFor(models.TextChoices):
        """Why one that was noted was taken back; the log keeps it."""

        NOT_IN_POT = "not_in_pot"
        WRONG_TAP = "wrong_tap"

    period = models.ForeignKey(Period, on_delete=models.PROTECT, related_name="splashes")
    number = models.PositiveSmallIntegerField()
    cents = models.PositiveBigIntegerField()
    due_at = models.DateTimeField()
    status = models.CharField(max_length=10, choices=Status, default=Status.COMING)
    tables = models.JSONField(default=list)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, null=True)
    drawn_at = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)
    done_by_id = models.BigIntegerField(null=True)
    drawer_id = models.BigIntegerField(null=True)
    session_id = models.BigIntegerField(null=True)
    transfer_id = models.BigIntegerField(null=True)
    reason = models.CharField(max_length=20, choices=Reason, blank=True)

    may_change = (
        "status", "tables", "table", "drawn_at", "done_at", "done_by_id", "drawer_id", "session_id", "transfer_id",
        "reason",
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["period", "number"], name="splash_numbered_once_per_period"),
            models.CheckConstraint(
                condition=~Q(status__in=["drawn", "splashed"]) | Q(table__isnull=False, drawn_at__isnull=False),
                name="splash_drawn_at_a_table",
            ),
            models.CheckConstraint(
                condition=~Q(status="splashed") | Q(transfer_id__isnull=False, done_at__isnull=False),
                name="splash_moves_chips",
            ),
            models.CheckConstraint(condition=~Q(status="passed") | ~Q(reason=""), name="splash_passed_with_a_reason"),
        ]
        indexes = [models.Index(fields=["due_at"], condition=Q(status="coming"), name="splash_to_come")]

    def __str__(self) -> str:
        return f"splash {self.number}"


class Entry(models.Model):
    """
    A hand that was shown in a period and takes part: whose, its cards ("As Kd …"), and what it is worth.

    `hand` is the logged one, where its number was known. `made` and `ranks` are its `Worth`, as the hand was judged by
    the period's book. One that was entered wrongly is taken back with a reason, and stays on record.
    """

    class Reason(models.TextChoices):
        CARDS = "cards"
        PLAYER = "player"
        DOES_NOT_COUNT = "does_not_count"

    period = models.ForeignKey(Period, on_delete=models.PROTECT, related_name="entries")
    table = models.ForeignKey(Table, on_delete=models.PROTECT)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    seat_number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT)
    variant = models.CharField(max_length=30)
    cards = models.CharField(max_length=40)
    board = models.CharField(max_length=40, blank=True)
    five = models.CharField(max_length=20)
    made = models.CharField(max_length=20)
    ranks = models.JSONField()
    shown_at = models.DateTimeField()
    entered_at = models.DateTimeField()
    entered_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    taken_back_at = models.DateTimeField(null=True)
    taken_back_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=20, choices=Reason, blank=True)

    may_change = ("taken_back_at", "taken_back_by", "reason")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["period", "player", "cards", "board"],
                condition=Q(taken_back_at__isnull=True),
                name="entry_stands_once",
            ),
            models.CheckConstraint(
                condition=Q(taken_back_at__isnull=True) | Q(taken_back_by__isnull=False) & ~Q(reason=""),
                name="entry_taken_back_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.made} at {self.table_id}/{self.seat_number}"

    @property
    def worth(self) -> Worth:
        """What the hand is worth."""
        return Worth(Made(self.made), tuple(self.ranks))


class Prize(models.Model):
    """
    What one player has won in a period: it waits at the cage under its slip until it is paid.

    Where the decision was taken back before, the prize stays on record with its cancelled slip, and stands no more.
    """

    # The prizes that stand are found by the index that keeps them one for each hand.
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="prizes", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT)
    cents = models.PositiveBigIntegerField()
    slip_id = models.BigIntegerField(null=True)
    paid_at = models.DateTimeField(null=True)
    taken_back_at = models.DateTimeField(null=True)

    may_change = ("slip_id", "paid_at", "taken_back_at")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entry"], condition=Q(taken_back_at__isnull=True), name="prize_one_of_a_hand"
            ),
            models.CheckConstraint(
                condition=Q(taken_back_at__isnull=True) | Q(paid_at__isnull=True), name="prize_taken_back_is_unpaid"
            ),
            models.CheckConstraint(condition=Q(cents__gt=0), name="prize_is_something"),
            models.CheckConstraint(
                condition=Q(paid_at__isnull=True) | Q(slip_id__isnull=False), name="prize_paid_by_a_slip"
            ),
        ]

    def __str__(self) -> str:
        return f"prize {self.cents}"
