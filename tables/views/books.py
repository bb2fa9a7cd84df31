"""The managers' page about the room's rule book, and its taps."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from casino import clock
from casino.commands.methods import require_POST, require_safe
from casino.errors import Malformed, NotFound, NotPermitted
from casino.money import format_cents
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.selectors import staff_names
from casino.people.standing import may_sign
from casino.rooms.models import NextBook, Room, RuleBookVersion
from casino.rooms.selectors import rule_book_in_force
from casino.rulebooks.checking import BookChange, changed_lines, changes, what_is_wrong
from tables.api.books import ApproveBook, AskForBook, DiscardBook, EditBook, RefuseBook, WithdrawBook, approve_by_two
from tables.errors_books import say_wrong
from tables.selectors.books import BookPage, book_page
from tables.services import books

# When a change is proposed to hold: in the morning, when no table is open.
MORNING_HOUR = 6


@dataclass(frozen=True)
class ChangeInWords:
    """One change as a manager reads it: where, what it was, what it will be; None: not there."""

    where: str
    before: str | None
    after: str | None


@page("page.books")
@never_cache
@require_safe
def books_page(request: ActorRequest) -> HttpResponse:
    """Show the rule book in force beside the next one."""
    return render(request, "rulebooks/page.html", _shown(request))


@page("page.books")
@never_cache
@require_safe
def version_page(request: ActorRequest, number: int) -> HttpResponse:
    """Show one version's text, and what it changed. :raises NotFound: the room has no such version."""
    # Each by itself: Django looks whether a number is beyond its column for "=", and not for "in".
    two = RuleBookVersion.objects.filter(Q(number=number) | Q(number=number - 1), room_id=actor_of(request).room_id)
    versions = {version.number: version for version in two.select_related("was_next")}
    if (version := versions.get(number)) is None:
        raise NotFound(what="rule_book")
    before = versions.get(number - 1)
    made = getattr(version, "was_next", None)
    names = staff_names(filter(None, [made.requested_by_id, made.decided_by_id])) if made else {}
    context = {
        "version": version,
        "changes": in_words(changes(before.text, version.text), _room(request)) if before else [],
        "requested_by": names.get(made.requested_by_id, "") if made else "",
        "signed_by": names.get(made.decided_by_id, "") if made else "",
    }
    return render(request, "rulebooks/version.html", context)


@page("page.books")
@require_POST
def check_tap(request: ActorRequest) -> HttpResponse:
    """Say what is wrong with a text while it is typed, or what it would change. Nothing is saved."""
    text, room = _text(request), _room(request)
    version_id, book = rule_book_in_force(room.pk, at=clock.now())
    before = RuleBookVersion.objects.get(id=version_id).text
    wrong = what_is_wrong(text)
    context = {
        "wrong": [(each.line, say_wrong(asdict(each), book)) for each in wrong],
        "changes": [] if wrong else in_words(changes(before, text), room),
        "lines": [] if wrong else changed_lines(before, text),
        "is_typed": True,
    }
    return HttpResponse(render_to_string("rulebooks/check.html", context, request))


@page("page.books")
@require_POST
def edit_tap(request: ActorRequest) -> HttpResponse:
    """Save the next rule book."""
    books.edit_book(command_for(request), **arguments_of_form(request, EditBook))
    return _fresh(request)


@page("page.books")
@require_POST
def discard_tap(request: ActorRequest) -> HttpResponse:
    """Throw the next rule book away."""
    books.discard_book(command_for(request), **arguments_of_form(request, DiscardBook))
    return _fresh(request)


@page("page.books")
@require_POST
def ask_tap(request: ActorRequest) -> HttpResponse:
    """Ask that the next rule book hold from a moment on."""
    holds_from = _by_room_clock(request, request.POST.get("holds_from", ""))
    arguments = arguments_of_form(request, AskForBook, holds_from=holds_from)
    books.ask_for_book(command_for(request), **arguments)
    return _fresh(request)


@page("page.books")
@require_POST
def approve_tap(request: ActorRequest) -> HttpResponse:
    """Sign the next rule book: by one's own sign-in, or another manager by their PIN at the asker's screen."""
    command = command_for(request)
    # Before anybody else's PIN is tried.
    if "tables.approve_book" not in command.by.may:
        raise NotPermitted
    approve_by_two(command, **arguments_of_form(request, ApproveBook))
    return _fresh(request)


@page("page.books")
@require_POST
def refuse_tap(request: ActorRequest) -> HttpResponse:
    """Do not sign the next rule book."""
    books.refuse_book(command_for(request), **arguments_of_form(request, RefuseBook))
    return _fresh(request)


@page("page.books")
@require_POST
def withdraw_tap(request: ActorRequest) -> HttpResponse:
    """Take back what was asked for or signed."""
    books.withdraw_book(command_for(request), **arguments_of_form(request, WithdrawBook))
    return _fresh(request)


def in_words(book_changes: Sequence[BookChange], room: Room) -> list[ChangeInWords]:
    """Return changes in the words of the book, amounts written the room's way."""
    return [
        ChangeInWords(
            " › ".join(change.path),
            _value(change.path[-1], change.before, room),
            _value(change.path[-1], change.after, room),
        )
        for change in book_changes
    ]


def _value(key: str, value: Any, room: Room) -> str | None:
    if value is None:
        return None
    if value is True:
        return _("yes")
    if value is False:
        return _("no")
    if isinstance(value, list):
        return ", ".join(_pair(key, each, room) for each in value)
    if key.endswith("_cents") and isinstance(value, int):
        return format_cents(value, currency=room.currency, locale=room.locale)
    if key == "rate_bp" and isinstance(value, int):
        return f"{value / 100:g} %"
    return str(value)


def _pair(key: str, value: Any, room: Room) -> str:
    if key == "tiers" and isinstance(value, list) and len(value) == 2:
        pot, rake = (format_cents(cents, currency=room.currency, locale=room.locale) for cents in value)
        return f"{pot} → {rake}"
    return str(value)


def _shown(request: ActorRequest) -> dict[str, Any]:
    room, by = _room(request), actor_of(request)
    at = clock.now()
    book_desk = book_page(room.pk, at=at)
    next_book = book_desk.next
    _, book = rule_book_in_force(room.pk, at=at)
    names = staff_names(filter(None, _who(book_desk)))
    return {
        "desk": book_desk,
        "changes": in_words(book_desk.changes, room),
        "may_edit": "tables.edit_book" in by.may,
        "is_mine": next_book is not None and next_book.requested_by_id == by.staff_id,
        "edited_by": names.get(next_book.edited_by_id, "") if next_book else "",
        "requested_by": names.get(next_book.requested_by_id or 0, "") if next_book else "",
        "decided_by": names.get(next_book.decided_by_id or 0, "") if next_book else "",
        "versions": [(version, names.get(_signer(version), "")) for version in book_desk.versions],
        "signers": may_sign(room.pk, needs=books.NEEDS, without={next_book.requested_by_id}) if next_book else [],
        "morning": f"{_morning(at, room):%Y-%m-%dT%H:%M}",
        "earliest": f"{(at + timedelta(minutes=1)).astimezone(ZoneInfo(room.time_zone)):%Y-%m-%dT%H:%M}",
        "why_not": book_desk.why_not.text(room.money_format, book=book) if book_desk.why_not else "",
        "is_late": next_book is not None
        and next_book.holds_from is not None
        and next_book.holds_from < at - timedelta(seconds=10),
        "wrong": [(each.line, say_wrong(asdict(each), book)) for each in what_is_wrong(next_book.text)]
        if next_book
        else [],
    }


def _who(book_desk: BookPage) -> list[int | None]:
    next_book = book_desk.next
    ids = [next_book.edited_by_id, next_book.requested_by_id, next_book.decided_by_id] if next_book else []
    return [*ids, *(_signer(version) for version in book_desk.versions)]


def _signer(version: RuleBookVersion) -> int:
    made: NextBook | None = getattr(version, "was_next", None)
    return (made.decided_by_id if made else None) or 0


def _morning(at: datetime, room: Room) -> datetime:
    here = at.astimezone(ZoneInfo(room.time_zone))
    morning = here.replace(hour=MORNING_HOUR, minute=0, second=0, microsecond=0)
    return morning if morning > here else morning + timedelta(days=1)


def _fresh(request: ActorRequest) -> HttpResponse:
    return done(request, content=render_to_string("rulebooks/desk.html", _shown(request), request))


def _room(request: ActorRequest) -> Room:
    assert request.room is not None, "whoever may see this page belongs to a room"
    return request.room


def _text(request: ActorRequest) -> str:
    """Return the text as it was typed: forms send line ends of their own. :raises Malformed: it is beyond reason."""
    text = request.POST.get("text", "").replace("\r\n", "\n")
    if len(text) > books.TEXT_LENGTH_MAX:
        raise Malformed(field="text")
    return text


def _by_room_clock(request: ActorRequest, text: str) -> str:
    """Return a moment that was typed by the room's clock as a call names it; what is none stays so, and is refused."""
    with suppress(ValueError):
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            return moment.replace(tzinfo=ZoneInfo(_room(request).time_zone)).isoformat()
    return text
