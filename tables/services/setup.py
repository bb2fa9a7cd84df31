"""Setting the room up: its tables, and the games that its rule book offers."""

from typing import Any

from django.db import DataError, IntegrityError

from casino.commands.carrying_out import Command, Outcome, service
from casino.ledger.services import open_accounts
from casino.poker.time_charge import time_to_dict
from casino.rooms.models import Place, Room
from casino.rooms.selectors import lock_room, rule_book_in_force
from casino.rulebooks import Game as GameInBook
from casino.rulebooks import RuleBook
from tables.audiences import ROOM
from tables.charges import charges_in_book
from tables.claims import claims
from tables.errors_books import GamesNotKept
from tables.models import Game, Table
from tables.services.venue import check_venue


@service("tables.add_table")
def add_table(command: Command, *, number: int) -> Outcome:
    """Add a table to the room, with its place and its accounts. Adding it again changes nothing."""
    room = Room.objects.get(id=command.room_id)
    place, _ = Place.objects.get_or_create(room=room, kind=Place.Kind.TABLE, number=number)
    table, _ = Table.objects.get_or_create(room=room, number=number, defaults={"place": place})
    open_accounts(room, "table", table.pk)
    return Outcome(chain=table.chain, data={"table": number, "id": table.pk}, audiences=ROOM)


@service("tables.offer_games")
def offer_games(command: Command) -> Outcome:
    """
    Offer the games of the rule book in force, and no others.

    A game that the book has changed becomes a game of its own: tables that run the old one, and the hands
    dealt there, stay as they were opened (L-P23). Who waits for it waits for the new one.

    :raises AboveVenue, TooManySeats: a game is above what the licence allows at this venue (L-P93, L-P48).
    :raises GamesNotKept: the database keeps no such games.
    """
    # Two managers at once would make the same game twice.
    lock_room(command.room_id)
    version_id, book = rule_book_in_force(command.room_id, at=command.at)
    offered = offer_games_of(command.room_id, book)
    return Outcome(chain="games", data={"games": offered}, audiences=ROOM, rule_book_version_id=version_id)


def offer_games_of(room_id: int, book: RuleBook) -> list[int]:
    """
    Offer the games of a book, and no others, and return their ids; the room is locked.

    :raises AboveVenue, TooManySeats, GamesNotKept: as `offer_games`.
    """
    try:
        return _offer(room_id, book)
    except (IntegrityError, DataError) as problem:
        # What the schema lets pass and a table does not: said, so that it stops this book and nothing else.
        raise GamesNotKept from problem


def _offer(room_id: int, book: RuleBook) -> list[int]:
    games = [_known_or_new(room_id, entry) for entry in book.games]
    _open_boxes(room_id)
    for game in games:
        check_venue(book, game)
    offered = [game.pk for game in games]
    # First, for one game of a name is on offer, and the database sees to it at once.
    Game.objects.filter(room_id=room_id).exclude(id__in=offered).update(is_offered=False)
    Game.objects.filter(id__in=offered).update(is_offered=True)
    for game in games:
        claims().goes_on(game)
    return offered


def _open_boxes(room_id: int) -> None:
    """Give each table the boxes of what its hands may be charged from now on: tables may be older than a charge."""
    room = Room.objects.get(id=room_id)
    for table_id in Table.objects.filter(room_id=room_id).values_list("id", flat=True):
        open_accounts(room, "table", table_id)


def _known_or_new(room_id: int, entry: GameInBook) -> Game:
    """Return the room's game of exactly these terms, made now if there is none; it may not be offered yet."""
    known = Game.objects.filter(room_id=room_id, name=entry.name).order_by("-id")
    fields = game_fields(entry)
    for game in known:
        if all(getattr(game, name) == value for name, value in fields.items()):
            return game
    return Game.objects.create(room_id=room_id, name=entry.name, is_offered=False, **fields)


def game_fields(entry: GameInBook) -> dict[str, Any]:
    """Return a game of the rule book as the fields of a `Game`, without its name."""
    return {
        "variant": entry.variant,
        "structure": entry.structure.value,
        "small_blind_cents": entry.small_blind_cents,
        "big_blind_cents": entry.big_blind_cents,
        "buy_in_min_cents": entry.buy_in_min_cents,
        "buy_in_max_cents": entry.buy_in_max_cents or None,
        "family": entry.family,
        "seats": entry.seats,
        "chip_cents": entry.smallest_chip_cents,
        "straddle": entry.straddle.value,
        "button": entry.button.value,
        "may_post_to_come_in": entry.may_post_to_come_in,
        "players_min": entry.players_min,
        "may_two_go_on": entry.may_two_go_on,
        "charges": charges_in_book(entry),
        "time_charge": time_to_dict(entry.time_policy) if entry.time_policy else None,
    }
