"""What calls to the tables say and what readings answer. Amounts are cents, seats are numbers from 1."""

from typing import Any

from rest_framework import serializers

from casino.poker.buyins import StackWord
from casino.rest import Body, Cents, Id, Moment, Page, Text, Whole
from tables.models import Game, Hand, Seating, ToDo
from tables.rules.logged import LoggedHand

SEATS_MAX = 12
TABLE_NUMBER_MAX = 9999
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
    """Which game a table opens with."""

    game_id = Id()


class DrawBody(Body):
    """The button draw as it happened (H4.22); `cards` by seat, as the table's tablet read them."""

    winner_seat = SeatNumber()
    seats = Seats(allow_empty=False)
    cards = serializers.DictField(child=Text(max_length=3), required=False)

    def validate_cards(self, cards: dict[str, str]) -> dict[str, str]:
        """Check that each card belongs to a seat. :raises ValidationError: it does not."""
        if not set(cards) <= {str(seat) for seat in range(1, SEATS_MAX + 1)}:
            raise serializers.ValidationError("seats")
        return cards


class SeatBody(Body):
    """One seat."""

    seat_number = SeatNumber()


class TipsBody(Body):
    """What was found in the tip box since its last count."""

    counted_cents = Cents()


class SeatPlayerBody(Body):
    """Who sits down, with how much from the player's own hands, and whether a new player posts (H4.31) or waits."""

    player_id = Id()
    chips_cents = Cents(default=0)
    wants_to_post = serializers.BooleanField(default=False)


class HoldBody(Body):
    """Whether the seat is held: its player is not at the table just now (H1.5)."""

    is_held = serializers.BooleanField()


class EntryBody(Body):
    """Whether a new player posts (H4.31) or waits for the big blind (H4.30)."""

    wants_to_post = serializers.BooleanField()


class LeaveBody(Body):
    """The stack as counted on leaving; null: not counted."""

    stack_cents = Cents(allow_null=True, default=None)


class _BesideAStack(Body):
    stack_cents = Cents(allow_null=True, default=None, help_text="What the player has there, as counted.")
    stack = serializers.ChoiceField(
        STACK_WORDS, allow_null=True, default=None, help_text="The same, as seen without counting."
    )

    def validate(self, said: dict[str, Any]) -> dict[str, Any]:
        """Return what was said, with `stack` as the rules take it: cents or a word or None."""
        counted = said.pop("stack_cents")
        return {**said, "stack": said["stack"] if counted is None else counted}


class BuyInBody(_BesideAStack):
    """How many chips a seat asks of the cage; the stack where a limit hangs on it (H2.17)."""

    amount_cents = Cents(min_value=1)


class ChipsBody(_BesideAStack):
    """Chips that the player brought; the stack where a limit hangs on it (H2.17)."""

    chips_cents = Cents(min_value=1)


class StackBody(Body):
    """The stack of a player who left uncounted."""

    stack_cents = Cents()


class HandIdBody(Body):
    """The hand, by the id that its tablet made."""

    hand_id = serializers.UUIDField()


class PositionsBody(HandIdBody):
    """A hand as the tablet showed it when it was dealt; nulls and an empty list stand for "as asked"."""

    dealt_in = Seats(default=list)
    button = SeatNumber(allow_null=True, default=None)
    small_blind = SeatNumber(allow_null=True, default=None)
    big_blind = SeatNumber(allow_null=True, default=None)
    dealt_at = Moment(allow_null=True, default=None)

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
    in the boxes; null: what was due.
    """

    winners = serializers.ListField(child=Seats(allow_empty=False), min_length=1, max_length=SEATS_MAX)
    pots = serializers.ListField(child=Cents(), max_length=SEATS_MAX, default=list)
    pot_is_at_least = serializers.BooleanField(default=False)
    rake_taken_cents = Cents(allow_null=True, default=None)
    drop_taken_cents = Cents(allow_null=True, default=None)
    beyond_initial_deal_at = Moment(allow_null=True, default=None)


class CorrectedBody(SettledBody):
    """The hand as it really was, under a new hand id, and why it is corrected."""

    reason = Code()


class ReasonBody(Body):
    """Why, as a code."""

    reason = Code()


class SuppliedBody(Body):
    """What was dropped of a hand that was not logged."""

    rake_taken_cents = Cents()
    drop_taken_cents = Cents()
    pot_cents = Cents(allow_null=True, default=None)


def logged(said: dict[str, Any]) -> LoggedHand:
    """Return the hand of a body: lists become the tuples that services compare."""
    return LoggedHand(
        hand_id=said["hand_id"],
        winners=tuple(tuple(seats) for seats in said.get("winners", ())),
        pots=tuple(said.get("pots", ())),
        pot_is_at_least=said.get("pot_is_at_least", False),
        dealt_in=tuple(sorted(set(said["dealt_in"]))),
        button=said["button"],
        small_blind=said["small_blind"],
        big_blind=said["big_blind"],
        rake_taken_cents=said.get("rake_taken_cents"),
        drop_taken_cents=said.get("drop_taken_cents"),
        dealt_at=said["dealt_at"],
        beyond_initial_deal_at=said.get("beyond_initial_deal_at"),
    )


class HandsPage(Page):
    """Which of a table's hands: newest first."""

    status = serializers.ChoiceField(Hand.Status.choices, required=False)


class ToDosPage(Page):
    """Which to-dos: what is open, newest last, unless `is_open` says otherwise."""

    is_open = serializers.BooleanField(default=True)


class GameAnswer(serializers.ModelSerializer[Game]):
    """A game as the room offers it."""

    class Meta:
        model = Game
        fields = [
            "id", "name", "variant", "structure", "small_blind_cents", "big_blind_cents", "buy_in_min_cents",
            "buy_in_max_cents", "seats", "chip_cents", "rake", "drop", "is_offered",
        ]  # fmt: skip


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
            "id", "seat_number", "player", "entry", "is_held", "chips_in_cents", "sat_down_at", "left_at",
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


class NextHandAnswer(serializers.Serializer[Any]):
    """What the next hand asks (H4.26-H4.32)."""

    button = serializers.IntegerField()
    small_blind = serializers.IntegerField(allow_null=True)
    big_blind = serializers.IntegerField()
    dealt_in = serializers.ListField(child=serializers.IntegerField())
    posts = PostAnswer(many=True)


class TableAnswer(serializers.Serializer[Any]):
    """A table as it is now; `version` is what If-Match names when it is opened or closed."""

    number = serializers.IntegerField()
    version = serializers.IntegerField()
    is_open = serializers.BooleanField()
    hand_number = serializers.IntegerField()
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


class HandPotAnswer(serializers.Serializer[Any]):
    """A pot: counted, what was taken from it, who won it."""

    index = serializers.IntegerField()
    cents = serializers.IntegerField(allow_null=True)
    rake_cents = serializers.IntegerField()
    drop_cents = serializers.IntegerField()
    winner_seats = serializers.ListField(child=serializers.IntegerField())


class HandAnswer(serializers.ModelSerializer[Hand]):
    """A hand as it was logged."""

    seats = HandSeatAnswer(many=True)
    pots = HandPotAnswer(many=True)

    class Meta:
        model = Hand
        fields = [
            "id", "hand_id", "number", "status", "dealer_id", "rule_book_version_id", "dealt_at",
            "beyond_initial_deal_at", "settled_at", "button_seat", "small_blind_seat", "big_blind_seat", "street",
            "pot_cents", "pot_is_at_least", "rake_due_cents", "rake_taken_cents", "drop_due_cents",
            "drop_taken_cents", "transfer_id", "corrects_id", "ended_at", "ended_by_id", "reason", "seats", "pots",
        ]  # fmt: skip


class ToDoAnswer(serializers.ModelSerializer[ToDo]):
    """Something that a fact left for the floor."""

    table_number = serializers.IntegerField(source="table.number")

    class Meta:
        model = ToDo
        fields = ["id", "table_number", "kind", "data", "raised_at", "done_at", "done_by_id"]
