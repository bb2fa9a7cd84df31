"""The log over REST: who did what, from which device, when, and what became of it."""

import json
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.audit.models import Event
from casino.audit.selectors import listed
from casino.rest import ID_MAX, Api, Moment, Page, Text, read_query

api = Api("audit")


class EventsPage(Page):
    """Which events: newest first. `before_id` pages on from the last one seen, whatever was added since."""

    chain = Text(max_length=60, required=False)
    name = Text(max_length=60, required=False)
    result = Text(max_length=60, required=False)
    staff_id = serializers.IntegerField(min_value=1, max_value=ID_MAX, required=False)
    device_id = serializers.IntegerField(min_value=1, max_value=ID_MAX, required=False)
    command_id = serializers.UUIDField(required=False)
    since = Moment(required=False)
    until = Moment(required=False)
    before_id = serializers.IntegerField(min_value=1, max_value=ID_MAX, required=False)


class EventAnswer(serializers.Serializer[Any]):
    """One command as it was carried out or refused. `content` is what was hashed; `result` is `done` or a code."""

    id = serializers.IntegerField()
    chain = serializers.CharField()
    number = serializers.IntegerField()
    previous_hash = serializers.CharField()
    hash = serializers.CharField()
    name = serializers.CharField()
    result = serializers.CharField()
    command_id = serializers.UUIDField()
    staff_id = serializers.IntegerField(allow_null=True)
    device_id = serializers.IntegerField(allow_null=True)
    at = serializers.DateTimeField()
    content = serializers.DictField()


_COLUMNS = {"since": "at__gte", "until": "at__lt", "before_id": "id__lt"}


class Events(APIView):
    """The log of the room."""

    needs = "read.audit"

    @api.reading("events.list", "Events of the log, newest first", answer=EventAnswer(many=True), query=EventsPage)
    def get(self, request: Request) -> Response:
        query = read_query(EventsPage, request)
        first, most = query.pop("offset"), query.pop("limit")
        by = request.actor  # type: ignore[attr-defined]  # who may ask has an actor
        events = Event.objects.filter(
            listed(by.may), room_id=by.room_id, **{_COLUMNS.get(name, name): value for name, value in query.items()}
        )
        page = events.order_by("-id")[first : first + most]
        return Response([_answer(event) for event in page])


def _answer(event: Event) -> dict[str, Any]:
    event.content = json.loads(event.text)  # type: ignore[attr-defined]  # for the serializer alone
    return dict(EventAnswer(event).data)
