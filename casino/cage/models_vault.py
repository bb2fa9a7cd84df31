"""The vault, counted by two."""

import pgtrigger
from django.db import models
from django.db.models import F, Q

from casino.cage.models_foreign import CountedNotes
from casino.people.models import Staff
from casino.rooms.models import GamingDay, Room


class VaultCount(models.Model):
    """
    What two counted in the vault, blind, beside what the ledger expected there after transfer `after_transfer_id`.

    Pieces and sums are as those of a drawer's count; what differs was posted to the vault's over/short, by
    `transfer_id` where there was anything. `counted_by` does not read the books, `counted_with` stood by. Another count
    is another row: it finds what this one left. `unjudged`: something differs, and the floor has not looked at it yet.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    counted_at = models.DateTimeField()
    counted_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    counted_with = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    cash_pieces = models.JSONField()
    chip_pieces = models.JSONField()
    cash_cents = models.BigIntegerField()
    chips_cents = models.BigIntegerField()
    card_slips_cents = models.BigIntegerField()
    foreign_cents = models.BigIntegerField()
    expected_cash_cents = models.BigIntegerField()
    expected_chips_cents = models.BigIntegerField()
    expected_card_slips_cents = models.BigIntegerField()
    expected_foreign_cents = models.BigIntegerField()
    after_transfer_id = models.BigIntegerField()
    transfer_id = models.BigIntegerField(null=True)
    unjudged = models.BooleanField()
    judged_at = models.DateTimeField(null=True)
    judged_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")

    may_change = ("unjudged", "judged_at", "judged_by")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="vault_count_numbered_once_per_room"),
            models.CheckConstraint(
                condition=Q(cash_cents__gte=0, chips_cents__gte=0, card_slips_cents__gte=0, foreign_cents__gte=0),
                name="vault_count_not_negative",
            ),
            models.CheckConstraint(condition=~Q(counted_with=F("counted_by")), name="vault_count_by_two"),
            models.CheckConstraint(
                condition=Q(judged_at__isnull=True, judged_by__isnull=True)
                | Q(unjudged=False, judged_at__gte=F("counted_at"), judged_by__isnull=False)
                & ~Q(judged_by=F("counted_by"))
                & ~Q(judged_by=F("counted_with")),
                name="vault_count_judged_by_another",
            ),
        ]
        # For the floor's to-do: few among years of counts.
        indexes = [models.Index(fields=["room", "number"], condition=Q(unjudged=True), name="vault_count_unjudged")]
        triggers = [pgtrigger.Protect(name="vault_count_never_deleted", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"count {self.number} of the vault"

    @property
    def differences_cents(self) -> tuple[int, int, int, int]:
        """Cash, card slips, foreign notes, and chips against what was expected; negative: it is missing."""
        return (
            self.cash_cents - self.expected_cash_cents,
            self.card_slips_cents - self.expected_card_slips_cents,
            self.foreign_cents - self.expected_foreign_cents,
            self.chips_cents - self.expected_chips_cents,
        )

    @property
    def money_difference_cents(self) -> int:
        """Cash, card slips and foreign notes together; negative: money is missing."""
        return sum(self.differences_cents[:3])

    @property
    def chips_difference_cents(self) -> int:
        """Chips against what was expected; negative: chips are missing."""
        return self.differences_cents[3]


class VaultNotesCounted(CountedNotes):
    """What a count of the vault found, beside what lay there by the log; `cents` at what the notes stood at."""

    count = models.ForeignKey(VaultCount, on_delete=models.PROTECT, related_name="notes")
    expected_pieces = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["count", "currency"], name="vault_notes_once_per_currency"),
            models.CheckConstraint(condition=Q(face_cents__gte=0, cents__gte=0), name="vault_notes_not_negative"),
        ]
        triggers = [pgtrigger.Protect(name="vault_notes_append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.currency} in count {self.count_id} of the vault"
