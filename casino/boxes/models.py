"""Boxes that hang at tables, and what was counted in them."""

import pgtrigger
from django.db import models
from django.db.models import F, Q

from casino.rooms.models import GamingDay, Room
from tables.models import Table


class Box(models.Model):
    """
    One box of a kind of charge at one table, from its hanging until it is counted.

    What the log put into it is what it posted on the table's `account` after the posting `hung_after` and until
    `dropped_after`, None while it hangs: places in the log, for clocks may be set back. `number` is None of what fell
    at the table in no numbered box, and was dropped by itself; what begins with the log itself (`OF_BEFORE`) fell on
    days before any box hung there, and nobody has to count it. `replaces` is what was dropped by the act that hung this
    one. One that was hung by mistake was `taken_back`. `to_judge`: its last count differs, and the floor has not
    looked at it yet.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="+")
    charge = models.CharField(max_length=20)
    account = models.CharField(max_length=20)
    number = models.PositiveIntegerField(null=True)
    hung_after = models.BigIntegerField()
    hung_at = models.DateTimeField()
    hung_by_id = models.BigIntegerField()
    replaces = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    dropped_after = models.BigIntegerField(null=True)
    dropped_at = models.DateTimeField(null=True)
    dropped_by_id = models.BigIntegerField(null=True)
    taken_back_at = models.DateTimeField(null=True)
    taken_back_by_id = models.BigIntegerField(null=True)
    is_counted = models.BooleanField(default=False)
    to_judge = models.BooleanField(default=False)
    judged_at = models.DateTimeField(null=True)
    judged_by_id = models.BigIntegerField(null=True)
    version = models.PositiveBigIntegerField(default=1)

    may_change = (
        "dropped_after", "dropped_at", "dropped_by_id", "taken_back_at", "taken_back_by_id", "is_counted", "to_judge",
        "judged_at", "judged_by_id", "version",
    )  # fmt: skip

    # One that stands, is not counted, and hangs or waits.
    OPEN = Q(taken_back_at__isnull=True, is_counted=False)
    HANGS = Q(taken_back_at__isnull=True, dropped_after__isnull=True)
    WAITS = OPEN & Q(dropped_after__isnull=False)
    OF_BEFORE = Q(number__isnull=True, hung_after=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "charge"],
                condition=Q(taken_back_at__isnull=True, dropped_after__isnull=True),
                name="box_one_of_a_kind_hangs_at_a_table",
            ),
            models.UniqueConstraint(
                fields=["room", "charge", "number"],
                condition=Q(taken_back_at__isnull=True, is_counted=False, number__isnull=False),
                name="box_is_in_one_place_until_it_is_counted",
            ),
            models.CheckConstraint(
                condition=Q(dropped_after__isnull=True, dropped_at__isnull=True, dropped_by_id__isnull=True)
                | Q(dropped_after__gte=F("hung_after"), dropped_at__gte=F("hung_at"), dropped_by_id__isnull=False),
                name="box_drops_after_it_hangs",
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1) | Q(number__isnull=True, dropped_after__isnull=False),
                name="box_hangs_by_its_number",
            ),
            models.CheckConstraint(
                condition=Q(is_counted=False) | Q(dropped_after__isnull=False, taken_back_at__isnull=True),
                name="box_is_counted_once_dropped",
            ),
        ]
        indexes = [
            # What was done last at a place, and alone can be taken back.
            models.Index(fields=["table", "charge", "-id"], name="box_newest_at_a_table"),
            models.Index(
                fields=["room", "id"],
                condition=Q(taken_back_at__isnull=True, is_counted=False),
                name="box_hangs_or_waits",
            ),
            # For the floor's to-do: few among years of boxes.
            models.Index(fields=["room", "id"], condition=Q(to_judge=True), name="box_to_judge"),
            # In which box a posting lies, and where the last one at a place ended.
            models.Index(
                fields=["table", "account", "-hung_after", "-id"],
                condition=Q(taken_back_at__isnull=True),
                name="box_by_place_in_the_log",
            ),
            models.Index(
                fields=["room", "hung_at"],
                condition=Q(taken_back_at__isnull=True, number__isnull=False),
                name="box_numbered_by_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.charge} box {self.number or '-'}"

    @property
    def is_of_before(self) -> bool:
        return self.number is None and self.hung_after == 0

    @property
    def needs_reason(self) -> bool:
        """Say whether its count says why it has no number; of what fell before boxes had numbers everybody knows."""
        return self.number is None and not self.is_of_before


class BoxCount(models.Model):
    """
    What two persons counted in a dropped box, beside what the log had put there. Never changed.

    Counted blind: `pieces` is how many of each value, [[value in cents, how many], ...]. `reason` is why the box has no
    number, where it has none (`Box.needs_reason`); "" in counts of before it was needed. A recount is another row, with
    the next `number`; the newest one holds. `day` is the gaming day on which it was posted; `transfer_id` is None where
    nothing moved.
    """

    class Reason(models.TextChoices):
        NONE_HUNG = "none_hung"
        NOT_ENTERED = "not_entered"
        LATE = "late"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    box = models.ForeignKey(Box, on_delete=models.PROTECT, related_name="counts")
    number = models.PositiveIntegerField()
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    at = models.DateTimeField()
    counted_by_id = models.BigIntegerField()
    approved_by_id = models.BigIntegerField()
    pieces = models.JSONField()
    cents = models.BigIntegerField()
    expected_cents = models.BigIntegerField()
    transfer_id = models.BigIntegerField(null=True)
    reason = models.CharField(max_length=20, choices=Reason, blank=True, default="", db_default="")

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["box", "number"], name="box_count_numbered_once_per_box"),
            models.CheckConstraint(condition=Q(cents__gte=0), name="box_count_not_negative"),
            models.CheckConstraint(condition=~Q(approved_by_id=F("counted_by_id")), name="box_count_signed_by_another"),
        ]
        # The page of the counts begins with the newest, and pages back.
        indexes = [models.Index(fields=["room", "-id"], name="box_count_newest")]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.box_id} count {self.number}"

    @property
    def difference_cents(self) -> int:
        """What was counted against what the log had put there; negative: it is missing."""
        return self.cents - self.expected_cents
