"""Free text about people: the only place where it lies, so that it can be erased and the log stays whole."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from casino.rooms.models import Room


class Note(models.Model):
    """
    What staff wrote about players, for whoever rules at a table: purpose and people are those of the row that names it.

    `about` holds the ids of the players it speaks of; with one of them it is erased.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    text = models.CharField(max_length=500, blank=True)
    about = ArrayField(models.BigIntegerField(), default=list)
    written_at = models.DateTimeField()
    written_by_id = models.BigIntegerField()
    erased_at = models.DateTimeField(null=True)

    may_change = ("text", "erased_at")

    class Meta:
        app_label = "people"
        constraints = [
            models.CheckConstraint(condition=Q(erased_at__isnull=True) | Q(text=""), name="note_erased_says_nothing"),
        ]

    def __str__(self) -> str:
        return f"note {self.pk}"
