"""A room of one's own begins empty, with somebody who may sign in."""

import re
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.hashers import check_password
from django.core.management import CommandError, call_command
from django.utils import translation

from casino import clock
from casino.cage.models import Drawer
from casino.people.models import Player, Staff
from casino.rooms.models import Room
from casino.rooms.selectors import book_name, rule_book_in_force
from casino.rulebooks import load, shipped
from tables.models import Game, Table

pytestmark = pytest.mark.django_db


SALONKI = Path(__file__).parents[1] / "rulebooks" / "third_house" / "salonki.toml"


def open_room(slug="casino"):
    call_command("open_room", slug, name="My casino", manager="mari", tables=3, drawers=2, verbosity=0)


def test_a_room_has_its_rule_book_tables_drawers_and_one_manager(monkeypatch):
    monkeypatch.setenv("BRUSH_MANAGER_PASSWORD", "a-long-enough-one")

    open_room()

    room = Room.objects.get(slug="casino")
    manager = Staff.objects.get(room=room)
    assert (room.name, manager.roles) == ("My casino", ["manager"])
    assert check_password("a-long-enough-one", manager.password)
    assert (Table.objects.filter(room=room).count(), Drawer.objects.filter(room=room).count()) == (3, 2)
    assert Game.objects.filter(room=room, is_offered=True).exists()
    assert not Player.objects.exists()


def test_the_first_rule_book_holds_also_when_the_clock_is_set_back_behind_it(monkeypatch):
    """The machine's clock was fast when the room was made: its tables open all the same."""
    monkeypatch.setenv("BRUSH_MANAGER_PASSWORD", "a-long-enough-one")
    open_room()
    room_id = Room.objects.get(slug="casino").pk

    now, before = (rule_book_in_force(room_id, at=clock.now() - timedelta(hours=hours)) for hours in (0, 12))

    assert before == now


def test_a_refused_password_leaves_no_room_behind(monkeypatch):
    monkeypatch.setenv("BRUSH_MANAGER_PASSWORD", "1234")

    with pytest.raises(CommandError):
        open_room()

    assert not Room.objects.exists()


def test_a_room_is_made_once(monkeypatch):
    monkeypatch.setenv("BRUSH_MANAGER_PASSWORD", "a-long-enough-one")
    open_room()

    with pytest.raises(CommandError, match="already"):
        open_room()


def test_a_room_can_be_run_by_another_house_s_book(monkeypatch, client):
    monkeypatch.setenv("BRUSH_MANAGER_PASSWORD", "a-long-enough-one")

    out = StringIO()
    call_command("open_room", "aarhus", book="royal", time_zone="Europe/Copenhagen", manager="mari", stdout=out)

    room = Room.objects.get()
    assert (room.name, room.currency, room.language) == ("Royal Casino Aarhus", "DKK", "da")
    assert (room.time_zone, "the hours of Europe/Copenhagen" in out.getvalue()) == ("Europe/Copenhagen", True)
    assert Drawer.objects.get().name == "Kasse 1"
    version_id, book = rule_book_in_force(room.pk, at=clock.now())
    assert (book_name(version_id), book.house.currency) == ("royal", "DKK")
    assert Game.objects.filter(room=room, is_offered=True).count() == len(book.games)
    # Who asks for no language reads the house's own, and everybody its money.
    with translation.override("en"):
        posted = client.get("/posted/").content.decode()
        assert ('<html lang="da"' in posted, "20\u00a0kr." in posted, "€" in posted) == (True, True, False)
        for accepted, spoken in (("nb,en;q=0.8", "en"), ("nb,*;q=0.5", "da"), ("sv-FI", "sv")):
            assert (
                f'<html lang="{spoken}"'
                in client.get("/lobby/", headers={"accept-language": accepted}).content.decode()
            )


def test_hours_that_nobody_keeps_open_no_room(monkeypatch):
    monkeypatch.setenv("BRUSH_MANAGER_PASSWORD", "a-long-enough-one")

    with pytest.raises(CommandError, match="No hours are called Europe/Aarhus"):
        call_command("open_room", "aarhus", time_zone="Europe/Aarhus", manager="mari", verbosity=0)

    assert not Room.objects.exists()


@pytest.mark.parametrize("book", [book for book in shipped() if book != "helsinki"])
def test_every_shipped_book_opens_a_room(monkeypatch, book):
    monkeypatch.setenv("BRUSH_MANAGER_PASSWORD", "a-long-enough-one")

    call_command("open_room", "casino", book=book, manager="mari", language="en", verbosity=0)

    assert Room.objects.get().currency == load(book).house.currency
    assert Game.objects.filter(is_offered=True).count() == len(load(book).games)


@pytest.mark.parametrize(
    ("called", "encoding", "old", "new", "says"),
    [
        pytest.param(
            "helsinki", "utf-8", "", "", "another house's document", id="a name that leads to another's clauses"
        ),
        pytest.param("licence", "utf-8", "", "", "another house's document", id="the authority's name"),
        pytest.param("s" * 41, "utf-8", "", "", "1 to 40 letters", id="a name too long to keep"),
        pytest.param("salonki 2", "utf-8", "", "", "1 to 40 letters", id="a name with a space"),
        pytest.param("mine", "utf-8", "buy_in_first =", "buy_in_frist =", "Did you mean “buy_in_first”", id="a reason"),
        pytest.param("mine", "utf-8", "with %(asked)s", "with %(aksed)s", "%(asked)s, %(minimum)s", id="a sentence"),
        pytest.param("mine", "latin-1", "", "", "no text in UTF-8", id="no UTF-8"),
    ],
)
def test_a_file_that_is_no_book_of_its_own_opens_no_room(tmp_path, monkeypatch, called, encoding, old, new, says):
    monkeypatch.setenv("BRUSH_MANAGER_PASSWORD", "a-long-enough-one")
    file = tmp_path / f"{called}.toml"
    file.write_bytes(SALONKI.read_text(encoding="utf-8").replace(old, new, 1).encode(encoding))

    with pytest.raises(CommandError, match=re.escape(says)):
        call_command("open_room", "salonki", book=str(file), manager="mari", verbosity=0)

    assert not Room.objects.exists()
