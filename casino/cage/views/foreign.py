"""Foreign notes in words: on the question before they are taken, and on the slip."""

from casino.cage.models import NotesTaken
from casino.cage.selectors.foreign import pieces_text, rate_shown
from casino.money import format_cents
from casino.rooms.models import Room


def notes_in_words(notes: NotesTaken, room: Room) -> dict[str, object]:
    """Return notes as screens and paper say them: their face, how many of each, the rate, what they are worth."""
    return {
        "notes": notes,
        "face": format_cents(notes.face_cents, currency=notes.currency, locale=room.locale),
        "notes_text": pieces_text(dict(notes.pieces), notes.currency, room),
        "rate": rate_shown(notes.rate.rate_millionths, room),
    }
