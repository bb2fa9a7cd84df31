"""Time charges over REST: the dealer's tablet takes them, the floor lets them go or takes them back."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people.inputs import arguments_of_call
from casino.rest import OPTIONAL, Body, Cents, Id, Text, Whole, typed
from casino.rulebooks.units import SEATS_MAX
from tables.api.bodies import SeatNumber
from tables.api.common import api, at_table, table_at
from tables.api.moves import CONSENTS_MAX
from tables.models import Table
from tables.rules.time_paid import PERIODS_MAX, Paid
from tables.services.by_time import pay_by_hand, pay_by_time
from tables.services.time_charges import let_time_go, take_back_time, take_time

MINUTES_MAX = 24 * 60
KIND_MAX = 20


class Period(Whole):
    """A period of a table's opening, from 1."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": PERIODS_MAX} | options)


class PaidBody(Body):
    """What one seat put in."""

    seat_number = SeatNumber()
    cents = Cents()


class TimeBody(Body):
    """
    Which period was taken, and what each seat put in; `paid` null: what it owed.

    `opening_id` null: of the game that the table runs now.
    """

    opening_id = Id(allow_null=True, default=None)
    period = Period()
    paid = serializers.ListField(child=PaidBody(), max_length=SEATS_MAX, allow_null=True, default=None)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the period as the sheet says it: `paid_<seat>` of those who put something in."""
        typed_in = {seat: form.get(f"paid_{seat}", "").strip() for seat in range(1, SEATS_MAX + 1)}
        cents = {seat: typed(text, Cents()) for seat, text in typed_in.items() if text}
        paid = [{"seat_number": seat, "cents": each} for seat, each in cents.items() if each]
        return {**super().of_form(form), "paid": paid}


def time_arguments(
    table: Table, *, opening_id: int | None, period: int, paid: list[dict[str, int]] | None
) -> dict[str, Any]:
    """Return what `take_time` takes of a body; the opening is the running one where none is said."""
    each = None if paid is None else [Paid(one["seat_number"], one["cents"]) for one in paid]
    return {"opening_id": opening_id or table.opening_id or 0, "period": period, "paid": each}


class PeriodBody(Body):
    """Which period."""

    period = Period()


class ByTimeBody(Body):
    """
    Which charge of its hands the table pays by the time instead, for each started period of how many minutes, and the
    seatings whose players agree.
    """

    kind = Text(max_length=KIND_MAX)
    minutes = Whole(min_value=1, max_value=MINUTES_MAX)
    consents = serializers.ListField(child=Id(), max_length=CONSENTS_MAX)


# Rules: H7.18.
class PayByTime(APIView):
    """The whole table agrees to pay by the time instead of a charge of its hands."""

    needs = "tables.pay_by_time"

    @api.command(
        "tables.pay_by_time",
        "The table pays by the time",
        body=ByTimeBody,
        if_match=OPTIONAL,
        example={"kind": "rake", "minutes": 60, "consents": [91, 92]},
        answer={
            "opening": 32, "minutes": 60, "charge_cents": 40_00, "kind": "rake", "consents": [91, 92],
            "players": [17, 18],
        },
    )  # fmt: skip
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, pay_by_time, **arguments_of_call(request))


class PayByHand(APIView):
    """Its hands are charged again, once what was paid by the time has run out."""

    needs = "tables.pay_by_hand"

    @api.command(
        "tables.pay_by_hand",
        "The table pays by the hand",
        if_match=OPTIONAL,
        answer={"opening": 33, "kind": "rake", "free_until": "2026-11-20T21:40:00+00:00"},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, pay_by_hand, **arguments_of_call(request))


class TakeTime(APIView):
    """A period's time charge lies in the rake box, or in that of the charge in whose stead it is paid. A fact."""

    needs = "tables.take_time"

    @api.command(
        "tables.take_time",
        "The time charge was taken",
        body=TimeBody,
        example={"opening_id": 12, "period": 3, "paid": [{"seat_number": 1, "cents": 6_00}]},
        answer={"table": 4, "time": 31, "period": 3, "due_cents": 42_00, "paid_cents": 42_00},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(
            request, number, take_time, **time_arguments(table_at(request, number), **arguments_of_call(request))
        )


class LetTimeGo(APIView):
    """The floor takes nothing for a period."""

    needs = "tables.let_time_go"

    @api.command("tables.let_time_go", "Let a period go", body=PeriodBody, example={"period": 3})
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, let_time_go, **arguments_of_call(request))


class TakeBackTime(APIView):
    """The floor takes back a period that was recorded by mistake."""

    needs = "tables.take_back_time"

    @api.command("tables.take_back_time", "Take a period back")
    def post(self, request: Request, number: int, time_id: int) -> Response:
        return at_table(request, number, take_back_time, time_id=time_id)
