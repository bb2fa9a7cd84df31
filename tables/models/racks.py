"""The dealer's rack: chips brought to a table, and each check of what lies there."""

import pgtrigger
from django.db import models
from django.db.models import F, Q

from casino.rooms.models import GamingDay, Room
from tables.models.downs import Down
from tables.models.tables import Opening, Table


class RackFill(models.Model):
    """
    Chips from the vault into a table's rack, counted by two. Never changed.

    `pieces` is how many of each value, [[value in cents, how many], ...]; `number` runs by table.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="rack_fills")
    number = models.PositiveIntegerField()
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    at = models.DateTimeField()
    by_id = models.BigIntegerField()
    approved_by_id = models.BigIntegerField()
    pieces = models.JSONField()
    cents = models.BigIntegerField()
    transfer_id = models.BigIntegerField()

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="rack_fill_numbered_once_per_table"),
            models.CheckConstraint(condition=Q(cents__gt=0), name="rack_fill_brings_something"),
            models.CheckConstraint(condition=~Q(approved_by_id=F("by_id")), name="rack_fill_signed_by_another"),
        ]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"rack fill {self.table_id} {self.number}"


class RackCheck(models.Model):
    """
    One check of a table's rack: counted, or taken over as it was left. Never changed.

    `pieces` as in `RackFill`, None where it was taken as left; `expected_cents` is what the log had there, kept apart
    from who counts until the count is entered. `down` is the one with whose push it was made, None where the floor
    counted by itself; `dealer_id` had dealt there before the push, or deals there while the floor counts, None for
    nobody. `place` is the place in the log (a posting's id) up to which the rack's accounts come to that. `is_late`:
    after its moment, and before it came to the log, the rack was counted, or chips came or went; then `expected_cents`
    is what lay there at its moment, by the count before that and what came and went since. `first_down` to `last_down`
    are the downs between the last count and this one, None where nobody dealt meanwhile: a difference is theirs; of
    cash that differs, `cash_first_down` to `cash_last_down`, since it was counted last.
    `transfer_id` is None where nothing moved, and of a late count where a count of after it has posted what both found.
    At the closing the count is signed by two (`approved_by_id`); in one step its chips go to the vault, and its cash.
    `cash_pieces`, `cash_cents` and `expected_cash_cents` are the same of cash for which chips were sold out of the
    rack; without a count of it where nothing was said of it, or none lay there and none was said.
    """

    class Kind(models.TextChoices):
        OPENING = "opening"
        PUSH = "push"
        # At a push, and drawn: "as left" was not on offer.
        UNANNOUNCED = "unannounced"
        # The floor's own count, at any time.
        FLOOR = "floor"
        # Of a closing, by two: what was counted stays until a credit slip brings it to the vault.
        AT_CLOSING = "at_closing"
        # The same, and it went to the vault in one step.
        CLOSING = "closing"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="rack_checks")
    number = models.PositiveIntegerField()
    opening = models.ForeignKey(Opening, on_delete=models.PROTECT, null=True, related_name="+")
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    kind = models.CharField(max_length=12, choices=Kind)
    at = models.DateTimeField()
    by_id = models.BigIntegerField(null=True)
    approved_by_id = models.BigIntegerField(null=True)
    down = models.ForeignKey(Down, on_delete=models.PROTECT, null=True, related_name="rack_checks")
    dealer_id = models.BigIntegerField(null=True)
    pieces = models.JSONField(null=True)
    cents = models.BigIntegerField(null=True)
    expected_cents = models.BigIntegerField()
    cash_pieces = models.JSONField(null=True)
    cash_cents = models.BigIntegerField(null=True)
    expected_cash_cents = models.BigIntegerField(default=0, db_default=0)
    place = models.BigIntegerField()
    is_late = models.BooleanField(default=False, db_default=False)
    # Nobody looks a check up by these: they are read with it.
    first_down = models.ForeignKey(Down, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    last_down = models.ForeignKey(Down, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    cash_first_down = models.ForeignKey(Down, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    cash_last_down = models.ForeignKey(Down, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    transfer_id = models.BigIntegerField(null=True)

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="rack_check_numbered_once_per_table"),
            models.CheckConstraint(condition=Q(cents__gte=0) | Q(cents__isnull=True), name="rack_check_not_negative"),
            models.CheckConstraint(
                condition=Q(cents__isnull=True, pieces__isnull=True, transfer_id__isnull=True)
                | Q(cents__isnull=False, pieces__isnull=False),
                name="rack_check_moves_what_was_counted",
            ),
            models.CheckConstraint(
                condition=Q(cash_cents__isnull=True, cash_pieces__isnull=True)
                | Q(cents__isnull=False, cash_cents__gte=0, cash_pieces__isnull=False),
                name="rack_check_cash_with_its_chips",
            ),
            models.CheckConstraint(
                condition=~Q(kind="closing") | Q(cents__isnull=False, approved_by_id__isnull=False),
                name="rack_check_closing_counted_by_two",
            ),
            models.CheckConstraint(
                condition=~Q(kind="at_closing") | Q(cents__isnull=False, approved_by_id__isnull=False),
                name="rack_check_at_closing_counted_by_two",
            ),
            models.CheckConstraint(
                condition=Q(approved_by_id__isnull=True) | ~Q(approved_by_id=F("by_id")),
                name="rack_check_signed_by_another",
            ),
        ]
        indexes = [models.Index(fields=["room", "day", "table", "id"], name="rack_check_of_day")]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"rack check {self.table_id} {self.number}"

    @property
    def is_counted(self) -> bool:
        return self.cents is not None

    @property
    def difference_cents(self) -> int:
        """Return by how many cents the count differs from the log, below 0 where some is missing; 0 as left."""
        return 0 if self.cents is None else self.cents - self.expected_cents

    @property
    def cash_difference_cents(self) -> int:
        """Return the same of the cash that lay there."""
        return 0 if self.cash_cents is None else self.cash_cents - self.expected_cash_cents

    @property
    def left_cash_cents(self) -> int:
        """
        Return the cash that lay there after the check, in cents: what was counted, or else what the log had there.

        A closing takes what it counts to the vault, and leaves none.
        """
        if self.cash_cents is None:
            return self.expected_cash_cents
        return 0 if self.kind == self.Kind.CLOSING else self.cash_cents

    @property
    def differs(self) -> bool:
        return bool(self.difference_cents or self.cash_difference_cents)
