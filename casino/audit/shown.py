"""The log as managers and auditors read it: sentences, by day, person, place and amount."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from casino import clock
from casino.audit.models import DONE, Event
from casino.audit.selectors import LogFilter, breaks, last_seal, log_page
from casino.audit.sentences import (
    NAMED_MAX,
    Reader,
    chains_of,
    named,
    pattern_of,
    persons_named,
    sentences,
    sentences_of,
    title_of,
    written,
)
from casino.errors import Malformed, all_refusals
from casino.money import cents_from_text
from casino.rooms.selectors import calendar_day, days_in_log, rule_book_in_force
from casino.text import id_from_text

PAGE = 50
# How far back a name or an amount is looked for where no day is named: no index knows the texts of years.
LOOKED_BACK = timedelta(days=7)
# How far back the page proves the log: a year of it takes minutes, which no page waits for.
PROVEN = timedelta(days=3)
_FIELDS = ("day", "to", "person", "by", "chain", "amount", "name", "result")
_ONE_PERSON = re.compile(r"(?P<kind>player|staff)-(?P<id>[0-9]{1,18})")


def log_shown(form: Mapping[str, str], reader: Reader) -> dict[str, Any]:
    """
    Return what the page shows of the log, newest first, by the fields of its form: `_FIELDS`, by which it is filtered,
    and `before`, the id of the oldest event that was shown.

    :raises Malformed: a day, an amount, a person or an id that is none.
    """
    query = {key: form.get(key, "").strip()[:60] for key in _FIELDS}
    before = _before(form.get("before", ""))
    persons, is_cut = _persons(query["person"], reader)
    events = log_page(reader.room_id, _filter(query, persons, reader), before=before, limit=PAGE + 1)
    return {
        **query,
        "rows": _rows(events[:PAGE], reader),
        "older": events[PAGE - 1].pk if len(events) > PAGE else None,
        "names": sorted(((name, title_of(name)) for name in sentences()), key=lambda each: each[1]),
        "chains": chains_of(reader.room_id),
        "one_person": _who(query["person"], reader),
        "one_by": _who(query["by"], reader),
        "named_max": NAMED_MAX if is_cut else None,
        "days_back": LOOKED_BACK.days if (query["person"] or query["amount"]) and not query["day"] else None,
        "seal": last_seal(reader.room_id),
        "filter": urlencode({key: value for key, value in query.items() if value}),
    }


def proof_shown(room_id: int) -> dict[str, Any]:
    """Return what the page proves: the first broken link of each chain of the room's log since `PROVEN` ago."""
    since = clock.now() - PROVEN
    return {"breaks": list(breaks(room_id, since=since)), "since": since}


def _before(text: str) -> int | None:
    if not text:
        return None
    event_id = id_from_text(text)
    if event_id is None:
        raise Malformed(field="before")
    return event_id


def _filter(query: dict[str, str], persons: list[tuple[str, int]], reader: Reader) -> LogFilter:
    """:raises Malformed: a day, an amount or a person that is none."""
    wanted = LogFilter(query["chain"], query["name"], query["result"], may=reader.may)
    if query["day"]:
        day = _day(query["day"])
        # A link may ask for several days; the form has one.
        last = _day(query["to"]) if query["to"] else day
        if in_log := days_in_log(reader.room_id, day, last):
            wanted = replace(wanted, after_id=in_log[0], last_id=in_log[1])
        else:
            since, until = calendar_day(reader.room_id, day)[0], calendar_day(reader.room_id, max(day, last))[1]
            wanted = replace(wanted, since=since, until=until)
    if query["amount"]:
        wanted = replace(wanted, cents=_cents(query["amount"]))
    if query["by"]:
        one = _ONE_PERSON.fullmatch(query["by"])
        if one is None or one["kind"] != "staff":
            raise Malformed(field="by")
        wanted = replace(wanted, by_id=int(one["id"]))
    if query["person"]:
        staff = tuple(each for kind, each in persons if kind == "staff")
        wanted = replace(wanted, staff_ids=staff, person=pattern_of(persons))
    if (query["amount"] or query["person"]) and not query["day"]:
        wanted = replace(wanted, since=clock.now() - LOOKED_BACK)
    return wanted


def _persons(text: str, reader: Reader) -> tuple[list[tuple[str, int]], bool]:
    """Return who is asked for, as (kind, id), and whether a part of a name means more than are looked for."""
    one = _ONE_PERSON.fullmatch(text)
    if one:
        return [(one["kind"], int(one["id"]))], False
    return persons_named(reader, text) if text else ([], False)


def _who(text: str, reader: Reader) -> str:
    """Return the name of the one person that a link asks for, "" where a name was typed."""
    one = _ONE_PERSON.fullmatch(text)
    return written(one["kind"], int(one["id"]), reader).text if one else ""


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Malformed(field="day") from None
    if not 1900 <= day.year < 3000:
        raise Malformed(field="day")
    return day


def _cents(text: str) -> int:
    try:
        return cents_from_text(text)
    except ValueError:
        raise Malformed(field="amount") from None


def _rows(events: list[Event], reader: Reader) -> list[dict[str, Any]]:
    names = named("staff", {event.staff_id for event in events if event.staff_id}, reader)
    devices = named("device", {event.device_id for event in events if event.device_id}, reader)
    refusals = all_refusals()
    book = rule_book_in_force(reader.room_id, at=clock.now())[1] if events else None
    rows = []
    for event, sentence in zip(events, sentences_of(events, reader), strict=True):
        recorded = json.loads(event.text)
        refusal = refusals.get(event.result)
        rows.append(
            {
                "event": event,
                "sentence": sentence,
                "who": names.get(event.staff_id or 0, ""),
                "where": devices.get(event.device_id or 0, ""),
                "is_refused": event.result != DONE,
                "why": refusal(**recorded["data"]).text(reader.money_format, book=book) if refusal else "",
                "text": json.dumps(recorded, ensure_ascii=False, indent=1),
            }
        )
    return rows
