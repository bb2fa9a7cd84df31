"""A table is counted through between two hands, so that it plays on over the gaming day's end."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people.inputs import arguments_of_call
from casino.rest import CENTS_MAX, REQUIRED, Body, Cents, Id, Whole, typed
from casino.rulebooks.units import SEATS_MAX
from tables.api.common import api, at_table
from tables.services.differences import state_difference
from tables.services.playing_on import count_through


class StackThroughBody(Body):
    """The stack of one seat, as counted between two hands."""

    seating_id = Id()
    stack_cents = Cents()


class CountThroughBody(Body):
    """The stacks of everybody at the table; `stands`: they are more than lies in play, and were counted again."""

    stacks = serializers.ListField(child=StackThroughBody(), max_length=SEATS_MAX * 2)
    stands = serializers.BooleanField(default=False)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the stacks as the sheet says them: `stack_<seating>` of each; an empty one is a mistake."""
        named = {name.removeprefix("stack_"): form.get(name, "") for name in form if name.startswith("stack_")}
        return {
            "stacks": [
                {"seating_id": typed(seating, Id()), "stack_cents": typed(text, Cents())}
                for seating, text in named.items()
            ],
            "stands": "stands" in form,
        }


class DifferenceBody(Body):
    """What is missing at a table, as the asker saw it; below 0: there is too much."""

    missing_cents = Whole(min_value=-CENTS_MAX, max_value=CENTS_MAX)


class StateDifference(APIView):
    """The floor states what is missing at a table where everything was counted, or too much: its over/short."""

    needs = "tables.state_difference"

    @api.command(
        "tables.state_difference",
        "State what is missing at a table",
        body=DifferenceBody,
        example={"missing_cents": 10_00},
        answer={"difference": 4, "missing_cents": 10_00, "is_over": False},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, state_difference, **arguments_of_call(request))


class CountThrough(APIView):
    """The floor counts every stack at a table between two hands, so that it plays on over the gaming day's end."""

    needs = "tables.count_through"

    @api.command(
        "tables.count_through",
        "Count a table through between two hands",
        body=CountThroughBody,
        if_match=REQUIRED,
        example={"stacks": [{"seating_id": 41, "stack_cents": 200_00}]},
        answer={"counted_cents": 200_00, "in_play_cents": 204_00, "difference_cents": -4_00, "differs": True},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, count_through, **arguments_of_call(request))
