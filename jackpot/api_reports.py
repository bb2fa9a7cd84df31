"""Reports of the jackpots over REST: any span of gaming days, what two have signed, and their signature."""

from datetime import date
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.cage.api.bodies import SecondPerson
from casino.errors import NotFound
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import Body, CalendarDay, Page, TextAlone, read_query
from casino.rooms.selectors import room_of
from jackpot.api import api
from jackpot.models import SignedReport
from jackpot.selectors.reconciling import COUNTED, FIGURES, PoolFigures, Report, reconciled, report_of
from jackpot.services.reporting import NEEDS, report_signs, sign_report

sign_by_two = by_two(sign_report, needs=NEEDS, signs=report_signs)


class Span(Body):
    """From which gaming day to which, both included."""

    first_date = CalendarDay()
    last_date = CalendarDay()


class SignReportBody(Span):
    """Which days, the fingerprint `seen` of the figures that both have seen, and who signs."""

    seen = TextAlone(max_length=64)
    second = SecondPerson()


class FiguresAnswer(serializers.Serializer[Any]):
    """A pool's figures in cents: what came is positive, what went negative."""

    opening = serializers.IntegerField(help_text="The sum before the first day.")
    takings = serializers.IntegerField()
    seed = serializers.IntegerField(help_text="Put in by the house.")
    claims = serializers.IntegerField()
    paid_out = serializers.IntegerField(help_text="Paid out at the jackpot's end.")
    corrections = serializers.IntegerField()
    seed_recovered = serializers.IntegerField()
    moved_in = serializers.IntegerField()
    moved_out = serializers.IntegerField()
    closing = serializers.IntegerField(help_text="The sum after the last day: what stands before it, added up.")
    owed_opening = serializers.IntegerField(help_text="Won and still to be paid before the first day.")
    won = serializers.IntegerField()
    paid = serializers.IntegerField()
    owed_closing = serializers.IntegerField()
    waited_opening = serializers.IntegerField(help_text="Collected and not in the sum before the first day.")
    dropped = serializers.IntegerField(help_text="By the log of hands.")
    covered = serializers.IntegerField(help_text="Taken back of a jackpot that had ended, and covered by the house.")
    joined = serializers.IntegerField()
    waited_closing = serializers.IntegerField()


assert tuple(FiguresAnswer().fields) == FIGURES, "an answer says every figure, in the order in which they add up"


class PoolReportAnswer(serializers.Serializer[Any]):
    """
    One pool: `history` by its own history, `ledger` by what was posted. `counted_cents` is what was counted in the drop
    boxes, `over_short_cents` by how much that differs from the log (negative: it is missing), `uncounted_cents` what is
    logged and lies in no box that was counted. All three are null where nobody counted.
    """

    pool = serializers.IntegerField()
    jackpot = serializers.CharField()
    agrees = serializers.BooleanField()
    history = FiguresAnswer()
    ledger = FiguresAnswer()
    counted_cents = serializers.IntegerField(allow_null=True)
    over_short_cents = serializers.IntegerField(allow_null=True)
    uncounted_cents = serializers.IntegerField(allow_null=True)


class ReportAnswer(serializers.Serializer[Any]):
    """A span of gaming days; with `has_open_day` what comes today still changes it."""

    first_date = serializers.DateField()
    last_date = serializers.DateField()
    days = serializers.IntegerField()
    has_open_day = serializers.BooleanField()
    agrees = serializers.BooleanField(help_text="Whether histories and ledger say the same, and each line adds up.")
    seen = serializers.CharField(help_text="The fingerprint of these figures: what is signed.")
    pools = PoolReportAnswer(many=True)


class SignedAnswer(serializers.Serializer[Any]):
    """Which report was signed, when and by whom."""

    id = serializers.IntegerField()
    first_date = serializers.DateField()
    last_date = serializers.DateField()
    agrees = serializers.BooleanField()
    at = serializers.DateTimeField()
    made_by_id = serializers.IntegerField()
    approved_by_id = serializers.IntegerField()


class OneSignedAnswer(SignedAnswer):
    """A report as it was signed; `since` is by how much figures differ now, in cents by jackpot, where they do."""

    report = ReportAnswer()
    is_as_signed = serializers.BooleanField(
        help_text="Whether these figures still have the fingerprint that was signed."
    )
    disagrees_now = serializers.ListField(
        child=serializers.CharField(), help_text="The jackpots of which history and ledger do not say the same now."
    )
    since = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))


def report_json(report: Report) -> dict[str, Any]:
    """Return a report as calls answer it."""
    return {
        "first_date": report.first,
        "last_date": report.last,
        "days": report.days,
        "has_open_day": report.has_open_day,
        "agrees": report.agrees,
        "seen": report.seen,
        "pools": [
            {
                "pool": pool.pool_id,
                "jackpot": pool.code,
                "agrees": pool.agrees,
                "history": pool.history,
                "ledger": pool.ledger,
                **{f"{name}_cents": pool.counted[name] if pool.counted else None for name in COUNTED},
            }
            for pool in report.pools
        ],
    }


def kept_of(room_id: int, report_id: int) -> tuple[SignedReport, Report, Report]:
    """Return a signed report, what was signed, and what it would be now. :raises NotFound: the room has none such."""
    row = SignedReport.objects.filter(room_id=room_id, pk=report_id).first()
    if row is None:
        raise NotFound(what="report")
    first, last = row.first_date, row.last_date
    return row, report_of(first, last, row.figures), reconciled(room_of(room_id), first, last)


class ReportOfDays(APIView):
    """What the jackpots' books say of any span of gaming days."""

    needs = "read.jackpot_reports"

    @api.reading("jackpot.report", "The report of a span of gaming days", query=Span, answer=ReportAnswer)
    def get(self, request: Request) -> Response:
        query = read_query(Span, request)
        first, last = (date.fromisoformat(query[name]) for name in ("first_date", "last_date"))
        return Response(ReportAnswer(report_json(reconciled(room_of(api_actor(request).room_id), first, last))).data)


class SignedReports(APIView):
    """What two have signed, the newest first."""

    needs = "read.jackpot_reports"

    @api.reading("jackpot.signed_reports", "Signed reports", query=Page, answer=SignedAnswer(many=True))
    def get(self, request: Request) -> Response:
        query = read_query(Page, request)
        reports = SignedReport.objects.filter(room_id=api_actor(request).room_id).order_by("-id")
        return Response(SignedAnswer(reports[query["offset"] : query["offset"] + query["limit"]], many=True).data)


class SignReport(APIView):
    """A manager and another person sign the figures of a span of gaming days."""

    needs = "jackpot.sign_report"
    steps = ("people.sign_second",)

    @api.command(
        "jackpot.sign_report",
        "Sign the report of a span of gaming days",
        body=SignReportBody,
        example={
            "first_date": "2026-11-21",
            "last_date": "2026-11-22",
            "seen": "0f" * 32,
            "second": {"username": "olavi", "pin": "2468"},
        },
        answer={"report": 1, "agrees": True, "approved_by_id": 2},
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, sign_by_two, **arguments_of_call(request))


class OneSignedReport(APIView):
    """A report as it was signed, and what has changed since."""

    needs = "read.jackpot_reports"

    @api.reading("jackpot.signed_report", "One signed report", answer=OneSignedAnswer, is_one=True)
    def get(self, request: Request, report_id: int) -> Response:
        row, kept, now = kept_of(api_actor(request).room_id, report_id)
        found = {
            "report": ReportAnswer(report_json(kept) | {"seen": row.seen}).data,
            "is_as_signed": kept.seen == row.seen,
            "disagrees_now": disagreeing(now),
            "since": changed_since(kept, now),
        }
        return Response(SignedAnswer(row).data | found)


def disagreeing(report: Report) -> list[str]:
    """Return the codes of the jackpots whose figures do not agree."""
    return [pool.code for pool in report.pools if not pool.agrees]


def changed_since(kept: Report, now: Report) -> dict[str, dict[str, int]]:
    """Return by how much figures differ from what was signed, in cents by the jackpot's code, without what does not."""
    before, after = ({pool.code: pool for pool in report.pools} for report in (kept, now))
    by_code = {code: _changed(before.get(code), after.get(code)) for code in sorted({*before, *after})}
    return {code: figures for code, figures in by_code.items() if figures}


def _changed(before: PoolFigures | None, after: PoolFigures | None) -> dict[str, int]:
    """Return by how much a pool's figures differ, without what does not; of boxes where any were counted."""
    was, now = (pool.all_figures if pool else {} for pool in (before, after))
    is_counted = any(pool and pool.counted for pool in (before, after))
    names = (*FIGURES, *(COUNTED if is_counted else ()))
    return {name: cents for name in names if (cents := now.get(name, 0) - was.get(name, 0))}
