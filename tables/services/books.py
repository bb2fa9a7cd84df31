"""
The room's next rule book: edited, asked for, signed by a second manager, and in force at its moment.

The room's row is the lock. What holds is never changed: a new version begins, and what has begun goes on under the one
it began under (L-P23).
"""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db.models import Max

from casino.cage.services.fill_slips import FILL_NEWS
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
    BookNotOpen,
    BookNotRequested,
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
    next_book = _next(command, version)
    if next_book is not None and next_book.status != NextBook.Status.EDITED:
        raise BookNotOpen
    _read(room, text)
    if next_book is None:
        version_id, _book = rule_book_in_force(command.room_id, at=command.at)
        # No page of a book that was thrown away or taken back names a version of the one that follows it.
        last = NextBook.objects.filter(room=room).aggregate(last=Max("version"))["last"] or 0
        next_book = NextBook(room=room, edited_from_id=version_id, version=last)
    next_book.text, next_book.edited_by_id, next_book.edited_at = text, command.staff_id, command.at
    return _saved(next_book)


@service("tables.discard_book")
def discard_book(command: Command, *, version: int) -> Outcome:
    """
    Throw the next rule book away.

    :raises Stale: it has changed since the screen showed `version`.
    :raises BookNotOpen: it waits for a signature or its moment.
    """
    lock_room(command.room_id)
    next_book = _open(command, version)
    next_book.status = NextBook.Status.DISCARDED
    return _saved(next_book)


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
    next_book = _open(command, version)
    version_id, _book = rule_book_in_force(command.room_id, at=command.at)
    if version_id != next_book.edited_from_id:
        raise Stale(what="rule_book", version=next_book.version)
    if holds_from <= command.at:
        raise BookReachesBack
    if next_book.text == next_book.edited_from.text:
        raise BookUnchanged
    _read(room, next_book.text)
    next_book.status, next_book.holds_from = NextBook.Status.REQUESTED, holds_from
    next_book.requested_by_id, next_book.requested_at = command.staff_id, command.at
    next_book.decided_by_id = next_book.decided_at = None
    return _saved(next_book)


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
    :raises BookNotRequested: no book waits for a signature.
    :raises BookReachesBack: its moment has passed (L-P23).
    """
    lock_room(command.room_id)
    next_book = _waiting_to_be_signed(command, version)
    if next_book.pk != next_book_id:
        raise Stale(what="rule_book", version=next_book.version)
    by_id = command.staff_id if approved_by_id is None else approved_by_id
    if by_id == next_book.requested_by_id:
        raise BookNeedsAnotherManager
    exception: dict[str, bool] = {}
    if by_id == command.staff_id:
        assert next_book.requested_by_id is not None, "who asked is known"
        exception = check_unprepared(command, asker_id=next_book.requested_by_id, signer_id=by_id)
    else:
        try:
            check_signed(command, by_id, needs=NEEDS, signs=signs(next_book_id, version))
        except NeedsSecondSignature:
            raise BookNeedsAnotherManager from None
    assert next_book.holds_from is not None
    if next_book.holds_from <= command.at:
        raise BookReachesBack
    next_book.status = NextBook.Status.APPROVED
    next_book.decided_by_id, next_book.decided_at = by_id, command.at
    return _saved(next_book, exception=exception)


@service("tables.refuse_book")
def refuse_book(command: Command, *, version: int) -> Outcome:
    """
    Do not sign the next rule book; it can be changed and asked for again.

    :raises BookNeedsAnotherManager: who asked withdraws it.
    :raises Stale: it has changed since the screen showed `version`.
    :raises BookNotRequested: no book waits for a signature.
    """
    lock_room(command.room_id)
    next_book = _waiting_to_be_signed(command, version)
    if command.staff_id == next_book.requested_by_id:
        raise BookNeedsAnotherManager
    next_book.decided_by_id, next_book.decided_at = command.staff_id, command.at
    return _open_again(next_book)


@service("tables.withdraw_book")
def withdraw_book(command: Command, *, version: int) -> Outcome:
    """
    Take back what was asked for or signed, until its moment: it can be changed again. Any manager may.

    :raises Stale: it has changed since the screen showed `version`, or holds by now.
    :raises BookNotRequested: no book waits for a signature.
    """
    lock_room(command.room_id)
    next_book = _next(command, version)
    if next_book is None or next_book.status == NextBook.Status.EDITED:
        raise BookNotRequested
    next_book.decided_by_id = next_book.decided_at = None
    return _open_again(next_book)


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
    next_book = NextBook.objects.get(id=next_book_id, room=room)
    if (
        next_book.status != NextBook.Status.APPROVED
        or next_book.holds_from is None
        or next_book.holds_from > command.at
    ):
        raise Stale(what="rule_book", version=next_book.version)
    book = _read(room, next_book.text)
    newest = RuleBookVersion.objects.filter(room=room).order_by("-number")[0]
    next_book.became = RuleBookVersion.objects.create(
        room=room,
        book=shipped_as(book) or newest.book,
        number=newest.number + 1,
        text=next_book.text,
        digest=digest(next_book.text),
        # Not before the version that holds now, though the clock was set back since.
        holds_from=max(command.at, newest.holds_from),
    )
    next_book.status = NextBook.Status.IN_FORCE
    return _saved(next_book, games=offer_games_of(room.pk, book))


def signs(next_book_id: int, version: int) -> str:
    """Return what a second manager's PIN signs: this next book of the room's, at this version."""
    return f"next_book.{next_book_id}.{version}"


def check_waits_to_be_signed(command: Command, *, next_book_id: int) -> None:
    """
    Ask whether this book waits to be signed, before another's PIN is tried for it. One query, one more the first time.

    A command that is sent again finds its first answer, whatever became of the book since.

    :raises BookNotRequested: no book waits for a signature.
    :raises Stale: another one waits.
    """
    if was_answered(command):
        return
    waits = NextBook.objects.filter(room_id=command.room_id, status=NextBook.Status.REQUESTED).first()
    if waits is None:
        raise BookNotRequested
    if waits.pk != next_book_id:
        raise Stale(what="rule_book", version=waits.version)


def due_books(*, at: datetime) -> list[int]:
    """Return the ids of signed books whose moment has come, in every room. One query."""
    due = NextBook.objects.filter(status=NextBook.Status.APPROVED, holds_from__lte=at)
    return list(due.order_by("holds_from", "id").values_list("id", flat=True))


def _next(command: Command, version: int) -> NextBook | None:
    """Return the book on its way, None for version 0 where there is none. :raises Stale: it is at another version."""
    on_its_way = NextBook.objects.filter(room_id=command.room_id, status__in=NextBook.ON_ITS_WAY)
    next_book = on_its_way.select_related("edited_from").first()
    if version != (next_book.version if next_book else 0):
        raise Stale(what="rule_book", version=next_book.version if next_book else 0)
    return next_book


def _open(command: Command, version: int) -> NextBook:
    next_book = _next(command, version)
    if next_book is None or next_book.status != NextBook.Status.EDITED:
        raise BookNotOpen if next_book else Stale(what="rule_book", version=0)
    return next_book


def _waiting_to_be_signed(command: Command, version: int) -> NextBook:
    next_book = _next(command, version)
    if next_book is None or next_book.status != NextBook.Status.REQUESTED:
        raise BookNotRequested
    return next_book


def _open_again(next_book: NextBook) -> Outcome:
    next_book.status = NextBook.Status.EDITED
    next_book.requested_by_id = next_book.requested_at = next_book.holds_from = None
    return _saved(next_book)


def _read(room: Room, text: str) -> RuleBook:
    """Return the text as a rule book of this room. :raises BookWrong, BookOtherCurrency: it is none."""
    if wrong := what_is_wrong(text):
        raise BookWrong(wrong=[asdict(each) for each in wrong])
    book = parse(text, source="next")
    if book.house.currency != room.currency:
        raise BookOtherCurrency(of_book=book.house.currency, of_room=room.currency)
    return book


def _saved(next_book: NextBook, *, games: list[int] | None = None, exception: dict[str, bool] | None = None) -> Outcome:
    next_book.version += 1
    # A bare save names every column, and the role that serves may change these alone.
    next_book.save(update_fields=NextBook.may_change if next_book.pk else None)
    data: dict[str, Any] = {
        "next_book": next_book.pk,
        "status": next_book.status,
        "digest": digest(next_book.text),
        "edited_from": next_book.edited_from_id,
        "asked_by": next_book.requested_by_id,
        "holds_from": next_book.holds_from.isoformat() if next_book.holds_from else None,
        "decided_by": next_book.decided_by_id,
        **(exception or {}),
    }
    if next_book.became is not None:
        data |= {"became": next_book.became.pk, "number": next_book.became.number, "games": games}
    return Outcome(
        chain="rule_book",
        data=data,
        version=next_book.version,
        # Which places are filled is the book's, too.
        audiences=(*ROOM, *FILL_NEWS) if games is not None else (),
        rule_book_version_id=next_book.became_id or next_book.edited_from_id,
    )
