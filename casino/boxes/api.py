"""Boxes over REST: what hangs and what waits, what was counted, and each act of staff."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.boxes.models import Box, BoxCount
from casino.boxes.selectors.boxes import last_counts
from casino.boxes.services import (
    NEEDS,
    NUMBER_MAX,
    count_box,
    count_signs,
    drop_box,
    hang_box,
    judge_count,
    take_back,
)
from casino.cage.api.bodies import VALUES_MAX, PieceBody, SecondPerson, pieces_of_form
from casino.cage.rules import cents_of
from casino.commands.carrying_out import Command
from casino.people.api_auth import answer_of, api_actor, api_command, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import REQUIRED, Api, Body, Id, Page, TextAlone, Whole, read_query
from tables.owners import table_id_of

api = Api("boxes")
TABLE_MAX = 2**31 - 1

# Whoever counts with the first signs the same sum, on the same screen.
count_by_two = by_two(
    count_box,
    needs=NEEDS,
    signs=lambda *, box_id, version, pieces, reason: count_signs(
        box_id, version=version, cents=cents_of(pieces), reason=reason
    ),
)


class PlaceBody(Body):
    """At which table, and the kind of charge that falls into the box: "rake", "drop"."""

    table_number = Whole(min_value=1, max_value=TABLE_MAX)
    charge = TextAlone(max_length=20)


class HangBody(PlaceBody):
    """The number of the box that hangs now, and the id of the one that hung until now, if any."""

    number = Whole(min_value=1, max_value=NUMBER_MAX)
    instead_of = Id(allow_null=True, default=None)


class DropBody(PlaceBody):
    """The id of the box that hangs there; none: what fell there in no numbered box is taken down."""

    box_id = Id(allow_null=True, default=None)


class CountBoxBody(Body):
    """
    How many there are of each value, counted blind by two; the other person signs. Of an empty box it says that there
    are 0 of something: where nothing is said, nothing was counted. `reason`: why the box has no number, of one that has
    none.
    """

    pieces = serializers.ListField(child=PieceBody(), min_length=1, max_length=VALUES_MAX)
    second = SecondPerson()
    reason = serializers.ChoiceField(BoxCount.Reason.choices, allow_blank=True, default="")

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """
        Return the pieces as the page says them: `pieces_<cents>` of each value of which there are any, or `is_empty`.
        """
        fields = super().of_form(form)
        fields["pieces"] = pieces_of_form(form, "pieces")
        if form.get("is_empty") and not fields["pieces"]:
            fields["pieces"] = [{"value_cents": 1, "count": 0}]
        fields.pop("is_empty", None)
        return fields


class BoxAnswer(serializers.ModelSerializer[Box]):
    """
    A box that hangs or waits to be counted; `number` is null of what fell at a table in no numbered box, and
    `needs_reason` says whether its count has to say why.
    """

    table_number = serializers.IntegerField(source="table.number")
    needs_reason = serializers.BooleanField()
    hangs = serializers.SerializerMethodField()

    class Meta:
        model = Box
        fields = ("id", "table_number", "charge", "number", "needs_reason", "hangs", "hung_at", "dropped_at", "version")

    def get_hangs(self, box: Box) -> bool:
        return box.dropped_after is None


class CountAnswer(serializers.Serializer[Any]):
    """One count of a box: `pieces` are [value in cents, how many]; a later one of the same box holds."""

    box_id = serializers.IntegerField()
    table_number = serializers.IntegerField(source="box.table.number")
    charge = serializers.CharField(source="box.charge")
    box_number = serializers.IntegerField(source="box.number", allow_null=True)
    box_version = serializers.IntegerField(source="box.version")
    number = serializers.IntegerField()
    day = serializers.DateField(source="day.date")
    at = serializers.DateTimeField()
    counted_by_id = serializers.IntegerField()
    approved_by_id = serializers.IntegerField()
    pieces = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    cents = serializers.IntegerField()
    expected_cents = serializers.IntegerField()
    difference_cents = serializers.IntegerField()
    reason = serializers.ChoiceField(
        [*BoxCount.Reason.choices, ("", "")], help_text="Why the box has no number, of one that has none."
    )


def at_table(command: Command, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a command at a table is told, with its id for its number. :raises NotFound: there is no such."""
    rest = dict(data)
    return {"table_id": table_id_of(command.room_id, rest.pop("table_number")), **rest}


class Boxes(APIView):
    """What hangs and what waits to be counted, by table."""

    needs = "read.boxes"

    @api.reading("boxes.list", "Boxes that hang or wait to be counted", answer=BoxAnswer(many=True))
    def get(self, request: Request) -> Response:
        boxes = Box.objects.filter(Box.OPEN, room_id=api_actor(request).room_id).select_related("table")
        return Response(BoxAnswer(boxes.order_by("table__number", "charge", "id"), many=True).data)


class Counts(APIView):
    """What was counted, the newest first."""

    needs = "read.boxes"

    @api.reading("boxes.counts", "Counts of boxes", query=Page, answer=CountAnswer(many=True))
    def get(self, request: Request) -> Response:
        query = read_query(Page, request)
        counts = last_counts(api_actor(request).room_id, offset=query["offset"], most=query["limit"])
        return Response(CountAnswer(counts, many=True).data)


class HangBox(APIView):
    """Hang a box; the one that hung there is dropped in the same act."""

    needs = "boxes.hang_box"

    @api.command(
        "boxes.hang_box",
        "Hang or change a box",
        body=HangBody,
        example={"table_number": 4, "charge": "rake", "number": 7, "instead_of": None},
        answer={"box": 31, "table": 4, "is_changed": False},
    )
    def post(self, request: Request) -> Response:
        command = api_command(request)
        return answer_of(hang_box(command, **at_table(command, arguments_of_call(request))))


class DropBox(APIView):
    """Take a box down: it waits to be counted."""

    needs = "boxes.drop_box"

    @api.command(
        "boxes.drop_box",
        "Drop a box",
        body=DropBody,
        example={"table_number": 4, "charge": "rake", "box_id": 31},
        answer={"box": 31, "table": 4, "is_numbered": True},
    )
    def post(self, request: Request) -> Response:
        command = api_command(request)
        return answer_of(drop_box(command, **at_table(command, arguments_of_call(request))))


class TakeBack(APIView):
    """Take back the last thing done at a table's box."""

    needs = "boxes.take_back"

    @api.command(
        "boxes.take_back",
        "Take back what was done last at a table's box",
        if_match=REQUIRED,
        answer={"box": 31, "table": 4, "was_hung": True},
    )
    def post(self, request: Request, box_id: int) -> Response:
        return carried_out(request, take_back, box_id=box_id, **arguments_of_call(request))


class CountBox(APIView):
    """Count a dropped box, blind and by two; again where it was counted before. A fact."""

    needs = "boxes.count_box"
    steps = ("people.sign_second",)

    @api.command(
        "boxes.count_box",
        "Count a box",
        body=CountBoxBody,
        if_match=REQUIRED,
        example={
            "pieces": [{"value_cents": 1_00, "count": 36}, {"value_cents": 5_00, "count": 2}],
            "second": {"username": "frans", "pin": "2468"},
        },
        answer={"box": 31, "count": 12, "counted_cents": 46_00, "expected_cents": 47_00, "difference_cents": -1_00},
    )
    def post(self, request: Request, box_id: int) -> Response:
        return carried_out(request, count_by_two, box_id=box_id, **arguments_of_call(request))


class JudgeCount(APIView):
    """Take a count that differs off the to-do, having looked at it."""

    needs = "boxes.judge_count"

    @api.command("boxes.judge_count", "Judge a count that differs", if_match=REQUIRED, answer={"box": 31})
    def post(self, request: Request, box_id: int) -> Response:
        return carried_out(request, judge_count, box_id=box_id, **arguments_of_call(request))
