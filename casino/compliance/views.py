"""The compliance officer's desk: findings with what was written on them, and notes on people."""

from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.cage.labels import KINDS as SLIP_KINDS
from casino.cage.labels import METHODS, UNCLAIMED_STATES
from casino.cage.rules import CLAIMED
from casino.commands.methods import require_POST, require_safe
from casino.compliance import services, words
from casino.compliance.api import MarkFinding, WriteNote
from casino.compliance.models import ComplianceNote
from casino.compliance.selectors.findings import Findings, FindingShown, NoteShown, find_staff, findings_of, notes_on
from casino.compliance.shown import sheet_of, slip_name, why
from casino.errors import Refusal
from casino.money import format_cents
from casino.people.http import (
    ActorRequest,
    actor_of,
    command_for,
    done,
    page,
    queried_offset,
    queried_span,
    safe_next,
    without_days,
)
from casino.people.inputs import arguments_of_form
from casino.people.kept_documents import kept_documents
from casino.people.selectors import find_players
from casino.reports.files import as_csv, as_file, open_or_closed
from casino.rooms.models import Room
from casino.rooms.selectors import room_of

FOUND = 8
# So many findings, or documents, are shown at once; the file has them all.
PAGE = 50


@page("page.findings")
@never_cache
@require_safe
def findings_page(request: ActorRequest) -> HttpResponse:
    """Show what looks like structuring, what is new first, and the newest notes."""
    by = actor_of(request)
    room = room_of(by.room_id)
    first, last = queried_span(request)
    _name, notes = notes_on(room, by)
    context: dict[str, Any] = {"first": first, "last": last, "notes": _notes(notes), **_forms(request, room)}
    try:
        findings = findings_of(room, by, first, last)
    except Refusal as wrong:
        return without_days(request, "compliance/findings.html", context, wrong, names_days=bool(first or last))
    offset, count = queried_offset(request), len(findings.shown)
    page_of = findings.shown[offset : offset + PAGE]
    context |= {
        "found": findings,
        "first": findings.span.first,
        "last": findings.span.last,
        "findings": [_finding(each, findings, room) for each in page_of],
        **_part(offset, len(page_of), count),
    }
    return render(request, "compliance/findings.html", context)


@page("page.findings")
@never_cache
@require_safe
def findings_csv(request: ActorRequest) -> HttpResponse:
    """Return the findings as CSV. :raises SpanBackwards, SpanTooLong, NoDayInSpan: as they say."""
    by = actor_of(request)
    room = room_of(by.room_id)
    findings = findings_of(room, by, *queried_span(request))
    first, last = findings.span.first, findings.span.last
    of = ("findings", first.isoformat(), last.isoformat(), open_or_closed(findings))
    return as_file(as_csv(of, [sheet_of(findings, room)], room), f"findings-{first}-{last}.csv")


@page("page.findings")
@never_cache
@require_safe
def documents_page(request: ActorRequest) -> HttpResponse:
    """Show what is kept of the documents of guests who wished to be forgotten, until when and what for."""
    room, offset = room_of(actor_of(request).room_id), queried_offset(request)
    kept = kept_documents(room, at=clock.now(), offset=offset, most=PAGE)
    context = {"room": room, "kept": kept, **_part(offset, len(kept.shown), kept.count)}
    return render(request, "compliance/documents.html", context)


@page("page.findings")
@never_cache
@require_safe
def found(request: ActorRequest) -> HttpResponse:
    """Return players and staff while a name is being typed; never whoever types."""
    by, text = actor_of(request), request.GET.get("q", "").strip()[:30]
    players = find_players(by.room_id, text, limit=FOUND) if text else []
    staff = find_staff(by.room_id, text, without=by.staff_id or 0, limit=FOUND) if text else []
    return render(request, "compliance/found.html", {"players": players, "staff_found": staff, "text": text})


@page("page.findings")
@never_cache
@require_safe
def player_page(request: ActorRequest, player_id: int) -> HttpResponse:
    """Show the notes on a player, erased ones too. :raises NotFound: nobody of this room."""
    return _person(request, player_id=player_id)


@page("page.findings")
@never_cache
@require_safe
def staff_page(request: ActorRequest, staff_id: int) -> HttpResponse:
    """Show the notes on somebody on staff. :raises NotFound: nobody here. :raises OwnSuspicion: they are who asks."""
    return _person(request, staff_id=staff_id)


@page("page.findings")
@require_POST
def mark_tap(request: ActorRequest) -> HttpResponse:
    """Write on a finding, and say how it stands from now on."""
    services.mark_finding(command_for(request), **arguments_of_form(request, MarkFinding))
    return _back(request)


@page("page.findings")
@require_POST
def write_tap(request: ActorRequest) -> HttpResponse:
    """Write a note on a person, or one that corrects another."""
    services.write_note(command_for(request), **arguments_of_form(request, WriteNote))
    return _back(request)


def _part(offset: int, shown: int, count: int) -> dict[str, Any]:
    """Return which part of a list a page shows, and where those before and after it begin."""
    return {
        "from_number": offset + 1,
        "to_number": offset + shown,
        "count": count,
        "next_offset": offset + PAGE if count > offset + PAGE else None,
        "before_offset": max(offset - PAGE, 0) if offset else None,
    }


def _back(request: ActorRequest) -> HttpResponse:
    return done(request, to=safe_next(request, request.POST.get("next", "")) or reverse("findings"))


def _person(request: ActorRequest, **of: int) -> HttpResponse:
    by = actor_of(request)
    room = room_of(by.room_id)
    name, notes = notes_on(room, by, **of)
    context = {"name": name, "notes": _notes(notes), "of": of, **_forms(request, room)}
    return render(request, "compliance/person.html", context)


def _forms(request: ActorRequest, room: Room) -> dict[str, Any]:
    """Return what every form of the desk shows."""
    return {
        "room": room,
        "here": request.get_full_path(),
        "marks": list(words.MARKS.items()),
        "reasons": [
            (code, sentence) for code, sentence in words.REASONS.items() if code != ComplianceNote.Reason.CORRECTS
        ],
        "today": clock.now().astimezone(ZoneInfo(room.time_zone)).date(),
    }


def _finding(each: FindingShown, findings: Findings, room: Room) -> dict[str, Any]:
    assert findings.thresholds is not None, "without a sum there is no finding"
    return {
        "kind": each.finding.kind,
        "title": words.KINDS[each.finding.kind],
        "name": each.name,
        "player_id": each.finding.person,
        "state": each.state,
        "state_words": words.STATES[each.state],
        "is_open": each.state in ("new", "grown", "reopened"),
        "why": why(each, findings.thresholds, room),
        "slips": [
            {
                "id": slip.row.id,
                "is_claim": slip.row.kind == CLAIMED,
                "name": slip_name(slip),
                "at": slip.row.at,
                "what": UNCLAIMED_STATES["claimed"] if slip.row.kind == CLAIMED else SLIP_KINDS[slip.row.kind],
                "how": METHODS[slip.row.method],
                "amount": format_cents(slip.row.cents, currency=room.currency, locale=room.locale),
            }
            for slip in each.slips
        ],
        "notes": _notes(each.notes),
    }


def _notes(notes: Any) -> list[dict[str, Any]]:
    return [_note(each) for each in notes]


def _note(each: NoteShown) -> dict[str, Any]:
    note = each.note
    return {
        "id": note.pk,
        "note": note,
        "about": each.about,
        "written_by": each.written_by,
        "corrected_by": each.corrected_by,
        "kind": words.KINDS.get(note.kind, ""),
        "mark": words.MARKS[note.mark] if note.mark != ComplianceNote.Mark.NOTED else "",
        "reason": words.REASONS[note.reason],
    }
