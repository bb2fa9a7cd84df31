"""Waiting lists: who waits for what, and what the floor does about it."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people.api_auth import answer_of, api_actor, api_command, carried_out
from casino.people.inputs import arguments_of_call
from casino.rest import REQUIRED, Body, Id
from casino.waiting.api.common import api
from casino.waiting.models import Waiting
from casino.waiting.rules.reasons import REORDER_REASONS
from casino.waiting.selectors.lists import NOBODY, lists_by_game
from casino.waiting.services import choosing
from casino.waiting.services.after_call import fetch_chips, grant_more_time, refuse_more_time
from casino.waiting.services.lists import (
    check_in,
    drop_out,
    join_list,
    reorder_list,
    strike,
    take_back_call,
    take_back_strike,
)
from tables.api.answers import PlayerAnswer
from tables.api.bodies import Overrule, SeatNumber, WhoBody
from tables.api.common import table_at
from tables.selectors.running import games_on_offer

JOINED = {"list": 1, "waiting": 7, "player": 17, "status": "waiting", "entry_version": 1, "game": 1}


class JoinBody(WhoBody):
    """Who waits: in the room, or called in by telephone."""

    is_call_in = serializers.BooleanField(default=False)


class CallBody(Body):
    """To which seat a player is called; `overrule` is why the floor calls otherwise than is proposed."""

    table_number = Id()
    seat_number = SeatNumber()
    overrule = Overrule()


class ReorderBody(Body):
    """Before whom a player is put, null for the end; and why, as a code."""

    in_forms: ClassVar[Mapping[str, str]] = {"before_id": "before"}

    before_id = Id(allow_null=True, default=None)
    reason = serializers.ChoiceField(sorted(REORDER_REASONS))


class WaitingAnswer(serializers.ModelSerializer[Waiting]):
    """A player on a list; `version` is what If-Match names when a call or a strike is about them."""

    player = PlayerAnswer()
    table_number = serializers.IntegerField(source="table.number", allow_null=True, default=None)

    class Meta:
        model = Waiting
        fields = [
            "id", "player", "status", "joined_at", "check_in_by", "missed_calls", "table_number", "seat_number",
            "seat_opened_at", "called_at", "call_expires_at", "fetches_chips_until", "on_the_way_at", "asks_more_at",
            "version",
        ]  # fmt: skip


class ListAnswer(serializers.Serializer[Any]):
    """A game's list; `version` is what If-Match names when its order is changed."""

    game_id = serializers.IntegerField()
    game_name = serializers.CharField()
    version = serializers.IntegerField()
    called = WaitingAnswer(many=True)
    waiting = WaitingAnswer(many=True)


class Lists(APIView):
    """All lists of the room: of each game on offer, and of others for which somebody still waits."""

    needs = "read.lists"

    @api.reading("lists.list", "Who is called and who waits, game by game", answer=ListAnswer(many=True))
    def get(self, request: Request) -> Response:
        room_id = api_actor(request).room_id
        lists = lists_by_game(room_id)
        games = {game.name: game for game in games_on_offer(room_id)}
        # Who waits for a game that the book has dropped waits until somebody says so.
        games |= {name: each.game for name, each in lists.items() if each.game is not None and name not in games}
        games_with_lists = [(game, lists.get(name, NOBODY)) for name, game in games.items()]
        lists_shown = [
            {
                "game_id": game.pk,
                "game_name": game.name,
                "version": each.version,
                "called": each.called,
                "waiting": each.waiting,
            }
            for game, each in games_with_lists
        ]
        return Response(ListAnswer(lists_shown, many=True).data)


class Join(APIView):
    """A player joins a game's list."""

    needs = "waiting.join_list"

    @api.command("waiting.join_list", "Join a list", body=JoinBody, example={"player_id": 17}, answer=JOINED)
    def post(self, request: Request, game_id: int) -> Response:
        return carried_out(request, join_list, game_id=game_id, **arguments_of_call(request))


class CheckIn(APIView):
    """Who called in is there."""

    needs = "waiting.check_in"

    @api.command("waiting.check_in", "Who called in is there")
    def post(self, request: Request, waiting_id: int) -> Response:
        return carried_out(request, check_in, waiting_id=waiting_id)


class Call(APIView):
    """A player is called to a seat, which is promised from now on; what it passes over is recorded with it."""

    needs = "waiting.call_player"

    @api.command(
        "waiting.call_player", "Call a player to a seat", body=CallBody, example={"table_number": 4, "seat_number": 9}
    )
    def post(self, request: Request, waiting_id: int) -> Response:
        body, command = arguments_of_call(request), api_command(request)
        table = table_at(request, body.pop("table_number"))
        return answer_of(choosing.call(command, table, waiting_id=waiting_id, **body))


class TakeBackCall(APIView):
    """The player waits again in the old place."""

    needs = "waiting.take_back_call"

    @api.command("waiting.take_back_call", "Take a call back", if_match=REQUIRED)
    def post(self, request: Request, waiting_id: int) -> Response:
        return carried_out(request, take_back_call, waiting_id=waiting_id, **arguments_of_call(request))


class Strike(APIView):
    """The player is off the list."""

    needs = "waiting.strike"

    @api.command("waiting.strike", "Strike a player off a list", if_match=REQUIRED)
    def post(self, request: Request, waiting_id: int) -> Response:
        return carried_out(request, strike, waiting_id=waiting_id, **arguments_of_call(request))


class TakeBackStrike(APIView):
    """The player is on the list again, in the old place."""

    needs = "waiting.take_back_strike"

    @api.command("waiting.take_back_strike", "Put a player back on a list", if_match=REQUIRED)
    def post(self, request: Request, waiting_id: int) -> Response:
        return carried_out(request, take_back_strike, waiting_id=waiting_id, **arguments_of_call(request))


class DropOut(APIView):
    """The player does not want to wait."""

    needs = "waiting.drop_out"

    @api.command("waiting.drop_out", "A player drops out of a list")
    def post(self, request: Request, waiting_id: int) -> Response:
        return carried_out(request, drop_out, waiting_id=waiting_id)


class GrantMoreTime(APIView):
    """A called player gets more time."""

    needs = "waiting.grant_more_time"

    @api.command("waiting.grant_more_time", "Grant a called player more time")
    def post(self, request: Request, waiting_id: int) -> Response:
        return carried_out(request, grant_more_time, waiting_id=waiting_id)


class RefuseMoreTime(APIView):
    """A called player who asks for more time gets none."""

    needs = "waiting.refuse_more_time"

    @api.command("waiting.refuse_more_time", "Give a called player no more time")
    def post(self, request: Request, waiting_id: int) -> Response:
        return carried_out(request, refuse_more_time, waiting_id=waiting_id)


class FetchChips(APIView):
    """The seat is kept while its player is at the cage."""

    needs = "waiting.fetch_chips"

    @api.command("waiting.fetch_chips", "A called player fetches chips")
    def post(self, request: Request, waiting_id: int) -> Response:
        return carried_out(request, fetch_chips, waiting_id=waiting_id)


class Reorder(APIView):
    """The floor changes a list's order, with a reason."""

    needs = "waiting.reorder_list"

    @api.command(
        "waiting.reorder_list",
        "Put a player elsewhere on a list",
        body=ReorderBody,
        if_match=REQUIRED,
        example={"before_id": 6, "reason": "wrong_order"},
    )
    def post(self, request: Request, waiting_id: int) -> Response:
        return carried_out(request, reorder_list, waiting_id=waiting_id, **arguments_of_call(request))
