"""A room of one's own begins empty, with somebody who may sign in."""

from datetime import timedelta

import pytest
from django.contrib.auth.hashers import check_password
from django.core.management import CommandError, call_command

from casino import clock
from casino.cage.models import Drawer
from casino.people.models import Player, Staff
from casino.rooms.models import Room
from casino.rooms.selectors import rule_book_in_force
from tables.models import Game, Table

pytestmark = pytest.mark.django_db


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
