"""Fills and credits that go their way as numbered slips."""

from functools import reduce
from operator import or_

from django.db import models
from django.db.models import F, Q

from casino.people.models import Staff
from casino.rooms.models import GamingDay, Room

# Who gives a fill out, carries it and counts it.
_HANDLED = ("sent_by", "runner", "ended_by", "ended_with")


class Vault(models.Model):
    """What numbered the fill slips of before. Processes of before still read it; a later version drops it."""

    room = models.OneToOneField(Room, on_delete=models.PROTECT)
    fills_issued = models.PositiveIntegerField(default=0)

    may_change = ("fills_issued",)

    def __str__(self) -> str:
        return f"vault of room {self.room_id}"


class FillSlip(models.Model):
    """
    A fill from the vault to a drawer or another place that is filled, or a credit the other way: asked for, authorised
    by another, given to a runner who signs for it, and counted blind by two where it goes.

    `place_kind`, `place_id` and `place_number` say where, in the words of `casino.cage.fill_places`. Pieces are as
    those of a drawer's count: what was asked for (`wished_`), what the runner was given (`sent_`), and what was counted
    (`got_`) where it went or, returned, where it came from. What was given lies with the runner in between; what
    differs stays on the runner's difference account, and is judged. `reason` is why it was refused or returned.
    """

    class Kind(models.TextChoices):
        FILL = "fill"
        CREDIT = "credit"

    class Status(models.TextChoices):
        REQUESTED = "requested"
        AUTHORISED = "authorised"
        DELIVERED = "delivered"
        VERIFIED = "verified"
        REFUSED = "refused"
        RETURNED = "returned"

    class Reason(models.TextChoices):
        NOT_NEEDED = "not_needed"
        WRONG_AMOUNT = "wrong_amount"
        WRONG_PLACE = "wrong_place"
        NOT_THERE = "not_there"
        CLOSED = "closed"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    number = models.PositiveIntegerField()
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    kind = models.CharField(max_length=10, choices=Kind)
    status = models.CharField(max_length=10, choices=Status, default=Status.REQUESTED)
    place_kind = models.CharField(max_length=20)
    place_id = models.BigIntegerField()
    place_number = models.PositiveIntegerField()
    version = models.PositiveBigIntegerField(default=1)
    prints = models.PositiveIntegerField(default=0)

    requested_at = models.DateTimeField()
    requested_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    wished_cash = models.JSONField()
    wished_chips = models.JSONField()
    wished_cash_cents = models.BigIntegerField()
    wished_chips_cents = models.BigIntegerField()

    authorised_at = models.DateTimeField(null=True)
    authorised_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")

    sent_at = models.DateTimeField(null=True)
    sent_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    runner = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    sent_cash = models.JSONField(null=True)
    sent_chips = models.JSONField(null=True)
    sent_cash_cents = models.BigIntegerField(null=True)
    sent_chips_cents = models.BigIntegerField(null=True)
    sent_transfer_id = models.BigIntegerField(null=True)

    ended_at = models.DateTimeField(null=True)
    # Who counted it, or refused it.
    ended_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    ended_with = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=20, choices=Reason, default="", blank=True)
    got_cash = models.JSONField(null=True)
    got_chips = models.JSONField(null=True)
    got_cash_cents = models.BigIntegerField(null=True)
    got_chips_cents = models.BigIntegerField(null=True)
    got_transfer_id = models.BigIntegerField(null=True)

    unjudged = models.BooleanField(default=False)
    judged_at = models.DateTimeField(null=True)
    judged_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")

    OPEN = Q(status__in=["requested", "authorised", "delivered"])
    CARRIED = Q(status__in=["delivered", "verified", "returned"])

    may_change = (
        "status", "version", "prints", "authorised_at", "authorised_by", "sent_at", "sent_by", "runner", "sent_cash",
        "sent_chips", "sent_cash_cents", "sent_chips_cents", "sent_transfer_id", "ended_at", "ended_by", "ended_with",
        "reason", "got_cash", "got_chips", "got_cash_cents", "got_chips_cents", "got_transfer_id", "unjudged",
        "judged_at", "judged_by",
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="fill_numbered_once_per_room"),
            models.CheckConstraint(
                condition=Q(wished_cash_cents__gte=0, wished_chips_cents__gte=0)
                & (Q(wished_cash_cents__gt=0) | Q(wished_chips_cents__gt=0)),
                name="fill_asks_for_something",
            ),
            models.CheckConstraint(
                condition=Q(authorised_by__isnull=True, authorised_at__isnull=True, status__in=["requested", "refused"])
                | Q(authorised_by__isnull=False, authorised_at__isnull=False)
                & ~Q(status="requested")
                & ~Q(authorised_by=F("requested_by")),
                name="fill_authorised_by_another",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["requested", "authorised", "refused"], sent_transfer_id__isnull=True)
                | Q(
                    status__in=["delivered", "verified", "returned"],
                    sent_at__isnull=False,
                    sent_by__isnull=False,
                    runner__isnull=False,
                    sent_cash_cents__gte=0,
                    sent_chips_cents__gte=0,
                    sent_transfer_id__isnull=False,
                )
                & ~Q(runner=F("sent_by")),
                name="fill_is_signed_for_by_its_runner",
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=["requested", "authorised", "delivered", "refused"], got_transfer_id__isnull=True
                )
                | Q(
                    status__in=["verified", "returned"],
                    ended_by__isnull=False,
                    ended_with__isnull=False,
                    got_cash_cents__gte=0,
                    got_chips_cents__gte=0,
                    got_transfer_id__isnull=False,
                )
                & ~Q(ended_by=F("ended_with"))
                & ~Q(ended_by=F("sent_by"))
                & ~Q(ended_by=F("runner"))
                & ~Q(ended_with=F("runner")),
                name="fill_counted_by_two_others",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["refused", "returned"], ended_by__isnull=False) & ~Q(reason="")
                | ~Q(status__in=["refused", "returned"]) & Q(reason=""),
                name="fill_refused_or_returned_for_a_reason",
            ),
        ]
        indexes = [
            # By this very condition the floor's to-do asks (`todo_fills._FILLS`): worded otherwise it would not find
            # the index.
            models.Index(
                fields=["room", "number"],
                condition=Q(status__in=["requested", "authorised", "delivered"]) | Q(unjudged=True),
                name="fill_under_way",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} slip {self.number}"

    @property
    def is_open(self) -> bool:
        """Say whether it still goes its way."""
        return self.status in (self.Status.REQUESTED, self.Status.AUTHORISED, self.Status.DELIVERED)

    @property
    def is_blind(self) -> bool:
        """Say whether it is about to be counted: until then nobody is shown what was wished or given."""
        return self.status == self.Status.DELIVERED

    @property
    def handled_by(self) -> frozenset[int]:
        """Who gave it out, carried it or counted it, by their ids: none of them judges what differs."""
        had = (getattr(self, f"{each}_id") for each in _HANDLED)
        return frozenset(each for each in had if each is not None)

    @staticmethod
    def is_handled_by(staff_id: int) -> Q:
        """Return the condition for those that somebody has `handled_by` them."""
        return reduce(or_, (Q(**{each: staff_id}) for each in _HANDLED))

    @property
    def is_counted(self) -> bool:
        """Say whether it was counted: from then on it may be known what was sent."""
        return self.got_transfer_id is not None

    @property
    def differences_cents(self) -> tuple[int, int]:
        """Cash and chips that were counted against what the runner was given; negative: it is missing."""
        return (
            (self.got_cash_cents or 0) - (self.sent_cash_cents or 0),
            (self.got_chips_cents or 0) - (self.sent_chips_cents or 0),
        )
