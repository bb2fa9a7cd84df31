"""The reports of the jackpots: of any span of gaming days, and as two have signed them; for paper and as a file."""

import csv
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.commands.methods import require_POST, require_safe
from casino.errors import Refusal
from casino.people.http import ActorRequest, actor_of, command_for, done, page, queried_day
from casino.people.inputs import arguments_of_form
from casino.people.selectors import staff_names
from casino.people.standing import may_sign
from casino.rooms.models import GamingDay, Room
from casino.rooms.selectors import room_of, rule_book_in_force
from casino.rulebooks import RuleBook
from casino.text import for_spreadsheet
from jackpot.api_reports import SignReport, changed_since, disagreeing, kept_of, sign_by_two
from jackpot.models import Movement, Pool, SignedReport
from jackpot.selectors.pools import jackpot_name
from jackpot.selectors.reconciling import ZEROS, PoolFigures, Report, reconciled
from jackpot.services.reporting import NEEDS
from jackpot.words import movement_words
from jackpot.words_reports import DOCUMENTED, NOT_COUNTED, sections, span_words

# As many as the page lists; calls page through them all.
SIGNED_SHOWN = 60


@page("page.jackpot_reports")
@never_cache
@require_safe
def reports_page(request: ActorRequest) -> HttpResponse:
    """Show the report of a span of gaming days, this month's so far without one, and which have been signed."""
    by = actor_of(request)
    room = room_of(by.room_id)
    first, last = _span(request, room)
    _version_id, book = rule_book_in_force(room.pk, at=clock.now())
    kept = SignedReport.objects.filter(room_id=room.pk).order_by("-id")[:SIGNED_SHOWN]
    context: dict[str, Any] = {"room": room, "first": first, "last": last, "span": span_words(first, last)}
    context["signed"] = [(each, span_words(each.first_date, each.last_date)) for each in kept]
    status = 200
    try:
        report = reconciled(room, first, last)
    except Refusal as wrong:
        # Who typed no days did nothing wrong: a house that has opened no day yet has no report.
        status = wrong.status if request.GET else 200
        context["lacks"] = wrong.text(room.money_format, book=book)
    else:
        context |= {"report": report, "pools": _shown(room, report, book), "not_counted": NOT_COUNTED}
        if "jackpot.sign_report" in by.may:
            context["signers"] = may_sign(room.pk, needs=NEEDS, without={by.staff_id})
    return render(request, "jackpot/reports.html", context, status=status)


@page("page.jackpot_reports")
@never_cache
@require_safe
def report_file(request: ActorRequest) -> HttpResponse:
    """Return the same as CSV, amounts in cents. :raises SpanBackwards, SpanAhead, NoDayInSpan: as they say."""
    room = room_of(actor_of(request).room_id)
    first, last = _span(request, room)
    return _file(reconciled(room, first, last))


@page("page.jackpot_reports")
@never_cache
@require_safe
def signed_page(request: ActorRequest, report_id: int) -> HttpResponse:
    """Show a report as it was signed, and what has changed since. :raises NotFound: the room has none such."""
    room = room_of(actor_of(request).room_id)
    row, kept, now = kept_of(room.pk, report_id)
    _version_id, book = rule_book_in_force(room.pk, at=clock.now())
    names = staff_names({row.made_by_id, row.approved_by_id})
    context = {
        "room": room,
        "row": row,
        "span": span_words(row.first_date, row.last_date),
        "report": kept,
        "pools": _shown(room, kept, book, now),
        "not_counted": NOT_COUNTED,
        "has_changed": bool(changed_since(kept, now)),
        "is_as_signed": kept.seen == row.seen,
        "made_by": names.get(row.made_by_id, ""),
        "approved_by": names.get(row.approved_by_id, ""),
    }
    return render(request, "jackpot/signed_report.html", context)


@page("page.jackpot_reports")
@never_cache
@require_safe
def signed_file(request: ActorRequest, report_id: int) -> HttpResponse:
    """Return a signed report as CSV, with what has changed since. :raises NotFound: the room has none such."""
    room = room_of(actor_of(request).room_id)
    row, kept, now = kept_of(room.pk, report_id)
    names = staff_names({row.made_by_id, row.approved_by_id})
    signers = (for_spreadsheet(names.get(who, "")) for who in (row.made_by_id, row.approved_by_id))
    at = row.at.astimezone(ZoneInfo(room.time_zone))
    return _file(kept, now, signed=(str(row.pk), f"{at:%Y-%m-%d %H:%M}", *signers))


@page("jackpot.sign_report")
@require_POST
def sign_tap(request: ActorRequest) -> HttpResponse:
    """Sign the report that stands on the screen, with another person."""
    answer = sign_by_two(command_for(request), **arguments_of_form(request, SignReport))
    return done(request, to=reverse("jackpot_signed_report", args=[answer.data["report"]]))


def _shown(room: Room, report: Report, book: RuleBook, now: Report | None = None) -> list[dict[str, Any]]:
    """
    Return each pool of a report in words, with what is documented of its sum in these days.

    With `now` also what has changed since it was signed. Three queries.
    """
    names = {pool.pk: jackpot_name(book, pool.code) for pool in Pool.objects.filter(room_id=room.pk)}
    movements = Movement.objects.filter(room_id=room.pk, kind__in=DOCUMENTED)
    movements = movements.filter(day__date__gte=report.first, day__date__lte=report.last).order_by("id")
    people = staff_names(who for each in movements for who in (each.made_by_id, each.approved_by_id) if who)
    since = changed_since(report, now) if now is not None else {}
    wrong_now = disagreeing(now) if now is not None else []
    return [
        {
            "name": names.get(pool.pool_id, pool.code),
            "agrees": pool.agrees,
            "agrees_now": pool.code not in wrong_now,
            "has_changed": pool.code in since,
            "sections": list(sections(pool, since.get(pool.code, {}))),
            "documented": [
                (
                    each,
                    movement_words(each, names),
                    people.get(each.made_by_id or 0),
                    people.get(each.approved_by_id or 0),
                )
                for each in movements
                if each.pool_id == pool.pool_id
            ],
        }
        for pool in _pools(report, now)
    ]


def _pools(report: Report, now: Report | None) -> list[PoolFigures]:
    """Return a report's pools, and those that opened after it was signed, on a day that was still open then."""
    known = {pool.pool_id for pool in report.pools}
    opened = [each for each in (now.pools if now else ()) if each.pool_id not in known]
    return [*report.pools, *(replace(each, history=ZEROS, ledger=ZEROS, counted=None) for each in opened)]


def _file(report: Report, now: Report | None = None, signed: Sequence[str] = ("", "", "", "")) -> HttpResponse:
    """Return a report as CSV. Of one that is signed: what it would be `now`, its number, when, and by which two."""
    since = changed_since(report, now) if now is not None else {}
    wrong_now = disagreeing(now or report)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="jackpots-{report.first}-{report.last}.csv"'
    rows = csv.writer(response)
    columns = ("first_day", "last_day", "jackpot", "figure", "what", "cents", "ledger_cents", "changed_since_cents")
    rows.writerow((*columns, "agrees_now", "report", "signed_at", "made_by", "signed_by"))
    days = (report.first.isoformat(), report.last.isoformat())
    for pool in _pools(report, now):
        about = ("no" if pool.code in wrong_now else "yes", *signed)
        for section in sections(pool, since.get(pool.code, {})):
            for row in section.rows:
                cents = (row.cents, row.ledger_cents, row.since_cents)
                rows.writerow((*days, pool.code, row.name, row.words, *cents, *about))
                if row.name == "dropped":
                    if not section.counted:
                        rows.writerow((*days, pool.code, "counted", NOT_COUNTED, "", "", "", *about))
                    for each in section.counted:
                        rows.writerow(
                            (*days, pool.code, each.name, each.words, each.cents, "", each.since_cents, *about)
                        )
    return response


def _span(request: HttpRequest, room: Room) -> tuple[date, date]:
    """Return the days asked for, else this month's until the newest gaming day. :raises Malformed: no dates."""
    newest = GamingDay.objects.filter(room=room).order_by("-date").values_list("date", flat=True).first()
    today = clock.now().astimezone(ZoneInfo(room.time_zone)).date()
    last = queried_day(request, "to", newest or today)
    return queried_day(request, "from", last.replace(day=1)), last
