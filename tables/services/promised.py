"""Whether a seat is there to be had: the game has it, and nobody else was called to it."""

from tables.claims import claims
from tables.errors import NoSuchSeat
from tables.errors_seats import SeatPromised
from tables.models import Opening, Table


def check_not_promised(table: Table, *, seat_number: int, player_id: int) -> None:
    """:raises SeatPromised: somebody else was called to that seat of the locked table."""
    if claims().promised_at(table.pk).get(seat_number, player_id) != player_id:
        raise SeatPromised(seat_number=seat_number)


def check_seat_exists(opening: Opening, seat_number: int) -> None:
    """:raises NoSuchSeat: the game has fewer seats."""
    if not 1 <= seat_number <= opening.game.seats:
        raise NoSuchSeat(seats=opening.game.seats)
