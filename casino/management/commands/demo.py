"""The demo room: made once, told again whenever somebody asks."""

import os
import uuid
from argparse import ArgumentParser
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from casino import clock
from casino.cage.demo import house_opening
from casino.commands import carrying_out
from casino.people.demo import house_actor, seed_people
from casino.people.published import STAFF, why_not_to_open
from casino.people.selectors import actor_at_desktop
from casino.rooms.demo import SLUG, seed_room
from casino.rooms.models import Place, Room
from casino.rooms.services import place
from tables.services.setup import add_table, offer_games

TABLES = 6
THINGS_TO_TRY = """\
Three things to try:
  1. Sign in as frans, open /floor/, tap table 1, choose a game and seat three players.
  2. In another browser sign in as carla, open /cage/ and take the money that the seats ask for.
  3. In a third sign in as anna, open /tables/1/ and log a hand in four taps; watch the lobby change."""


class Command(BaseCommand):
    """
    `manage.py demo` makes the demo room if it is not there; `--show` says who can sign in and what to try.

    `--check` fails when somebody of it still has a published password or PIN: no house for others to reach.
    """

    help = "Make the demo room, or (--show) say who can sign in and what to try, or (--check) whether others may come."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare `--show`, `--check` and `--book`."""
        parser.add_argument("--show", action="store_true", help="change nothing; print address, people and what to try")
        parser.add_argument("--check", action="store_true", help="change nothing; fail when published secrets are left")
        parser.add_argument(
            "--book", default=settings.ROOM_BOOK, help="another rule book for a room that is not there yet"
        )

    def handle(self, *args: Any, show: bool, check: bool, book: str, verbosity: int, **options: Any) -> None:
        """Make the room, or show it."""
        if check:
            if reason := why_not_to_open():
                raise CommandError(reason)
            return
        if show:
            if not Room.objects.filter(slug=SLUG).exists():
                raise CommandError("There is no demo room yet: manage.py demo makes it.")
            self.stdout.write(welcome())
            return
        if settings.OPEN_BY:
            raise CommandError(
                f"{settings.OPEN_BY} opens this house to other machines, and the demo room's passwords and PINs are "
                "published: manage.py open_room makes a room of your own (deploy/README.md)."
            )
        room = make_demo_room(at=clock.now(), book=book)
        if verbosity:
            self.stdout.write(f"{room.name} is ready. manage.py demo --show says who can sign in.")


def make_demo_room(*, at: datetime, book: str = settings.ROOM_BOOK) -> Room:
    """
    Return the demo room: rule book, people, six tables, games on offer, day, vault and drawer 1 open.

    `book` is a shipped book's name, or the path of another house's file.

    Every step is an ordinary command in the log, and all of them are one transaction: a room that is there is
    whole, and is left alone from then on.
    """
    demo = Room.objects.filter(slug=SLUG).first()
    if demo is not None:
        return demo
    with transaction.atomic():
        room = seed_room(at=at, book=book)
        people = seed_people(room, at=at)
        for kind in (Place.Kind.FLOOR, Place.Kind.CAGE, Place.Kind.DISPLAY):
            place(room_id=room.pk, kind=kind, number=1)
        for number in range(1, TABLES + 1):
            _once(room, f"table/{number}", add_table, at, number=number)
        _once(room, "games", offer_games, at)
        house_opening(by=actor_at_desktop(people.staff["mari"]), at=at)
    return room


def _once(room: Room, step: str, service: Callable[..., carrying_out.Answer], at: datetime, **args: Any) -> None:
    """Give a first step's command, by an id that follows from the step: two that make the room meet there."""
    command_id = uuid.uuid5(uuid.NAMESPACE_URL, f"brush/{room.slug}/{room.pk}/{step}")
    service(carrying_out.Command(id=command_id, by=house_actor(room.pk), tapped_at=at, at=at), **args)


def welcome(address: str | None = None) -> str:
    """Return what `make run` prints: the address, who can sign in, the lobby, and three things to try."""
    where = (address or os.environ.get("BRUSH_ADDRESS") or "http://localhost:8000").rstrip("/")
    lines = [f"Brush is open at {where}/", f"The lobby's television: {where}/lobby/", ""]
    lines.append(f"  {'sign in as':<11} {'password':<16} {'PIN':<5} roles")
    for person in STAFF:
        roles = ", ".join(role.value for role in person.roles)
        lines.append(f"  {person.username:<11} {person.password:<16} {person.pin:<5} {roles}")
    lines += [
        "",
        "Passwords are for desktops; PINs for tablets, which a manager enrols at /people/devices/.",
        "",
        THINGS_TO_TRY,
    ]
    return "\n".join(lines)
