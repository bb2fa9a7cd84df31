"""
The pools of the room's jackpots, and every change of what they hold.

The money itself stands in the ledger (`jackpot.chart`): a pool's row is the lock of whoever changes its sum, and a
movement says by which rule the sum changed. `ledger check` holds both against each other.
"""

import pgtrigger
from django.db import models
from django.db.models import F, Q

from casino.rooms.models import GamingDay, Room
from jackpot.models_claims import Claim, ClaimCheck, ClaimShare
from jackpot.models_reports import SignedReport
from tables.models import Hand, TimeTaken

__all__ = ["Claim", "ClaimCheck", "ClaimShare", "Movement", "Pool", "SignedReport"]

# For what the displayed sum may fall, always by two, and for what it rises; a correction goes either way.
_FALLS_BY = ["claim", "correction", "seed_recovered", "moved_out", "paid_out"]
_RISES_BY = ["seed", "takings", "correction", "moved_in"]


class Pool(models.Model):
    """
    One jackpot of the room, by its code in the rule book. Its row is locked by whoever changes its sum.

    `version` grows with each movement, and numbers it. Closed, its sum is empty and it takes no more drops and no
    claims; what was won of it stays to be paid. `moved_to` is the pool that took what was left, None where that was
    paid out. A jackpot that begins anew has a code of its own.
    """

    class State(models.TextChoices):
        OPEN = "open"
        CLOSED = "closed"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    code = models.CharField(max_length=40)
    state = models.CharField(max_length=12, choices=State, default=State.OPEN)
    version = models.PositiveBigIntegerField(default=0)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    moved_to = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="+")

    may_change = ("state", "version", "closed_at", "moved_to")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "code"], name="pool_one_of_a_code_for_ever"),
            models.CheckConstraint(
                condition=Q(state="closed", closed_at__isnull=False) | (~Q(state="closed") & Q(closed_at__isnull=True)),
                name="pool_closed_at_a_moment",
            ),
            models.CheckConstraint(
                condition=Q(moved_to__isnull=True) | (~Q(moved_to=F("id")) & ~Q(state="open")),
                name="pool_moved_to_another_when_it_ends",
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def chain(self) -> str:
        """The log's chain of what is done to it."""
        return f"jackpot.{self.pk}"


class Movement(models.Model):
    """
    One change of a pool's sum, in cents; `sum_after_cents` is what is displayed from then on. Never changed.

    The sum falls for a claim, a correction, a recovery of the seed and a wind-down alone, each signed by two. `number`
    is the pool's version. `about` holds ids and codes, never free text: a claim's id, a correction's `reason`, the
    pool `to` which or `from` which money was moved.
    """

    class Reason(models.TextChoices):
        """Why a sum is corrected; the public page says it."""

        TAKINGS = "takings"
        DROPS = "drops"
        CLAIM = "claim"
        OPENING = "opening"
        COMPLAINT = "complaint"
        AUTHORITY = "authority"

    class Kind(models.TextChoices):
        SEED = "seed"
        TAKINGS = "takings"
        CLAIM = "claim"
        CORRECTION = "correction"
        SEED_RECOVERED = "seed_recovered"
        MOVED_OUT = "moved_out"
        MOVED_IN = "moved_in"
        PAID_OUT = "paid_out"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="movements")
    number = models.PositiveBigIntegerField()
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    kind = models.CharField(max_length=20, choices=Kind)
    cents = models.BigIntegerField()
    sum_after_cents = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    made_by_id = models.BigIntegerField(null=True)
    approved_by_id = models.BigIntegerField(null=True)
    rule_book_version_id = models.BigIntegerField()
    transfer_id = models.BigIntegerField()
    about = models.JSONField(default=dict)

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pool", "number"], name="movement_numbered_once_per_pool"),
            models.CheckConstraint(
                condition=Q(cents__lt=0, kind__in=_FALLS_BY) | Q(cents__gt=0, kind__in=_RISES_BY),
                name="movement_falls_for_few_reasons",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=_FALLS_BY) | Q(made_by_id__isnull=False, approved_by_id__isnull=False),
                name="movement_down_is_signed_by_two",
            ),
            models.CheckConstraint(
                condition=Q(approved_by_id__isnull=True) | ~Q(approved_by_id=F("made_by_id")),
                name="movement_approved_by_another",
            ),
        ]
        indexes = [models.Index(fields=["pool", "day"], name="movement_of_a_day")]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.kind} {self.cents}"


class Collection(models.Model):
    """
    Takings that were collected for a pool out of the log of one gaming day, in cents: from the tables' boxes, by table.

    `code` is the jackpot that the games named, "" where they named none. With `is_before` it is what a house of before
    had dropped until that day. `puts_right` is the pool that a hand of the day had fed whose drop was put right after
    that: it was voided or corrected since, and may come to less than nothing. `hand` is that hand as it was first
    logged; None in collections that are older than that field, which put several hands right at once, and where `time`
    is the period of what the table paid by the time instead that was taken back (H7.18).
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="collections")
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    code = models.CharField(max_length=40, blank=True)
    cents = models.BigIntegerField()
    # {"4": 37_00}: cents by the table's id.
    by_table = models.JSONField()
    is_before = models.BooleanField(default=False)
    puts_right = models.ForeignKey(Pool, on_delete=models.PROTECT, null=True, related_name="+")
    # Both are looked for among the collections of one day alone.
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    time = models.ForeignKey(TimeTaken, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    at = models.DateTimeField()
    transfer_id = models.BigIntegerField()

    may_change = ()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(cents=0), name="collection_is_something"),
            models.UniqueConstraint(
                fields=["room", "code"], condition=Q(is_before=True), name="collection_from_before_once"
            ),
        ]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"collection {self.pk}"
