"""
What a command is told, read alike at both doors: the body and the version that its API view declares.

A page's tap reads its form with `arguments_of_form(request, SeatPlayer)`: `SeatPlayer` is the call of the same
command, and `casino.rest.Input` what it takes.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, cast
from zoneinfo import ZoneInfo

from django.http import HttpRequest
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from casino.commands.problems import unreadable
from casino.errors import Malformed
from casino.people.api_auth import if_match, if_match_or_none
from casino.people.errors import PageTooOld
from casino.people.http import ActorRequest, actor_of
from casino.rest import NONE, REQUIRED, Body, Moment, input_of, read
from casino.rooms.selectors import room_of
from casino.text import id_from_text


def arguments_of_call(request: Request) -> dict[str, Any]:
    """
    Return what a call tells its command, by field; with `version` where it takes one.

    :raises ValidationError: it cannot be read (400 `malformed`).
    :raises PreconditionMissing: the command decides on a version, and there is none.
    """
    takes = input_of(request.parser_context["view"])
    fields = read(takes.body, request.data)
    if takes.version != NONE:
        fields["version"] = if_match(request) if takes.version == REQUIRED else if_match_or_none(request)
    return fields


def arguments_of_form(
    request: HttpRequest, call: type[Any], *, near: datetime | None = None, **address: Any
) -> dict[str, Any]:
    """
    Return what a page's form tells the command of an API view, by the fields of its body; with `version` as
    `arguments_of_call`.

    `address`: fields that the page's address says, and not its form. `near`: a time of the day that the form names by
    the room's clock, as `shown_at_clock` for the field `shown_at`, is the one nearest to that moment.

    :raises Malformed: it cannot be read; the field is named as a call names it.
    :raises PageTooOld: the command decides on a version, and the form names none.
    """
    takes = input_of(call)
    # A page that asks for a time is for whoever is signed in.
    moments = _moments_by_clock(cast(ActorRequest, request), takes.body, near=near) if near else {}
    fields = read_on_page(takes.body, {**takes.body.of_form(request.POST), **moments, **address})
    if takes.version != NONE:
        fields["version"] = _version(request, is_required=takes.version == REQUIRED)
    return fields


def read_on_page(body: type[Body], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a page says of a body, by its fields. :raises Malformed: it cannot be read."""
    try:
        return read(body, fields)
    except ValidationError as error:
        raise unreadable(error) from None


def _moments_by_clock(request: ActorRequest, body: type[Body], *, near: datetime) -> dict[str, str]:
    """Return a body's moments that a form names by the room's clock ("21:04:25", "21:04"), as a call names them."""
    here = near.astimezone(ZoneInfo(room_of(actor_of(request).room_id).time_zone))
    moments = [name for name, field in body().fields.items() if isinstance(field, Moment)]
    typed = {name: request.POST.get(f"{name}_clock", "").strip() for name in moments}
    return {name: _nearest(text, here, name).isoformat() for name, text in typed.items() if text}


def _nearest(text: str, near: datetime, name: str) -> datetime:
    try:
        time_of_day = datetime.strptime(text if text.count(":") > 1 else f"{text}:00", "%H:%M:%S").time()  # noqa: DTZ007 - a time
    except ValueError:
        raise Malformed(field=name) from None
    same_day = datetime.combine(near.date(), time_of_day, tzinfo=near.tzinfo)
    days = (same_day - timedelta(days=1), same_day, same_day + timedelta(days=1))
    return min(days, key=lambda each: abs(each - near))


def _version(request: HttpRequest, *, is_required: bool) -> int | None:
    text = request.POST.get("version", "").strip()
    if not text and is_required:
        raise PageTooOld
    version = id_from_text(text)
    if text and version is None:
        raise Malformed(field="version")
    return version


# What no call takes, for a page alone says it: which of two commands is meant, or on which sheet it was tapped.


def form_int(request: HttpRequest, field: str, *, least: int = 0, most: int = 2**31 - 1) -> int:
    """Return a whole number field within bounds. :raises Malformed: missing, no number, out of bounds."""
    number = form_int_or_none(request, field, least=least, most=most)
    if number is None:
        raise Malformed(field=field)
    return number


def form_int_or_none(request: HttpRequest, field: str, *, least: int = 0, most: int = 2**31 - 1) -> int | None:
    """Return a whole number field, or None where it is empty. :raises Malformed: no number, out of bounds."""
    text = request.POST.get(field, "").strip()
    if not text:
        return None
    # Its length first: Python reads thousands of digits for long, or refuses to.
    if not text.removeprefix("-").isdecimal() or len(text) > 20 or not least <= int(text) <= most:
        raise Malformed(field=field)
    return int(text)


def form_choice(request: HttpRequest, field: str, choices: Any) -> str:
    """Return one of `choices` (texts; an enum's values). :raises Malformed: missing, or something else."""
    text = request.POST.get(field, "")
    if text not in {str(choice) for choice in choices}:
        raise Malformed(field=field)
    return text


def form_flag(request: HttpRequest, field: str) -> bool:
    """Return whether a box is ticked."""
    return request.POST.get(field, "") in {"on", "1", "true"}
