"""Tips over REST: the box counted by two, a day's tips handed to payroll, and what each dealer is owed."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino import clock
from casino.cage.api.bodies import SecondPerson
from casino.cage.rules import cents_of
from casino.errors import NotFound
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import told
from casino.people.services import by_two
from casino.rest import Body, CalendarDay, Cents, Id, read_query
from casino.rooms.models import GamingDay
from tables.api.doors import api, at_table
from tables.api.racks import SignedPiecesBody
from tables.selectors.tips import tips_of
from tables.services.tips import NEEDS, NEEDS_PAYROLL, hand_tips_on, payroll_signs, take_signs, take_tips

take_by_two = by_two(
    take_tips,
    needs=NEEDS,
    signs=lambda *, table_id, pieces, dealer_id=None: take_signs(table_id, cents_of(pieces)),
)
hand_on_by_two = by_two(hand_tips_on, needs=NEEDS_PAYROLL, signs=lambda *, day, cents: payroll_signs(day, cents))


class TakeTipsBody(SignedPiecesBody):
    """What two counted in a tip box; where tips are each dealer's own, whose: else who deals there now, or did last."""

    dealer_id = Id(required=False, allow_null=True)


class HandTipsOnBody(Body):
    """Which gaming day's tips, and how much is left of them as the asker sees it; the other person signs."""

    in_forms: ClassVar[Mapping[str, str]] = {"cents": "amount"}

    day = CalendarDay()
    cents = Cents(min_value=1)
    second = SecondPerson()


class DayQuery(Body):
    """A gaming day, by its date; the newest one is what is left out."""

    day = serializers.DateField(required=False)


class DealersTipsAnswer(serializers.Serializer[Any]):
    """What one dealer gets of a day's tips, in cents; `seconds` is how long they have dealt on it."""

    dealer_id = serializers.IntegerField()
    seconds = serializers.IntegerField()
    handed_cents = serializers.IntegerField()
    owed_cents = serializers.IntegerField()


class TipsAnswer(serializers.Serializer[Any]):
    """A gaming day's tips: counted, handed to payroll, and still owed."""

    day = serializers.DateField(source="day.date")
    counted_cents = serializers.IntegerField()
    handed_cents = serializers.IntegerField()
    owed_cents = serializers.IntegerField(source="owed.cents")
    dealers = DealersTipsAnswer(many=True)


def day_of(room_id: int, query: dict[str, Any]) -> GamingDay:
    """Return the gaming day of a date, the newest one without. :raises NotFound: there is none."""
    days = GamingDay.objects.filter(room_id=room_id)
    found = (days.filter(date=query["day"]) if "day" in query else days).order_by("-id").first()
    if found is None:
        raise NotFound(what="day")
    return found


class TipsOfDay(APIView):
    """A gaming day's tips, with each dealer's part."""

    needs = "read.tips"

    @api.reading("tables.tips_of_day", "The tips of a gaming day", query=DayQuery, answer=TipsAnswer, is_one=True)
    def get(self, request: Request) -> Response:
        day = day_of(api_actor(request).room_id, read_query(DayQuery, request))
        return Response(TipsAnswer(tips_of(day, at=clock.now())).data)


class TakeTips(APIView):
    """Count a tip box by two and empty it."""

    needs = "tables.take_tips"
    steps = ("people.sign_second",)

    @api.command(
        "tables.take_tips",
        "Count a tip box by two and empty it",
        body=TakeTipsBody,
        example={
            "pieces": [{"value_cents": 1_00, "count": 15}, {"value_cents": 5_00, "count": 4}],
            "second": {"username": "frans", "pin": "2468"},
        },
        answer={"table": 4, "count": 3, "counted_cents": 35_00, "dealer": None, "approved_by_id": 6},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, take_by_two, **told(request))


class HandTipsOn(APIView):
    """Hand a gaming day's tips to payroll, by two: each dealer's share stands."""

    needs = "tables.hand_tips_on"
    steps = ("people.sign_second",)

    @api.command(
        "tables.hand_tips_on",
        "Hand a day's tips to payroll",
        body=HandTipsOnBody,
        example={"day": "2026-11-20", "cents": 350_00, "second": {"username": "frans", "pin": "2468"}},
        answer={"payroll": 7, "gaming_day": "2026-11-20", "handed_cents": 350_00, "dealers": 4, "approved_by_id": 6},
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, hand_on_by_two, **told(request))
