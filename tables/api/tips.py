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
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import Body, CalendarDay, Cents, Id, read_query
from casino.rooms.models import GamingDay
from tables.api.common import api, at_table
from tables.api.racks import SignedPiecesBody
from tables.models import ClosedTips
from tables.selectors.tip_receipts import Receipt, receipt_of
from tables.selectors.tips import own_tips, tips_of
from tables.services.tip_boxes import close_tips, take_back_closed_tips
from tables.services.tips import (
    NEEDS,
    NEEDS_PAYROLL,
    hand_tips_on,
    note_tip_receipt,
    payroll_signs,
    take_closed_tips,
    take_signs,
    take_tips,
)

take_by_two = by_two(
    take_tips,
    needs=NEEDS,
    signs=lambda *, table_id, pieces, dealer_id=None: take_signs(table_id, cents_of(pieces)),
)
take_closed_by_two = by_two(
    take_closed_tips,
    needs=NEEDS,
    signs=lambda *, table_id, closed_id, pieces, dealer_id=None: take_signs(table_id, cents_of(pieces)),
)
hand_on_by_two = by_two(hand_tips_on, needs=NEEDS_PAYROLL, signs=lambda *, day, cents: payroll_signs(day, cents))


class CloseTipsBody(Body):
    """The down of the dealer who takes the box along."""

    down_id = Id()


class TakeTipsBody(SignedPiecesBody):
    """
    What two counted in a tip box; where tips are each dealer's own, whose: else of who has dealt since it was hung, of
    several by the time that each has dealt.
    """

    dealer_id = Id(required=False, allow_null=True)


class TakeClosedTipsBody(SignedPiecesBody):
    """What two counted in a tip box that was taken along; whose, where it was another dealer's than was said then."""

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


class ClosedTipsAnswer(serializers.ModelSerializer[ClosedTips]):
    """Tips that a dealer has closed and nobody has counted; `seconds` is by dealer who dealt into that box."""

    table = serializers.IntegerField(source="table.number")
    seconds = serializers.DictField(child=serializers.IntegerField())

    class Meta:
        model = ClosedTips
        fields = ("id", "table", "number", "down_id", "until", "at", "by_id", "seconds")


class OwnTipsAnswer(serializers.Serializer[Any]):
    """What the asker gets of a gaming day's tips, in cents, by the numbers of the receipts for what payroll has."""

    day = serializers.DateField()
    seconds = serializers.IntegerField()
    cents = serializers.IntegerField()
    handed_cents = serializers.IntegerField()
    owed_cents = serializers.IntegerField()
    receipts = serializers.ListField(child=serializers.IntegerField())


class ReceiptAnswer(serializers.Serializer[Any]):
    """A dealer's receipt of a share that payroll got; `prints` above 0: the next one printed is a copy."""

    number = serializers.IntegerField()
    day = serializers.DateField()
    dealer_id = serializers.IntegerField()
    cents = serializers.IntegerField()
    seconds = serializers.IntegerField(help_text="How long they had dealt on that day.")
    at = serializers.DateTimeField()
    by_id = serializers.IntegerField()
    approved_by_id = serializers.IntegerField()
    prints = serializers.IntegerField()


class TipsAnswer(serializers.Serializer[Any]):
    """A gaming day's tips: counted, handed to payroll, still owed; and, of any day, closed and not counted yet."""

    day = serializers.DateField(source="day.date")
    counted_cents = serializers.IntegerField()
    handed_cents = serializers.IntegerField()
    owed_cents = serializers.IntegerField(source="owed.cents")
    dealers = DealersTipsAnswer(many=True)
    closed = ClosedTipsAnswer(many=True)


def day_of(room_id: int, query: dict[str, Any]) -> GamingDay:
    """Return the gaming day of a date, the newest one without. :raises NotFound: there is none."""
    days = GamingDay.objects.filter(room_id=room_id)
    day = (days.filter(date=query["day"]) if "day" in query else days).order_by("-id").first()
    if day is None:
        raise NotFound(what="day")
    return day


def receipt_at(room_id: int, number: int, *, dealer_id: int | None = None) -> Receipt:
    """Return a receipt, with `dealer_id` one of theirs alone. :raises NotFound: there is none of this number."""
    receipt = receipt_of(room_id, number)
    if receipt is None or dealer_id not in {None, receipt.dealer_id}:
        raise NotFound(what="receipt")
    return receipt


class TipsOfDay(APIView):
    """A gaming day's tips, with each dealer's part."""

    needs = "read.tips"

    @api.reading("tables.tips_of_day", "The tips of a gaming day", query=DayQuery, answer=TipsAnswer, is_one=True)
    def get(self, request: Request) -> Response:
        day = day_of(api_actor(request).room_id, read_query(DayQuery, request))
        return Response(TipsAnswer(tips_of(day, at=clock.now())).data)


class OwnTips(APIView):
    """What the asker's own tips of the newest days came to, and nobody else's."""

    needs = "read.own_tips"

    @api.reading("tables.own_tips", "One's own tips", answer=OwnTipsAnswer(many=True), is_one=True)
    def get(self, request: Request) -> Response:
        by = api_actor(request)
        tips = own_tips(by.room_id, by.staff_id or 0, at=clock.now())
        return Response(OwnTipsAnswer(tips, many=True).data)


class TipReceiptOf(APIView):
    """A dealer's receipt of a share that payroll got."""

    needs = "read.tips"

    @api.reading("tables.tip_receipt", "A dealer's receipt of tips", answer=ReceiptAnswer, is_one=True)
    def get(self, request: Request, number: int) -> Response:
        return Response(ReceiptAnswer(receipt_at(api_actor(request).room_id, number)).data)


class NoteTipReceipt(APIView):
    """Note that a receipt was printed; from the second time on it says "copy"."""

    needs = "tables.note_tip_receipt"

    @api.command("tables.note_tip_receipt", "A receipt of tips was printed", answer={"number": 12, "prints": 1})
    def post(self, request: Request, number: int) -> Response:
        return carried_out(request, note_tip_receipt, number=number)


class CloseTips(APIView):
    """A dealer's tips are closed at the push: their box is taken along. A fact."""

    needs = "tables.close_tips"

    @api.command(
        "tables.close_tips",
        "Close a dealer's tips at the push",
        body=CloseTipsBody,
        example={"down_id": 9},
        answer={"table": 4, "down": 9, "dealer": 5, "closed": 2, "is_closed": True},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, close_tips, **arguments_of_call(request))


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
        return at_table(request, number, take_by_two, **arguments_of_call(request))


class TakeClosedTips(APIView):
    """Count a tip box by two that a dealer had taken along."""

    needs = "tables.take_closed_tips"
    steps = ("people.sign_second",)

    @api.command(
        "tables.take_closed_tips",
        "Count a tip box that a dealer took along",
        body=TakeClosedTipsBody,
        example={"pieces": [{"value_cents": 1_00, "count": 15}], "second": {"username": "frans", "pin": "2468"}},
        answer={"table": 4, "count": 3, "counted_cents": 15_00, "dealer": 5, "approved_by_id": 6},
    )
    def post(self, request: Request, number: int, closed_id: int) -> Response:
        return at_table(request, number, take_closed_by_two, closed_id=closed_id, **arguments_of_call(request))


class TakeBackClosedTips(APIView):
    """A dealer's box was not taken along: it was said by mistake."""

    needs = "tables.take_back_closed_tips"

    @api.command(
        "tables.take_back_closed_tips",
        "Take back that a tip box was taken along",
        answer={"table": 4, "closed": 2, "down": 9, "dealer": 5},
    )
    def post(self, request: Request, number: int, closed_id: int) -> Response:
        return at_table(request, number, take_back_closed_tips, closed_id=closed_id)


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
        return carried_out(request, hand_on_by_two, **arguments_of_call(request))
