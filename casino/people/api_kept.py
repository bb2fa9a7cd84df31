"""What is kept about people, over REST: every kind with its purpose and its time, and what an inquiry holds."""

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import translation
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino import clock
from casino.commands.carrying_out import Answer
from casino.people.api_auth import answer_of, api_actor, api_command, carried_out
from casino.people.api_protection import LiftBody, SignatureBody
from casino.people.inputs import arguments_of_call
from casino.people.inquiries import inquiries_of
from casino.people.kept_shown import kept_data
from casino.people.models import IdentityCheck
from casino.people.services import (
    by_two,
    give_data,
    give_staff_data,
    lift_inquiry,
    open_inquiry,
    open_staff_inquiry,
)
from casino.people.services.giving_data import NEEDS_TO_GIVE
from casino.people.services.inquiries import NEEDS_TO_LIFT_INQUIRY
from casino.rest import Api, Body, CalendarDay, Text, read_query
from casino.rooms.selectors import room_of

api = Api("people")

lift_inquiry_by_two = by_two(
    lift_inquiry, needs=NEEDS_TO_LIFT_INQUIRY, signs=lambda *, inquiry_id: f"inquiry.{inquiry_id}"
)


give_data_by_two = by_two(
    give_data, needs=NEEDS_TO_GIVE, signs=lambda *, player_id, document, language: f"data.{player_id}"
)


give_staff_data_by_two = by_two(
    give_staff_data, needs=NEEDS_TO_GIVE, signs=lambda *, staff_id, document, language: f"data.staff.{staff_id}"
)


class GiveDataBody(Body):
    """Which document proved who asks, in which language they read, and who else signs."""

    document = serializers.ChoiceField(IdentityCheck.Document.choices)
    language = serializers.ChoiceField(settings.LANGUAGES)
    second = SignatureBody()


class InquiryBody(Body):
    """To the end of which day (none: until two persons lift it), and why: compliance and managers alone read it."""

    last_day = CalendarDay(allow_null=True, default=None)
    reason = Text(max_length=300, allow_blank=True, default="")


class Counted(Body):
    """Whether all there is be counted, which takes long after years."""

    count = serializers.BooleanField(default=False)


class KeptKindAnswer(serializers.Serializer[Any]):
    """
    A kind of data: what for, for how many days (null: as long as the books are kept), how much there is, how much is
    past its time, and how much went last: null where it was not counted, or nobody is told.
    """

    kind = serializers.CharField(source="code")
    title = serializers.CharField()
    purpose = serializers.CharField()
    days = serializers.IntegerField(allow_null=True)
    counts_from = serializers.CharField(allow_blank=True)
    removes = serializers.CharField(allow_blank=True)
    kept = serializers.IntegerField(allow_null=True)
    due = serializers.IntegerField(allow_null=True)
    removed = serializers.IntegerField(allow_null=True)


class KeptDataAnswer(serializers.Serializer[Any]):
    """All kinds, and when time last removed what was due, with how much in all."""

    kinds = KeptKindAnswer(many=True)
    removed_at = serializers.DateTimeField(allow_null=True)
    removed = serializers.IntegerField()


class InquiryAnswer(serializers.Serializer[Any]):
    """An inquiry that holds, or has held, what is kept about a player or about somebody on staff."""

    id = serializers.IntegerField()
    player_id = serializers.IntegerField(allow_null=True)
    staff_id = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    began_at = serializers.DateTimeField()
    last_day = serializers.CharField(allow_blank=True)
    lifted_at = serializers.DateTimeField(allow_null=True)
    holds = serializers.BooleanField()


class KeptData(APIView):
    """What is kept about people, by kind."""

    needs = "read.kept_data"

    @api.reading("people.kept_data", "What is kept about people", query=Counted, answer=KeptDataAnswer)
    def get(self, request: Request) -> Response:
        query = read_query(Counted, request)
        kinds = kept_data(api_actor(request).room_id, at=clock.now(), counts=query["count"])
        return Response(KeptDataAnswer(kinds).data)


class Inquiries(APIView):
    """What inquiries hold; of those about oneself nothing."""

    needs = "read.kept_data"

    @api.reading("people.inquiries", "Inquiries that hold what is kept", answer=InquiryAnswer(many=True))
    def get(self, request: Request) -> Response:
        actor = api_actor(request)
        room = room_of(actor.room_id)
        inquiries = inquiries_of(room.pk, zone=ZoneInfo(room.time_zone), at=clock.now(), shown_to=actor.staff_id)
        return Response(InquiryAnswer(inquiries, many=True).data)


class OpenInquiry(APIView):
    """Hold all that is kept about a player."""

    needs = "people.open_inquiry"

    @api.command(
        "people.open_inquiry",
        "Hold what is kept about a player",
        body=InquiryBody,
        example={"last_day": "2026-12-31", "reason": "Asked for by the authority"},
        answer={"player_id": 17, "inquiry": 2, "until": "2027-01-01T00:00+02:00"},
    )
    def post(self, request: Request, player_id: int) -> Response:
        return carried_out(request, open_inquiry, player_id=player_id, **arguments_of_call(request))


class GiveData(APIView):
    """Give a player all that is kept about them, as a file; a repeated call is answered without it."""

    needs = "people.give_data"
    steps = ("people.sign_second",)

    @api.command(
        "people.give_data",
        "Give a player what is kept about them",
        body=GiveDataBody,
        example={"document": "passport", "language": "fi", "second": {"username": "frans", "pin": "2468"}},
        answer={"player_id": 17, "document": "passport", "language": "fi", "signed_by": 2, "file": {"kinds": []}},
    )
    def post(self, request: Request, player_id: int) -> Response:
        return _given(request, give_data_by_two, player_id=player_id)


class GiveStaffData(APIView):
    """Give somebody who works here or did all that is kept about them; a repeated call is answered without it."""

    needs = "people.give_staff_data"
    steps = ("people.sign_second",)

    @api.command(
        "people.give_staff_data",
        "Give a person on staff what is kept about them",
        body=GiveDataBody,
        example={"document": "passport", "language": "fi", "second": {"username": "frans", "pin": "2468"}},
        answer={"staff_id": 7, "document": "passport", "language": "fi", "signed_by": 2, "file": {"kinds": []}},
    )
    def post(self, request: Request, staff_id: int) -> Response:
        return _given(request, give_staff_data_by_two, staff_id=staff_id)


def _given(request: Request, give: Callable[..., Answer], **of: int) -> Response:
    fields = arguments_of_call(request)
    answer = give(api_command(request), **of, **fields)
    if not answer.is_replay:
        with translation.override(fields["language"]):
            answer.data["file"] = answer.data["file"].as_data()
    return answer_of(answer)


class OpenStaffInquiry(APIView):
    """Hold all that is kept about somebody who works here or did."""

    needs = "people.open_staff_inquiry"

    @api.command(
        "people.open_staff_inquiry",
        "Hold what is kept about a person on staff",
        body=InquiryBody,
        example={"last_day": "2026-12-31", "reason": "Asked for by the authority"},
        answer={"staff_id": 7, "of": "staff", "inquiry": 2, "until": "2027-01-01T00:00+02:00"},
    )
    def post(self, request: Request, staff_id: int) -> Response:
        return carried_out(request, open_staff_inquiry, staff_id=staff_id, **arguments_of_call(request))


class LiftInquiry(APIView):
    """Let go what an inquiry holds, signed by two."""

    needs = "people.lift_inquiry"
    steps = ("people.sign_second",)

    @api.command(
        "people.lift_inquiry",
        "Lift an inquiry",
        body=LiftBody,
        example={"second": {"username": "miro", "pin": "8642"}},
        answer={"player_id": 17, "inquiry": 2, "signed_by": 7},
    )
    def post(self, request: Request, inquiry_id: int) -> Response:
        return carried_out(request, lift_inquiry_by_two, inquiry_id=inquiry_id, **arguments_of_call(request))
