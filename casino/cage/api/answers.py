"""What readings of the cage answer. Amounts are cents."""

from typing import Any

from rest_framework import serializers

from casino.cage.api.bodies import Pairs
from casino.cage.models import (
    CarriedItem,
    Doubt,
    Drawer,
    DrawerCount,
    DrawerSession,
    NoteRate,
    NotesCounted,
    NotesExchanged,
    NotesTaken,
    PaidChips,
    RefusedRequest,
    RequestMoney,
    Slip,
    Unclaimed,
    Voucher,
)
from casino.rooms.models import GamingDay


class DoubtAnswer(serializers.ModelSerializer[Doubt]):
    """What cannot be so and was done or counted all the same, by `cents`."""

    drawer_number = serializers.IntegerField(source="drawer.number")

    class Meta:
        model = Doubt
        fields = [
            "id", "kind", "drawer_number", "slip_id", "count_id", "cents", "raised_at", "judged_at", "judged_by_id",
        ]  # fmt: skip


class UnclaimedAnswer(serializers.ModelSerializer[Unclaimed]):
    """Something that was found; `ended_as` is "" while it lies unclaimed."""

    class Meta:
        model = Unclaimed
        fields = [
            "id", "number", "what", "amount_cents", "player_id", "where", "table_number", "seat_number", "found_at",
            "drawer_id", "taken_in_at", "taken_in_by_id", "approved_by_id", "transfer_id", "ended_as", "ended_at",
            "ended_by_id", "end_approved_by_id", "claimed_by_id", "end_transfer_id",
        ]  # fmt: skip


class VoucherAnswer(serializers.ModelSerializer[Voucher]):
    """A voucher: open, taken, over or void. The letters that stand on its paper are no part of this."""

    state = serializers.CharField()
    taken_with_id = serializers.IntegerField(allow_null=True, help_text="The slip that it has paid.")

    class Meta:
        model = Voucher
        fields = [
            "id", "number", "amount_cents", "origin", "last_date", "state", "issued_at", "issued_by_id",
            "approved_by_id", "transfer_id", "taken_with_id", "ended_at", "ended_by_id", "void_reason",
            "void_approved_by_id", "end_transfer_id",
        ]  # fmt: skip


class NoteRateAnswer(serializers.ModelSerializer[NoteRate]):
    """At which rate notes of a currency are taken from a moment on; `rate_millionths` null: they no longer are."""

    class Meta:
        model = NoteRate
        fields = ["id", "currency", "rate_millionths", "recorded_at", "recorded_by_id"]


class NotesTakenAnswer(serializers.ModelSerializer[NotesTaken]):
    """
    The foreign notes that paid a slip: `pieces` are [value, how many] and `face_cents` their sum, in minor units of
    theirs; `value_cents` is what they were worth in the room's money. What that was more was given back in cash.
    """

    pieces = Pairs()
    rate_millionths = serializers.IntegerField(source="rate.rate_millionths")

    class Meta:
        model = NotesTaken
        fields = ["currency", "pieces", "face_cents", "rate_millionths", "value_cents"]


class NotesCountedAnswer(serializers.ModelSerializer[NotesCounted]):
    """What a count found of a currency's notes, by their face in minor units of theirs, and in the room's money."""

    pieces = Pairs()

    class Meta:
        model = NotesCounted
        fields = ["currency", "pieces", "face_cents", "expected_face_cents", "cents", "expected_cents"]


class VaultNotesAnswer(serializers.Serializer[Any]):
    """
    What the vault holds of a currency's notes: `pieces` are [value, how many] and `face_cents` their sum, in minor
    units of theirs; `cents` is what they stand at in the room's money.
    """

    currency = serializers.CharField()
    pieces = Pairs()
    face_cents = serializers.IntegerField()
    cents = serializers.IntegerField()


class ExchangeAnswer(serializers.ModelSerializer[NotesExchanged]):
    """
    Foreign notes that left the vault to be exchanged; `difference_cents` is what was got (`got_cents`) against what
    they stood at (`worth_cents`), negative: it was less.
    """

    pieces = Pairs()
    difference_cents = serializers.IntegerField()

    class Meta:
        model = NotesExchanged
        fields = [
            "id", "number", "currency", "pieces", "face_cents", "worth_cents", "got_cents", "difference_cents",
            "exchanged_at", "exchanged_by_id", "approved_by_id", "transfer_id", "reversed_at", "reversed_by_id",
            "reversal_approved_by_id", "reversal_reason", "reversal_transfer_id",
        ]  # fmt: skip


class AgedDepositAnswer(serializers.Serializer[Any]):
    """A player's deposit: its oldest part lies there since `since`, for so many `days`."""

    player_id = serializers.IntegerField()
    cents = serializers.IntegerField()
    since = serializers.DateTimeField()
    moved_at = serializers.DateTimeField(help_text="When something came or went last.")
    days = serializers.IntegerField()


class DayAnswer(serializers.ModelSerializer[GamingDay]):
    """A gaming day, named for the date on which it opened, and how far it has closed (`stage`)."""

    stage = serializers.ChoiceField(GamingDay.Stage.choices)

    class Meta:
        model = GamingDay
        fields = [
            "id", "date", "stage", "opened_at", "opened_by_id", "closed_at", "closed_by_id", "counted_at",
            "counted_by_id", "counted_with_id",
        ]  # fmt: skip


class ToCountAnswer(serializers.Serializer[Any]):
    """
    One thing that is counted of a day: by its word ("box.31"), how often it was (0: not yet), and by how much its
    newest count differs, negative: it is missing. `may_wait`: it may be carried over where it is not counted.
    """

    item = serializers.CharField(source="word")
    name = serializers.CharField()
    counts = serializers.IntegerField()
    money_difference_cents = serializers.IntegerField(source="money_cents")
    chips_difference_cents = serializers.IntegerField(source="chips_cents")
    may_wait = serializers.BooleanField()


class CarriedAnswer(serializers.Serializer[Any]):
    """What was carried over the day's end: in which of its two stages, why, by whom, and what became of it."""

    stage = serializers.ChoiceField(CarriedItem.Stage.choices, source="item.stage")
    item = serializers.CharField(source="word")
    name = serializers.CharField()
    reason = serializers.ChoiceField(CarriedItem.Reason.choices, source="item.reason")
    carried_at = serializers.DateTimeField(source="item.carried_at")
    carried_by_id = serializers.IntegerField(source="item.carried_by_id")
    is_open = serializers.BooleanField()
    done_at = serializers.DateTimeField(allow_null=True, help_text="Null too where nobody knows when.")
    cents = serializers.IntegerField(allow_null=True, help_text="How much it was about, where that is told.")


class OneDayAnswer(serializers.Serializer[Any]):
    """A gaming day with what is counted of it, what else was `found` over or short, what was carried over its end."""

    day = DayAnswer()
    counts = ToCountAnswer(many=True)
    found = ToCountAnswer(many=True)
    carried = CarriedAnswer(many=True)


class OpenDayAnswer(serializers.Serializer[Any]):
    """The open gaming day, or null."""

    day = DayAnswer(allow_null=True)


class SessionAnswer(serializers.ModelSerializer[DrawerSession]):
    """
    A drawer's open session. What is expected in it is no part of this: counts are blind.

    Its float's pieces are [value in cents, how many], null of before they were counted. `holder_id` is the runner who
    holds it, where it is a bank.
    """

    float_cash_pieces = Pairs(allow_null=True)
    float_chip_pieces = Pairs(allow_null=True)

    class Meta:
        model = DrawerSession
        fields = [
            "id", "float_cash_pieces", "float_cash_cents", "float_chip_pieces", "float_chips_cents", "opened_at",
            "opened_by_id", "opened_with_id", "holder_id",
        ]  # fmt: skip


class DrawerAnswer(serializers.ModelSerializer[Drawer]):
    """A drawer; `version` is what If-Match names when it is opened."""

    session = SessionAnswer(allow_null=True)

    class Meta:
        model = Drawer
        fields = ["id", "number", "name", "is_bank", "slips_issued", "version", "session"]


class DrawerCountAnswer(serializers.ModelSerializer[DrawerCount]):
    """
    One count of a drawer that was closed: `pieces` are [value in cents, how many], null of before they were counted.

    The newest one of a session holds; its `number` is what If-Match names when it is counted again.
    """

    drawer_number = serializers.IntegerField(source="session.drawer.number")
    day = serializers.DateField(source="session.closed_day.date")
    cash_pieces = Pairs(allow_null=True)
    chip_pieces = Pairs(allow_null=True)
    foreign = NotesCountedAnswer(source="notes", many=True)
    money_difference_cents = serializers.IntegerField()
    chips_difference_cents = serializers.IntegerField()

    class Meta:
        model = DrawerCount
        fields = [
            "id", "session_id", "drawer_number", "day", "number", "counted_at", "counted_by_id", "counted_with_id",
            "cash_pieces", "cash_cents", "card_slips_cents", "chip_pieces", "chips_cents", "expected_cash_cents",
            "expected_card_slips_cents", "expected_chips_cents", "money_difference_cents", "chips_difference_cents",
            "foreign", "foreign_cents", "expected_foreign_cents",
        ]  # fmt: skip


class SlipAnswer(serializers.ModelSerializer[Slip]):
    """A slip; `version` is what If-Match names when it is paid, cancelled or reversed."""

    drawer_number = serializers.IntegerField(source="drawer.number", allow_null=True, default=None)
    refused_for = serializers.ChoiceField(
        RefusedRequest.Reason.choices, source="refused.reason", allow_null=True, default=None
    )

    money_with = serializers.ChoiceField(
        RequestMoney.With.choices,
        source="money.money_with",
        allow_null=True,
        default=None,
        help_text="Who has, or had when it was paid, the money of chips that were asked for; null: nobody took it.",
    )
    money_staff_id = serializers.IntegerField(source="money.staff_id", allow_null=True, default=None)
    money_since = serializers.DateTimeField(source="money.since", allow_null=True, default=None)
    chips_with = serializers.ChoiceField(
        PaidChips.With.choices,
        source="chips.chips_with",
        allow_null=True,
        default=None,
        help_text="Who has, or had when they came, the paid chips of a seat; null: nobody notes it.",
    )
    chips_staff_id = serializers.IntegerField(source="chips.staff_id", allow_null=True, default=None)
    chips_since = serializers.DateTimeField(source="chips.since", allow_null=True, default=None)
    delivered_at = serializers.DateTimeField(
        source="chips.delivered_at", allow_null=True, default=None, help_text="When they came to the seat."
    )
    delivered_by_id = serializers.IntegerField(source="chips.delivered_by_id", allow_null=True, default=None)
    signed_at = serializers.DateTimeField(
        source="signed.signed_at", allow_null=True, default=None, help_text="By the player, on paper."
    )
    moves_deposit = serializers.BooleanField(help_text="Once paid, its player signs the paper.")
    foreign = NotesTakenAnswer(source="notes", allow_null=True, default=None)
    voucher_number = serializers.IntegerField(
        source="voucher.number", allow_null=True, default=None, help_text="The voucher that has paid it."
    )

    class Meta:
        model = Slip
        fields = [
            "id", "kind", "status", "number", "drawer_number", "player_id", "amount_cents", "method", "destination",
            "about", "version", "requested_at", "requested_by_id", "cancelled_at", "paid_at", "paid_by_id",
            "approved_by_id", "transfer_id", "prints", "voided_at", "voided_by_id", "void_approved_by_id",
            "void_reason", "void_transfer_id", "refused_for", "money_with", "money_staff_id",
            "money_since", "chips_with", "chips_staff_id", "chips_since", "delivered_at", "delivered_by_id",
            "moves_deposit", "signed_at", "foreign", "voucher_number",
        ]  # fmt: skip
