"""Writing about the room itself. These are steps inside other apps' commands: `rooms` lies below the commands."""

from casino.rooms.models import Place


def place(*, room_id: int, kind: str, number: int) -> Place:
    """Return the place of that kind and number, made the first time that something is to stand there."""
    return Place.objects.get_or_create(room_id=room_id, kind=kind, number=number)[0]
