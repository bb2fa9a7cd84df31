"""The managers' page about the room's rule book: what holds, what is on its way, and how the two differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from casino.commands.carrying_out import DONE
from casino.commands.models import AnsweredCommand
from casino.errors import Refusal, stored_refusal
from casino.rooms.models import NextBook, RuleBookVersion
from casino.rooms.selectors import rule_book_in_force
from casino.rulebooks import RuleBook
from casino.rulebooks.checking import BookChange, changed_lines, changes

VERSIONS_SHOWN = 20


@dataclass(frozen=True)
class BookPage:
    """
    The version in force, the next one if one is on its way, and the versions before, newest first.

    `changes` are the settings in which the next one differs, `lines` the lines of its text; both are empty without one.
    `why_not` is why the next one, though signed, could not hold when its moment came.
    """

    in_force: RuleBookVersion
    book: RuleBook
    next: NextBook | None
    changes: Sequence[BookChange]
    lines: Sequence[str]
    versions: Sequence[RuleBookVersion]
    why_not: Refusal | None


def book_page(room_id: int, *, at: datetime) -> BookPage:
    """Return what the managers' page shows. Four queries, five once a signed book's moment has passed."""
    version_id, book = rule_book_in_force(room_id, at=at)
    newest_first = RuleBookVersion.objects.filter(room_id=room_id).order_by("-number")
    versions = list(newest_first.select_related("was_next")[:VERSIONS_SHOWN])
    in_force = next((each for each in versions if each.pk == version_id), None) or newest_first.get(id=version_id)
    on_its_way = NextBook.objects.filter(room_id=room_id, status__in=NextBook.ON_ITS_WAY).first()
    return BookPage(
        in_force=in_force,
        book=book,
        next=on_its_way,
        changes=changes(in_force.text, on_its_way.text) if on_its_way else (),
        lines=changed_lines(in_force.text, on_its_way.text) if on_its_way else (),
        versions=versions,
        why_not=_why_not(on_its_way, at=at) if on_its_way else None,
    )


def _why_not(book: NextBook, *, at: datetime) -> Refusal | None:
    if book.status != NextBook.Status.APPROVED or book.holds_from is None or book.holds_from > at:
        return None
    claims = AnsweredCommand.objects.filter(room_id=book.room_id, command_id=book.holding_id).exclude(
        code__in=["", DONE]
    )
    claim = claims.first()
    return stored_refusal(claim.code, claim.data) if claim else None
