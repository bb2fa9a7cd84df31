"""A room of one's own: made empty, with its rule book and its first manager."""

import os
import uuid
from argparse import ArgumentParser
from dataclasses import asdict
from getpass import getpass
from typing import Any
from zoneinfo import available_timezones

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext, override

from casino import clock
from casino.cage.services import add_drawer
from casino.commands.carrying_out import Command as Tap
from casino.errors import Refusal
from casino.money import MoneyFormat
from casino.people.demo import house_actor
from casino.people.services import add_staff
from casino.rooms.demo import seed_room
from casino.rooms.models import Place, Room
from casino.rooms.services import place
from casino.rulebooks import RuleBookError, known_as, load, shipped, text_of
from casino.rulebooks.checking import what_is_wrong
from tables.errors_books import say_wrong
from tables.services.setup import add_table, offer_games


class Command(BaseCommand):
    """
    `manage.py open_room aarhus --book royal --time-zone Europe/Copenhagen --manager mari --tables 14 --drawers 2`.

    Name, currency and the screens' first language are the book's; another name and another language may be said.
    The hours that its screens and slips say, and by which its days begin, are for good.

    The manager's password is asked for, or read from BRUSH_MANAGER_PASSWORD. Everything else (staff, the gaming
    day, the vault) the manager does on the screens.
    """

    help = "Make a room with its rule book, tables, drawers and first manager, and nothing else."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what a room is made of."""
        parser.add_argument("slug", help="its short name in addresses: letters, digits, hyphens")
        parser.add_argument(
            "--book",
            default=settings.ROOM_BOOK,
            help=f"whose rules it plays by: {', '.join(shipped())}, or a TOML file",
        )
        parser.add_argument("--name", default="", help="its name on screens and slips; the house's unless given")
        parser.add_argument(
            "--language", choices=dict(settings.LANGUAGES), help="of who asks for none; the book's first"
        )
        parser.add_argument(
            "--time-zone", default=settings.TIME_ZONE, help=f"whose hours it keeps, for good; {settings.TIME_ZONE} here"
        )
        parser.add_argument("--manager", required=True, metavar="USERNAME", help="who signs in first")
        parser.add_argument("--tables", type=int, default=1)
        parser.add_argument("--drawers", type=int, default=1)

    def handle(self, *args: Any, slug: str, book: str, name: str, manager: str, **options: Any) -> None:
        """Make the room, whole or not at all."""
        if Room.objects.filter(slug=slug).exists():
            raise CommandError(f"There is a room {slug} already; nothing was changed.")
        if options["time_zone"] not in available_timezones():
            raise CommandError(f"No hours are called {options['time_zone']}; Europe/Copenhagen is such a name.")
        try:
            house = load(book).house
            known_as(book)
            wrong = what_is_wrong(text_of(book))
        except (LookupError, OSError, RuleBookError) as error:
            raise CommandError(str(error)) from error
        if wrong:
            raise CommandError("\n".join([f"{book}:", *(say_wrong(asdict(each)) for each in wrong)]))
        password = os.environ.get("BRUSH_MANAGER_PASSWORD") or getpass(f"Password for {manager}: ")
        at = clock.now()
        try:
            with transaction.atomic():
                room = seed_room(at=at, slug=slug, book=book, name=name, time_zone=options["time_zone"])
                room.language = options["language"] or house.languages[0]
                room.save(update_fields=["language"])

                def tap() -> Tap:
                    return Tap(id=uuid.uuid4(), by=house_actor(room.pk), tapped_at=at, at=at)

                add_staff(
                    tap(), username=manager, display_name=manager.capitalize(), roles=["manager"], password=password
                )
                for kind in (Place.Kind.FLOOR, Place.Kind.CAGE, Place.Kind.DISPLAY):
                    place(room_id=room.pk, kind=kind, number=1)
                for number in range(1, options["tables"] + 1):
                    add_table(tap(), number=number)
                with override(room.language):
                    names = [f"{gettext('Cage')} {number}" for number in range(1, options["drawers"] + 1)]
                for number, called in enumerate(names, 1):
                    add_drawer(tap(), number=number, name=called)
                offer_games(tap())
        except Refusal as refusal:
            raise CommandError(refusal.text(MoneyFormat(house.currency, house.languages[0]))) from refusal
        self.stdout.write(
            f"{room.name} is made, with the hours of {room.time_zone}. {manager} signs in, adds the staff and opens the"
            " day."
        )
