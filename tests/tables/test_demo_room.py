"""`manage.py demo`: a room to try everything in, made once."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from casino.audit.models import Event
from casino.cage.models import DrawerSession
from casino.ledger.proof import problems
from casino.people.models import Staff
from casino.rooms.models import GamingDay, Room, RuleBookVersion
from tables.models import Game, Table
from tests.taps import at_desktop

pytestmark = pytest.mark.smoke


def shown() -> str:
    output = StringIO()
    call_command("demo", "--show", stdout=output)
    return output.getvalue()


def test_the_room_is_made_whole_and_once(db: None) -> None:
    call_command("demo", verbosity=0)
    events = Event.objects.count()
    call_command("demo", verbosity=0)

    room = Room.objects.get()
    assert Event.objects.count() == events
    assert (RuleBookVersion.objects.get().book, RuleBookVersion.objects.get().number) == ("helsinki", 1)
    assert list(Table.objects.order_by("number").values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6]
    assert Game.objects.filter(is_offered=True).count() == 3
    assert GamingDay.objects.get().closed_at is None
    assert DrawerSession.objects.get().closed_at is None
    assert list(problems(room.pk)) == []


def test_it_says_where_who_and_what_to_try(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRUSH_ADDRESS", "http://127.0.0.1:8123")
    with pytest.raises(CommandError):
        shown()
    call_command("demo", verbosity=0)

    output = shown()

    assert "http://127.0.0.1:8123/lobby/" in output
    for staff in Staff.objects.all():
        assert f"{staff.username}-at-brush" in output
    assert "1212" in output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("username", "paths"),
    [
        ("mari", ["/floor/", "/cage/", "/ledger/", "/people/", "/log/", "/lobby/"]),
        ("frans", ["/floor/", "/floor/tables/1/", "/tables/", "/tables/1/", "/lobby/"]),
        ("anna", ["/tables/", "/tables/1/"]),
        ("carla", ["/cage/"]),
        ("olavi", ["/ledger/", "/log/"]),
    ],
)
def test_everybody_opens_their_pages_at_one_desktop(db: None, username: str, paths: list[str]) -> None:
    call_command("demo", verbosity=0)
    browser = at_desktop(Staff.objects.get(username=username))

    for path in paths:
        assert browser.get(path, follow=True).status_code == 200, path
