"""What calls to the cage say and what readings answer. Amounts are cents."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from casino.cage import rules
from casino.cage.models import (
    CarriedItem,
    Doubt,
    Drawer,
    DrawerCount,
    DrawerSession,
    RefusedRequest,
    RequestMoney,
    Slip,
    Unclaimed,
    Voucher,
)
from casino.rest import ID_MAX, Body, CalendarDay, Cents, Id, Moment, Page, Pin, Text, TextAlone, Whole, typed
from casino.rooms.models import GamingDay

DRAWER_NUMBER_MAX = 2**31 - 1
# More of one value than anybody counts; and more values than chips or notes have ever had.
PIECES_MAX, VALUES_MAX = 10**6, 60


class SecondPerson(Body):
    """Another person's own sign-in, under what they sign."""

    username = Text(max_length=40)
    pin = Pin()

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return who signs; nobody where nobody was chosen."""
        return super().of_form(form) if form.get("username") else {}


class CarryBody(Body):
    """What is carried over the end of a day, by its kind and number in the refusal ("doubt.1"), and why."""

    item = TextAlone(max_length=60)
    reason = serializers.ChoiceField(CarriedItem.Reason.choices)


class CloseDayBody(Body):
    """What is not finished and is carried over: nothing where all is."""

    carrying = serializers.ListField(child=CarryBody(), max_length=2_000, default=list)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return what a page says: a field `carry_<item>` of each thing, with the reason; empty: it is not carried."""
        fields = super().of_form(form)
        named = {name.removeprefix("carry_"): str(form[name]) for name in form if name.startswith("carry_")}
        fields["carrying"] = [{"item": item, "reason": reason} for item, reason in named.items() if reason]
        return fields


class CloseCountsBody(CloseDayBody):
    """What of the day is not counted and is carried over, and who signs with the asker."""

    second = SecondPerson()


class DrawerBody(Body):
    """A drawer to be."""

    number = Whole(min_value=1, max_value=DRAWER_NUMBER_MAX)
    name = Text(max_length=40)


class PieceBody(Body):
    """How many pieces of one value, in cents: notes and coins, or chips."""

    value_cents = Cents(min_value=1)
    count = Whole(min_value=0, max_value=PIECES_MAX)


class Pairs(serializers.ListField):
    """Counted pieces in an answer: [value in cents, how many] of each value, greatest first."""

    child = serializers.ListField(child=serializers.IntegerField())


def pieces_of_form(form: QueryDict, prefix: str) -> list[dict[str, Any]]:
    """Return how many of each value a page says there are, by its fields `<prefix>_<cents>`, but for empty ones."""
    named = {name.removeprefix(f"{prefix}_"): str(form[name]) for name in form if name.startswith(f"{prefix}_")}
    return [
        {"value_cents": typed(value, Whole()), "count": typed(text, Whole())}
        for value, text in named.items()
        if text.strip()
    ]


class FloatBody(Body):
    """
    How many there are of each value in a float, counted by two as it comes out of the vault; `second` counted too.

    Of what there is none it says that there are 0 of something: where nothing is said, nothing was counted.
    """

    cash = serializers.ListField(child=PieceBody(), min_length=1, max_length=VALUES_MAX)
    chips = serializers.ListField(child=PieceBody(), min_length=1, max_length=VALUES_MAX)
    second = SecondPerson()

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the pieces as the page says them: `cash_<cents>` and `chips_<cents>`."""
        return {**super().of_form(form), **{name: pieces_of_form(form, name) for name in ("cash", "chips")}}


class CountBody(FloatBody):
    """
    How many there are of each value in a drawer, counted blind by two: what was expected is in the answer.

    `second` counts, where the asker has paid from this drawer.
    """

    card_slips_cents = Cents(default=0)


class _AmountBody(Body):
    amount_cents = Cents(min_value=1)


class CashierBuyInBody(_AmountBody):
    """
    Chips sold over the counter; `again` where the same were sold seconds ago and these are others.

    `voucher` is what stands on the paper that pays them, number and letters ("12-RW4K").
    """

    again = serializers.BooleanField(default=False)
    method = serializers.ChoiceField(rules.METHODS["buy_in"])
    player_id = Id(allow_null=True, default=None)
    voucher = Text(max_length=20, allow_null=True, default=None)


class CashOutBody(_AmountBody):
    """
    Chips bought back, for cash or onto the player's deposit; `second` signs above the book's sum.

    `unnamed` is what a guest without a name answered who was asked whose chips these are.
    """

    method = serializers.ChoiceField(rules.METHODS["cash_out"], default=rules.CASH)
    player_id = Id(allow_null=True, default=None)
    unnamed = serializers.ChoiceField(rules.UNNAMED, allow_null=True, default=None)
    second = SecondPerson(allow_null=True, default=None)


class DepositBody(_AmountBody):
    """Money taken into safe keeping."""

    method = serializers.ChoiceField(rules.METHODS["deposit"], default=rules.CASH)
    player_id = Id()


class PlayerAmountBody(_AmountBody):
    """An amount, and whose."""

    player_id = Id()


class RequestBody(PlayerAmountBody):
    """
    Chips asked for; `again` where the same was asked for seconds ago and this is another one.

    `money_with` is where the cash is that pays them; the dealer, at a table, or a runner is whoever asks.
    """

    again = serializers.BooleanField(default=False)
    money_with = serializers.ChoiceField(["player", "dealer", "runner"], default="player")


class WithdrawalBody(PlayerAmountBody):
    """A deposit paid out; `second` signs above the book's sum."""

    second = SecondPerson(allow_null=True, default=None)


class TakeMoneyBody(Body):
    """
    How a waiting slip is paid, and at which drawer; `second` signs above the book's sum of chips that come back.

    `voucher` is what stands on the paper that pays it.
    """

    drawer_number = Whole(min_value=1, max_value=DRAWER_NUMBER_MAX)
    method = serializers.ChoiceField(rules.METHODS["buy_in"])
    second = SecondPerson(allow_null=True, default=None)
    voucher = Text(max_length=20, allow_null=True, default=None)


class VaultSlipBody(_AmountBody):
    """What goes between the vault and a drawer, and who signs it besides the asker."""

    what = serializers.ChoiceField(rules.VAULT_GIVES)
    second = SecondPerson()


class ReverseBody(Body):
    """Why a paid slip is taken back, and who signs it besides the asker."""

    reason = serializers.ChoiceField(Slip.VoidReason.choices)
    second = SecondPerson()


class RefuseRequestBody(Body):
    """Why the cage refuses chips that were asked for."""

    reason = serializers.ChoiceField(RefusedRequest.Reason.choices)


class MoneyBody(Body):
    """
    Who has the money of a request now: whoever says so, unless it is given back to the player; `second` is a runner who
    takes it on a device where somebody else is signed in.
    """

    money_with = serializers.ChoiceField(RequestMoney.With.choices)
    second = SecondPerson(allow_null=True, default=None)


class FoundBody(_AmountBody):
    """Chips or cash that somebody left behind: where, when (null: now), and whose (null: nobody knows)."""

    what = serializers.ChoiceField(rules.VAULT_GIVES)
    where = serializers.ChoiceField(Unclaimed.Where.choices)
    table_number = Whole(min_value=1, max_value=DRAWER_NUMBER_MAX, allow_null=True, default=None)
    seat_number = Whole(min_value=1, max_value=20, allow_null=True, default=None)
    found_at = Moment(allow_null=True, default=None)
    player_id = Id(allow_null=True, default=None)
    second = SecondPerson()


class GiveUnclaimedBody(Body):
    """To whom it is given, out of which drawer, and who signs it besides the asker."""

    drawer_number = Whole(min_value=1, max_value=DRAWER_NUMBER_MAX)
    player_id = Id()
    second = SecondPerson()


class KeepUnclaimedBody(Body):
    """The other manager who signs that the house keeps it."""

    second = SecondPerson()


class VoucherBody(_AmountBody):
    """A voucher to be: over how much in chips, why, and until which gaming day it is taken."""

    origin = serializers.ChoiceField(Voucher.Origin.choices)
    last_date = CalendarDay()
    second = SecondPerson()


class VoidVoucherBody(Body):
    """Why a voucher is void, and who signs it besides the asker."""

    reason = serializers.ChoiceField(Voucher.VoidReason.choices)
    second = SecondPerson()


class SlipsPage(Page):
    """Which slips: newest first."""

    status = serializers.ChoiceField(Slip.Status.choices, required=False)
    drawer_number = serializers.IntegerField(min_value=1, max_value=DRAWER_NUMBER_MAX, required=False)
    player_id = serializers.IntegerField(min_value=1, max_value=ID_MAX, required=False)


class DoubtsPage(Page):
    """Which doubts: those that wait (`is_open`, the default) or those that were judged."""

    is_open = serializers.BooleanField(default=True)


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


class DaysPage(Page):
    """Which gaming days, the newest first: all of them, or those whose counts wait."""

    waiting = serializers.BooleanField(default=False)


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


class OneDayAnswer(serializers.Serializer[Any]):
    """A gaming day with what is counted of it, and what was carried over its end."""

    day = DayAnswer()
    counts = ToCountAnswer(many=True)
    carried = CarriedAnswer(many=True)


class OpenDayAnswer(serializers.Serializer[Any]):
    """The open gaming day, or null."""

    day = DayAnswer(allow_null=True)


class SessionAnswer(serializers.ModelSerializer[DrawerSession]):
    """
    A drawer's open session. What is expected in it is no part of this: counts are blind.

    Its float's pieces are [value in cents, how many], null of before they were counted.
    """

    float_cash_pieces = Pairs(allow_null=True)
    float_chip_pieces = Pairs(allow_null=True)

    class Meta:
        model = DrawerSession
        fields = [
            "id", "float_cash_pieces", "float_cash_cents", "float_chip_pieces", "float_chips_cents", "opened_at",
            "opened_by_id", "opened_with_id",
        ]  # fmt: skip


class DrawerAnswer(serializers.ModelSerializer[Drawer]):
    """A drawer; `version` is what If-Match names when it is opened."""

    session = SessionAnswer(allow_null=True)

    class Meta:
        model = Drawer
        fields = ["id", "number", "name", "slips_issued", "version", "session"]


class DrawerCountAnswer(serializers.ModelSerializer[DrawerCount]):
    """
    One count of a drawer that was closed: `pieces` are [value in cents, how many], null of before they were counted.

    The newest one of a session holds; its `number` is what If-Match names when it is counted again.
    """

    drawer_number = serializers.IntegerField(source="session.drawer.number")
    day = serializers.DateField(source="session.day.date")
    cash_pieces = Pairs(allow_null=True)
    chip_pieces = Pairs(allow_null=True)
    money_difference_cents = serializers.IntegerField()
    chips_difference_cents = serializers.IntegerField()

    class Meta:
        model = DrawerCount
        fields = [
            "id", "session_id", "drawer_number", "day", "number", "counted_at", "counted_by_id", "counted_with_id",
            "cash_pieces", "cash_cents", "card_slips_cents", "chip_pieces", "chips_cents", "expected_cash_cents",
            "expected_card_slips_cents", "expected_chips_cents", "money_difference_cents", "chips_difference_cents",
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
        default=RequestMoney.With.PLAYER,
        help_text="Who has, or had when it was paid, the money of chips that were asked for.",
    )
    money_staff_id = serializers.IntegerField(source="money.staff_id", allow_null=True, default=None)
    money_since = serializers.DateTimeField(source="money.since", allow_null=True, default=None)
    signed_at = serializers.DateTimeField(
        source="signed.signed_at", allow_null=True, default=None, help_text="By the player, on paper."
    )

    class Meta:
        model = Slip
        fields = [
            "id", "kind", "status", "number", "drawer_number", "player_id", "amount_cents", "method", "destination",
            "about", "version", "requested_at", "requested_by_id", "cancelled_at", "paid_at", "paid_by_id",
            "approved_by_id", "transfer_id", "prints", "voided_at", "voided_by_id", "void_approved_by_id",
            "void_reason", "void_transfer_id", "refused_for", "money_with", "money_staff_id",
            "money_since", "signed_at",
        ]  # fmt: skip
