"""What compliance officers write: notes on people and on findings."""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from casino.compliance.rules import CLAIM, KINDS, SLIP, Source
from casino.people.models import Player, Staff
from casino.rooms.models import Room

# What of a note may be written over, and by what: once, by nothing.
_NOT_ERASED = """
    NEW.text <> '' OR NEW.reference <> '' OR NEW.erased_at IS NULL OR OLD.erased_at IS NOT NULL OR (OLD.id, OLD.room_id,
    OLD.player_id, OLD.staff_id, OLD.kind, OLD.slip_ids, OLD.claim_ids, OLD.mark, OLD.reason, OLD.reported_date,
    OLD.corrects_id, OLD.written_at, OLD.written_by_id) IS DISTINCT FROM (NEW.id, NEW.room_id, NEW.player_id,
    NEW.staff_id, NEW.kind, NEW.slip_ids, NEW.claim_ids, NEW.mark, NEW.reason, NEW.reported_date, NEW.corrects_id,
    NEW.written_at, NEW.written_by_id)
"""


class ComplianceNote(models.Model):
    """
    One note of a compliance officer: on a player, on somebody on staff, or on a finding, and never changed.

    A note on a finding has its `kind` and what it rested on then, slips and claims of lost cash (ids of
    `cage.Unclaimed`), with the player whose they are (None where nobody was named), and says with `mark` how the
    finding stands from now on; the newest of them holds. A wrong note is answered by another that `corrects` it.
    `reported_date` and `reference` are of a report to the authority. Time takes text and reference (`erased_at`); that
    there was a note, about what and by whom, stays.
    """

    class Kind(models.TextChoices):
        TOGETHER = "together"
        JUST_BELOW = "just_below"
        LITTLE_PLAYED = "little_played"
        OTHER_MEANS = "other_means"
        UNNAMED = "unnamed"

    class Mark(models.TextChoices):
        NOTED = "noted"
        LOOKED_AT = "looked_at"
        EXPLAINED = "explained"
        REPORTED = "reported"
        REOPENED = "reopened"

    class Reason(models.TextChoices):
        BOOKS = "books"
        TOLD = "told"
        AUTHORITY = "authority"
        CORRECTS = "corrects"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, related_name="+")
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    kind = models.CharField(max_length=13, choices=Kind, default="", blank=True)
    slip_ids = ArrayField(models.BigIntegerField(), default=list)
    claim_ids = ArrayField(models.BigIntegerField(), default=list, db_default=[])
    mark = models.CharField(max_length=9, choices=Mark, default=Mark.NOTED)
    reason = models.CharField(max_length=9, choices=Reason)
    text = models.CharField(max_length=1_000, blank=True)
    reported_date = models.DateField(null=True)
    reference = models.CharField(max_length=60, default="", blank=True)
    corrects = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="+")
    written_at = models.DateTimeField()
    written_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    erased_at = models.DateTimeField(null=True)

    may_change = ("text", "reference", "erased_at")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corrects"], name="compliance_note_corrected_once"),
            models.CheckConstraint(
                condition=Q(kind="", slip_ids=[], claim_ids=[], mark="noted")
                & (Q(player__isnull=False, staff__isnull=True) | Q(player__isnull=True, staff__isnull=False))
                | ~Q(kind="") & ~Q(slip_ids=[], claim_ids=[]) & Q(staff__isnull=True),
                name="compliance_note_is_about_one_thing",
            ),
            models.CheckConstraint(
                condition=Q(mark="reported", reported_date__isnull=False)
                | ~Q(mark="reported") & Q(reported_date__isnull=True, reference=""),
                name="compliance_note_reported_on_a_day",
            ),
            models.CheckConstraint(
                condition=Q(reason="corrects", corrects__isnull=False)
                | ~Q(reason="corrects") & Q(corrects__isnull=True),
                name="compliance_note_says_what_it_corrects",
            ),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True) & ~Q(text="") | Q(erased_at__isnull=False, text="", reference=""),
                name="compliance_note_says_something_until_erased",
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="compliance_note_never_deleted", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="compliance_note_stands",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(_NOT_ERASED),
            ),
        ]

    def __str__(self) -> str:
        return f"compliance note {self.pk}"

    @property
    def sources(self) -> frozenset[Source]:
        """Return what a finding rested on when this was written on it."""
        return frozenset([*((SLIP, each) for each in self.slip_ids), *((CLAIM, each) for each in self.claim_ids)])


assert set(ComplianceNote.Kind.values) == set(KINDS), "a finding has its kind among the notes"
