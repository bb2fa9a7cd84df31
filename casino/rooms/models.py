"""The room itself: its book, its gaming days, the places where its tablets stand."""

from uuid import UUID, uuid5

import pgtrigger
from django.db import models
from django.db.models import F, Q

from casino.money import MoneyFormat

# Never another: from it a book that was tried finds its answer again, and is not tried anew.
_HOLDING = UUID("0f6cf0a4-7f7e-4c39-8f0e-3d0c1d1b6a52")


class Room(models.Model):
    """One poker room. Every other row of the house belongs to one; rooms share no rows."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=80)
    currency = models.CharField(max_length=3, default="EUR")
    # How the room writes money and numbers, whoever reads them.
    locale = models.CharField(max_length=10, default="fi_FI")
    language = models.CharField(max_length=5, default="en")
    time_zone = models.CharField(max_length=40, default="Europe/Helsinki")

    may_change = ("language",)

    def __str__(self) -> str:
        return self.name

    @property
    def money_format(self) -> MoneyFormat:
        """How amounts are written in this room."""
        return MoneyFormat(self.currency, self.locale)


class RuleBookVersion(models.Model):
    """One version of the room's rule book, whole, with the moment from which it holds."""

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    book = models.CharField(max_length=40)
    number = models.PositiveIntegerField()
    text = models.TextField()
    digest = models.CharField(max_length=64)
    holds_from = models.DateTimeField()

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="rule_book_version_numbered_once_per_room"),
        ]

    def __str__(self) -> str:
        return f"{self.book} {self.number}"


class NextBook(models.Model):
    """
    The rule book that is to hold next: edited, asked for by one manager, approved by another, in force at its moment.

    `text` was edited from the version `edited_from`. `version` grows with each change: what is signed is this text and
    this moment. Refused or withdrawn it can be edited again, and `decided_by_id` says who refused it. `became` is the
    version that it is in force as; only one at a time is on its way.
    """

    class Status(models.TextChoices):
        EDITED = "edited"
        REQUESTED = "requested"
        APPROVED = "approved"
        IN_FORCE = "in_force"
        DISCARDED = "discarded"

    ON_ITS_WAY = (Status.EDITED, Status.REQUESTED, Status.APPROVED)

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    edited_from = models.ForeignKey(RuleBookVersion, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    status = models.CharField(max_length=10, choices=Status, default=Status.EDITED)
    edited_by_id = models.BigIntegerField()
    edited_at = models.DateTimeField()
    requested_by_id = models.BigIntegerField(null=True, db_column="asked_by_id")
    requested_at = models.DateTimeField(null=True, db_column="asked_at")
    holds_from = models.DateTimeField(null=True)
    decided_by_id = models.BigIntegerField(null=True)
    decided_at = models.DateTimeField(null=True)
    became = models.OneToOneField(RuleBookVersion, on_delete=models.PROTECT, null=True, related_name="was_next")
    version = models.PositiveIntegerField(default=1)

    may_change = (
        "text", "status", "edited_by_id", "edited_at", "requested_by_id", "requested_at", "holds_from", "decided_by_id",
        "decided_at", "became", "version",
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["room"],
                condition=Q(status__in=["edited", "requested", "approved"]),
                name="next_book_one_on_its_way_per_room",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["requested", "approved", "in_force"])
                | Q(requested_by_id__isnull=False, requested_at__isnull=False, holds_from__isnull=False),
                name="next_book_requested_names_who_and_from_when",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["approved", "in_force"])
                | (Q(decided_by_id__isnull=False, decided_at__isnull=False) & ~Q(decided_by_id=F("requested_by_id"))),
                name="next_book_who_asks_never_approves",
            ),
            models.CheckConstraint(
                condition=Q(status="in_force", became__isnull=False) | (~Q(status="in_force") & Q(became__isnull=True)),
                name="next_book_in_force_is_a_version",
            ),
        ]
        indexes = [
            models.Index(fields=["holds_from"], condition=Q(status="approved"), name="next_book_due"),
        ]

    def __str__(self) -> str:
        return f"next book {self.pk}"

    @property
    def holding_id(self) -> UUID:
        """The id of time's command that lets this book hold as it is now: it is tried once, and its answer is kept."""
        return uuid5(_HOLDING, f"{self.pk} {self.version}")


class Place(models.Model):
    """Where a device stands: a table, the floor, a cage window, a display."""

    class Kind(models.TextChoices):
        TABLE = "table"
        FLOOR = "floor"
        CAGE = "cage"
        DISPLAY = "display"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    kind = models.CharField(max_length=10, choices=Kind)
    number = models.PositiveIntegerField()

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "kind", "number"], name="place_numbered_once_per_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class GamingDay(models.Model):
    """
    The house's day, which is not the calendar's: it is named for the date on which it opened.

    It closes in two stages, each final. Closed for operations (`closed_at`) it takes no posting: what is found later is
    posted on the open day and names this one. Closed as counted (`counted_at`), by two, all that is counted of it has
    been, or is carried with a reason; until then its counts wait (`counts_wait`). Days that closed before there were
    two stages wait for nothing.

    `opened_after` and `closed_after` are the ids of the log's newest events then, 0 for none: what was done before and
    what since is told by them. Its moments would not do, for a clock may be set back.

    `balances_seed` is what the log's digest of all balances as it closed was made with; it is shown in no page, and in
    packs alone. Empty while it is open, and of days that closed before.
    """

    class Stage(models.TextChoices):
        OPEN = "open"
        OPERATIONS = "operations"
        COUNTED = "counted"
        # Of before there were two stages.
        AT_ONCE = "at_once"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    date = models.DateField()
    opened_at = models.DateTimeField()
    opened_by_id = models.BigIntegerField()
    closed_at = models.DateTimeField(null=True)
    closed_by_id = models.BigIntegerField(null=True)
    opened_after = models.BigIntegerField(default=0)
    closed_after = models.BigIntegerField(null=True)
    counts_wait = models.BooleanField(default=False, db_default=False)
    counted_at = models.DateTimeField(null=True)
    counted_by_id = models.BigIntegerField(null=True)
    counted_with_id = models.BigIntegerField(null=True)
    balances_seed = models.CharField(max_length=64, default="", db_default="")

    may_change = (
        "closed_at", "closed_by_id", "closed_after", "counts_wait", "counted_at", "counted_by_id", "counted_with_id",
        "balances_seed",
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "date"], name="gaming_day_opens_once_per_date"),
            models.UniqueConstraint(
                fields=["room"], condition=Q(closed_at__isnull=True), name="gaming_day_one_open_per_room"
            ),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True) | Q(closed_at__gte=F("opened_at")),
                name="gaming_day_closes_after_it_opens",
            ),
            models.CheckConstraint(
                condition=Q(counted_at__isnull=True, counted_by_id__isnull=True, counted_with_id__isnull=True)
                | Q(counted_at__gte=F("closed_at"), closed_at__isnull=False, counts_wait=False)
                & Q(counted_by_id__isnull=False, counted_with_id__isnull=False)
                & ~Q(counted_by_id=F("counted_with_id")),
                name="gaming_day_counted_once_closed_and_by_two",
            ),
            models.CheckConstraint(
                condition=Q(counts_wait=False) | Q(closed_at__isnull=False), name="gaming_day_counts_wait_once_closed"
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="stages_are_final",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.closed_at IS NOT NULL AND (NEW.closed_at, NEW.balances_seed)"
                    " IS DISTINCT FROM (OLD.closed_at, OLD.balances_seed)"
                    " OR OLD.counted_at IS NOT NULL AND (NEW.counted_at, NEW.counted_by_id, NEW.counted_with_id)"
                    " IS DISTINCT FROM (OLD.counted_at, OLD.counted_by_id, OLD.counted_with_id)"
                    " OR OLD.closed_at IS NOT NULL AND OLD.counted_at IS NULL"
                    " AND OLD.counts_wait <> (NEW.counts_wait OR NEW.counted_at IS NOT NULL)"
                ),
            )
        ]

    def __str__(self) -> str:
        return str(self.date)

    @property
    def stage(self) -> "GamingDay.Stage":
        """How far it has closed."""
        if self.closed_at is None:
            return self.Stage.OPEN
        if self.counted_at is not None:
            return self.Stage.COUNTED
        return self.Stage.OPERATIONS if self.counts_wait else self.Stage.AT_ONCE
