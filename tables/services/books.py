"""
The room's next rule book: edited, asked for, signed by a second manager, and in force at its moment.

The room's row is the lock. What holds is never changed: a new version begins, and what has begun goes on under the one
it began under (L-P23).
"""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db.models import Max

from casino.commands.carrying_out import Command, Outcome, service, was_answered
from casino.errors import Malformed, Stale
from casino.people.errors import NeedsSecondSignature
from casino.people.selectors import SIGNATURES
from casino.people.services.signatures import check_signed, check_unprepared
from casino.rooms.models import NextBook, Room, RuleBookVersion
from casino.rooms.selectors import lock_room, rule_book_in_force
from casino.rulebooks import RuleBook, digest, parse, shipped_as
from casino.rulebooks.checking import what_is_wrong
from tables.audiences import ROOM
from tables.errors_books import (
    BookNeedsAnotherManager,
    BookNotAsked,
    BookNotOpen,
    BookOtherCurrency,
    BookReachesBack,
    BookUnchanged,
    BookWrong,
)
from tables.services.setup import offer_games_of

# What the second manager must be allowed to do.
NEEDS = "tables.approve_book"
SIGNATURES.add("tables.approve_book")
# A book of a hundred games is shorter.
TEXT_LENGTH_MAX = 200_000


@service("tables.edit_book", private=["text"])
def edit_book(command: Command, *, text: str, version: int) -> Outcome:
    """
    Save the next rule book, begun now where none is on its way (`version` 0).

    The log keeps the text's digest, the row its text.

    :raises BookWrong: the text is no rule book, or a game in it is above the venue's limit (L-P93).
    :raises BookOtherCurrency: it counts in another currency than the room.
    :raises Stale: another manager has saved since the screen showed `version`.
    :raises BookNotOpen: it waits for a signature or its moment.
    """
    if len(text) > TEXT_LENGTH_MAX:
        raise Malformed(field="text")
    room = lock_room(command.room_id)
    found = _next(command, version)
    if found is not None and found.status != NextBook.Status.EDITED:
        raise BookNotOpen
    _read(room, text)
    if found is None:
        version_id, _book = rule_book_in_force(command.room_id, at=command.at)
        # No page of a book that was thrown away or taken back names a version of the one that follows it.
        last = NextBook.objects.filter(room=room).aggregate(last=Max("version"))["last"] or 0
        found = NextBook(room=room, edited_from_id=version_id, version=last)
    found.text, found.edited_by_id, found.edited_at = text, command.staff_id, command.at
    return _saved(found)


@service("tables.discard_book")
def discard_book(command: Command, *, version: int) -> Outcome:
    """
    Throw the next rule book away.

    :raises Stale: it has changed since the screen showed `version`.
    :raises BookNotOpen: it waits for a signature or its moment.
    """
    lock_room(command.room_id)
    found = _open(command, version)
    found.status = NextBook.Status.DISCARDED
    return _saved(found)


@service("tables.ask_for_book")
def ask_for_book(command: Command, *, version: int, holds_from: datetime) -> Outcome:
    """
    Ask that the next rule book hold from a moment on: another manager signs it.

    :raises Stale: it has changed since the screen showed `version`, or another version holds than it was edited from.
    :raises BookNotOpen: it waits for a signature or its moment.
    :raises BookReachesBack: the moment is not to come (L-P23).
    :raises BookUnchanged: it says what the present one says.
    :raises BookWrong, BookOtherCurrency: as `edit_book`.
    """
    room = lock_room(command.room_id)
    found = _open(command, version)
    version_id, _book = rule_book_in_force(command.room_id, at=command.at)
    if version_id != found.edited_from_id:
        raise Stale(what="rule_book", version=found.version)
    if holds_from <= command.at:
        raise BookReachesBack
    if found.text == found.edited_from.text:
        raise BookUnchanged
    _read(room, found.text)
    found.status, found.holds_from = NextBook.Status.ASKED, holds_from
    found.asked_by_id, found.asked_at = command.staff_id, command.at
    found.decided_by_id = found.decided_at = None
    return _saved(found)


@service("tables.approve_book")
def approve_book(command: Command, *, next_book_id: int, version: int, approved_by_id: int | None = None) -> Outcome:
    """
    Sign the next rule book: it holds from its moment on.

    Another manager signs by their own sign-in; at the screen of the one who asked by their own PIN, as
    `approved_by_id`, who has signed `signs` (`people.services.second_person`, before this command). `next_book_id` says
    which book was read.

    :raises BookNeedsAnotherManager: who signs is who asked, or has not signed.
    :raises SignaturePrepared: after today's changes of sign-ins one person could be both.
    :raises Stale: it has changed since the screen showed `version`, or is another book.
    :raises BookNotAsked: nobody asked for it.
    :raises BookReachesBack: its moment has passed (L-P23).
    """
    lock_room(command.room_id)
    found = _asked(command, version)
    if found.pk != next_book_id:
        raise Stale(what="rule_book", version=found.version)
    by_id = command.staff_id if approved_by_id is None else approved_by_id
    if by_id == found.asked_by_id:
        raise BookNeedsAnotherManager
    exception: dict[str, bool] = {}
    if by_id == command.staff_id:
        assert found.asked_by_id is not None, "who asked is known"
        exception = check_unprepared(command, asker_id=found.asked_by_id, signer_id=by_id)
    else:
        try:
            check_signed(command, by_id, needs=NEEDS, signs=signs(next_book_id, version))
        except NeedsSecondSignature:
            raise BookNeedsAnotherManager from None
    assert found.holds_from is not None
    if found.holds_from <= command.at:
        raise BookReachesBack
    found.status = NextBook.Status.APPROVED
    found.decided_by_id, found.decided_at = by_id, command.at
    return _saved(found, exception=exception)


@service("tables.refuse_book")
def refuse_book(command: Command, *, version: int) -> Outcome:
    """
    Do not sign the next rule book; it can be changed and asked for again.

    :raises BookNeedsAnotherManager: who asked withdraws it.
    :raises Stale: it has changed since the screen showed `version`.
    :raises BookNotAsked: nobody asked for it.
    """
    lock_room(command.room_id)
    found = _asked(command, version)
    if command.staff_id == found.asked_by_id:
        raise BookNeedsAnotherManager
    found.decided_by_id, found.decided_at = command.staff_id, command.at
    return _open_again(found)


@service("tables.withdraw_book")
def withdraw_book(command: Command, *, version: int) -> Outcome:
    """
    Take back what was asked for or signed, until its moment: it can be changed again. Any manager may.

    :raises Stale: it has changed since the screen showed `version`, or holds by now.
    :raises BookNotAsked: nobody asked for it.
    """
    lock_room(command.room_id)
    found = _next(command, version)
    if found is None or found.status == NextBook.Status.EDITED:
        raise BookNotAsked
    found.decided_by_id = found.decided_at = None
    return _open_again(found)


@service("tables.let_book_hold")
def let_book_hold(command: Command, *, next_book_id: int) -> Outcome:
    """
    Let a signed rule book hold whose moment has come: time's own command.

    It holds from now, never from before, and the room offers its games. Tables that are open go on as they were opened
    (L-P23). By the text of another house that is shipped, the room goes by that house's clauses.

    :raises Stale: it was withdrawn meanwhile, or its moment is still to come.
    :raises BookWrong, BookOtherCurrency: what was signed is no rule book any more; managers see why.
    :raises AboveVenue, TooManySeats: a game is above what the licence allows at this venue.
    :raises GamesNotKept: the database keeps no such games.
    """
    room = lock_room(command.room_id)
    found = NextBook.objects.get(id=next_book_id, room=room)
    if found.status != NextBook.Status.APPROVED or found.holds_from is None or found.holds_from > command.at:
        raise Stale(what="rule_book", version=found.version)
    book = _read(room, found.text)
    newest = RuleBookVersion.objects.filter(room=room).order_by("-number")[0]
    found.became = RuleBookVersion.objects.create(
        room=room,
        book=shipped_as(book) or newest.book,
        number=newest.number + 1,
        text=found.text,
        digest=digest(found.text),
        # Not before the version that holds now, though the clock was set back since.
        holds_from=max(command.at, newest.holds_from),
    )
    found.status = NextBook.Status.IN_FORCE
    return _saved(found, games=offer_games_of(room.pk, book))


def signs(next_book_id: int, version: int) -> str:
    """Return what a second manager's PIN signs: this next book of the room's, at this version."""
    return f"next_book.{next_book_id}.{version}"


def check_asked(command: Command, *, next_book_id: int) -> None:
    """
    Ask whether this book waits to be signed, before another's PIN is tried for it. One query, one more the first time.

    A command that is sent again finds its first answer, whatever became of the book since.

    :raises BookNotAsked: nobody asked for a book.
    :raises Stale: another one waits.
    """
    if was_answered(command):
        return
    waits = NextBook.objects.filter(room_id=command.room_id, status=NextBook.Status.ASKED).first()
    if waits is None:
        raise BookNotAsked
    if waits.pk != next_book_id:
        raise Stale(what="rule_book", version=waits.version)


def due_books(*, at: datetime) -> list[int]:
    """Return the ids of signed books whose moment has come, in every room. One query."""
    due = NextBook.objects.filter(status=NextBook.Status.APPROVED, holds_from__lte=at)
    return list(due.order_by("holds_from", "id").values_list("id", flat=True))


def _next(command: Command, version: int) -> NextBook | None:
    """Return the book on its way, None for version 0 where there is none. :raises Stale: it is at another version."""
    on_its_way = NextBook.objects.filter(room_id=command.room_id, status__in=NextBook.ON_ITS_WAY)
    found = on_its_way.select_related("edited_from").first()
    if version != (found.version if found else 0):
        raise Stale(what="rule_book", version=found.version if found else 0)
    return found


def _open(command: Command, version: int) -> NextBook:
    found = _next(command, version)
    if found is None or found.status != NextBook.Status.EDITED:
        raise BookNotOpen if found else Stale(what="rule_book", version=0)
    return found


def _asked(command: Command, version: int) -> NextBook:
    found = _next(command, version)
    if found is None or found.status != NextBook.Status.ASKED:
        raise BookNotAsked
    return found


def _open_again(found: NextBook) -> Outcome:
    found.status = NextBook.Status.EDITED
    found.asked_by_id = found.asked_at = found.holds_from = None
    return _saved(found)


def _read(room: Room, text: str) -> RuleBook:
    """Return the text as a rule book of this room. :raises BookWrong, BookOtherCurrency: it is none."""
    if wrong := what_is_wrong(text):
        raise BookWrong(wrong=[asdict(each) for each in wrong])
    book = parse(text, source="next")
    if book.house.currency != room.currency:
        raise BookOtherCurrency(of_book=book.house.currency, of_room=room.currency)
    return book


def _saved(found: NextBook, *, games: list[int] | None = None, exception: dict[str, bool] | None = None) -> Outcome:
    found.version += 1
    # A bare save names every column, and the role that serves may change these alone.
    found.save(update_fields=NextBook.may_change if found.pk else None)
    data: dict[str, Any] = {
        "next_book": found.pk,
        "status": found.status,
        "digest": digest(found.text),
        "edited_from": found.edited_from_id,
        "asked_by": found.asked_by_id,
        "holds_from": found.holds_from.isoformat() if found.holds_from else None,
        "decided_by": found.decided_by_id,
        **(exception or {}),
    }
    if found.became is not None:
        data |= {"became": found.became.pk, "number": found.became.number, "games": games}
    return Outcome(
        chain="rule_book",
        data=data,
        version=found.version,
        audiences=ROOM if games is not None else (),
        rule_book_version_id=found.became_id or found.edited_from_id,
    )
