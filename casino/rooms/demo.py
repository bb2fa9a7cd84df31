"""A new room with version 1 of its rule book."""

from datetime import datetime

from django.conf import settings

from casino.rooms.models import Room, RuleBookVersion
from casino.rulebooks import digest, known_as, load, text_of

SLUG = "demo"


def seed_room(
    *,
    at: datetime,
    slug: str = SLUG,
    book: str = settings.ROOM_BOOK,
    name: str = "",
    time_zone: str = settings.TIME_ZONE,
) -> Room:
    """
    Return the room at `slug`, made with version 1 of its rule book if it is not there yet.

    `name` is the house's own by its book where none is said. `book` is a shipped book's name, or the path of another
    house's file. The room counts in its currency and writes money as its first language does; its hours are those of
    `time_zone`, the installation's unless another is said.
    """
    house = load(book).house
    made = {
        "name": name or (f"{house.name} demo" if slug == SLUG else house.name),
        "currency": house.currency,
        "locale": house.languages[0],
        "time_zone": time_zone,
    }
    room, is_new = Room.objects.get_or_create(slug=slug, defaults=made)
    if is_new:
        text = text_of(book)
        RuleBookVersion.objects.create(
            room=room, book=known_as(book), number=1, text=text, digest=digest(text), holds_from=at
        )
    return room
