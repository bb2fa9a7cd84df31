"""Players who are away, change seats at their table, or play over in another's."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.cage.api.bodies import SecondPerson
from casino.people.api_auth import answer_of, api_command, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import OPTIONAL, Body, Cents, Whole
from tables.api.bodies import Overrule, SeatNumber, WhoBody
from tables.api.common import api, at_table, table_at, table_id_at
from tables.services import choosing
from tables.services.absence_limits import NEEDS, pick_up_stack, set_absence_limit, set_long_break, signature
from tables.services.seat_change import ask_seat_change, take_back_seat_change

# More is a slip of the finger; what the house grants at most its book says.
MINUTES_A_DAY = 24 * 60


pick_up_by_two = by_two(
    pick_up_stack,
    needs=NEEDS,
    signs=lambda *, table_id, seating_id, stack_cents, version: signature(seating_id, stack_cents),
    signer="counted_with_id",
)


# Rules: H1.9.
class LongBreakBody(Body):
    """Whether the player has the long break of the evening."""

    has_break = serializers.BooleanField(default=True)


# Rules: H1.10.
class AbsenceLimitBody(Body):
    """For how many minutes from now the seat is held."""

    minutes = Whole(min_value=1, max_value=MINUTES_A_DAY)


# Rules: R-§4.
class PickUpBody(Body):
    """The stack as two have counted it; the second one signs it."""

    stack_cents = Cents(min_value=0)
    second = SecondPerson()


# Rules: H2.13.
class AskSeatChangeBody(Body):
    """Whether the player would like another seat; left out: any."""

    asks = serializers.BooleanField(default=True)
    seat_number = SeatNumber(allow_null=True, default=None)


# Rules: H4.46.
class ChangeSeatBody(Body):
    """The new seat, and whether a big blind is posted where it is further from the blinds."""

    seat_number = SeatNumber()
    posts = serializers.BooleanField(default=False)
    overrule = Overrule()


# Rules: H4.48.
class PlayOverBody(WhoBody):
    """Who plays in the absent player's seat, and the chips they bring; `stands` as for a seat's chips."""

    chips_cents = Cents(min_value=0, default=0)
    stands = serializers.BooleanField(default=False)
    overrule = Overrule()


# Rules: H1.9.
class SetLongBreak(APIView):
    """The long break of the evening, once."""

    needs = "tables.set_long_break"

    @api.command("tables.set_long_break", "Give the long break", body=LongBreakBody, example={"has_break": True})
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, set_long_break, seating_id=seating_id, **arguments_of_call(request))


# Rules: H1.10.
class SetAbsenceLimit(APIView):
    """The floor's own limit for one absence."""

    needs = "tables.set_absence_limit"

    @api.command("tables.set_absence_limit", "Hold the seat until", body=AbsenceLimitBody, example={"minutes": 15})
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, set_absence_limit, seating_id=seating_id, **arguments_of_call(request))


# Rules: H1.8, R-§4.
class PickUpStack(APIView):
    """Take the stack of a player who is away too long, counted by two."""

    needs = "tables.pick_up_stack"
    steps = ("people.sign_second",)

    @api.command(
        "tables.pick_up_stack",
        "Pick up a stack",
        body=PickUpBody,
        if_match=OPTIONAL,
        example={"stack_cents": 340_00, "second": {"username": "mari", "pin": "1357"}},
        answer={"table": 4, "seating": 91, "seat": 5, "player": 17, "stack_cents": 340_00, "slip_id": 31},
    )
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        table_id = table_id_at(request, number)
        return carried_out(
            request, pick_up_by_two, table_id=table_id, seating_id=seating_id, **arguments_of_call(request)
        )


# Rules: H2.13.
class AskSeatChange(APIView):
    """A player would like another seat, or no more."""

    needs = "tables.ask_seat_change"

    @api.command("tables.ask_seat_change", "Ask for another seat", body=AskSeatChangeBody, example={"seat_number": 7})
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, ask_seat_change, seating_id=seating_id, **arguments_of_call(request))


# Rules: H4.45.
class ChangeSeat(APIView):
    """A player changes seats, with the floor's leave; what it passes over is recorded with it."""

    needs = "tables.change_seat"

    @api.command(
        "tables.change_seat",
        "Change seats",
        body=ChangeSeatBody,
        if_match=OPTIONAL,
        example={"seat_number": 7, "posts": True},
        answer={
            "table": 4,
            "seating": 91,
            "from": 5,
            "seat": 7,
            "entry": "posts",
            "further": True,
            "wished_before": [],
        },
    )
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        command, table = api_command(request), table_at(request, number)
        return answer_of(choosing.change(command, table, seating_id=seating_id, **arguments_of_call(request)))


class TakeBackSeatChange(APIView):
    """A change of seats was not meant: until the next hand."""

    needs = "tables.take_back_seat_change"

    @api.command("tables.take_back_seat_change", "Take back a change of seats")
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, take_back_seat_change, seating_id=seating_id)


# Rules: H4.48.
class PlayOver(APIView):
    """Somebody plays in the seat of a player who is away; a seat that waits for them elsewhere is recorded."""

    needs = "tables.play_over"

    @api.command(
        "tables.play_over",
        "Play over",
        body=PlayOverBody,
        if_match=OPTIONAL,
        example={"player_id": 17, "chips_cents": 200_00},
        answer={"table": 4, "seating": 92, "seat": 5, "player": 17, "holder": 91, "chips_cents": 200_00},
    )
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        command, table = api_command(request), table_at(request, number)
        return answer_of(choosing.over(command, table, seating_id=seating_id, **arguments_of_call(request)))
