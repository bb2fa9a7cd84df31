"""How long the seat of a player who is away is held (H1.8-H1.10, A1, A2, R-§4, RA9, U35)."""

from datetime import datetime, timedelta

from casino.poker.missed import between
from casino.poker.positions import LastHand
from casino.rulebooks.absence import Absence


def limit_at(terms: Absence, *, away_since: datetime) -> datetime | None:
    """Return until when a seat is held, None where the house counts no minutes (H1.10)."""
    return away_since + timedelta(minutes=terms.limit_minutes) if terms.limit_minutes else None


def is_over(terms: Absence, *, at: datetime, limit: datetime | None, buttons_passed: int) -> bool:
    """
    Say whether the limit has come: the moment, or the button that passed so often. Whoever has a moment of their own,
    from the long break or the floor, is held until then, whatever the button does (H1.9, H1.10).

    A house without any limit leaves it to the floor from the first minute on (H1.8, A1).
    """
    if limit is not None:
        return at >= limit
    return buttons_passed >= terms.buttons_max


def button_passes(last: LastHand | None, *, button: int, seats: int) -> frozenset[int]:
    """Return the seats that the button passes with a hand on its way to `button`, that one among them (RA9)."""
    if last is None or last.button_seat == button:
        return frozenset()
    return between(last.button_seat, button, seats=seats) | {button}
