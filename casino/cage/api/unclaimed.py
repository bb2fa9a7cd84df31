"""Chips and cash that somebody left behind: taken in, given to their owner, kept by the house; each by two."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.cage.api.answers import UnclaimedAnswer
from casino.cage.api.bodies import FoundBody, GiveUnclaimedBody, KeepUnclaimedBody, UnclaimedPage
from casino.cage.api.common import api, drawer_id_of
from casino.cage.selectors.unclaimed import unclaimed_of
from casino.cage.services.unclaimed import (
    NEEDS,
    NEEDS_TO_KEEP,
    claim_signs,
    found_signs,
    give_unclaimed,
    keep_signs,
    keep_unclaimed,
    take_in_found,
)
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import read_query

take_in_by_two = by_two(take_in_found, needs=NEEDS, signs=found_signs)
give_by_two = by_two(give_unclaimed, needs=NEEDS, signs=claim_signs)
keep_by_two = by_two(keep_unclaimed, needs=NEEDS_TO_KEEP, signs=keep_signs)
_SECOND = {"username": "frans", "pin": "2468"}
_ANSWER = {"unclaimed_id": 2, "unclaimed_number": 2, "what_lay": "chips", "amount_cents": 125_00, "player_id": 17}


class UnclaimedList(APIView):
    """What was found."""

    needs = "read.unclaimed"

    @api.reading(
        "unclaimed.list", "What lies unclaimed, and what became of the rest", query=UnclaimedPage,
        answer=UnclaimedAnswer(many=True),
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        query = read_query(UnclaimedPage, request)
        unclaimed = unclaimed_of(
            api_actor(request).room_id, player_id=query.get("player_id"), offset=query["offset"], most=query["limit"]
        )
        return Response(UnclaimedAnswer(unclaimed, many=True).data)


class TakeInFound(APIView):
    """Take in what somebody left behind, into a drawer; signed by two."""

    needs = "cage.take_in_found"
    steps = ("people.sign_second",)

    @api.command(
        "cage.take_in_found",
        "Take in what was found",
        body=FoundBody,
        example={"amount_cents": 125_00, "what": "chips", "where": "table", "table_number": 4, "second": _SECOND},
        answer=_ANSWER,
    )
    def post(self, request: Request, number: int) -> Response:
        return carried_out(
            request, take_in_by_two, drawer_id=drawer_id_of(request, number), **arguments_of_call(request)
        )


class GiveUnclaimed(APIView):
    """Give it to its owner, whose document was seen; signed by two."""

    needs = "cage.give_unclaimed"
    steps = ("people.sign_second",)

    @api.command(
        "cage.give_unclaimed",
        "Give what was found to its owner",
        body=GiveUnclaimedBody,
        example={"drawer_number": 1, "player_id": 17, "second": _SECOND},
        answer=_ANSWER,
    )
    def post(self, request: Request, unclaimed_id: int) -> Response:
        body = arguments_of_call(request)
        drawer_id = drawer_id_of(request, body.pop("drawer_number"))
        return carried_out(request, give_by_two, unclaimed_id=unclaimed_id, drawer_id=drawer_id, **body)


class KeepUnclaimed(APIView):
    """Have the house keep what nobody claimed in time; two managers sign."""

    needs = "cage.keep_unclaimed"
    steps = ("people.sign_second",)

    @api.command(
        "cage.keep_unclaimed",
        "Have the house keep what was found",
        body=KeepUnclaimedBody,
        example={"second": _SECOND},
        answer=_ANSWER,
    )
    def post(self, request: Request, unclaimed_id: int) -> Response:
        return carried_out(request, keep_by_two, unclaimed_id=unclaimed_id, **arguments_of_call(request))
