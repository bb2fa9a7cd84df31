"""What calls to the tables say; `answers` is what readings answer. Amounts are cents, seats are numbers from 1."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import QueryDict
from rest_framework import serializers

from casino.people.api import PlayerBody
from casino.people.services import NewPlayer
from casino.poker.buyins import StackWord
from casino.poker.positions import Entry
from casino.rest import CENTS_MAX, Body, Cents, Fields, Id, Moment, Page, Text, Whole, typed
from casino.rulebooks.units import SEATS_MAX
from tables.charges import charge_codes, taken_name
from tables.models import Hand
from tables.rules.logged import LoggedHand
from tables.rules.reasons import CORRECTION_REASONS, OVERRULE_REASONS, VOID_REASONS
from tables.services.seating import CAGE, HANDS

TABLE_NUMBER_MAX = 9999
WAYS_IN = [way.value for way in Entry if way is not Entry.IN]
# Rules: H4.30, H4.31, H4.34.
WAYS_IN_HELP = "Waits for the big blind, posts, or straddles next after it."
STACK_WORDS = [word.value for word in StackWord]
CODE_PATTERN = r"^[a-z][a-z_]{0,39}\Z"


class SeatNumber(Whole):
    """A seat as players count it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": SEATS_MAX} | options)


class Seats(serializers.ListField):
    """Some seats of one table."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=SeatNumber(), max_length=SEATS_MAX, **options)


class Code(serializers.RegexField):
    """A reason as a code in small letters: never free text about people."""

    def __init__(self, **options: Any) -> None:
        super().__init__(CODE_PATTERN, **options)


class TableBody(Body):
    """A table to be."""

    number = Whole(min_value=1, max_value=TABLE_NUMBER_MAX)


class OpenTableBody(Body):
    """
    Which game a table opens with; `feeds` is the main game's table where it is a must-move game. `cash_plays`: whether
    its dealers sell chips out of the rack; null: as the book lets tables.
    """

    game_id = Id()
    feeds = Whole(min_value=1, max_value=TABLE_NUMBER_MAX, allow_null=True, default=None)
    cash_plays = serializers.BooleanField(allow_null=True, default=None)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the same; a page that asks nothing of cash plays leaves them as the book has them."""
        fields = super().of_form(form)
        return fields if "cash_plays" in form else {**fields, "cash_plays": None}


# Rules: H4.22.
class DrawBody(Body):
    """The button draw as it happened; `cards` by seat, as the table's tablet read them."""

    winner_seat = SeatNumber()
    seats = Seats(allow_empty=False)
    cards = serializers.DictField(child=Text(max_length=3), required=False)

    def validate_cards(self, cards: dict[str, str]) -> dict[str, str]:
        """Check that each card belongs to a seat. :raises ValidationError: it does not."""
        if not set(cards) <= {str(seat) for seat in range(1, SEATS_MAX + 1)}:
            raise serializers.ValidationError("seats")
        return cards

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the draw as the sheet says it: whoever won it took part, ticked or not."""
        filled = super().of_form(form)
        drawn = {*filled["seats"], filled.get("winner_seat")}
        return {**filled, "seats": sorted(drawn)} if all(isinstance(seat, int) for seat in drawn) else filled


class SeatBody(Body):
    """One seat."""

    seat_number = SeatNumber()


class TipsBody(Body):
    """What was found in the tip box since its last count."""

    counted_cents = Cents()


class Overrule(serializers.ChoiceField):
    """Why somebody else gets a seat than the house's order proposes; it may be left out."""

    def __init__(self, **options: Any) -> None:
        super().__init__(sorted(OVERRULE_REASONS), **{"required": False} | options)


class WhoBody(Body):
    """A player whom the house knows, or a new one who is added with the same command."""

    player_id = Id(required=False)
    new_player = PlayerBody(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the body with a new player as services take one. :raises ValidationError: it names nobody, or two."""
        if ("player_id" in attrs) == ("new_player" in attrs):
            raise serializers.ValidationError({"player_id": ["one"]})
        if "new_player" in attrs:
            attrs["new_player"] = NewPlayer(**attrs["new_player"])
        return attrs

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return who is meant: the choice "new" goes with the fields of a new player."""
        is_new = form.get("player_id") == "new"
        filled = {name: each for name, each in super().of_form(form).items() if name != _OTHER[is_new]}
        # Chosen and left empty, it is the nickname that is missing.
        return {"new_player": {"nickname": ""}} | filled if is_new else filled


_OTHER = {True: "player_id", False: "new_player"}


class SeatPlayerBody(WhoBody):
    """
    Who sits down, with how much from the player's own hands or asked of the cage, and how a new player comes into the
    blinds; `stands` as for a seat's chips.
    """

    in_forms: ClassVar[Mapping[str, str]] = {"chips_from": "source"}

    chips_cents = Cents(default=0)
    chips_from = serializers.ChoiceField([HANDS, CAGE], default=HANDS)
    stands = serializers.BooleanField(default=False)
    entry = serializers.ChoiceField(WAYS_IN, default=Entry.WAITS.value, help_text=WAYS_IN_HELP)
    overrule = Overrule()


# Rules: H1.5.
class HoldBody(Body):
    """Whether the seat is held: its player is not at the table just now."""

    is_held = serializers.BooleanField()
    entry = serializers.ChoiceField(
        WAYS_IN, required=False, help_text="How a player who missed blinds comes in again; left out: waits."
    )


class EntryBody(Body):
    """How a player who is new, or has missed blinds, comes into the blinds."""

    entry = serializers.ChoiceField(WAYS_IN, help_text=WAYS_IN_HELP)


# Rules: H4.18.
class StraddleBody(Body):
    """Whether a player straddles whenever the game allows it, until that is cancelled."""

    straddles = serializers.BooleanField()


class LeaveBody(Body):
    """The stack as counted on leaving; null: not counted."""

    stack_cents = Cents(allow_null=True, default=None)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the stack as the sheet says it: an empty field is a mistake, and "not counted" a tap of its own."""
        return {"stack_cents": None if form.get("uncounted") else typed(form.get("stack", ""), Cents())}


class _BesideAStack(Body):
    in_forms: ClassVar[Mapping[str, str]] = {"stack": "stack_word", "amount_cents": "amount", "chips_cents": "amount"}

    stack_cents = Cents(allow_null=True, default=None, help_text="What the player has there, as counted.")
    stack = serializers.ChoiceField(
        STACK_WORDS, allow_null=True, default=None, help_text="The same, as seen without counting."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the body with `stack` as the rules take it: cents or a word or None."""
        counted = attrs.pop("stack_cents")
        return {**attrs, "stack": attrs["stack"] if counted is None else counted}

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the form with the stack as a word where one was chosen: what was typed before it holds no more."""
        filled = super().of_form(form)
        return {name: each for name, each in filled.items() if name != "stack_cents" or not filled.get("stack")}


# Rules: H2.17.
class BuyInBody(_BesideAStack):
    """
    How many chips a seat asks of the cage; the stack where a limit hangs on it.

    `again`: the same was asked for seconds ago, and this is another one. `money_with`: where the cash is that pays
    them; the dealer or a runner is whoever asks.
    """

    amount_cents = Cents(min_value=1)
    again = serializers.BooleanField(default=False)
    money_with = serializers.ChoiceField(["player", "dealer", "runner"], default="player")


# Rules: H2.17.
class SellFromRackBody(_BesideAStack):
    """
    How many chips a seat gets out of the table's rack, for cash; the stack where a limit hangs on it.

    `again`: the same was asked for or sold seconds ago, and this is another one. `slip_id`, `slip_version`: of the
    request of this seat for so many, as whoever sells has seen it; null where none was seen.
    """

    amount_cents = Cents(min_value=1)
    again = serializers.BooleanField(default=False)
    slip_id = Id(allow_null=True, default=None)
    slip_version = Whole(allow_null=True, default=None, help_text="The version of that slip.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the body, of which both say the slip, or none."""
        if (attrs["slip_id"] is None) != (attrs["slip_version"] is None):
            raise serializers.ValidationError({"slip_version": ["a slip has its version"]})
        return super().validate(attrs)


# Rules: H2.17.
class ChipsBody(_BesideAStack):
    """
    Chips that the player brought; the stack where a limit hangs on it.

    `stands`: they are more than all players have in hand, and were counted again.
    """

    chips_cents = Cents(min_value=1)
    stands = serializers.BooleanField(default=False)


class StackBody(Body):
    """The stack of a player who left uncounted."""

    stack_cents = Cents()


class HandIdBody(Body):
    """The hand, by the id that its tablet made."""

    hand_id = serializers.UUIDField()


class PositionsBody(HandIdBody):
    """
    A hand as the tablet showed it when it was dealt; nulls and an empty list stand for "as asked", each by itself.
    A null `small_blind` beside button and big blind says that nobody posted it.

    `opening_id` is the game that the table ran then, as its tablet showed it; null: the moment tells.
    """

    dealt_in = Seats(default=list)
    button = SeatNumber(allow_null=True, default=None)
    small_blind = SeatNumber(allow_null=True, default=None)
    big_blind = SeatNumber(allow_null=True, default=None)
    dealt_at = Moment(allow_null=True, default=None)
    opening_id = Id(allow_null=True, default=None)

    def hand(self) -> LoggedHand:
        """Return the hand that was said."""
        return logged(self.validated_data)


class VoidHandBody(PositionsBody):
    """A hand that is dealt again."""

    reason = serializers.ChoiceField(["misdeal", "void"])


class SettledBody(PositionsBody):
    """
    A whole hand, which stands alone.

    `pots` are in order of formation with uncalled chips returned; the total alone is enough; none: it was won in the
    initial deal. `winners` has one list of seats per pot, or a single one for all. What was taken is what lies
    in the boxes; null: what was due. `again_of` is an undone hand that is logged again: what was taken for it lies in
    the boxes, and counts as taken for this one. `is_without_flop` is for houses whose rake is due without a flop too
    (RA8): their pots are typed either way.
    """

    winners = serializers.ListField(child=Seats(allow_empty=False), min_length=1, max_length=SEATS_MAX)
    pots = serializers.ListField(child=Cents(), max_length=SEATS_MAX, default=list)
    pot_is_at_least = serializers.BooleanField(default=False)
    beyond_initial_deal_at = Moment(allow_null=True, default=None)
    is_without_flop = serializers.BooleanField(default=False)
    again_of = serializers.UUIDField(allow_null=True, default=None)

    def get_fields(self) -> Fields:
        """Return these and one field for each kind of charge, "rake_taken_cents"."""
        return {**super().get_fields(), **_taken_fields(allow_null=True, default=None)}


class CorrectedBody(SettledBody):
    """The hand as it really was, under a new hand id, and why it is corrected."""

    in_forms: ClassVar[Mapping[str, str]] = {"is_without_flop": "no_flop"}

    reason = serializers.ChoiceField(sorted(CORRECTION_REASONS))

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """
        Return what a correction's sheet says: a line `pot_<n>` with `winners_<n>` for each pot, the main pot's first.

        A side pot without an amount is none, and one without winners went where the main pot did. Without any amount
        nobody knows the pot; that there was a flop is said by leaving `no_flop` unticked.
        """
        lines = [(form.get(f"pot_{n}", "").strip(), form.getlist(f"winners_{n}")) for n in range(SEATS_MAX)]
        (main, won), side = lines[0], [line for line in lines[1:] if line[0]]
        pots = [typed(cents, Cents()) for cents, _ in [(main, won), *side]] if main or side else []
        winners = [[typed(seat, SeatNumber()) for seat in seats or won] for _, seats in [(main, won), *side]]
        filled = {**super().of_form(form), "pots": pots, "winners": winners}
        if filled["is_without_flop"]:
            filled.pop("beyond_initial_deal_at", None)
        return filled


class VoidSettledBody(Body):
    """Why a hand that was settled is void."""

    reason = serializers.ChoiceField(sorted(VOID_REASONS))


class SuppliedBody(Body):
    """What was dropped of a hand that was not logged, one field for each kind of charge."""

    pot_cents = Cents(allow_null=True, default=None)

    def get_fields(self) -> Fields:
        return {**_taken_fields(), **super().get_fields()}


def _taken_fields(**options: Any) -> Fields:
    return {taken_name(kind): Cents(**options) for kind in charge_codes()}


def taken_of(data: dict[str, Any]) -> dict[str, int]:
    """Return what a body says was taken, by kind of charge; a kind of which it says nothing is left out."""
    taken = {kind: data.get(taken_name(kind)) for kind in charge_codes()}
    return {kind: cents for kind, cents in taken.items() if cents is not None}


def supplied(data: dict[str, Any]) -> dict[str, Any]:
    """Return what a `SuppliedBody` tells the service."""
    return {"taken": taken_of(data), "pot_cents": data["pot_cents"]}


def logged(data: dict[str, Any]) -> LoggedHand:
    """Return the hand of a body: lists become the tuples that services compare."""
    return LoggedHand(
        hand_id=data["hand_id"],
        winners=tuple(tuple(seats) for seats in data.get("winners", ())),
        pots=tuple(data.get("pots", ())),
        pot_is_at_least=data.get("pot_is_at_least", False),
        dealt_in=tuple(sorted(set(data["dealt_in"]))),
        button=data["button"],
        small_blind=data["small_blind"],
        big_blind=data["big_blind"],
        taken=taken_of(data),
        dealt_at=data["dealt_at"],
        beyond_initial_deal_at=data.get("beyond_initial_deal_at"),
        is_without_flop=data.get("is_without_flop", False),
        opening_id=data["opening_id"],
        again_of=data.get("again_of"),
    )


class HandsPage(Page):
    """Which of a table's hands: newest first."""

    status = serializers.ChoiceField(Hand.Status.choices, required=False)


class CountedQuery(Body):
    """What was counted, before it is said to be so."""

    counted_cents = serializers.IntegerField(min_value=0, max_value=CENTS_MAX)


class ToDosPage(Page):
    """Which to-dos: what is open, newest last, unless `is_open` says otherwise."""

    is_open = serializers.BooleanField(default=True)
