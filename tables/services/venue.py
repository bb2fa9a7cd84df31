"""What the licence allows where the room stands: checked before a game is offered or a table opens."""

from casino.rulebooks import RuleBook
from tables.errors_books import AboveVenue, TooManySeats
from tables.models import Game


def check_venue(book: RuleBook, game: Game) -> None:
    """
    Check a game against the venue of the book in force.

    :raises AboveVenue: a blind or straddle of it is above what the licence allows here (L-P93, L-PQ20).
    :raises TooManySeats: it has more seats than a table may have here (L-P48).
    """
    if book.venue is None:
        return
    stake_cents = game.opening_stake_max_cents
    what = book.venue.refuses(opening_stake_cents=stake_cents, seats=game.seats)
    if what == "opening_stake":
        raise AboveVenue(game=game.name, stake_cents=stake_cents, most_cents=book.venue.opening_stake_max_cents)
    if what == "seats":
        raise TooManySeats(game=game.name, seats=game.seats, most=book.venue.seats_max)
