"""What calls to the cage say and what readings answer. Amounts are cents."""

import re
from decimal import Decimal
from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from casino.cage import rules
from casino.cage.models import (
    CarriedItem,
    NotesExchanged,
    RefusedRequest,
    RequestMoney,
    Slip,
    Unclaimed,
    Voucher,
)
from casino.cage.services.chips import STEPS
from casino.cage.services.voiding import NEVER_SOLD_FOR
from casino.rest import ID_MAX, Body, CalendarDay, Cents, Id, Moment, Page, Pin, Text, TextAlone, Whole, typed
from casino.rulebooks.units import SEATS_MAX

DRAWER_NUMBER_MAX = 2**31 - 1
# More of one value than anybody counts; and more values than chips or notes have ever had.
PIECES_MAX, VALUES_MAX = 10**6, 60
# A million of the room's money for one unit of another: beyond any rate.
RATE_MAX = 10**12


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
    """What is open and carried over the day's end, each with a reason; empty where everything is finished."""

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
    """A drawer or a bank to be."""

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


class NotesBody(Body):
    """Foreign notes: of which currency (ISO 4217), and how many there are of each, in minor units of theirs."""

    currency = Text(max_length=3)
    pieces = serializers.ListField(child=PieceBody(), max_length=VALUES_MAX)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the notes as a till says them: `foreign_currency`, and `foreign_<currency>_<value>` for each."""
        currency = str(form.get("foreign_currency") or "")
        pieces = pieces_of_form(form, f"foreign_{currency}") if currency else []
        return {"currency": currency, "pieces": pieces} if currency or pieces else {}


class NotesThatPayBody(NotesBody):
    """Foreign notes that pay; `rate_id` is the rate that somebody saw, and they do not pay at another one."""

    rate_id = Id(allow_null=True, default=None)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the notes as a till says them, with the rate that its sheet showed, `foreign_rate`."""
        notes, rate_id = super().of_form(form), form.get("foreign_rate")
        return {**notes, "rate_id": typed(rate_id, Id())} if notes and rate_id else notes


class CountBody(FloatBody):
    """
    How many there are of each value in a drawer, counted blind by two: what was expected is in the answer.

    `second` counts, where the asker has paid from this drawer. `foreign` are the notes of each other currency.
    """

    card_slips_cents = Cents(default=0)
    foreign = serializers.ListField(child=NotesBody(), max_length=VALUES_MAX, default=list)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return what was counted as the page says it: of foreign notes `foreign_<currency>_<value>`."""
        named = (re.fullmatch(r"foreign_([A-Z]{3})_[0-9]+", name) for name in form)
        pieces_by_currency = [(each[1], pieces_of_form(form, f"foreign_{each[1]}")) for each in named if each]
        counted = {currency: pieces for currency, pieces in pieces_by_currency if pieces}
        foreign = [{"currency": currency, "pieces": pieces} for currency, pieces in counted.items()]
        return {**super().of_form(form), "foreign": foreign}


class _AmountBody(Body):
    amount_cents = Cents(min_value=1)


class CashierBuyInBody(_AmountBody):
    """
    Chips sold over the counter; `again` where the same were sold seconds ago and these are others.

    `voucher` is what stands on the paper that pays them, number and letters ("12-RW4K"); `foreign` are notes that do.
    """

    again = serializers.BooleanField(default=False)
    method = serializers.ChoiceField(rules.METHODS["buy_in"])
    player_id = Id(allow_null=True, default=None)
    voucher = Text(max_length=20, allow_null=True, default=None)
    foreign = NotesThatPayBody(allow_null=True, default=None)


class CashOutBody(_AmountBody):
    """
    Chips bought back, for cash or onto the player's deposit; `second` signs above the book's sum.

    `unnamed` is what a guest without a name answered who was asked whose chips these are: without it, and without a
    player, nothing is paid.
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

    `voucher` is what stands on the paper that pays it; `foreign` are the notes that do.
    """

    drawer_number = Whole(min_value=1, max_value=DRAWER_NUMBER_MAX)
    method = serializers.ChoiceField(rules.METHODS["buy_in"])
    second = SecondPerson(allow_null=True, default=None)
    voucher = Text(max_length=20, allow_null=True, default=None)
    foreign = NotesThatPayBody(allow_null=True, default=None)


class VaultSlipBody(_AmountBody):
    """What goes between the vault and a drawer, and who signs it besides the asker."""

    what = serializers.ChoiceField(rules.VAULT_GIVES)
    second = SecondPerson()


class ReverseBody(Body):
    """Why a paid slip is taken back, and who signs it besides the asker."""

    reason = serializers.ChoiceField(Slip.VoidReason.choices)
    second = SecondPerson()


class NeverSoldBody(Body):
    """Why a sale was said that never was, and who signs it besides the asker."""

    reason = serializers.ChoiceField([(each.value, each.label) for each in NEVER_SOLD_FOR])
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


class WhereChipsBody(Body):
    """
    Where the paid chips of a seat are now: carried by a runner, who says so or is `second`, back at the cage, with the
    player; or not there after all.
    """

    chips_with = serializers.ChoiceField(STEPS)
    second = SecondPerson(allow_null=True, default=None)


class FoundBody(_AmountBody):
    """Chips or cash that somebody left behind: where, when (null: now), and whose (null: nobody knows)."""

    what = serializers.ChoiceField(rules.VAULT_GIVES)
    where = serializers.ChoiceField(Unclaimed.Where.choices)
    table_number = Whole(min_value=1, max_value=DRAWER_NUMBER_MAX, allow_null=True, default=None)
    seat_number = Whole(min_value=1, max_value=SEATS_MAX, allow_null=True, default=None)
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


class RateBody(Body):
    """
    What one unit of a currency (ISO 4217) is worth in the room's money, in millionths: 0.0871 € are 87,100. Null: its
    notes are no longer taken.
    """

    currency = Text(max_length=3)
    rate_millionths = Whole(min_value=1, max_value=RATE_MAX, allow_null=True)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the rate as it is typed, "0,0871"; null where the form has none. What cannot be read stays text."""
        text = form.get("rate")
        tidy = (text or "").strip().replace(",", ".")
        is_read = re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", tidy)
        rate = int(Decimal(tidy) * 10**6) if is_read else text
        return {"currency": form.get("currency") or "", "rate_millionths": rate}


class ExchangeBody(Body):
    """
    Foreign notes that leave the vault to be exchanged, in minor units of theirs; what the house got for them in its own
    money, 0 where nothing was given; and who signs it besides the asker.
    """

    currency = Text(max_length=3)
    pieces = serializers.ListField(child=PieceBody(), max_length=VALUES_MAX)
    got_cents = Cents(min_value=0)
    second = SecondPerson()

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return what the page says, its notes as a till's."""
        return {**super().of_form(form), **NotesBody.of_form(form)}


class ReverseExchangeBody(Body):
    """Why an exchange is taken back, and who signs it besides the asker."""

    reason = serializers.ChoiceField(NotesExchanged.Reason.choices)
    second = SecondPerson()


class VoidVoucherBody(Body):
    """Why a voucher is void, and who signs it besides the asker."""

    reason = serializers.ChoiceField(Voucher.VoidReason.choices)
    second = SecondPerson()


class UnclaimedPage(Page):
    """Which part of what lies unclaimed; with `player_id` what was found in that player's name alone."""

    player_id = serializers.IntegerField(min_value=1, max_value=ID_MAX, required=False)


class SlipsPage(Page):
    """Which slips: newest first."""

    status = serializers.ChoiceField(Slip.Status.choices, required=False)
    drawer_number = serializers.IntegerField(min_value=1, max_value=DRAWER_NUMBER_MAX, required=False)
    player_id = serializers.IntegerField(min_value=1, max_value=ID_MAX, required=False)


class DoubtsPage(Page):
    """Which doubts: those that wait (`is_open`, the default) or those that were judged."""

    is_open = serializers.BooleanField(default=True)


class DaysPage(Page):
    """Which gaming days, the newest first: all of them, or those whose counts wait."""

    waiting = serializers.BooleanField(default=False)
