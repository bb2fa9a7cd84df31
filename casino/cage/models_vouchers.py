"""Vouchers: what the house promises to pay in chips, once, to whoever brings the paper."""

import pgtrigger
from django.db import models
from django.db.models import F, Q

from casino.people.models import Staff
from casino.rooms.models import Room


class Voucher(models.Model):
    """
    A paper that the house gave away, over `amount_cents` in chips and never in cash, until the end of `last_date`.

    It is taken whole and once: `taken_with` is the slip of that buy-in, None again where that is reversed. What ended
    it otherwise is `ended_as`. `check_letters` stand on the paper beside its number, so that a number alone buys
    nothing; no event and no list has them.
    """

    class Origin(models.TextChoices):
        PROMOTION = "promotion"
        MARKETING = "marketing"
        MADE_GOOD = "made_good"

    class EndedAs(models.TextChoices):
        OVER = "over"
        VOID = "void"

    class VoidReason(models.TextChoices):
        LOST = "lost"
        MISTAKE = "mistake"
        MISUSED = "misused"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    number = models.PositiveIntegerField()
    check_letters = models.CharField(max_length=4)
    amount_cents = models.BigIntegerField()
    origin = models.CharField(max_length=10, choices=Origin)
    last_date = models.DateField()
    issued_at = models.DateTimeField()
    issued_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    transfer_id = models.BigIntegerField()
    taken_with = models.OneToOneField("cage.Slip", on_delete=models.PROTECT, null=True, related_name="voucher")

    ended_at = models.DateTimeField(null=True)
    ended_as = models.CharField(max_length=10, choices=EndedAs, default="", blank=True)
    ended_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    void_reason = models.CharField(max_length=10, choices=VoidReason, default="", blank=True)
    void_approved_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    end_transfer_id = models.BigIntegerField(null=True)

    may_change = (
        "taken_with", "ended_at", "ended_as", "ended_by", "void_reason", "void_approved_by", "end_transfer_id",
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="voucher_numbered_once_per_room"),
            models.CheckConstraint(condition=Q(amount_cents__gt=0), name="voucher_is_over_something"),
            models.CheckConstraint(condition=~Q(approved_by=F("issued_by")), name="voucher_issued_by_two"),
            models.CheckConstraint(
                condition=Q(ended_as="", ended_at__isnull=True, end_transfer_id__isnull=True)
                | Q(ended_at__gte=F("issued_at"), end_transfer_id__isnull=False, taken_with__isnull=True)
                & ~Q(ended_as=""),
                name="voucher_taken_or_ended",
            ),
            models.CheckConstraint(
                condition=~Q(ended_as="void")
                | Q(ended_by__isnull=False, void_approved_by__isnull=False)
                & ~Q(void_reason="")
                & ~Q(void_approved_by=F("ended_by")),
                name="voucher_voided_by_two",
            ),
        ]
        indexes = [
            # A day's close asks which end with it, among years of vouchers that were taken.
            models.Index(fields=["room", "last_date"], condition=Q(taken_with=None, ended_as=""), name="voucher_open")
        ]
        triggers = [pgtrigger.Protect(name="voucher_never_deleted", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"voucher {self.number}"

    @property
    def state(self) -> str:
        """Return "open", "taken", "over" or "void"."""
        return self.ended_as or ("taken" if self.taken_with_id else "open")

    @property
    def on_paper(self) -> str:
        """Return what stands on the paper and is typed at the till: "12-RW4K"."""
        return f"{self.number}-{self.check_letters}"


class VoucherPrint(models.Model):
    """
    A voucher's paper was printed, for the `number`th time: from the second on it is a copy, and says so.

    One that is marked as a copy is as good as the first: the voucher is taken once, whichever is brought.
    """

    voucher = models.ForeignKey(Voucher, on_delete=models.PROTECT, related_name="printings")
    number = models.PositiveIntegerField()
    printed_at = models.DateTimeField()
    printed_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")

    may_change = ()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["voucher", "number"], name="voucher_print_numbered_once")]
        triggers = [pgtrigger.Protect(name="voucher_print_append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"voucher {self.voucher_id} print {self.number}"

    @property
    def copy_number(self) -> int:
        """Return which copy this is; 0 is the first paper."""
        return self.number - 1
