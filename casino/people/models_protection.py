"""
What keeps people from playing: bans, their own exclusions and limits, and pairs kept apart.

Reasons are free text about people: they stand here, and in no event, no fragment and no answer of a tap.
"""

import pgtrigger
from django.db import models
from django.db.models import F, Q

from casino.people.rules.exclusions import BAN, OWN
from casino.rooms.models import GamingDay, Room


class Exclusion(models.Model):
    """
    A player may not play: banned by the house, or by the player's own wish.

    It holds from the moment it is written. `until` is the end, None for a ban without one. A longer exclusion is
    another row beside the first, so nothing ever shortens one. `clause` names the rule under which the house banned.
    Lifting takes two persons, and for the player's own one its end must have passed.
    """

    class Kind(models.TextChoices):
        BAN = BAN
        OWN = OWN

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    player = models.ForeignKey("people.Player", on_delete=models.PROTECT, related_name="exclusions")
    kind = models.CharField(max_length=5, choices=Kind)
    began_at = models.DateTimeField()
    until = models.DateTimeField(null=True)
    clause = models.CharField(max_length=12, default="", blank=True)
    reason = models.CharField(max_length=300, default="", blank=True)
    made_by_id = models.BigIntegerField()
    lifted_at = models.DateTimeField(null=True)
    lifted_by_id = models.BigIntegerField(null=True)
    lift_signed_by_id = models.BigIntegerField(null=True)

    may_change = ("player", "lifted_at", "lifted_by_id", "lift_signed_by_id", "reason")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(kind=OWN) | Q(until__isnull=False), name="exclusion_by_own_wish_has_an_end"
            ),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gt=F("began_at")), name="exclusion_ends_after_it_begins"
            ),
            models.CheckConstraint(
                condition=Q(lifted_at__isnull=True, lifted_by_id__isnull=True, lift_signed_by_id__isnull=True)
                | Q(lifted_at__isnull=False, lifted_by_id__isnull=False, lift_signed_by_id__isnull=False)
                & ~Q(lifted_by_id=F("lift_signed_by_id")),
                name="exclusion_lifted_by_two",
            ),
            models.CheckConstraint(
                condition=~Q(kind=OWN) | Q(lifted_at__isnull=True) | Q(lifted_at__gte=F("until")),
                name="exclusion_by_own_wish_stands_to_its_end",
            ),
        ]
        indexes = [models.Index(fields=["player"], condition=Q(lifted_at__isnull=True), name="exclusion_standing")]
        triggers = [
            pgtrigger.Protect(name="exclusion_never_deleted", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="exclusion_end_stands",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange("kind", "began_at", "until"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Inquiry(models.Model):
    """
    What is kept about a player, or about somebody on `staff`, is needed for an inquiry: nothing of it goes, by time or
    by their own wish.

    It holds until `until`, or until two persons lift it. Why, compliance and managers alone read; that there is one, so
    does whoever reads the log. Who it is about is not told, nor floor and cage.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    player = models.ForeignKey("people.Player", on_delete=models.PROTECT, null=True, related_name="inquiries")
    staff = models.ForeignKey("people.Staff", on_delete=models.PROTECT, null=True, related_name="inquiries")
    reason = models.CharField(max_length=300, blank=True)
    began_at = models.DateTimeField()
    until = models.DateTimeField(null=True)
    made_by_id = models.BigIntegerField()
    lifted_at = models.DateTimeField(null=True)
    lifted_by_id = models.BigIntegerField(null=True)
    lift_signed_by_id = models.BigIntegerField(null=True)

    may_change = ("player", "lifted_at", "lifted_by_id", "lift_signed_by_id", "reason")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gt=F("began_at")), name="inquiry_ends_after_it_begins"
            ),
            models.CheckConstraint(
                condition=Q(lifted_at__isnull=True, lifted_by_id__isnull=True, lift_signed_by_id__isnull=True)
                | Q(lifted_at__isnull=False, lifted_by_id__isnull=False, lift_signed_by_id__isnull=False)
                & ~Q(lifted_by_id=F("lift_signed_by_id")),
                name="inquiry_lifted_by_two",
            ),
            models.CheckConstraint(
                condition=Q(player__isnull=False, staff__isnull=True) | Q(player__isnull=True, staff__isnull=False),
                name="inquiry_is_about_one_person",
            ),
            models.CheckConstraint(
                condition=Q(staff__isnull=True)
                | Q(lifted_by_id__isnull=True)
                | ~Q(staff=F("lifted_by_id")) & ~Q(staff=F("lift_signed_by_id")),
                name="inquiry_not_lifted_by_who_it_is_about",
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="inquiry_never_deleted", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="inquiry_end_stands",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange("began_at", "until"),
            ),
        ]

    def __str__(self) -> str:
        return f"inquiry {self.pk}"


class OwnLimit(models.Model):
    """
    One wish of a player about a limit of their own; all of them together say what holds (`rules.limits`).

    `amount` is cents of buy-ins or minutes of play in a gaming day, None for no limit. `day` is the newest gaming day
    when it was said, None before the first.
    """

    class Kind(models.TextChoices):
        BUY_IN = "buy_in"
        HOURS = "hours"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    player = models.ForeignKey("people.Player", on_delete=models.PROTECT, related_name="own_limits")
    kind = models.CharField(max_length=6, choices=Kind)
    amount = models.PositiveBigIntegerField(null=True)
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, null=True)
    wished_at = models.DateTimeField(db_column="asked_at")
    noted_by_id = models.BigIntegerField(db_column="asked_by_id")

    may_change = ()

    class Meta:
        indexes = [models.Index(fields=["player", "id"], name="own_limit_in_order")]
        triggers = [pgtrigger.Protect(name="own_limit_append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}"


class KeptApart(models.Model):
    """Two players who do not sit at one table, by the floor's word (H1.75); `one` is the lower id."""

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    one = models.ForeignKey("people.Player", on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey("people.Player", on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=300, default="", blank=True)
    made_at = models.DateTimeField()
    made_by_id = models.BigIntegerField()
    ended_at = models.DateTimeField(null=True)
    ended_by_id = models.BigIntegerField(null=True)

    may_change = ("ended_at", "ended_by_id", "one", "other", "reason")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="kept_apart_are_two"),
            models.UniqueConstraint(
                fields=["one", "other"], condition=Q(ended_at__isnull=True), name="kept_apart_once_per_pair"
            ),
        ]
        indexes = [models.Index(fields=["other"], condition=Q(ended_at__isnull=True), name="kept_apart_by_other")]

    def __str__(self) -> str:
        return f"{self.one_id} and {self.other_id}"
