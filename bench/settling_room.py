"""A room for settling hands: tables of one game, nine players with chips at each."""

import uuid
from typing import Any

from casino import clock
from casino.commands.carrying_out import Actor, Answer, Command
from casino.management.commands.demo import make_demo_room
from casino.people.demo import house_actor
from casino.people.models import Player, Staff
from casino.people.selectors import actor_at_desktop
from casino.rooms.models import Room
from tables.models import Game, Table
from tables.services.opening import open_table
from tables.services.seating import seat_player
from tables.services.setup import add_table

GAME = "No limit hold'em 2/2"
PLAYERS = 9
# The hand that is settled: its pot, who wins it, and what the room takes from it, into which boxes.
POT_CENTS = 86_00
WINNER = 2
TAKEN = {"rake_box": 4_00, "jackpot_box": 1_00}


def make_room(*, tables: int) -> list[int]:
    """Make the room with so many open and seated tables; return the tables' ids."""
    room = make_demo_room(at=clock.now())
    floor = actor_at_desktop(Staff.objects.get(room=room, username="frans"))
    game = Game.objects.get(room=room, name=GAME, is_offered=True)
    for number in range(1, tables + 1):
        _tap(house_actor(room.pk), add_table, number=number)
    for table in Table.objects.filter(room=room).order_by("number")[:tables]:
        _tap(floor, open_table, table_id=table.pk, game_id=game.pk)
        for seat, player in enumerate(_players(room, table.number), start=1):
            _tap(floor, seat_player, table_id=table.pk, seat_number=seat, player_id=player.pk, chips_cents=200_00)
    return list(Table.objects.filter(room=room, opening__isnull=False).order_by("number").values_list("id", flat=True))


def _players(room: Room, table_number: int) -> list[Player]:
    names = [f"Guest {table_number}.{seat}" for seat in range(1, PLAYERS + 1)]
    return Player.objects.bulk_create(Player(room=room, nickname=name, created_at=clock.now()) for name in names)


def _tap(by: Actor, service: Any, **args: Any) -> Answer:
    at = clock.now()
    answer: Answer = service(Command(id=uuid.uuid4(), by=by, tapped_at=at, at=at), **args)
    return answer
