"""The exception report over REST."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people.api_auth import api_actor
from casino.reports.exception_columns import OF_PEOPLE, OF_ROOM, FigureColumn, FigureRow, in_call
from casino.reports.selectors.exceptions import ExceptionReport, KindFigures, cases_behind, exception_report, span_of
from casino.reports.standing_out import CASES_MIN, SPREADS
from casino.rest import ID_MAX, Api, Body, CalendarDay, TextAlone, read_query
from casino.rooms.selectors import room_of

api = Api("reports")


class OfSpan(Body):
    """Which gaming days, by their dates: from one to another; one alone is that day, the newest without any."""

    first = CalendarDay(required=False)
    last = CalendarDay(required=False)


class OfCases(OfSpan):
    """Whose cases of which kind; the kinds are those of the report."""

    kind = TextAlone(max_length=40)
    staff_id = serializers.IntegerField(min_value=1, max_value=ID_MAX)


def _fields(columns: Iterable[FigureColumn]) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    """Return how a call answers these figures: of a count it always knows how many."""
    return {
        each.field: serializers.ChoiceField([str(code) for code in each.words_of])
        if each.words_of is not None
        else serializers.IntegerField(allow_null=each.column.unit != "count")
        for each in columns
    }


class PersonFigureAnswer(serializers.Serializer[Any]):
    """
    One person's figures; `staff_id` is null for what nobody was named for.

    `mark` is `few` under `cases_min` cases, of which nothing can be said.
    """

    staff_id = serializers.IntegerField(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return whose they are and the report's figures of people."""
        return {**super().get_fields(), **_fields(OF_PEOPLE)}


class KindAnswer(serializers.Serializer[Any]):
    """A kind of exception; rates are per `per` of the basis. `people` is null to who may not see them."""

    kind = serializers.CharField()
    basis = serializers.CharField()
    per = serializers.IntegerField()
    people = PersonFigureAnswer(many=True, allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the kind, the report's figures of the room, and its people."""
        return {**super().get_fields(), **_fields(OF_ROOM)}


class ExceptionsAnswer(serializers.Serializer[Any]):
    """
    The exception report. Who asks is not among the people: of themselves they see nothing.

    Stands out who has `cases_min` cases at least, and more than the average by `spreads` square roots of it.
    """

    first = serializers.DateField()
    last = serializers.DateField()
    at = serializers.DateTimeField(help_text="The moment of these figures: what comes later changes an open day's.")
    cases_min = serializers.IntegerField()
    spreads = serializers.IntegerField()
    kinds = KindAnswer(many=True)


class CaseAnswer(serializers.Serializer[Any]):
    """One case, in words of the language asked for; `chain` names the log's chain that has it."""

    at = serializers.DateTimeField()
    words = serializers.CharField()
    chain = serializers.CharField()


class Exceptions(APIView):
    """How often what is out of the ordinary happened, the room's figures, and people's to compliance alone."""

    needs = "read.exceptions"

    @api.reading("reports.exceptions", "The exception report", query=OfSpan, answer=ExceptionsAnswer, is_one=True)
    def get(self, request: Request) -> Response:
        by = api_actor(request)
        report = exception_report(room_of(by.room_id), by, *_span(read_query(OfSpan, request)))
        return Response(ExceptionsAnswer(report_json(report)).data)


class ExceptionCases(APIView):
    """What lies behind one person's figure, newest first."""

    needs = "read.suspicions"

    @api.reading(
        "reports.exception_cases", "The cases behind a figure", query=OfCases, answer=CaseAnswer(many=True), is_one=True
    )
    def get(self, request: Request) -> Response:
        by, query = api_actor(request), read_query(OfCases, request)
        room = room_of(by.room_id)
        about = {"code": query["kind"], "staff_id": query["staff_id"], "span": span_of(room, *_span(query))}
        return Response(CaseAnswer(cases_behind(room, by, **about)[2], many=True).data)


def _span(query: dict[str, Any]) -> tuple[date | None, date | None]:
    first, last = (date.fromisoformat(query[name]) if query.get(name) else None for name in ("first", "last"))
    return first, last


def report_json(report: ExceptionReport) -> dict[str, Any]:
    """Return a report as calls answer it."""
    return {
        "first": report.span.first,
        "last": report.span.last,
        "at": report.at,
        "cases_min": CASES_MIN,
        "spreads": SPREADS,
        "kinds": [_kind(each, shows_people=report.shows_people) for each in report.kinds],
    }


def _kind(each: KindFigures, *, shows_people: bool) -> dict[str, Any]:
    people = [{"staff_id": person.staff_id, **in_call(OF_PEOPLE, FigureRow(each, person))} for person in each.people]
    return {
        "kind": each.kind.code,
        "basis": each.basis.code,
        "per": each.basis.scale,
        **in_call(OF_ROOM, FigureRow(each)),
        "people": people if shows_people else None,
    }
