"""Players who change tables, tables that close into others, and a whole table that goes on with other stakes."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people.api_auth import answer_of, api_command
from casino.people.inputs import arguments_of_call
from casino.poker.positions import Entry
from casino.rest import OPTIONAL, Body, Cents, Id, Whole, typed
from tables.api.bodies import TABLE_NUMBER_MAX, WAYS_IN, WAYS_IN_HELP, Overrule, SeatNumber, Seats
from tables.api.common import api, at_table, table_at, table_id_at
from tables.services import choosing
from tables.services.closing import HANDS_MAX, announce_last_orbit, draw_seats, prepare_seat_draw, take_back_last_orbit
from tables.services.moving import take_back_move
from tables.services.requests import ENDS, ask_table_change, end_table_change
from tables.services.stakes import change_stakes

CONSENTS_MAX = 24


class TableNumber(Whole):
    """A table by its number."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": TABLE_NUMBER_MAX} | options)


# Rules: R-§3.
class MoveBody(Body):
    """
    Where the player goes and with what: `stack_cents` as counted here, `chips_cents` what lies there then, left out:
    the least that the book asks. `overrule` is why the floor allows a change that the book does not.
    """

    to_table = TableNumber()
    seat_number = SeatNumber()
    stack_cents = Cents()
    chips_cents = Cents(allow_null=True, default=None)
    entry = serializers.ChoiceField(WAYS_IN, default=Entry.WAITS.value, help_text=WAYS_IN_HELP)
    overrule = Overrule()

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """
        Return the move as the sheet says it: `to` is table and seat, "2/5", with the game where each game that is
        offered has its own ways in: "2/5/17", and `entry_17`.
        """
        table, seat, game = [*form.get("to", "").split("/"), "", ""][:3]
        there: dict[str, Any] = {"to_table": typed(table, TableNumber()), "seat_number": typed(seat, SeatNumber())}
        if way := form.get(f"entry_{game}"):
            there["entry"] = way
        return {**super().of_form(form), **there}


# Rules: H2.8.
class AskTableBody(Body):
    """Which table the player asks for; left out: any of the game."""

    in_forms: ClassVar[Mapping[str, str]] = {"to_table": "table_number"}

    to_table = TableNumber(allow_null=True, default=None)


class EndAskingBody(Body):
    """How the wish ends."""

    in_forms: ClassVar[Mapping[str, str]] = {"why": "ends"}

    why = serializers.ChoiceField(sorted(ENDS))


class LastOrbitBody(Body):
    """After how many more hands the table closes; left out: one for each player."""

    hands = Whole(min_value=0, max_value=HANDS_MAX, allow_null=True, default=None)


class SeatDrawBody(Body):
    """Whose seats draw."""

    seats = Seats(min_length=2)


class StakesBody(Body):
    """With which game the table goes on, and the seatings whose players agree."""

    game_id = Id()
    consents = serializers.ListField(child=Id(), max_length=CONSENTS_MAX)


# Rules: H1.64-H1.67, R-§3.
class MovePlayer(APIView):
    """A player changes tables with the whole stack; what it passes over is recorded with it."""

    needs = "tables.move_player"

    @api.command(
        "tables.move_player",
        "Move a player to another table",
        body=MoveBody,
        if_match=OPTIONAL,
        example={"to_table": 5, "seat_number": 3, "stack_cents": 340_00},
        answer={
            "table": 4, "seating": 91, "seat": 5, "player": 17, "stack_cents": 340_00, "to_table": 5, "to_seat": 3,
            "to_seating": 95, "chips_cents": 340_00, "entry": "waits", "why": "table_change", "overrule": "",
        },
    )  # fmt: skip
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        body, command = arguments_of_call(request), api_command(request)
        here, there = table_at(request, number), table_at(request, body.pop("to_table"))
        return answer_of(choosing.move(command, here, there, seating_id=seating_id, **body))


class TakeBackMove(APIView):
    """A move was not meant: until a hand is dealt at either table."""

    needs = "tables.take_back_move"

    @api.command(
        "tables.take_back_move",
        "Take a move back",
        answer={"table": 5, "seating": 95, "player": 17, "to_table": 4, "to_seating": 91},
    )
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, take_back_move, seating_id=seating_id)


# Rules: H2.8.
class AskTableChange(APIView):
    """A player asks for another table of the game."""

    needs = "tables.ask_table_change"

    @api.command("tables.ask_table_change", "Ask for another table", body=AskTableBody, example={"to_table": 5})
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        wanted = arguments_of_call(request)["to_table"]
        to_table_id = None if wanted is None else table_id_at(request, wanted)
        return at_table(request, number, ask_table_change, seating_id=seating_id, to_table_id=to_table_id)


class EndTableChange(APIView):
    """A player's wish for another table ends: withdrawn, or refused by the floor."""

    needs = "tables.end_table_change"

    @api.command(
        "tables.end_table_change", "End a wish for another table", body=EndAskingBody, example={"why": "withdrawn"}
    )
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, end_table_change, seating_id=seating_id, **arguments_of_call(request))


# Rules: H2.22.
class AnnounceLastOrbit(APIView):
    """The table closes after so many more hands."""

    needs = "tables.announce_last_orbit"

    @api.command(
        "tables.announce_last_orbit",
        "Announce the last orbit",
        body=LastOrbitBody,
        example={"hands": 9},
        answer={"table": 4, "hands": 9, "last_hand_number": 223, "calls_ended": []},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, announce_last_orbit, **arguments_of_call(request))


class TakeBackLastOrbit(APIView):
    """The table goes on after all."""

    needs = "tables.take_back_last_orbit"

    @api.command("tables.take_back_last_orbit", "Take the last orbit back")
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, take_back_last_orbit)


# Rules: H2.10, A22.
class PrepareSeatDraw(APIView):
    """Players of a closing table draw for the seats: the house binds itself first."""

    needs = "tables.prepare_seat_draw"

    @api.command(
        "tables.prepare_seat_draw",
        "Prepare a draw for seats",
        body=SeatDrawBody,
        example={"seats": [2, 5, 7]},
        answer={"table": 4, "draw": 3, "seats": [2, 5, 7], "commitment": "9f2c…"},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, prepare_seat_draw, **arguments_of_call(request))


class DrawSeats(APIView):
    """The cards of the draw that was prepared, and its seed."""

    needs = "tables.draw_seats"

    @api.command(
        "tables.draw_seats",
        "Draw for the seats",
        answer={
            "table": 4, "draw": 3, "cards": {"2": "Kd", "5": "As", "7": "3c"}, "order": [5, 2, 7],
            "commitment": "9f2c…", "seed": "5b1e…",
        },
    )  # fmt: skip
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, draw_seats)


class ChangeStakes(APIView):
    """A running table goes on with another game, between hands, when everybody there agrees."""

    needs = "tables.change_stakes"

    @api.command(
        "tables.change_stakes",
        "Change the stakes",
        body=StakesBody,
        if_match=OPTIONAL,
        example={"game_id": 2, "consents": [91, 92]},
        answer={"opening": 32, "game": 2, "from_game": 1, "consents": [91, 92], "players": [17, 18], "rests": []},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, change_stakes, **arguments_of_call(request))
