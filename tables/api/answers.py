"""What readings of the tables answer. Amounts are cents, seats are numbers from 1."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from casino.rest import Fields
from tables.charges import cents_name, charge_codes, due_name, taken_name
from tables.models import Game, Hand, HandCharge, HandPot, Seating, ToDo
from tables.rules.shares import Share, shares_of


class GameAnswer(serializers.ModelSerializer[Game]):
    """A game as the room offers it."""

    class Meta:
        model = Game
        fields = [
            "id", "name", "variant", "structure", "small_blind_cents", "big_blind_cents", "buy_in_min_cents",
            "buy_in_max_cents", "seats", "chip_cents", "charges", "time_charge", "is_offered",
        ]  # fmt: skip

    def get_fields(self) -> Fields:
        """Return these and the terms of each kind of charge by its name, "rake": null where the game has none."""
        terms = {kind: serializers.JSONField(source=f"charges.{kind}", allow_null=True) for kind in charge_codes()}
        return {**super().get_fields(), **terms}


class PlayerAnswer(serializers.Serializer[Any]):
    """A player by nickname: what the table's own screen shows."""

    id = serializers.IntegerField()
    nickname = serializers.CharField()


class SeatingAnswer(serializers.ModelSerializer[Seating]):
    """A player in a seat; `version` is what If-Match names."""

    player = PlayerAnswer()

    class Meta:
        model = Seating
        fields = [
            "id", "seat_number", "player", "entry", "missed", "straddles", "is_held", "away_since",
            "away_limit_at", "long_break_at", "buttons_passed", "is_played_over", "change_wished_at", "change_to",
            "chips_in_cents", "sat_down_at", "left_at",
            "left_stack_cents", "version",
        ]  # fmt: skip


class HandInPlayAnswer(serializers.ModelSerializer[Hand]):
    """The hand that is being played."""

    class Meta:
        model = Hand
        fields = ["hand_id", "number", "dealt_at", "beyond_initial_deal_at"]


class PostAnswer(serializers.Serializer[Any]):
    """What one seat posts, live in front and dead to the pot."""

    seat_number = serializers.IntegerField()
    kind = serializers.CharField()
    live_cents = serializers.IntegerField()
    dead_cents = serializers.IntegerField()


# Rules: H4.26-H4.32.
class NextHandAnswer(serializers.Serializer[Any]):
    """The expected hand: button, blinds, who is dealt in, and what each seat posts."""

    button = serializers.IntegerField()
    small_blind = serializers.IntegerField(allow_null=True)
    big_blind = serializers.IntegerField()
    dealt_in = serializers.ListField(child=serializers.IntegerField())
    posts = PostAnswer(many=True)


class TableAnswer(serializers.Serializer[Any]):
    """
    A table as it is now; `version` is what If-Match names when it is opened.

    `opening_id` is what its hands name as the game that they belong to.
    """

    number = serializers.IntegerField()
    version = serializers.IntegerField()
    is_open = serializers.BooleanField()
    hand_number = serializers.IntegerField()
    opening_id = serializers.IntegerField(allow_null=True)
    game = GameAnswer(allow_null=True)
    hand = HandInPlayAnswer(allow_null=True)
    seatings = SeatingAnswer(many=True)
    next_hand = NextHandAnswer(allow_null=True)


class HandSeatAnswer(serializers.Serializer[Any]):
    """A player dealt into a hand, and what was posted there."""

    seat_number = serializers.IntegerField()
    player_id = serializers.IntegerField()
    post = serializers.CharField()
    live_cents = serializers.IntegerField()
    dead_cents = serializers.IntegerField()


class OfCharge(serializers.IntegerField):
    """A figure of one kind of charge: `of(row, kind)`, in cents."""

    def __init__(self, kind: str, of: Callable[[Any, str], int]) -> None:
        self.kind, self.of = kind, of
        super().__init__(source="*", read_only=True)

    def to_representation(self, value: Any) -> int:
        return self.of(value, self.kind)


class ShareAnswer(serializers.Serializer[Any]):
    """What one winner is pushed of a pot."""

    seat_number = serializers.IntegerField()
    cents = serializers.IntegerField()


# Rules: H5.36, H5.37.
class HandPotAnswer(serializers.ModelSerializer[HandPot]):
    """
    A pot: counted, what was taken from it by kind of charge, what was pushed, and to whom, clockwise from the button.

    `push_cents` is null where nobody counted it to the end; then it has no shares.
    """

    push_cents = serializers.SerializerMethodField()
    shares = serializers.SerializerMethodField()

    class Meta:
        model = HandPot
        fields = ["index", "cents", "winner_seats", "push_cents", "shares"]

    def get_fields(self) -> Fields:
        """Return these and one figure of each kind of charge, "rake_cents"."""
        return {**super().get_fields(), **{cents_name(kind): OfCharge(kind, HandPot.paid) for kind in charge_codes()}}

    def get_push_cents(self, pot: HandPot) -> int | None:
        if pot.cents is None or pot.hand.pot_is_at_least:
            return None
        return pot.cents - sum(pot.paid(kind) for kind in charge_codes())

    @extend_schema_field(ShareAnswer(many=True))  # type: ignore[untyped-decorator]  # it names no types
    def get_shares(self, pot: HandPot) -> list[Share]:
        return shares_of(
            self.get_push_cents(pot),
            pot.winner_seats,
            button=pot.hand.button_seat,
            chip_cents=pot.hand.opening.game.chip_cents,
        )


class HandChargeAnswer(serializers.ModelSerializer[HandCharge]):
    """What one kind of charge took from a hand; `by_pot` is what of it each pot paid, the main pot's first."""

    class Meta:
        model = HandCharge
        fields = ["kind", "due_cents", "taken_cents", "by_pot"]


class HandAnswer(serializers.ModelSerializer[Hand]):
    """A hand as it was logged."""

    seats = HandSeatAnswer(many=True)
    pots = HandPotAnswer(many=True)
    charges = HandChargeAnswer(many=True)

    class Meta:
        model = Hand
        fields = [
            "id", "hand_id", "number", "status", "dealer_id", "rule_book_version_id", "dealt_at",
            "beyond_initial_deal_at", "settled_at", "button_seat", "small_blind_seat", "big_blind_seat", "street",
            "pot_cents", "pot_is_at_least", "transfer_id", "corrects_id", "ended_at", "ended_by_id", "reason", "seats",
            "pots", "charges",
        ]  # fmt: skip

    def get_fields(self) -> Fields:
        """Return these and two figures of each kind of charge, "rake_due_cents" and "rake_taken_cents"."""
        due = {due_name(kind): OfCharge(kind, Hand.due) for kind in charge_codes()}
        taken = {taken_name(kind): OfCharge(kind, Hand.taken) for kind in charge_codes()}
        return {**super().get_fields(), **due, **taken}


class CountedAnswer(serializers.Serializer[Any]):
    """Whether that is more than lies in play at the table: then it is counted again before it is said."""

    is_above_play = serializers.BooleanField()


class ToDoAnswer(serializers.ModelSerializer[ToDo]):
    """Something that a fact left for the floor."""

    table_number = serializers.IntegerField(source="table.number")

    class Meta:
        model = ToDo
        fields = ["id", "table_number", "kind", "data", "raised_at", "done_at", "done_by_id"]
