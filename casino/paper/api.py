"""Playing on by paper over REST: the numbers of the sheets, and what was written on one."""

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.commands.carrying_out import Answer, Command
from casino.paper.bodies import CatchUpBody, entered_of
from casino.paper.bodies_lists import CatchUpListsBody, lists_entered_of
from casino.paper.catching_up import catch_up, catch_up_signs
from casino.paper.catching_up_lists import NEEDS as NEEDS_LISTS
from casino.paper.catching_up_lists import catch_up_lists, catch_up_lists_signs
from casino.paper.services import print_sheets
from casino.paper.signers import NEEDS
from casino.people.api_auth import carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import Api

api = Api("paper")
_CATCH_UP = {
    "from_at": "2026-11-20T21:05:00+02:00",
    "until_at": "2026-11-20T21:50:00+02:00",
    "hands": 14,
    "lines": [
        {"number": 1, "button": 3, "taken": {"rake": 4_00, "drop": 1_00}},
        {"number": 2, "taken": {"rake": 2_00}},
    ],
    "downs": [{"dealer_id": 3, "began_at": "2026-11-20T21:20:00+02:00", "ended_at": "2026-11-20T21:50:00+02:00"}],
    "chips": [
        {"number": 1, "seat_number": 5, "nickname": "Riku", "chips_cents": 200_00, "paid": "cash", "slip": "12"},
        {"number": 2, "seat_number": 2, "left": True, "stack_cents": 340_00},
    ],
    "seats": [{"seat_number": 4, "stands": "away", "away_since": "2026-11-20T21:40:00+02:00", "missed": "both"}],
    "button": 6,
    "decks": [{"number": 1, "at": "2026-11-20T21:20:00+02:00", "colour": "blue", "set_number": 1, "why": "push"}],
    "times": [{"period": 3, "at": "2026-11-20T21:30:00+02:00", "paid": [{"seat_number": 4, "cents": 6_00}]}],
    "second": {"username": "anna", "pin": "2468"},
}
_CAUGHT_UP = {
    "sheet": 18,
    "table": 4,
    "signed_by": 3,
    "hands": 14,
    "first_hand": 215,
    "last_hand": 228,
    "rake_cents": 6_00,
    "drop_cents": 1_00,
    "time_cents": 6_00,
    "periods": 1,
    "decks": 1,
    "sold_cents": 200_00,
    "brought_cents": 0,
    "left_cents": 340_00,
    "seatings_came": [41],
    "seatings_left": [17],
    "slips": [93],
    "downs": 1,
    "to_judge": 0,
}
_CATCH_UP_LISTS = {
    "from_at": "2026-11-20T21:05:00+02:00",
    "until_at": "2026-11-20T21:50:00+02:00",
    "lines": [
        {"number": 1, "at": "2026-11-20T21:10:00+02:00", "game_id": 1, "what": "joined", "nickname": "Riku"},
        {"number": 2, "at": "2026-11-20T21:48:00+02:00", "game_id": 1, "what": "called", "player_id": 17, "table": 4,
         "seat_number": 2},
    ],
    "second": {"username": "anna", "pin": "2468"},
}  # fmt: skip
_LISTS_CAUGHT_UP = {
    "sheet": 17, "signed_by": 3, "lines": 2, "joined": 1, "called_in": 0, "here": 0, "called": 1, "seated": 0,
    "missed": 0, "struck": 0, "dropped": 0,
    "became": [
        {"line": 1, "what": "joined", "player": 31, "list": 5}, {"line": 2, "what": "called", "player": 19, "list": 5},
    ],
}  # fmt: skip
_by_two = by_two(
    catch_up,
    needs=NEEDS,
    signs=lambda *, number, entered, names, overrule: catch_up_signs(number=number, entered=entered, names=names),
)
_lists_by_two = by_two(catch_up_lists, needs=NEEDS_LISTS, signs=catch_up_lists_signs)


class PrintSheets(APIView):
    """Number a sheet for the lists and one for each open table; `printing` names the page that has them."""

    needs = "paper.print_sheets"

    @api.command(
        "paper.print_sheets",
        "Print what it takes to play on by paper",
        answer={
            "printing": 5,
            "first_sheet": 17,
            "last_sheet": 18,
            "sheets": [{"number": 17, "table": None}, {"number": 18, "table": 4}],
        },
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, print_sheets, **arguments_of_call(request))


def catch_up_by_two(command: Command, *, number: int, second: Mapping[str, Any], **arguments: Any) -> Answer:
    """Catch a table up from its sheet, as both doors call it: with what was told of it, and the dealer who signs."""
    entered, names = entered_of(arguments)
    overrule = arguments["overrule"]
    return _by_two(command, second=second, number=number, entered=entered, names=names, overrule=overrule)


class CatchUp(APIView):
    """Enter what was written on a table's sheet while Brush was down, once: all of it, or nothing."""

    needs = "paper.catch_up"
    steps = ("people.sign_second",)

    @api.command(
        "paper.catch_up",
        "Catch a table up from its sheet of paper",
        body=CatchUpBody,
        example=_CATCH_UP,
        answer=_CAUGHT_UP,
    )
    def post(self, request: Request, number: int) -> Response:
        return carried_out(request, catch_up_by_two, number=number, **arguments_of_call(request))


def catch_up_lists_by_two(command: Command, *, number: int, second: Mapping[str, Any], **arguments: Any) -> Answer:
    """Catch the lists up from their sheet, as both doors call it: with what was told of it, and who signs it too."""
    entered, names = lists_entered_of(arguments)
    return _lists_by_two(command, second=second, number=number, entered=entered, names=names)


class CatchUpLists(APIView):
    """Enter what was written on the sheet of the waiting lists while Brush was down, once: all of it, or nothing."""

    needs = "paper.catch_up_lists"
    steps = ("people.sign_second",)

    @api.command(
        "paper.catch_up_lists",
        "Catch the waiting lists up from their sheet of paper",
        body=CatchUpListsBody,
        example=_CATCH_UP_LISTS,
        answer=_LISTS_CAUGHT_UP,
    )
    def post(self, request: Request, number: int) -> Response:
        return carried_out(request, catch_up_lists_by_two, number=number, **arguments_of_call(request))
