"""What people give the floor: who may not sign in any more because of wrong tries."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.live.areas import TODO
from casino.live.todo import ToDoLine
from casino.people.identity import OneDocument, shown_twice
from casino.people.models import Staff
from casino.people.news import LOCKED, PLAYERS
from casino.reading import read_once
from casino.rows import read_seldom
from casino.text import isolated

_LOCKED = "FROM people_staff WHERE room_id = %s AND is_active AND locked_at IS NOT NULL ORDER BY locked_at, id"


def register() -> None:
    """Give the floor what people leave it to do."""
    TODO.give(locked_lines, news=LOCKED)
    TODO.give(one_document_lines, news=PLAYERS)


def locked_lines(*, room_id: int) -> Iterator[ToDoLine]:
    """Yield a line for everybody who is locked out. One query."""
    return map(_locked, _locked_out(room_id))


@read_once
def _locked_out(room_id: int) -> list[Staff]:
    return [person for (person,) in read_seldom((Staff,), _LOCKED, room_id)]


def one_document_lines(*, room_id: int) -> Iterator[ToDoLine]:
    """Yield a line for every two records for which one document was shown. One query."""
    return map(_one_document, shown_twice(room_id))


def _one_document(each: OneDocument) -> ToDoLine:
    (one, name), (other, other_name) = each.one, each.other
    return ToDoLine(
        key=f"document.{one}.{other}",
        table_number=None,
        urgency=6,
        tone="later",
        where=_("Players"),
        text=_("%(one)s and %(other)s showed one document") % {"one": isolated(name), "other": isolated(other_name)},
        reason=_(
            "One person has one record: a manager merges them. If it was noted wrongly, check the right one anew."
        ),
        at=each.at,
        how="page",
        address=reverse("player", args=[one]),
        label=_("Look"),
    )


def _locked(person: Staff) -> ToDoLine:
    assert person.locked_at is not None
    return ToDoLine(
        key=f"staff.{person.pk}",
        table_number=None,
        urgency=2,
        tone="soon",
        where=_("Door"),
        text=_("%(person)s is locked out") % {"person": isolated(person.display_name)},
        reason=_("Too many wrong PINs. Make sure who it was; a manager’s lock is a manager’s to lift."),
        at=person.locked_at,
        how="post",
        address=reverse("people_unlock", args=[person.pk]),
        label=_("Unlock"),
    )
