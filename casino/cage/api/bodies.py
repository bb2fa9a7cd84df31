"""What calls to the cage say and what readings answer. Amounts are cents."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from casino.cage import rules
from casino.cage.models import Doubt, Drawer, DrawerSession, Slip
from casino.rest import ID_MAX, Body, Cents, Id, Page, Pin, Text, TextAlone, Whole
from casino.rooms.models import GamingDay

DRAWER_NUMBER_MAX = 2**31 - 1


class SecondPerson(Body):
    """Another person's own sign-in, under what they sign."""

    username = Text(max_length=40)
    pin = Pin()

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return who signs; nobody where nobody was chosen."""
        return super().of_form(form) if form.get("username") else {}


class CloseDayBody(Body):
    """What the manager leaves open, each by its kind and number in the refusal `day_leaves_open`: "doubt.1"."""

    leaving = serializers.ListField(child=TextAlone(max_length=60), max_length=200, default=list)


class DrawerBody(Body):
    """A drawer to be."""

    number = Whole(min_value=1, max_value=DRAWER_NUMBER_MAX)
    name = Text(max_length=40)


class FloatBody(Body):
    """What a drawer opens with, out of the vault."""

    cash_cents = Cents()
    chips_cents = Cents()


class CountBody(Body):
    """
    What was counted in a drawer, blind: what was expected is in the answer.

    `second`: whoever counted, where the asker has paid from this drawer.
    """

    cash_cents = Cents()
    chips_cents = Cents()
    card_slips_cents = Cents(default=0)
    second = SecondPerson(allow_null=True, default=None)


class _AmountBody(Body):
    amount_cents = Cents(min_value=1)


class CashierBuyInBody(_AmountBody):
    """Chips sold over the counter; `again` where the same were sold seconds ago and these are others."""

    again = serializers.BooleanField(default=False)
    method = serializers.ChoiceField(rules.METHODS["buy_in"])
    player_id = Id(allow_null=True, default=None)


class CashOutBody(_AmountBody):
    """Chips bought back, for cash or onto the player's deposit; `second` signs above the book's sum."""

    method = serializers.ChoiceField(rules.METHODS["cash_out"], default=rules.CASH)
    player_id = Id(allow_null=True, default=None)
    second = SecondPerson(allow_null=True, default=None)


class DepositBody(_AmountBody):
    """Money taken into safe keeping."""

    method = serializers.ChoiceField(rules.METHODS["deposit"], default=rules.CASH)
    player_id = Id()


class PlayerAmountBody(_AmountBody):
    """An amount, and whose."""

    player_id = Id()


class RequestBody(PlayerAmountBody):
    """Chips asked for; `again` where the same was asked for seconds ago and this is another one."""

    again = serializers.BooleanField(default=False)


class WithdrawalBody(PlayerAmountBody):
    """A deposit paid out; `second` signs above the book's sum."""

    second = SecondPerson(allow_null=True, default=None)


class TakeMoneyBody(Body):
    """How a waiting slip is paid, and at which drawer; `second` signs above the book's sum of chips that come back."""

    drawer_number = Whole(min_value=1, max_value=DRAWER_NUMBER_MAX)
    method = serializers.ChoiceField(rules.METHODS["buy_in"])
    second = SecondPerson(allow_null=True, default=None)


class VaultSlipBody(_AmountBody):
    """What goes between the vault and a drawer, and who signs it besides the asker."""

    what = serializers.ChoiceField(rules.VAULT_GIVES)
    second = SecondPerson()


class ReverseBody(Body):
    """Why a paid slip is taken back, and who signs it besides the asker."""

    reason = serializers.ChoiceField(Slip.VoidReason.choices)
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


class DayAnswer(serializers.ModelSerializer[GamingDay]):
    """A gaming day, named for the date on which it opened."""

    class Meta:
        model = GamingDay
        fields = ["id", "date", "opened_at", "opened_by_id", "closed_at", "closed_by_id"]


class OpenDayAnswer(serializers.Serializer[Any]):
    """The open gaming day, or null."""

    day = DayAnswer(allow_null=True)


class SessionAnswer(serializers.ModelSerializer[DrawerSession]):
    """A drawer's open session. What is expected in it is no part of this: counts are blind."""

    class Meta:
        model = DrawerSession
        fields = ["id", "float_cash_cents", "float_chips_cents", "opened_at", "opened_by_id"]


class DrawerAnswer(serializers.ModelSerializer[Drawer]):
    """A drawer; `version` is what If-Match names when it is opened."""

    session = SessionAnswer(allow_null=True)

    class Meta:
        model = Drawer
        fields = ["id", "number", "name", "slips_issued", "version", "session"]


class SlipAnswer(serializers.ModelSerializer[Slip]):
    """A slip; `version` is what If-Match names when it is paid, cancelled or reversed."""

    drawer_number = serializers.IntegerField(source="drawer.number", allow_null=True, default=None)

    class Meta:
        model = Slip
        fields = [
            "id", "kind", "status", "number", "drawer_number", "player_id", "amount_cents", "method", "destination",
            "about", "version", "requested_at", "requested_by_id", "cancelled_at", "paid_at", "paid_by_id",
            "approved_by_id", "transfer_id", "prints", "voided_at", "voided_by_id", "void_approved_by_id",
            "void_reason", "void_transfer_id",
        ]  # fmt: skip
