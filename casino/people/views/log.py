"""
The log as managers and auditors read it.

It stands here and not in `audit`: the log holds ids, and what they are called is known to people alone.
"""

import json
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino import clock
from casino.audit.models import Event
from casino.audit.selectors import breaks, last_seal, log_page
from casino.commands.frame import DONE, services
from casino.errors import Malformed, all_refusals
from casino.health import what_is_late
from casino.people.http import DoorRequest, page
from casino.people.selectors import device_names, staff_names
from casino.rooms.selectors import rule_book_in_force

PAGE = 50
PROVEN = timedelta(days=3)


@page("page.audit")
@never_cache
@require_safe
def log_view(request: DoorRequest) -> HttpResponse:
    """Show what was done and refused, newest first, and who did it from where."""
    assert request.room is not None, "whoever may see this page belongs to a room"
    asked = {key: request.GET.get(key, "").strip()[:60] for key in ("chain", "name", "result")}
    events = log_page(request.room.pk, before=_before(request), limit=PAGE + 1, **asked)
    context = {
        **asked,
        "rows": _rows(events[:PAGE]),
        "older": events[PAGE - 1].pk if len(events) > PAGE else None,
        "names": sorted(services()),
        "seal": last_seal(request.room.pk),
        "is_late": bool(what_is_late()),
        "filter": urlencode({key: value for key, value in asked.items() if value}),
    }
    return render(request, "audit/log.html", context)


@page("page.audit")
@never_cache
@require_safe
def prove_view(request: DoorRequest) -> HttpResponse:
    """
    Prove the last days of the room's log, or name the first broken link of each chain.

    A year of it takes minutes, which no page waits for: all of it is `manage.py audit verify`'s.
    """
    assert request.room is not None, "whoever may see this page belongs to a room"
    since = clock.now() - PROVEN
    context = {"breaks": list(breaks(request.room.pk, since=since)), "since": since}
    return render(request, "audit/proof.html", context)


def _before(request: DoorRequest) -> int | None:
    text = request.GET.get("before", "")
    if not text:
        return None
    if not text.isdecimal() or len(text) > 18:
        raise Malformed(field="before")
    return int(text)


def _rows(events: list[Event]) -> list[dict[str, Any]]:
    names = staff_names(event.staff_id for event in events if event.staff_id)
    devices = device_names(event.device_id for event in events if event.device_id)
    refusals = all_refusals()
    book = rule_book_in_force(events[0].room_id, at=clock.now())[1] if events else None
    rows = []
    for event in events:
        said = json.loads(event.text)
        refusal = refusals.get(event.result)
        rows.append(
            {
                "event": event,
                "who": names.get(event.staff_id or 0, ""),
                "where": devices.get(event.device_id or 0, ""),
                "is_refused": event.result != DONE,
                "why": refusal(**said["data"]).text(book=book) if refusal else "",
                "args": _short(said.get("args")),
                "data": _short(said.get("data")),
                "text": json.dumps(said, ensure_ascii=False, indent=1),
            }
        )
    return rows


def _short(values: Any) -> str:
    if not isinstance(values, dict):
        return ""
    shown = [
        f"{key} {value}" for key, value in values.items() if value is not None and not isinstance(value, dict | list)
    ]
    return " · ".join(shown)[:200]
