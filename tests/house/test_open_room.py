"""A room of one's own begins empty, with somebody who may sign in."""

import pytest
from django.contrib.auth.hashers import check_password
from django.core.management import CommandError, call_command

from casino.cage.models import Drawer
from casino.people.models import Player, Staff
from casino.rooms.models import Room
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
