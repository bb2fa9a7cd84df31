"""
Claims to a jackpot: a hand that a dealer called, what was found of it, who signed, and what each is paid.

A claim keeps everything whatever becomes of it; it is never deleted. Cards and moments are those of the hand, and no
row holds a name or free text about a person.
"""

import pgtrigger
from django.db import models
from django.db.models import F, Q

from casino.people.models import Player, Staff
from casino.rooms.models import Room
from tables.models import Hand, Table


class Claim(models.Model):
    """
    One claim, about one hand; the hand is the row that was called, also where it was corrected since.

    `entered` is the hand as it was entered, plain data: {"variant", "board": ["As", …], "hands": [{"seat", "cards",
    "is_shown"}], "away_seats": [2], "told", "moments": {"last_card_at": "2026-…", …}}, of the moments those that are
    known; empty until then. `hit_at` is the moment of triggering that follows from them (H7.14, H7.15). `sum_number` is
    the pool's newest movement when it was called: what came later came after the hit, also where the clock was set back
    (None: there was no pool, or nobody noted it). `arrived_at` is the house's own moment of the call, which may have
    waited on a tablet: a movement that was there by then and has a later moment came before a clock that was set back
    (None: nobody noted it). `verdict` and `category` are what the book of `rule_book_version_id`
    made of it. Amounts are cents: `sum_cents` is the sum that was paid from, `base_cents` the one that began anew,
    `house_cents` what of it the house put in.
    """

    class Status(models.TextChoices):
        CALLED = "called"
        ENTERED = "entered"
        VERIFIED = "verified"
        APPROVED = "approved"
        REFUSED = "refused"
        WITHDRAWN = "withdrawn"

    class Reason(models.TextChoices):
        DOES_NOT_QUALIFY = "does_not_qualify"
        TALK = "talk"
        DECK = "deck"
        NOT_PRESENT = "not_present"
        MISTAPPED = "mistapped"
        OTHER = "other"

    class Dispute(models.TextChoices):
        CARDS = "cards"
        PLAYERS = "players"
        TALK = "talk"
        SHARES = "shares"
        OTHER = "other"

    OPEN = (Status.CALLED, Status.ENTERED, Status.VERIFIED)

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT)
    code = models.CharField(max_length=40)
    status = models.CharField(max_length=10, choices=Status, default=Status.CALLED)
    version = models.PositiveBigIntegerField(default=1)
    rule_book_version_id = models.BigIntegerField()

    called_at = models.DateTimeField()
    called_by_id = models.BigIntegerField(null=True)
    sum_number = models.PositiveBigIntegerField(null=True)
    arrived_at = models.DateTimeField(null=True)
    # The column is called as before: what runs on through an upgrade reads and writes it.
    entered = models.JSONField(default=dict, db_column="said")
    hit_at = models.DateTimeField(null=True)
    verdict = models.CharField(max_length=10, blank=True)
    category = models.PositiveSmallIntegerField(default=0)
    entered_at = models.DateTimeField(null=True)
    entered_by_id = models.BigIntegerField(null=True)
    disputed = models.CharField(max_length=20, choices=Dispute, blank=True)
    disputed_at = models.DateTimeField(null=True)
    disputed_by_id = models.BigIntegerField(null=True)
    verified_at = models.DateTimeField(null=True)
    verified_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    # The last word: approved, refused or withdrawn.
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    approved_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=20, choices=Reason, blank=True)
    # The one that pays it.
    pool = models.ForeignKey("Pool", on_delete=models.PROTECT, null=True)
    sum_cents = models.PositiveBigIntegerField(null=True)
    paid_cents = models.PositiveBigIntegerField(null=True)
    base_cents = models.PositiveBigIntegerField(null=True)
    house_cents = models.PositiveBigIntegerField(null=True)

    may_change = (
        "status", "version", "entered", "hit_at", "verdict", "category", "entered_at", "entered_by_id", "disputed",
        "disputed_at", "disputed_by_id", "verified_at", "verified_by", "decided_at", "decided_by", "approved_by",
        "reason", "pool", "sum_cents", "paid_cents", "base_cents", "house_cents",
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(status__in=["called", "entered"], disputed_at__isnull=True),
                name="claim_holds_a_table_alone",
            ),
            models.UniqueConstraint(
                fields=["hand"], condition=~Q(status__in=["withdrawn", "refused"]), name="claim_paid_once_per_hand"
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["entered", "verified", "approved"])
                | Q(hit_at__isnull=False, entered_at__isnull=False) & ~Q(verdict=""),
                name="claim_is_judged_by_its_cards",
            ),
            models.CheckConstraint(
                condition=~Q(status="approved")
                | Q(decided_by__isnull=False, approved_by__isnull=False, verified_by__isnull=False)
                & Q(sum_cents__isnull=False, paid_cents__isnull=False, base_cents__isnull=False)
                & Q(house_cents__isnull=False, pool__isnull=False)
                & ~Q(approved_by=F("verified_by"))
                & ~Q(approved_by=F("decided_by")),
                name="claim_approved_by_another_than_verified_it",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["refused", "withdrawn"]) | (Q(decided_at__isnull=False) & ~Q(reason="")),
                name="claim_ends_with_a_reason",
            ),
        ]
        indexes = [
            # Open claims are few among years of decided ones: the floor's to-do and a pool's changes ask for them.
            models.Index(
                fields=["room", "called_at"],
                condition=Q(status__in=["called", "entered", "verified"]),
                name="claim_open",
            ),
        ]

    def __str__(self) -> str:
        return f"claim {self.pk}"

    @property
    def is_open(self) -> bool:
        return self.status in self.OPEN

    @property
    def is_disputed(self) -> bool:
        """Whether it is open and somebody doubts it."""
        return self.is_open and self.disputed_at is not None

    @property
    def takes_cards(self) -> bool:
        """Whether its cards can be entered: until it is verified, and again where that is disputed."""
        return self.is_open and (self.status != self.Status.VERIFIED or self.is_disputed)


class ClaimCheck(models.Model):
    """
    One item of a claim's checklist, done by somebody from the floor. Never changed.

    `reference` is where the pictures are found: camera and time. `witness` is somebody on staff who saw it.
    """

    class Item(models.TextChoices):
        DECK = "deck"
        HANDS = "hands"
        SURVEILLANCE = "surveillance"
        WITNESSES = "witnesses"
        IDENTITIES = "identities"

    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="checks")
    item = models.CharField(max_length=20, choices=Item)
    reference = models.CharField(max_length=60, blank=True)
    witness = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    done_at = models.DateTimeField()
    done_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["claim", "item"], name="claim_check_done_once"),
            models.CheckConstraint(
                condition=~Q(item="surveillance") | ~Q(reference=""), name="claim_check_names_the_pictures"
            ),
            models.CheckConstraint(
                condition=~Q(item="witnesses") | Q(witness__isnull=False), name="claim_check_names_a_witness"
            ),
        ]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return self.item


class ClaimShare(models.Model):
    """
    What one player is paid of an approved claim: as the winner, as a loser, or as one of the others (H7.31, H7.32).

    It is pending until the cage has paid it. A disputed one is paid to nobody until the floor lets it go; who is absent
    leaves it pending. The player is whoever was dealt in, as the hand's own seats name them.
    """

    class Role(models.TextChoices):
        WINNER = "winner"
        LOSER = "loser"
        OTHER = "other"

    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="shares")
    player = models.ForeignKey(Player, on_delete=models.PROTECT)
    seat_number = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=10, choices=Role)
    cents = models.PositiveBigIntegerField()
    is_disputed = models.BooleanField(default=False)
    # The slip that waits for it, or paid it.
    slip_id = models.BigIntegerField(null=True)
    paid_at = models.DateTimeField(null=True)

    may_change = ("player", "is_disputed", "slip_id", "paid_at")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["claim", "seat_number"], name="claim_share_one_per_seat"),
            models.CheckConstraint(condition=Q(cents__gt=0), name="claim_share_is_something"),
            models.CheckConstraint(
                condition=Q(paid_at__isnull=True) | Q(slip_id__isnull=False, is_disputed=False),
                name="claim_share_paid_by_a_slip",
            ),
        ]
        indexes = [models.Index(fields=["player"], condition=Q(paid_at__isnull=True), name="claim_share_pending")]

    def __str__(self) -> str:
        return f"{self.role} {self.cents}"
