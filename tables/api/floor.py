"""Tables that open and close, players who sit, buy and leave."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people.api_auth import answer_of, api_command
from casino.people.inputs import arguments_of_call
from casino.rest import OPTIONAL, REQUIRED
from tables.api.bodies import (
    BuyInBody,
    ChipsBody,
    DrawBody,
    EntryBody,
    HoldBody,
    LeaveBody,
    OpenTableBody,
    SeatBody,
    SeatPlayerBody,
    StackBody,
    StraddleBody,
    TipsBody,
)
from tables.api.common import api, at_table, table_at, table_id_at
from tables.services import choosing
from tables.services.chips import bring_chips, count_tip_box
from tables.services.corrections import judge
from tables.services.kept_taps import enter_tap
from tables.services.opening import button_here, close_table, open_table, record_draw
from tables.services.seat_buy_ins import ask_for_seat
from tables.services.seating import (
    choose_entry,
    hold_seat,
    leave_seat,
    set_straddle,
    take_back_leaving,
)
from tables.services.stacks import count_stack


class OpenTable(APIView):
    """The floor opens a table with a game on offer."""

    needs = "tables.open_table"

    @api.command("tables.open_table", "Open a table", body=OpenTableBody, if_match=REQUIRED, example={"game_id": 1})
    def post(self, request: Request, number: int) -> Response:
        body = arguments_of_call(request)
        feeds = body.pop("feeds")
        body["feeds_table_id"] = None if feeds is None else table_id_at(request, feeds)
        return at_table(request, number, open_table, **body)


class CloseTable(APIView):
    """The floor closes a table that nobody sits at."""

    needs = "tables.close_table"

    @api.command("tables.close_table", "Close a table")
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, close_table, **arguments_of_call(request))


class RecordDraw(APIView):
    """The button draw. A fact."""

    needs = "tables.record_draw"

    @api.command(
        "tables.record_draw", "The button was drawn", body=DrawBody, example={"winner_seat": 5, "seats": [1, 2, 5, 7]}
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, record_draw, **arguments_of_call(request))


class ButtonHere(APIView):
    """Where the button is: the felt wins. A fact."""

    needs = "tables.button_here"

    @api.command("tables.button_here", "The button is here", body=SeatBody, example={"seat_number": 5})
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, button_here, **arguments_of_call(request))


class CountTipBox(APIView):
    """What was found in the tip box. A fact."""

    needs = "tables.count_tip_box"

    @api.command("tables.count_tip_box", "The tip box was counted", body=TipsBody, example={"counted_cents": 35_00})
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, count_tip_box, **arguments_of_call(request))


class SeatPlayer(APIView):
    """Sit a player down; what it passes over is recorded with it."""

    needs = "tables.seat_player"

    @api.command(
        "tables.seat_player",
        "Seat a player",
        body=SeatPlayerBody,
        example={"player_id": 17, "chips_cents": 200_00, "entry": "waits"},
        answer={"table": 4, "seating": 91, "seat": 5, "player": 17, "entry": "waits", "chips_cents": 200_00},
    )
    def post(self, request: Request, number: int, seat_number: int) -> Response:
        command, table = api_command(request), table_at(request, number)
        return answer_of(choosing.seat(command, table, seat_number, **arguments_of_call(request)))


class HoldSeat(APIView):
    """Hold a seat, or deal it in again. A fact."""

    needs = "tables.hold_seat"

    @api.command("tables.hold_seat", "Hold a seat", body=HoldBody, example={"is_held": True})
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, hold_seat, seating_id=seating_id, **arguments_of_call(request))


class ChooseEntry(APIView):
    """A player who is new, or has missed blinds, waits for the big blind, posts or straddles."""

    needs = "tables.choose_entry"

    @api.command("tables.choose_entry", "Post or wait", body=EntryBody, if_match=OPTIONAL, example={"entry": "posts"})
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, choose_entry, seating_id=seating_id, **arguments_of_call(request))


class SetStraddle(APIView):
    """A player straddles from now on, or no more. A fact."""

    needs = "tables.set_straddle"

    @api.command("tables.set_straddle", "Straddle from now on", body=StraddleBody, example={"straddles": True})
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, set_straddle, seating_id=seating_id, **arguments_of_call(request))


class LeaveSeat(APIView):
    """A player leaves, with the stack counted or not. A fact."""

    needs = "tables.leave_seat"

    @api.command("tables.leave_seat", "A player left", body=LeaveBody, example={"stack_cents": 340_00})
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, leave_seat, seating_id=seating_id, **arguments_of_call(request))


class CountStack(APIView):
    """The stack of a player who left uncounted is known after all; with If-Match, a wrong count is put right."""

    needs = "tables.count_stack"

    @api.command(
        "tables.count_stack", "Supply a stack", body=StackBody, if_match=OPTIONAL, example={"stack_cents": 340_00}
    )
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, count_stack, seating_id=seating_id, **arguments_of_call(request))


class TakeBackLeaving(APIView):
    """A player who left sits there again: the wrong seat was tapped, or they sat down again at once."""

    needs = "tables.take_back_leaving"

    @api.command(
        "tables.take_back_leaving",
        "Take back a leaving",
        if_match=REQUIRED,
        answer={
            "table": 4,
            "seating": 91,
            "seat": 5,
            "player": 17,
            "entry": "in",
            "stack_cents": 340_00,
            "waiting": None,
        },
    )
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, take_back_leaving, seating_id=seating_id, **arguments_of_call(request))


class BringChips(APIView):
    """Put chips from the player's hands on the table."""

    needs = "tables.bring_chips"

    @api.command(
        "tables.bring_chips", "Bring chips", body=ChipsBody, if_match=OPTIONAL, example={"chips_cents": 100_00}
    )
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, bring_chips, seating_id=seating_id, **arguments_of_call(request))


class BuyInForSeat(APIView):
    """Ask the cage for chips to this seat: a slip waits there until money is taken."""

    needs = "cage.request_buy_in"

    @api.command(
        "tables.request_buy_in",
        "Ask for a buy-in",
        body=BuyInBody,
        example={"amount_cents": 200_00, "stack_cents": 40_00},
        answer={"slip_id": 31, "status": "requested", "amount_cents": 200_00, "destination": "seat"},
    )
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        body, table = arguments_of_call(request), table_at(request, number)
        return answer_of(ask_for_seat(api_command(request), table=table, seating_id=seating_id, **body))


class Judge(APIView):
    """The floor has looked at it."""

    needs = "tables.judge"

    @api.command("tables.judge", "Take something off the to-do")
    def post(self, request: Request, number: int, todo_id: int) -> Response:
        return at_table(request, number, judge, todo_id=todo_id)


class Enter(APIView):
    """A tap that was kept, since nothing vouched for it: the floor says that it was so."""

    needs = "tables.enter_tap"

    @api.command("tables.enter_tap", "Enter a tap that was kept")
    def post(self, request: Request, number: int, todo_id: int) -> Response:
        return at_table(request, number, enter_tap, todo_id=todo_id)
