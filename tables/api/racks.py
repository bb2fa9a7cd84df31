"""The dealer's rack over REST: filled, sold from, checked, counted, brought back, and what its checks found."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.cage.api.bodies import VALUES_MAX, PieceBody, SecondPerson, pieces_of_form
from casino.cage.api.common import PAID
from casino.cage.rules import cents_of
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import Body, Id, Page, Whole, read_query, typed
from tables.api.bodies import SellFromRackBody
from tables.api.common import api, at_table, table_at
from tables.models import RackCheck
from tables.selectors.racks import checks_of
from tables.services.rack_sales import sell_from_rack
from tables.services.racks import (
    FLOOR_KINDS,
    NEEDS,
    check_rack,
    clear_rack,
    clear_signs,
    close_rack,
    close_signs,
    count_rack,
    fill_rack,
    fill_signs,
)

# Whoever counts with the first signs the same sum, on the same screen.
fill_by_two = by_two(fill_rack, needs=NEEDS, signs=lambda *, table_id, pieces: fill_signs(table_id, cents_of(pieces)))
close_by_two = by_two(
    close_rack,
    needs=NEEDS,
    signs=lambda *, table_id, pieces, cash: close_signs(table_id, cents_of(pieces), cents_of(cash or ())),
)
clear_by_two = by_two(
    clear_rack,
    needs=NEEDS,
    signs=lambda *, table_id, pieces, cash: clear_signs(table_id, cents_of(pieces), cents_of(cash or ())),
)
_PIECES = [{"value_cents": 1_00, "count": 60}, {"value_cents": 5_00, "count": 28}]
_SECOND = {"username": "frans", "pin": "2468"}


class Pieces(serializers.ListField):
    """How many chips of each value, counted blind; of an empty rack it says that there are 0 of something."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=PieceBody(), **{"min_length": 1, "max_length": VALUES_MAX} | options)


class PiecesBody(Body):
    """How many chips of each value there are."""

    pieces = Pieces()

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the pieces as the page says them: `pieces_<cents>` of each value, or `is_empty`."""
        fields = super().of_form(form)
        fields["pieces"] = pieces_of_form(form, "pieces")
        if (smallest := form.get("is_empty")) and not fields["pieces"]:
            fields["pieces"] = [{"value_cents": typed(str(smallest), Whole()), "count": 0}]
        fields.pop("is_empty", None)
        return fields


class SignedPiecesBody(PiecesBody):
    """The same, counted by two: the other person signs."""

    second = SecondPerson()


class CountedBody(PiecesBody):
    """
    How many chips of each value lie in a rack, and how many notes and coins where chips are sold out of it: null where
    the cash was not counted.
    """

    cash = Pieces(min_length=0, allow_null=True, default=None)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the same with `cash_<cents>` of each value; nothing of cash where the page had no fields for it."""
        asks = any(name.startswith("cash_") for name in form)
        return {**super().of_form(form), "cash": pieces_of_form(form, "cash") if asks else None}


class CountedByTwoBody(CountedBody):
    """The same, counted by two: the other person signs."""

    second = SecondPerson()


class CheckRackBody(Body):
    """
    The down of who takes the rack over, and what they counted; without it the rack, or its cash, is as it was left.
    """

    down_id = Id()
    pieces = Pieces(allow_null=True, default=None)
    cash = Pieces(min_length=0, allow_null=True, default=None)


class CountRackBody(CountedBody):
    """
    What the floor counted: before the table begins (`opening`), or at any time (`floor`). `pieces` is null where the
    rack is, before the table begins, as its closing count left it: that is said, and no answer is none.
    """

    pieces = Pieces(allow_null=True)
    kind = serializers.ChoiceField(FLOOR_KINDS, default=RackCheck.Kind.FLOOR.value)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the same; `as_left` on the page says that nothing was counted."""
        fields = super().of_form(form)
        return {**fields, "pieces": None, "cash": None} if form.get("as_left") else fields


class RackCheckAnswer(serializers.ModelSerializer[RackCheck]):
    """
    One check: `pieces` are [value in cents, how many], null where the rack was taken as left; `first_down_id` to
    `last_down_id` are the downs since the count before, `cash_first_down_id` to `cash_last_down_id`, where cash
    differs, those since it was counted before. `is_late`: its tablet had been without a connection, and the rack was
    filled, emptied or counted meanwhile; `expected_cents` is what lay there at its own moment. The same of cash is null
    where none was counted.
    """

    day = serializers.DateField(source="day.date")
    difference_cents = serializers.IntegerField()
    cash_difference_cents = serializers.IntegerField()

    class Meta:
        model = RackCheck
        fields = (
            "id", "number", "day", "kind", "at", "by_id", "approved_by_id", "down_id", "dealer_id", "pieces", "cents",
            "expected_cents", "difference_cents", "cash_pieces", "cash_cents", "expected_cash_cents",
            "cash_difference_cents", "first_down_id", "last_down_id", "cash_first_down_id",
            "cash_last_down_id", "is_late",
        )  # fmt: skip


class Racks(APIView):
    """The checks of a table's rack, the newest first."""

    needs = "read.racks"

    @api.reading(
        "tables.rack_checks",
        "Checks of a table's rack",
        query=Page,
        answer=RackCheckAnswer(many=True),
        is_one=True,
    )
    def get(self, request: Request, number: int) -> Response:
        query = read_query(Page, request)
        checks = checks_of(table_at(request, number), offset=query["offset"], most=query["limit"])
        return Response(RackCheckAnswer(checks, many=True).data)


class FillRack(APIView):
    """Bring chips from the vault into a table's rack in one step, counted by two, where the rule book lets it be."""

    needs = "tables.fill_rack"
    steps = ("people.sign_second",)

    @api.command(
        "tables.fill_rack",
        "Fill a rack from the vault",
        body=SignedPiecesBody,
        example={"pieces": _PIECES, "second": _SECOND},
        answer={"table": 4, "fill": 3, "number": 1, "filled_cents": 200_00, "approved_by_id": 6},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, fill_by_two, **arguments_of_call(request))


class CheckRack(APIView):
    """The next dealer takes the rack over: counted, or as it was left. A fact."""

    needs = "tables.check_rack"

    @api.command(
        "tables.check_rack",
        "Take a rack over at a push",
        body=CheckRackBody,
        example={"down_id": 9, "pieces": _PIECES},
        answer={"table": 4, "check": 12, "down": 9, "kind": "unannounced", "how": "agrees"},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, check_rack, **arguments_of_call(request))


class CountRack(APIView):
    """The floor counts a rack. A fact."""

    needs = "tables.count_rack"

    @api.command(
        "tables.count_rack",
        "Count a rack",
        body=CountRackBody,
        example={"kind": "opening", "pieces": _PIECES},
        answer={"table": 4, "check": 12, "kind": "opening", "how": "agrees"},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, count_rack, **arguments_of_call(request))


class CloseRack(APIView):
    """Count a rack by two at its closing; what was counted stays until a credit slip brings it to the vault."""

    needs = "tables.close_rack"
    steps = ("people.sign_second",)

    @api.command(
        "tables.close_rack",
        "Count a rack at its closing",
        body=CountedByTwoBody,
        example={"pieces": _PIECES, "second": _SECOND},
        answer={"table": 4, "check": 13, "kind": "at_closing", "how": "agrees", "counted_cents": 200_00},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, close_by_two, **arguments_of_call(request))


class ClearRack(APIView):
    """Count a rack by two at its closing; its chips go to the vault in one step, where the rule book lets it be."""

    needs = "tables.clear_rack"
    steps = ("people.sign_second",)

    @api.command(
        "tables.clear_rack",
        "Bring a rack back to the vault",
        body=CountedByTwoBody,
        example={"pieces": _PIECES, "second": _SECOND},
        answer={"table": 4, "check": 13, "kind": "closing", "how": "agrees", "counted_cents": 200_00},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, clear_by_two, **arguments_of_call(request))


class SellFromRack(APIView):
    """Sell a seat chips out of its table's rack, for cash; they are there at once. Where the house has cash plays."""

    needs = "tables.sell_from_rack"

    @api.command(
        "tables.sell_from_rack",
        "Sell chips from a rack",
        body=SellFromRackBody,
        example={"amount_cents": 200_00, "stack_cents": 40_00},
        answer={**PAID, "drawer_id": 7, "destination": "seat"},
    )
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, sell_from_rack, seating_id=seating_id, **arguments_of_call(request))
