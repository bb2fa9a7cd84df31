"""The demo room: one small Helsinki room with its rule book."""

import hashlib
from datetime import datetime
from importlib.resources import files

from casino.rooms.models import Room, RuleBookVersion

SLUG = "demo"


def seed_room(*, at: datetime, slug: str = SLUG, book: str = "helsinki") -> Room:
    """Return the room of that name, made with version 1 of its rule book if it is not there yet."""
    room, is_new = Room.objects.get_or_create(slug=slug, defaults={"name": "Casino Helsinki demo"})
    if is_new:
        text = (files("casino.rulebooks") / f"{book}.toml").read_text(encoding="utf-8")
        RuleBookVersion.objects.create(
            room=room,
            book=book,
            number=1,
            text=text,
            digest=hashlib.sha256(text.encode()).hexdigest(),
            holds_from=at,
        )
    return room
