"""Setting the room up: its tables, and the games that its rule book offers."""

from typing import Any

from casino.commands.frame import Command, Outcome, service
from casino.ledger.services import open_accounts
from casino.poker.drop import drop_to_dict
from casino.poker.rake import rake_to_dict
from casino.rooms.models import Place, Room
from casino.rooms.selectors import rule_book_in_force
from casino.rulebooks import Game as GameInBook
from tables.models import Game, Table


@service("tables.add_table")
def add_table(command: Command, *, number: int) -> Outcome:
    """Add a table to the room, with its place and its accounts. Adding it again changes nothing."""
    room = Room.objects.get(id=command.room_id)
    place, _ = Place.objects.get_or_create(room=room, kind=Place.Kind.TABLE, number=number)
    table, _ = Table.objects.get_or_create(room=room, number=number, defaults={"place": place})
    open_accounts(room, "table", table.pk)
    return Outcome(chain=table.chain, data={"table": number, "id": table.pk}, audiences=("floor", "lobby"))


@service("tables.offer_games")
def offer_games(command: Command) -> Outcome:
    """
    Offer the games of the rule book in force, and no others. Games that tables run stay as they are opened.
    """
    version_id, book = rule_book_in_force(command.room_id, at=command.at)
    offered = []
    for entry in book.games:
        game, _ = Game.objects.update_or_create(
            room_id=command.room_id,
            name=entry.name,
            defaults={**game_fields(entry), "is_offered": True},
        )
        offered.append(game.pk)
    Game.objects.filter(room_id=command.room_id).exclude(id__in=offered).update(is_offered=False)
    return Outcome(
        chain="games", data={"games": offered}, audiences=("floor", "lobby"), rule_book_version_id=version_id
    )


def game_fields(entry: GameInBook) -> dict[str, Any]:
    """Return a game of the rule book as the fields of a `Game`, without its name."""
    return {
        "variant": entry.variant,
        "structure": entry.structure.value,
        "small_blind_cents": entry.small_blind_cents,
        "big_blind_cents": entry.big_blind_cents,
        "buy_in_min_cents": entry.buy_in_min_cents,
        "buy_in_max_cents": entry.buy_in_max_cents or None,
        "seats": entry.seats,
        "chip_cents": entry.smallest_chip_cents,
        "rake": rake_to_dict(entry.rake_policy) if entry.rake_policy else None,
        "drop": drop_to_dict(entry.drop_policy) if entry.drop_policy else None,
    }
