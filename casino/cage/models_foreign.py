"""Foreign notes: at which rate the house takes them, which paid a slip, were found by a count, went to be exchanged."""

import pgtrigger
from django.db import models
from django.db.models import F, Q

from casino.people.models import Staff
from casino.rooms.models import GamingDay, Room


class NoteRate(models.Model):
    """
    What the house gives for notes of a currency from a moment on, until the next row of that currency.

    `rate_millionths` is what one unit is worth in the room's money, in millionths of its unit: 0.0871 € for a krona
    are 87,100. None: such notes are no longer taken.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    currency = models.CharField(max_length=3)
    rate_millionths = models.BigIntegerField(null=True)
    recorded_at = models.DateTimeField()
    recorded_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")

    may_change = ()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(rate_millionths__isnull=True) | Q(rate_millionths__gt=0), name="note_rate_is_above_nothing"
            ),
        ]
        # The newest row of a currency is the rate in force: each sale for its notes asks for it.
        indexes = [models.Index(fields=["room", "currency", "-id"], name="note_rate_newest")]
        triggers = [pgtrigger.Protect(name="note_rate_append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.currency} {self.rate_millionths}"


class NotesTaken(models.Model):
    """
    The foreign notes that paid a slip: how many of each value, [[value in their own minor units, how many], ...].

    `face_cents` is what they say, in those units; `value_cents` what they are worth in the room's money at `rate`. What
    that is more than the slip's amount was given back in the room's cash. A reversal hands the same notes back.
    """

    slip = models.OneToOneField("cage.Slip", on_delete=models.PROTECT, related_name="notes")
    currency = models.CharField(max_length=3)
    pieces = models.JSONField()
    face_cents = models.BigIntegerField()
    rate = models.ForeignKey(NoteRate, on_delete=models.PROTECT, related_name="+")
    value_cents = models.BigIntegerField()

    may_change = ()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(face_cents__gt=0, value_cents__gt=0), name="notes_taken_are_something")
        ]
        triggers = [pgtrigger.Protect(name="notes_taken_append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.face} with slip {self.slip_id}"

    @property
    def face(self) -> str:
        """Return what the notes say, as the log has it: "2500 SEK"."""
        return f"{self.face_cents // 100} {self.currency}"


class CountedNotes(models.Model):
    """What a count found of one currency's notes, by pieces, face and in the room's money, beside what it expected."""

    currency = models.CharField(max_length=3)
    pieces = models.JSONField()
    face_cents = models.BigIntegerField()
    expected_face_cents = models.BigIntegerField()
    cents = models.BigIntegerField()
    expected_cents = models.BigIntegerField()

    may_change = ()

    class Meta:
        abstract = True


class NotesCounted(CountedNotes):
    """
    What a count of a drawer found, beside what the session's slips had brought; `cents` at the rates at which that was
    taken.
    """

    count = models.ForeignKey("cage.DrawerCount", on_delete=models.PROTECT, related_name="notes")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["count", "currency"], name="notes_counted_once_per_currency"),
            models.CheckConstraint(condition=Q(face_cents__gte=0, cents__gte=0), name="notes_counted_not_negative"),
        ]
        triggers = [pgtrigger.Protect(name="notes_counted_append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.currency} in count {self.count_id}"


class NotesBrought(models.Model):
    """
    What counts had brought of one currency's notes into the vault when a gaming day closed, of all days until then.

    No count of that day or one before it changes any more, so that nobody adds them up again. Never changed.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, related_name="+")
    currency = models.CharField(max_length=3)
    pieces = models.JSONField()
    face_cents = models.BigIntegerField()
    cents = models.BigIntegerField()

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["day", "currency"], name="notes_brought_once_per_day_and_currency"),
        ]
        triggers = [pgtrigger.Protect(name="notes_brought_append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.currency} until day {self.day_id}"


class NotesExchanged(models.Model):
    """
    Foreign notes that left the vault, to a bank or an exchange, and what the house got for them in its own money.

    `worth_cents` is what they stood at in the vault; what is more or less is the difference of the exchange. Two sign;
    it is taken back by two, whole, and stays with its number.
    """

    class Reason(models.TextChoices):
        WRONG_AMOUNT = "wrong_amount"
        WRONG_NOTES = "wrong_notes"
        NOT_TAKEN = "not_taken"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    number = models.PositiveIntegerField()
    currency = models.CharField(max_length=3)
    pieces = models.JSONField()
    face_cents = models.BigIntegerField()
    worth_cents = models.BigIntegerField()
    got_cents = models.BigIntegerField()
    exchanged_at = models.DateTimeField()
    exchanged_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    transfer_id = models.BigIntegerField()

    reversed_at = models.DateTimeField(null=True)
    reversed_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    reversal_approved_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    reversal_reason = models.CharField(max_length=20, choices=Reason, default="", blank=True)
    reversal_transfer_id = models.BigIntegerField(null=True)

    may_change = ("reversed_at", "reversed_by", "reversal_approved_by", "reversal_reason", "reversal_transfer_id")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="notes_exchanged_numbered_once_per_room"),
            # What they stood at may be less than nothing: a recount can leave that where others went before.
            models.CheckConstraint(condition=Q(face_cents__gt=0, got_cents__gte=0), name="notes_exchanged_are_some"),
            models.CheckConstraint(condition=~Q(approved_by=F("exchanged_by")), name="notes_exchanged_by_two"),
            models.CheckConstraint(
                condition=Q(
                    reversed_at__isnull=True,
                    reversed_by__isnull=True,
                    reversal_approved_by__isnull=True,
                    reversal_reason="",
                    reversal_transfer_id__isnull=True,
                )
                | Q(
                    reversed_at__gte=F("exchanged_at"),
                    reversed_by__isnull=False,
                    reversal_approved_by__isnull=False,
                    reversal_transfer_id__isnull=False,
                )
                & ~Q(reversal_reason="")
                & ~Q(reversal_approved_by=F("reversed_by")),
                name="notes_exchanged_taken_back_by_two",
            ),
        ]
        triggers = [pgtrigger.Protect(name="notes_exchanged_never_deleted", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"exchange {self.number}"

    @property
    def face(self) -> str:
        """Return what the notes say, as the log has it: "2500 SEK"."""
        return f"{self.face_cents // 100} {self.currency}"

    @property
    def difference_cents(self) -> int:
        """What the house got against what the notes stood at; negative: it got less."""
        return self.got_cents - self.worth_cents
