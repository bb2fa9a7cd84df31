"""Chips and cash that somebody left behind: whose they are, as far as anybody knows, and what became of them."""

import pgtrigger
from django.db import models
from django.db.models import F, Q

from casino.people.models import Player, Staff
from casino.rooms.models import Room


class Unclaimed(models.Model):
    """
    Chips or cash that were found and lie at the cage until whoever they belong to claims them.

    `player` is whose they are by name, None where nobody knows. Found and taken in by two, into `drawer`; given to
    `claimed_by` by two, who have seen that person's document, or kept by the house after the book's time, by two
    managers. `where` is a place, with the numbers of a table and a seat where it was one: no free text.
    """

    class What(models.TextChoices):
        CHIPS = "chips"
        CASH = "cash"

    class Where(models.TextChoices):
        TABLE = "table"
        FLOOR = "floor"
        CAGE = "cage"
        ELSEWHERE = "elsewhere"

    class EndedAs(models.TextChoices):
        CLAIMED = "claimed"
        KEPT = "kept"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    number = models.PositiveIntegerField()
    what = models.CharField(max_length=5, choices=What)
    amount_cents = models.BigIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, related_name="+")
    where = models.CharField(max_length=10, choices=Where)
    table_number = models.PositiveIntegerField(null=True)
    seat_number = models.PositiveIntegerField(null=True)
    found_at = models.DateTimeField()
    drawer = models.ForeignKey("cage.Drawer", on_delete=models.PROTECT, related_name="+")
    taken_in_at = models.DateTimeField()
    taken_in_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    transfer_id = models.BigIntegerField()

    ended_as = models.CharField(max_length=10, choices=EndedAs, default="", blank=True)
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    end_approved_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    claimed_by = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, related_name="+")
    end_transfer_id = models.BigIntegerField(null=True)

    may_change = ("ended_as", "ended_at", "ended_by", "end_approved_by", "claimed_by", "end_transfer_id")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="unclaimed_numbered_once_per_room"),
            models.CheckConstraint(condition=Q(amount_cents__gt=0), name="unclaimed_is_something"),
            models.CheckConstraint(condition=~Q(approved_by=F("taken_in_by")), name="unclaimed_taken_in_by_two"),
            models.CheckConstraint(
                condition=Q(ended_as="", ended_at__isnull=True, end_transfer_id__isnull=True)
                | Q(
                    ended_at__gte=F("taken_in_at"),
                    end_transfer_id__isnull=False,
                    ended_by__isnull=False,
                    end_approved_by__isnull=False,
                )
                & ~Q(ended_as="")
                & ~Q(end_approved_by=F("ended_by")),
                name="unclaimed_ended_by_two",
            ),
            models.CheckConstraint(
                condition=Q(ended_as="claimed", claimed_by__isnull=False)
                | ~Q(ended_as="claimed") & Q(claimed_by__isnull=True),
                name="unclaimed_claimed_by_somebody",
            ),
        ]
        indexes = [models.Index(fields=["room", "number"], condition=Q(ended_as=""), name="unclaimed_open")]
        triggers = [pgtrigger.Protect(name="unclaimed_never_deleted", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"unclaimed {self.number}"
