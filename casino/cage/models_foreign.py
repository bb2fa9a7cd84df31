"""Foreign notes: at which rate the house takes them, which of them paid a slip, and which a count found."""

import pgtrigger
from django.db import models
from django.db.models import Q

from casino.people.models import Staff
from casino.rooms.models import Room


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


class NotesCounted(models.Model):
    """
    What a count of a drawer found of one currency's notes, beside what the session's slips had brought.

    `cents` is what was found in the room's money, at the rate at which it was taken.
    """

    count = models.ForeignKey("cage.DrawerCount", on_delete=models.PROTECT, related_name="notes")
    currency = models.CharField(max_length=3)
    pieces = models.JSONField()
    face_cents = models.BigIntegerField()
    expected_face_cents = models.BigIntegerField()
    cents = models.BigIntegerField()
    expected_cents = models.BigIntegerField()

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["count", "currency"], name="notes_counted_once_per_currency"),
            models.CheckConstraint(condition=Q(face_cents__gte=0, cents__gte=0), name="notes_counted_not_negative"),
        ]
        triggers = [pgtrigger.Protect(name="notes_counted_append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.currency} in count {self.count_id}"
