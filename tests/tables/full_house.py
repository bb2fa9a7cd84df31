"""A room as full as the house can be: forty tables open, all but two seats taken, three hundred people on the lists."""

from datetime import timedelta

from casino.people.models import Player
from casino.rooms.models import Place
from casino.waiting.models import Waiting, WaitingList
from tables.models import Opening, Seating, Table
from tables.services.opening import open_table
from tables.services.setup import add_table
from tests.tables.conftest import House

GAMES = ("No limit hold'em 2/2", "No limit hold'em 5/5")


def fill(house: House, *, tables: int = 40, waiting: int = 300) -> None:
    """
    Open tables 1 to `tables`, full but for one seat of the last table of each game, and put `waiting` people on lists.

    Rows in bulk: the services would take a minute for as much, and nothing here is about them.
    """
    house.open(1)
    house.tap(open_table, table_id=house.table_id(2), game_id=house.game(GAMES[1]).pk)
    house.tap(add_table, house.cast.mari, number=3)
    pattern = Opening.objects.get(table__number=1)
    place = Table.objects.get(number=3).place
    room, games = house.cast.room, [house.game(name) for name in GAMES]
    places = Place.objects.bulk_create(Place(room=room, kind=place.kind, number=n) for n in range(4, tables + 1))
    Table.objects.bulk_create(Table(room=room, place=each, number=each.number) for each in places)
    rows = list(Table.objects.filter(room=room, number__lte=tables).order_by("number"))
    Opening.objects.bulk_create(
        Opening(
            room=room, table=each, game=games[each.number % 2 - 1], day=pattern.day, opened_at=house.at,
            opened_by_id=house.cast.frans.pk, rule_book_version_id=pattern.rule_book_version_id,
        )
        for each in rows if each.opening_id is None
    )  # fmt: skip
    openings = {each.table_id: each for each in Opening.objects.select_related("game").filter(closed_at=None)}
    for each in rows:
        each.opening = openings[each.pk]
    Table.objects.bulk_update(rows, ["opening"])
    seats = [
        (each, seat) for each in rows for seat in range(1, openings[each.pk].game.seats + (each.number <= tables - 2))
    ]
    people = Player.objects.bulk_create(
        Player(room=room, nickname=f"Guest {number}", created_at=house.at) for number in range(len(seats) + waiting)
    )
    Seating.objects.bulk_create(
        Seating(
            room=room, table=each, opening=openings[each.pk], player=player, seat_number=seat, entry="in",
            chips_in_cents=200_00, sat_down_at=house.at, seated_by_id=house.cast.frans.pk,
        )
        for (each, seat), player in zip(seats, people, strict=False)
    )  # fmt: skip
    lists = WaitingList.objects.bulk_create(WaitingList(room=room, game=game, places_given=waiting) for game in games)
    Waiting.objects.bulk_create(
        Waiting(
            room=room, waiting_list=lists[number % 2], player=player, place=number,
            day=pattern.day, joined_at=house.at - timedelta(minutes=waiting - number),
        )
        for number, player in enumerate(people[len(seats) :])
    )  # fmt: skip
