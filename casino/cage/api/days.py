"""The gaming days: one opens and closes for operations, and each closes as counted by two."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.cage.api.answers import DayAnswer, OneDayAnswer, OpenDayAnswer
from casino.cage.api.bodies import CloseCountsBody, CloseDayBody, DaysPage
from casino.cage.api.common import api
from casino.cage.day_counts import counts_of, found_besides, version_of
from casino.cage.selectors.carried_over import carried_of
from casino.cage.services import close_counts, close_day, open_day
from casino.cage.services.days import NEEDS, counts_sign
from casino.errors import NotFound
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import REQUIRED, read_query, versioned
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day as day_that_is_open

# Both have the same list before them, on the same screen.
close_counts_by_two = by_two(
    close_counts,
    needs=NEEDS,
    signs=lambda *, day_id, version, carrying: counts_sign(day_id, version=version, carrying=carrying),
)


def day_of(room_id: int, day_id: int) -> GamingDay:
    """Return one of the room's gaming days. :raises NotFound: there is none such."""
    day = GamingDay.objects.filter(room_id=room_id, id=day_id).first()
    if day is None:
        raise NotFound(what="gaming day")
    return day


class Day(APIView):
    """The open gaming day."""

    needs = "read.day"

    @api.reading("day.get", "The open gaming day", answer=OpenDayAnswer)
    def get(self, request: Request) -> Response:
        return Response(OpenDayAnswer({"day": day_that_is_open(api_actor(request).room_id)}).data)


class OpenDay(APIView):
    """A manager opens the day."""

    needs = "cage.open_day"

    @api.command("cage.open_day", "Open the gaming day", answer={"day_id": 12, "date": "2026-11-20"})
    def post(self, request: Request) -> Response:
        return carried_out(request, open_day)


class CloseDay(APIView):
    """A manager closes the day for operations; what is open may be carried over with a reason."""

    needs = "cage.close_day"

    @api.command(
        "cage.close_day",
        "Close the gaming day for operations",
        body=CloseDayBody,
        example={"carrying": [{"item": "doubt.1", "reason": "looked_into"}]},
        answer={
            "day_id": 12,
            "date": "2026-11-20",
            "ended": {"waiting": [71], "table_changes": []},
            "carried": [3],
        },
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, close_day, **arguments_of_call(request))


class Days(APIView):
    """The gaming days, the newest first."""

    needs = "read.days"

    @api.reading("days.list", "The gaming days", query=DaysPage, answer=DayAnswer(many=True))
    def get(self, request: Request) -> Response:
        query = read_query(DaysPage, request)
        days = GamingDay.objects.filter(room_id=api_actor(request).room_id).order_by("-date", "-id")
        if query["waiting"]:
            days = days.filter(counts_wait=True)
        return Response(DayAnswer(days[query["offset"] : query["offset"] + query["limit"]], many=True).data)


class OneDay(APIView):
    """One gaming day: what is counted of it, and what was carried over its end. Its ETag is what closing it names."""

    needs = "read.days"

    @api.reading("days.get", "One gaming day", answer=OneDayAnswer, is_one=True)
    def get(self, request: Request, day_id: int) -> Response:
        day = day_of(api_actor(request).room_id, day_id)
        counts = counts_of(day)
        return versioned(
            OneDayAnswer(
                {"day": day, "counts": counts, "found": found_besides(day), "carried": carried_of(day, counts)}
            ).data,
            version_of(counts),
        )


class CloseCounts(APIView):
    """Two of those who read the books close a day as counted, once it is closed for operations."""

    needs = "cage.close_counts"
    steps = ("people.sign_second",)

    @api.command(
        "cage.close_counts",
        "Close a gaming day as counted",
        body=CloseCountsBody,
        if_match=REQUIRED,
        example={
            "carrying": [{"item": "box.31", "reason": "under_seal"}],
            "second": {"username": "olavi", "pin": "2468"},
        },
        answer={
            "day_id": 12,
            "date": "2026-11-20",
            "carried": [4],
            "money_difference_cents": -5_00,
            "chips_difference_cents": 0,
        },
    )
    def post(self, request: Request, day_id: int) -> Response:
        return carried_out(request, close_counts_by_two, day_id=day_id, **arguments_of_call(request))
