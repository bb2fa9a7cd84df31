"""Drawers, the days they are open, what was counted in them, and the slips that they paid."""

from collections.abc import Collection
from copy import copy

import pgtrigger
from django.db import models
from django.db.models import F, Q

from casino.cage import models_fills  # noqa: F401 - its models are the app's too
from casino.cage.about import AtSeat, Unnamed
from casino.cage.models_chips import PaidChips
from casino.cage.models_foreign import NoteRate, NotesBrought, NotesCounted, NotesExchanged, NotesTaken
from casino.cage.models_money import RequestMoney
from casino.cage.models_refused import RefusedRequest
from casino.cage.models_signed import SignedPaper
from casino.cage.models_unclaimed import Unclaimed
from casino.cage.models_vault import VaultCount, VaultNotesCounted
from casino.cage.models_vouchers import Voucher, VoucherPrint
from casino.people.models import Player, Staff
from casino.rooms.models import GamingDay, Room

__all__ = [
    "Doubt",
    "Drawer",
    "DrawerCount",
    "DrawerSession",
    "NoteRate",
    "NotesBrought",
    "NotesCounted",
    "NotesExchanged",
    "NotesTaken",
    "PaidChips",
    "RefusedRequest",
    "RequestMoney",
    "SignedPaper",
    "Slip",
    "Unclaimed",
    "VaultCount",
    "VaultNotesCounted",
    "Voucher",
    "VoucherPrint",
]


class Drawer(models.Model):
    """
    A till of the cage. Its row is what every movement in it locks.

    `slips_issued` is the last running number given; slips of other drawers have their own row of
    numbers, so two cashiers never wait for each other. `version` goes up when it opens or closes: what a
    slip decides on is the slip. `is_bank`: a runner holds it and sells chips at the tables, and it stands at no window.

    `place_kind`, `place_id` and `place_number`, in the words of `fill_places`, are of a rack that sells for cash. Then
    the row numbers its slips alone: nobody opens or counts it here, and what lies there is on the place's own accounts.
    It has no name, which would be in one language: `fill_places.label` says what its place is called.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=40)
    is_bank = models.BooleanField(default=False, db_default=False)
    place_kind = models.CharField(max_length=20, default="", db_default="", blank=True)
    place_id = models.BigIntegerField(null=True)
    place_number = models.PositiveIntegerField(null=True)
    slips_issued = models.PositiveIntegerField(default=0)
    version = models.PositiveBigIntegerField(default=1)

    may_change = ("slips_issued", "version")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="drawer_numbered_once_per_room"),
            models.CheckConstraint(condition=Q(number__gte=1), name="drawer_numbers_start_at_one"),
            models.UniqueConstraint(
                fields=["room", "place_kind", "place_id"], condition=~Q(place_kind=""), name="drawer_one_per_rack"
            ),
            models.CheckConstraint(
                condition=Q(place_kind="", place_id__isnull=True, place_number__isnull=True)
                | Q(is_bank=False, place_id__isnull=False, place_number__isnull=False) & ~Q(place_kind=""),
                name="drawer_of_a_rack_knows_its_place",
            ),
        ]

    def __str__(self) -> str:
        return self.name or f"{self.place_kind} {self.place_number}"

    @property
    def is_rack(self) -> bool:
        return self.place_kind != ""

    @property
    def called(self) -> dict[str, int | bool]:
        """The placeholders by which refusals name this drawer: `number`, and `is_bank` where it is a bank."""
        return {"number": self.number, "is_bank": True} if self.is_bank else {"number": self.number}


class DrawerSession(models.Model):
    """
    One drawer open, from its float out of the vault on the gaming day `day` to its count back into it on `closed_day`:
    the same one, or a later one where a manager carried it over a day's end.

    The float was counted by two, `opened_by` and `opened_with`; its pieces are as those of `DrawerCount`. Rows of
    before floats were by pieces have none, and one person. A bank's `holder` is the runner who counted its float with
    whoever opened it, and holds no other at a time; another runner gets it by a count and a float of their own. A rack
    that sells has one for each day on which it does, without a float, and closed from the beginning.
    """

    drawer = models.ForeignKey(Drawer, on_delete=models.PROTECT)
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    float_cash_pieces = models.JSONField(null=True)
    float_chip_pieces = models.JSONField(null=True)
    float_cash_cents = models.BigIntegerField()
    float_chips_cents = models.BigIntegerField()
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    opened_with = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    # No index of its own: a runner's open bank is found by that of `drawer_session_one_bank_per_runner`.
    holder = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    closed_day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, null=True, related_name="+")

    # How often it was too short for what it was to pay, and whether that is so often that it is counted first: sum by
    # sum such refusals tell what lies there.
    short_payouts = models.PositiveIntegerField(default=0, db_default=0)
    is_counted_first = models.BooleanField(default=False, db_default=False)

    may_change = ("closed_at", "closed_by", "closed_day", "short_payouts", "is_counted_first")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["drawer"], condition=Q(closed_at__isnull=True), name="drawer_session_one_open_per_drawer"
            ),
            models.UniqueConstraint(
                fields=["holder"],
                condition=Q(closed_at__isnull=True, holder__isnull=False),
                name="drawer_session_one_bank_per_runner",
            ),
            models.CheckConstraint(
                condition=Q(holder__isnull=True) | Q(holder=F("opened_with"), opened_with__isnull=False),
                name="drawer_session_bank_counted_by_its_runner",
            ),
            models.CheckConstraint(
                condition=Q(float_cash_cents__gte=0, float_chips_cents__gte=0), name="drawer_session_float_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, closed_by__isnull=True, closed_day__isnull=True)
                | Q(closed_at__gte=F("opened_at"), closed_by__isnull=False, closed_day__gte=F("day")),
                name="drawer_session_closes_after_it_opens",
            ),
            models.CheckConstraint(
                condition=Q(opened_with__isnull=True, float_cash_pieces__isnull=True, float_chip_pieces__isnull=True)
                | Q(opened_with__isnull=False, float_cash_pieces__isnull=False, float_chip_pieces__isnull=False)
                & ~Q(opened_with=F("opened_by")),
                name="drawer_session_opened_by_pieces_and_by_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.drawer_id} on {self.day_id}"

    @staticmethod
    def answered_for_by(staff_ids: Collection[int]) -> Q:
        """Return the condition for sessions that one of `staff_ids` answers for: a bank's holder, else its opener."""
        return Q(opened_by__in=staff_ids, holder=None) | Q(holder__in=staff_ids)

    @staticmethod
    def open_on(room_id: int, day_ids: Collection[int]) -> Q:
        """
        Return what finds those that were open on some of a room's gaming days, opened on them or carried over to them.

        The days follow each other, and are at least one.
        """
        ended_later = Q(closed_day__gte=min(day_ids)) | Q(closed_at=None)
        return Q(ended_later, drawer__room=room_id, day__lte=max(day_ids))


class DrawerCount(models.Model):
    """
    What somebody counted in a drawer, beside what the ledger expected at that moment.

    Counted blind by two and never changed: `cash_pieces` and `chip_pieces` are how many of each value, [[value in
    cents, how many], ...], and the sums are theirs. `counted_by` has not paid from the drawer, unless the rule book
    lets that be (`signing.own_drawer`), `counted_with` stood by and signed, or asked for it. A recount is another
    row, with the next `number`, beside what was expected at the first one; the newest holds. Rows of before counts
    were by pieces have none, and one person. `foreign_cents` is what was counted of foreign notes (`NotesCounted`),
    in the room's money.
    """

    session = models.ForeignKey(DrawerSession, on_delete=models.PROTECT)
    number = models.PositiveIntegerField()
    counted_at = models.DateTimeField()
    counted_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    counted_with = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    cash_pieces = models.JSONField(null=True)
    chip_pieces = models.JSONField(null=True)
    cash_cents = models.BigIntegerField()
    chips_cents = models.BigIntegerField()
    card_slips_cents = models.BigIntegerField()
    expected_cash_cents = models.BigIntegerField()
    expected_chips_cents = models.BigIntegerField()
    expected_card_slips_cents = models.BigIntegerField()
    foreign_cents = models.BigIntegerField(default=0, db_default=0)
    expected_foreign_cents = models.BigIntegerField(default=0, db_default=0)

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="drawer_count_numbered_once_per_session"),
            models.CheckConstraint(
                condition=Q(cash_cents__gte=0, chips_cents__gte=0, card_slips_cents__gte=0),
                name="drawer_count_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(counted_with__isnull=True, cash_pieces__isnull=True, chip_pieces__isnull=True)
                | Q(counted_with__isnull=False, cash_pieces__isnull=False, chip_pieces__isnull=False)
                & ~Q(counted_with=F("counted_by")),
                name="drawer_count_by_pieces_and_by_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_id} count {self.number}"

    @property
    def money_difference_cents(self) -> int:
        """Cash, card slips and foreign notes against what was expected; negative: money is missing."""
        counted = self.cash_cents + self.card_slips_cents + self.foreign_cents
        return counted - self.expected_cash_cents - self.expected_card_slips_cents - self.expected_foreign_cents

    @property
    def chips_difference_cents(self) -> int:
        """Chips against what was expected; negative: chips are missing."""
        return self.chips_cents - self.expected_chips_cents

    @property
    def foreign_difference_cents(self) -> int:
        """Foreign notes against what was expected, in the room's money; negative: some are missing."""
        return self.foreign_cents - self.expected_foreign_cents

    @property
    def differences_cents(self) -> tuple[int, int, int, int]:
        """
        Cash, card slips, foreign notes, and chips against what could lie there; negative: it is missing.

        Each by itself: notes that were taken for cash out of the same drawer leave its money whole, and both differ, as
        do card slips. A drawer that gave more chips than ever lay in it can hold none: by how much is a doubt of its
        own.
        """
        return (
            self.cash_cents - self.expected_cash_cents,
            self.card_slips_cents - self.expected_card_slips_cents,
            self.foreign_difference_cents,
            self.chips_cents - max(self.expected_chips_cents, 0),
        )

    def money_differs_by(self) -> list[int]:
        """
        Return what cash, card slips and the notes of each currency differ by, in the room's money: what one was swapped
        for is too much of another. One query where there are notes.
        """
        cash, card_slips, _notes, _chips = self.differences_cents
        has_notes = self.foreign_cents or self.expected_foreign_cents
        notes = [each.cents - each.expected_cents for each in self.notes.all()] if has_notes else []
        return [cash, card_slips, *notes]


# What puts money onto a deposit or takes it off, by its kind or by how it is paid.
_MOVES_DEPOSIT = Q(kind__in=["deposit", "withdrawal"]) | Q(method="deposit")


class Slip(models.Model):
    """
    One movement over the counter, or between drawer and vault, from its asking to its paying, and to its reversal if it
    comes to that.

    A requested slip has no number: it gets the next one of the drawer that pays it, and keeps it
    when it is voided. `destination` says where chips of a buy-in go, in the words of
    `casino.cage.deliveries`; `about` keeps that destination's own `casino.cage.about.About`, {} where it has none. A
    prize comes from its destination and waits for whoever won it, over days. A fill comes out of the vault and a
    credit goes back there; their `method` is what is moved, cash or chips. `approved_by` signed before anything moved.
    `needs_no_signature`: it was paid when players did not sign such a slip yet, and keeps no day open.
    """

    class Kind(models.TextChoices):
        BUY_IN = "buy_in"
        CASH_OUT = "cash_out"
        DEPOSIT = "deposit"
        WITHDRAWAL = "withdrawal"
        FILL = "fill"
        CREDIT = "credit"
        PRIZE = "prize"

    class Status(models.TextChoices):
        REQUESTED = "requested"
        CANCELLED = "cancelled"
        PAID = "paid"
        VOID = "void"

    class Method(models.TextChoices):
        CASH = "cash"
        CARD = "card"
        DEPOSIT = "deposit"
        VOUCHER = "voucher"
        FOREIGN = "foreign"
        CHIPS = "chips"

    class VoidReason(models.TextChoices):
        WRONG_AMOUNT = "wrong_amount"
        WRONG_PLAYER = "wrong_player"
        WRONG_METHOD = "wrong_method"
        CARD_DECLINED = "card_declined"
        NOT_HANDED_OVER = "not_handed_over"

    MOVES_DEPOSIT = _MOVES_DEPOSIT
    # Such a one that is paid, and that no player has signed, as far as anybody noted it.
    UNSIGNED = Q(MOVES_DEPOSIT, status="paid", signed=None, needs_no_signature=False)

    # Of what `where_player_sits` returns: the seat that its player has left.
    left_seat: AtSeat | None = None

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    kind = models.CharField(max_length=10, choices=Kind)
    status = models.CharField(max_length=10, choices=Status, default=Status.REQUESTED)
    # Chips are cashed for whoever brings them; deposits and seats need to know whose.
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True)
    amount_cents = models.BigIntegerField()
    method = models.CharField(max_length=10, choices=Method, null=True)  # noqa: DJ001 - not known until paid
    destination = models.CharField(max_length=20, default="hands")
    about = models.JSONField(default=dict)
    # As `about`, by the seat where its player sits now, once they have changed seats since it was asked for.
    moved_to = models.JSONField(null=True)
    version = models.PositiveBigIntegerField(default=1)

    requested_at = models.DateTimeField()
    requested_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    cancelled_at = models.DateTimeField(null=True)
    cancelled_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")

    session = models.ForeignKey(DrawerSession, on_delete=models.PROTECT, null=True)
    drawer = models.ForeignKey(Drawer, on_delete=models.PROTECT, null=True)
    number = models.PositiveIntegerField(null=True)
    paid_at = models.DateTimeField(null=True)
    paid_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    approved_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    transfer_id = models.BigIntegerField(null=True)
    prints = models.PositiveIntegerField(default=0)
    needs_no_signature = models.BooleanField(default=False, db_default=False)

    voided_at = models.DateTimeField(null=True)
    voided_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    void_approved_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    void_reason = models.CharField(max_length=20, choices=VoidReason, default="", blank=True)
    void_transfer_id = models.BigIntegerField(null=True)

    may_change = (
        "status", "player", "method", "version", "cancelled_at", "cancelled_by", "session", "drawer", "number",
        "paid_at", "paid_by", "transfer_id", "prints", "voided_at", "voided_by", "void_approved_by", "void_reason",
        "void_transfer_id", "approved_by", "about", "moved_to",
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["drawer", "number"], name="slip_numbered_once_per_drawer"),
            models.CheckConstraint(condition=Q(amount_cents__gt=0), name="slip_is_about_something"),
            models.CheckConstraint(
                condition=Q(player__isnull=False)
                | Q(kind__in=["buy_in", "cash_out", "fill", "credit"], destination="hands") & ~Q(method="deposit"),
                name="slip_knows_whose_deposit_or_seat",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["fill", "credit"])
                | ~Q(status__in=["paid", "void"])
                | Q(player__isnull=True, approved_by__isnull=False),
                name="slip_of_the_vault_is_signed",
            ),
            models.CheckConstraint(
                condition=Q(approved_by__isnull=True) | ~Q(approved_by=F("paid_by")),
                name="slip_signed_by_another",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["requested", "cancelled"], number__isnull=True, transfer_id__isnull=True)
                | Q(
                    status__in=["paid", "void"],
                    number__isnull=False,
                    drawer__isnull=False,
                    session__isnull=False,
                    method__isnull=False,
                    paid_at__isnull=False,
                    paid_by__isnull=False,
                    transfer_id__isnull=False,
                ),
                name="slip_has_its_number_once_paid",
            ),
            models.CheckConstraint(
                condition=~Q(status="void")
                | Q(voided_at__isnull=False, voided_by__isnull=False, void_transfer_id__isnull=False)
                & Q(void_approved_by__isnull=False)
                & ~Q(void_approved_by=F("voided_by"))
                & ~Q(void_approved_by=F("paid_by"))
                & ~Q(void_reason=""),
                name="slip_voided_by_two",
            ),
        ]
        indexes = [
            # For the floor's to-do and the cage's windows: few among years of slips, in the order in which they were
            # asked.
            models.Index(fields=["room", "requested_at"], condition=Q(status="requested"), name="slip_waiting"),
            models.Index(fields=["session", "number"], name="slip_by_session"),
            models.Index(fields=["player", "paid_at"], name="slip_by_player"),
            models.Index(
                fields=["session"],
                condition=_MOVES_DEPOSIT & Q(status="paid"),
                name="slip_moves_deposit",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def moves_deposit(self) -> bool:
        """Whether money goes onto its player's deposit or off it, as `MOVES_DEPOSIT` finds: that player signs it."""
        return self.kind in (self.Kind.DEPOSIT, self.Kind.WITHDRAWAL) or self.method == self.Method.DEPOSIT

    @property
    def seat(self) -> AtSeat | None:
        """The seat that chips are for or were taken from; None where there is none."""
        return AtSeat.from_json(self.about) if "seating" in self.about else None

    @property
    def unnamed(self) -> str:
        """What a guest without a name answered whose chips were bought back, as a code; "" of every other slip."""
        return Unnamed.from_json(self.about).unnamed if "unnamed" in self.about else ""

    def where_player_sits(self) -> "Slip":
        """Return a copy of the slip about the seat where its player sits now: to show and tell of, never to save."""
        if self.moved_to is None:
            return self
        slip = copy(self)
        slip.about, slip.left_seat = self.moved_to, self.seat
        return slip


class Doubt(models.Model):
    """
    What cannot be so and was done or counted all the same: it waits for the floor's judgement, by `cents`.

    More chips came back than the house had sold (`slip`); a drawer is counted that has given more chips than ever lay
    in it, or one where something else lies than was expected (`count`).
    """

    class Kind(models.TextChoices):
        MORE_THAN_SOLD = "more_than_sold"
        BELOW_NOTHING = "below_nothing"
        COUNT_DIFFERS = "count_differs"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    kind = models.CharField(max_length=20, choices=Kind)
    drawer = models.ForeignKey(Drawer, on_delete=models.PROTECT)
    slip = models.ForeignKey(Slip, on_delete=models.PROTECT, null=True)
    count = models.ForeignKey(DrawerCount, on_delete=models.PROTECT, null=True)
    cents = models.BigIntegerField()
    raised_at = models.DateTimeField()
    judged_at = models.DateTimeField(null=True)
    judged_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")

    may_change = ("judged_at", "judged_by")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="more_than_sold", slip__isnull=False, count__isnull=True)
                | Q(kind__in=["below_nothing", "count_differs"], slip__isnull=True, count__isnull=False),
                name="doubt_is_about_a_slip_or_a_count",
            ),
            models.CheckConstraint(condition=Q(cents__gt=0), name="doubt_is_by_something"),
        ]
        # For the floor's to-do: few among years of judged ones.
        indexes = [models.Index(fields=["room", "raised_at"], condition=Q(judged_at__isnull=True), name="doubt_open")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class CarriedItem(models.Model):
    """
    One thing that was open when a gaming day closed, and that a manager carried over its end, with a reason.

    `stage` is which of the day's two closings that was. The thing is named as it was then: its kind and number
    (`casino.cage.open_items`, `casino.cage.day_counts`), and the ids of the `rows` that were open under it, by which it
    is told what became of it. Never changed.
    """

    class Stage(models.TextChoices):
        OPERATIONS = "operations"
        COUNTED = "counted"

    class Reason(models.TextChoices):
        LOOKED_INTO = "looked_into"
        SOMEBODY_GONE = "somebody_gone"
        NO_TIME = "no_time"
        NOTHING_TO_FIND = "nothing_to_find"
        PLAYS_ON = "plays_on"
        UNDER_SEAL = "under_seal"
        NOT_FOUND = "not_found"
        STAYS_OPEN = "stays_open"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    stage = models.CharField(max_length=10, choices=Stage)
    kind = models.CharField(max_length=20)
    number = models.BigIntegerField()
    rows = models.JSONField()
    reason = models.CharField(max_length=20, choices=Reason)
    carried_at = models.DateTimeField()
    carried_by_id = models.BigIntegerField()

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["day", "stage", "kind", "number"], name="carried_item_once_per_closing"),
            models.CheckConstraint(
                condition=Q(stage__in=["operations", "counted"]) & ~Q(reason=""), name="carried_item_has_its_reason"
            ),
        ]
        indexes = [models.Index(fields=["room", "kind", "number"], name="carried_item_by_kind")]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.kind}.{self.number} of {self.day_id}"
