"""Opening and closing a table, and the button draw between the two."""

from collections.abc import Mapping

from casino.cage.services.fill_slips import FILL_NEWS
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound, Stale
from casino.rooms.selectors import lock_open_day, rule_book_in_force
from casino.rows import Update
from tables.audiences import DEALERS
from tables.claims import claims
from tables.errors import HandInProgress, NoSuchSeat, SeatsOccupied, TableAlreadyOpen
from tables.errors_racks import BookHasNoCashPlays
from tables.errors_seats import OtherGame
from tables.models import Game, Opening, Seating, Table
from tables.owners import table_figures
from tables.services import rack_pushes
from tables.services.downs import follow_closing, follow_opening
from tables.services.state import done, lock_day_and_table, lock_table, lock_table_and, opening_of
from tables.services.venue import check_venue


@service("tables.open_table")
def open_table(
    command: Command,
    *,
    table_id: int,
    game_id: int,
    feeds_table_id: int | None = None,
    cash_plays: bool | None = None,
    version: int | None = None,
) -> Outcome:
    """
    Open a table with a game on offer: the floor decides (H2.1).

    With `feeds_table_id` it is a must-move game: its players move on to that table, the main game, as seats open there.
    `cash_plays`: whether its dealers sell chips out of the rack, until it closes; None as the book lets tables.

    :raises OtherGame: the main game's table runs another game.
    :raises TableAlreadyOpen: it runs a game.
    :raises Stale: the table has changed since the screen showed `version`.
    :raises NoOpenDay: no gaming day is open.
    :raises AboveVenue, TooManySeats: the game is above what the licence allows at this venue (L-P93, L-P48).
    :raises BookHasNoCashPlays: the book lets no table sell out of its rack.
    """
    if feeds_table_id is None:
        day, table = lock_day_and_table(command, table_id)
    else:
        # With the main game's table: when that goes on otherwise, the link is carried over, of which it has to know.
        day = lock_open_day(command.room_id)
        table, _main = lock_table_and(command, table_id, [feeds_table_id])
    if table.is_open:
        raise TableAlreadyOpen(table_number=table.number)
    if version is not None and version != table.version:
        raise Stale(what="table", version=table.version)
    game = Game.objects.filter(id=game_id, room_id=command.room_id, is_offered=True).first()
    if game is None:
        raise NotFound(what="game")
    feeds = _main_game(command, game, feeds_table_id) if feeds_table_id is not None else None
    book_version_id, book = rule_book_in_force(command.room_id, at=command.at)
    check_venue(book, game)
    if cash_plays and not book.dealers.rack.sells:
        raise BookHasNoCashPlays
    table.opening = Opening.objects.create(
        room_id=command.room_id,
        table=table,
        game=game,
        day=day,
        rule_book_version_id=book_version_id,
        opened_at=command.at,
        opened_by_id=command.staff_id,
        feeds=feeds,
        has_cash_plays=cash_plays is not False,
    )
    follow_opening(command, table)
    rack_pushes.follow_opening(command, table, table.opening)
    has_cash_plays = table.opening.terms.dealers.rack.sells
    data = {"opening": table.opening.pk, "game": game.pk, "feeds": feeds_table_id, "cash_plays": has_cash_plays}
    return done(table, data=data, audiences=(DEALERS,))


def _main_game(command: Command, game: Game, table_id: int) -> Opening:
    """:raises NotFound, OtherGame: there is no such main game."""
    main = Table.objects.filter(room_id=command.room_id, id=table_id).select_related("opening__game").first()
    if main is None:
        raise NotFound(what="table")
    if main.opening is None or not main.opening.game.is_same_game(game):
        raise OtherGame(table_number=main.number)
    return main.opening


@service("tables.record_draw")
def record_draw(
    command: Command, *, table_id: int, winner_seat: int, seats: list[int], cards: Mapping[str, str] | None = None
) -> Outcome:
    """
    Record the button draw: which seats took part and which one won the first button (H4.22).

    A fact. Players of the draw are no new players (H4.23). A draw that comes after the first hand changes
    nothing at the table and is kept in the log alone.
    """
    table = lock_table(command, table_id)
    opening = opening_of(table)
    _check_seats(opening, [*seats, winner_seat])
    counts = opening.last is None and table.hand is None
    if counts:
        # In a seat that is played over, whoever is there has drawn, not its holder.
        drawn = Seating.objects.filter(table=table, left_at=None, is_played_over=False, seat_number__in=seats)
        players = dict(drawn.values_list("seat_number", "player_id"))
        opening.draw = {
            "seats": sorted(seats),
            "players": [players.get(seat) for seat in sorted(seats)],
            "winner": winner_seat,
            "cards": dict(cards or {}),
        }
    data = {"winner": winner_seat, "seats": sorted(seats), "counts": counts}
    return done(table, data=data, changes=[Update(opening)])


@service("tables.button_here")
def button_here(command: Command, *, table_id: int, seat_number: int) -> Outcome:
    """
    Take the dealer's word for where the button is: the felt wins. A fact, recorded.

    It holds for the next hand, whose blinds follow from it clockwise.
    """
    table = lock_table(command, table_id)
    opening = opening_of(table)
    _check_seats(opening, [seat_number])
    opening.button_here = seat_number
    return done(table, data={"seat": seat_number}, changes=[Update(opening)])


@service("tables.close_table")
def close_table(command: Command, *, table_id: int) -> Outcome:
    """
    Close a table that nobody sits at any more. Whoever was called there waits again in the old place.

    It decides on no version: all that stands against it is looked at here, and at a closing table each tap moves that.

    :raises TableClosed: it runs nothing.
    :raises SeatsOccupied: players still sit there.
    :raises HandInProgress: a hand is being played.
    """
    # Nothing of the day is read, but it is held open: what plays on over its end stays there, as it was counted.
    _day, table = lock_day_and_table(command, table_id)
    opening = opening_of(table)
    if table.hand is not None:
        raise HandInProgress(hand_number=table.hand.number)
    if Seating.objects.filter(table=table, left_at=None).exists():
        raise SeatsOccupied(table_number=table.number)
    opening.closed_at, opening.closed_by_id = command.ends(opening.opened_at), command.staff_id
    opening.save(update_fields=["closed_at", "closed_by_id"])
    table.opening = None
    follow_closing(command, table)
    rack_pushes.follow_closing(command, table, opening)
    # Last, for it locks lists, which come after tables and downs.
    ended = claims().nobody_new(command, table)
    data = {"opening": opening.pk, "calls_ended": [*ended.refs], "in_play_cents": table_figures(table.pk)["in_play"]}
    # From now on its rack is kept, and filled, by the book in force.
    return done(table, data=data, audiences=(DEALERS, *FILL_NEWS, *ended.screens))


def _check_seats(opening: Opening, seats: list[int]) -> None:
    if any(not 1 <= seat <= opening.game.seats for seat in seats):
        raise NoSuchSeat(seats=opening.game.seats)
