"""Tips: what two have counted in a table's tip box, and what of it each dealer is owed."""

import pgtrigger
from django.db import models
from django.db.models import F, Q

from casino.rooms.models import GamingDay, Room
from tables.models.downs import Down
from tables.models.tables import Table

_STANDS = pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)


class ClosedTips(models.Model):
    """
    Tips that a dealer has closed: the table's box was taken along as it was, an empty one hangs.

    They are the tips until `until`, where the next dealer's begin: of `down`, and of those before it that nobody had
    closed. `seconds` is how long each has dealt since that box was hung, {dealer's id: seconds}; `noted_cents` is what
    was noted to lie in it, also by taps of before that came later; `place` is the place in the log (a posting's id,
    of whatever account) when it was said. It lies apart and `waits` until two count it, or until it is taken back: it
    had been said by mistake, and the box never left the table.

    `last_down_id` is the last down at the table whose tips lie in it whole (0: none), `counts_before` the number of the
    newest count of the table's tips when it was said (0: none). None of older rows, as `place`.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="closed_tips")
    number = models.PositiveIntegerField()
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, related_name="+")
    down = models.ForeignKey(Down, on_delete=models.PROTECT, related_name="+")
    until = models.DateTimeField()
    at = models.DateTimeField()
    by_id = models.BigIntegerField()
    seconds = models.JSONField()
    noted_cents = models.BigIntegerField()
    place = models.BigIntegerField(null=True)
    last_down_id = models.BigIntegerField(null=True)
    counts_before = models.PositiveIntegerField(null=True)
    waits = models.BooleanField(default=True, db_default=True)
    taken_back_at = models.DateTimeField(null=True)
    taken_back_by_id = models.BigIntegerField(null=True)

    may_change = ("noted_cents", "waits", "taken_back_at", "taken_back_by_id")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="closed_tips_numbered_once_per_table"),
            models.CheckConstraint(condition=Q(noted_cents__gte=0), name="closed_tips_not_negative"),
            models.CheckConstraint(
                condition=Q(taken_back_at__isnull=True, taken_back_by_id__isnull=True)
                | Q(taken_back_at__gte=F("at"), taken_back_by_id__isnull=False, waits=False),
                name="closed_tips_taken_back_by_somebody",
            ),
        ]
        # Those of years are counted; a few wait.
        indexes = [models.Index(fields=["room", "table"], condition=Q(waits=True), name="closed_tips_that_wait")]
        triggers = [pgtrigger.Protect(name="closed_tips_never_deleted", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"closed tips {self.table_id} {self.number}"

    @property
    def dealt(self) -> dict[int, int]:
        """Return how long each dealer has dealt since the box was hung, in seconds."""
        return {int(dealer): seconds for dealer, seconds in self.seconds.items()}


class TipCount(models.Model):
    """
    What two persons counted in a table's tip box, which they emptied. Never changed.

    `pieces` is how many of each value, [[value in cents, how many], ...]; `noted_cents` is what had been noted to lie
    there since the last time, and `missing_cents` what of that was posted as missing at the table. `closed` is the box
    that a dealer had taken along, None for the one that hung there; of that one `last_down_id` is the last down at the
    table that had ended then (0: none), None of older rows.
    `dealer_id` is whose tips they are. Without one they are shared: by `seconds`, of those who dealt while nobody
    closed theirs, {dealer's id: seconds}; where that is None too, by all who deal that day.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="tip_counts")
    number = models.PositiveIntegerField()
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    at = models.DateTimeField()
    by_id = models.BigIntegerField()
    approved_by_id = models.BigIntegerField()
    dealer_id = models.BigIntegerField(null=True)
    seconds = models.JSONField(null=True)
    closed = models.OneToOneField(ClosedTips, on_delete=models.PROTECT, null=True, related_name="count")
    last_down_id = models.BigIntegerField(null=True)
    pieces = models.JSONField()
    cents = models.BigIntegerField()
    noted_cents = models.BigIntegerField()
    missing_cents = models.BigIntegerField(default=0, db_default=0)
    transfer_id = models.BigIntegerField(null=True)

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="tip_count_numbered_once_per_table"),
            models.CheckConstraint(condition=Q(cents__gte=0), name="tip_count_not_negative"),
            models.CheckConstraint(
                # Counts of before gave back to the chips in play what was missing.
                condition=Q(missing_cents=0) | Q(missing_cents=F("noted_cents") - F("cents"), missing_cents__gt=0),
                name="tip_count_misses_what_was_noted",
            ),
            models.CheckConstraint(condition=~Q(approved_by_id=F("by_id")), name="tip_count_signed_by_another"),
            models.CheckConstraint(
                condition=Q(dealer_id__isnull=True) | Q(seconds__isnull=True), name="tip_count_of_one_or_shared"
            ),
        ]
        indexes = [
            models.Index(fields=["room", "day", "id"], name="tip_count_of_day"),
            # When the box that hangs at a table was emptied last.
            models.Index(fields=["table", "number"], condition=Q(closed=None), name="tip_count_of_hung_box"),
        ]
        triggers = [
            _STANDS,
            # By the database: processes of before the upgrade know nothing of what waits.
            pgtrigger.Trigger(
                name="its_closed_tips_wait_no_more",
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                condition=pgtrigger.Q(new__closed__isnull=False),
                func="UPDATE tables_closedtips SET waits = false WHERE id = NEW.closed_id; RETURN NULL;",
            ),
        ]

    def __str__(self) -> str:
        return f"tip count {self.table_id} {self.number}"


class TipPayroll(models.Model):
    """
    A day's tips as they were handed to payroll, by two. Never changed; what is counted later is handed on by another.

    They are the counts after the one before, until the count `last_count_id`. `seconds` is what the pooled ones were
    shared by: how long each dealer had dealt on the day, {dealer's id: seconds}.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    posted_on = models.ForeignKey(GamingDay, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    by_id = models.BigIntegerField()
    approved_by_id = models.BigIntegerField()
    last_count_id = models.BigIntegerField()
    cents = models.BigIntegerField()
    seconds = models.JSONField()
    transfer_id = models.BigIntegerField()

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["day", "number"], name="tip_payroll_numbered_once_per_day"),
            models.CheckConstraint(condition=Q(cents__gt=0), name="tip_payroll_of_something"),
            models.CheckConstraint(condition=~Q(approved_by_id=F("by_id")), name="tip_payroll_signed_by_another"),
        ]
        triggers = [_STANDS]

    def __str__(self) -> str:
        return f"tips of day {self.day_id}, {self.number}"


class TipShare(models.Model):
    """What a dealer gets of tips that were handed to payroll. Never changed."""

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    payroll = models.ForeignKey(TipPayroll, on_delete=models.PROTECT, related_name="shares")
    dealer_id = models.BigIntegerField()
    cents = models.BigIntegerField()

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["payroll", "dealer_id"], name="tip_share_once_per_dealer"),
            models.CheckConstraint(condition=Q(cents__gte=0), name="tip_share_not_negative"),
        ]
        triggers = [_STANDS]

    def __str__(self) -> str:
        return f"tips of {self.dealer_id}"


class TipReceipt(models.Model):
    """The dealer's receipt of a share that payroll got, numbered in the room; `prints` is how often it was printed."""

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    share = models.OneToOneField(TipShare, on_delete=models.PROTECT, related_name="receipt")
    number = models.PositiveIntegerField()
    prints = models.PositiveIntegerField(default=0)

    may_change = ("prints",)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["room", "number"], name="tip_receipt_numbered_once_per_room")]

    def __str__(self) -> str:
        return f"tip receipt {self.number}"
