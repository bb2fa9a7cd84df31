"""Setting the room up: its tables, and the games that its rule book offers."""

from casino.commands.frame import Command, Outcome, service
from casino.ledger.services import open_accounts
from casino.rooms.models import Place, Room
from casino.rooms.selectors import rule_book_in_force
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
