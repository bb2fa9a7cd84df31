"""The exception report over REST."""

from datetime import date
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people.api_auth import api_actor
from casino.reports.exceptions import ExceptionReport, KindFigures, cases_behind, exception_report, span_of
from casino.reports.standing_out import CASES_MIN, SPREADS, Mark
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


class PersonFigureAnswer(serializers.Serializer[Any]):
    """One person's figure; `staff_id` is null for what nobody was named for."""

    staff_id = serializers.IntegerField(allow_null=True)
    cases = serializers.IntegerField()
    basis_count = serializers.IntegerField()
    rate_hundredths = serializers.IntegerField(allow_null=True)
    amount_cents = serializers.IntegerField(allow_null=True)
    times_average_tenths = serializers.IntegerField(allow_null=True)
    mark = serializers.ChoiceField(
        [mark.value for mark in Mark], help_text=f"`few`: under {CASES_MIN} cases, of which nothing can be said."
    )


class KindAnswer(serializers.Serializer[Any]):
    """A kind of exception; rates are per `per` of the basis. `people` is null to who may not see them."""

    kind = serializers.CharField()
    basis = serializers.CharField()
    per = serializers.IntegerField()
    cases = serializers.IntegerField()
    basis_count = serializers.IntegerField()
    rate_hundredths = serializers.IntegerField(allow_null=True)
    amount_cents = serializers.IntegerField(allow_null=True)
    people = PersonFigureAnswer(many=True, allow_null=True)


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
    def figure(of: Any, cents: int) -> dict[str, Any]:
        return {
            "cases": of.count,
            "basis_count": of.basis,
            "rate_hundredths": each.rate_hundredths(of),
            "amount_cents": cents if each.kind.has_cents else None,
        }

    people = [
        {
            "staff_id": person.staff_id,
            **figure(person.figure, person.cents),
            "times_average_tenths": person.times_tenths,
            "mark": person.mark.value,
        }
        for person in each.people
    ]
    return {
        "kind": each.kind.code,
        "basis": each.basis.code,
        "per": each.basis.scale,
        **figure(each.room, each.cents),
        "people": people if shows_people else None,
    }
