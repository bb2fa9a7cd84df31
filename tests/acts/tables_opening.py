"""Tables that open, close and change, as acts."""

from collections.abc import Callable
from typing import Any

from tables.models import Game, Seating
from tables.services import chips, closing, differences, opening, playing_on, setup, stakes
from tables.services.seating import leave_seat
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.evening import Acts, Evening


def _closing(house: House) -> Callable[[], Any]:
    house.open(2)
    return lambda: house.tap(opening.close_table, table_id=house.table_id(2))


def _stating(house: House) -> Callable[[], Any]:
    table = house.open(2, Mika=1)
    house.tap(
        leave_seat, table_id=table.pk, seating_id=Seating.objects.get(table=table, left_at=None).pk, stack_cents=190_00
    )
    house.tap(opening.close_table, table_id=table.pk)
    return lambda: house.tap(differences.state_difference, table_id=table.pk, missing_cents=10_00)


def _offering(house: House) -> Callable[[], Any]:
    with as_owner():
        Game.objects.filter(pk=house.game().pk).update(seats=9)
    return lambda: house.tap(setup.offer_games, house.cast.mari)


def _drawing(house: House) -> Callable[[], Any]:
    table = house.open(2, Mika=1, Jo=4, Sara=6)
    return lambda: house.tap(opening.record_draw, table_id=table.pk, winner_seat=4, seats=[1, 4, 6])


def _closing_soon(evening: Evening, service: Callable[..., Any], **args: Any) -> Callable[[], Any]:
    evening.at_table(closing.announce_last_orbit)()
    return evening.at_table(service, **args)


def _drawing_seats(evening: Evening) -> Callable[[], Any]:
    _closing_soon(evening, closing.prepare_seat_draw, seats=[1, 2])()
    return evening.at_table(closing.draw_seats)


ACTS: Acts = {
    "tables.add_table": lambda evening: lambda: evening.house.tap(setup.add_table, evening.house.cast.mari, number=3),
    "tables.offer_games": lambda evening: _offering(evening.house),
    "tables.open_table": lambda evening: (
        lambda: evening.house.tap(
            opening.open_table, table_id=evening.house.table_id(2), game_id=evening.house.game().pk
        )
    ),
    "tables.close_table": lambda evening: _closing(evening.house),
    "tables.count_through": lambda evening: evening.at_table(
        playing_on.count_through,
        version=evening.house.table().version,
        stacks=[{"seating_id": evening.sits(seat), "stack_cents": 199_00} for seat in (1, 2, 3)],
    ),
    "tables.state_difference": lambda evening: _stating(evening.house),
    "tables.record_draw": lambda evening: _drawing(evening.house),
    "tables.button_here": lambda evening: evening.at_table(opening.button_here, evening.house.cast.anna, seat_number=3),
    "tables.announce_last_orbit": lambda evening: evening.at_table(closing.announce_last_orbit),
    "tables.take_back_last_orbit": lambda evening: _closing_soon(evening, closing.take_back_last_orbit),
    "tables.prepare_seat_draw": lambda evening: _closing_soon(evening, closing.prepare_seat_draw, seats=[1, 2]),
    "tables.draw_seats": _drawing_seats,
    "tables.change_stakes": lambda evening: evening.at_table(
        stakes.change_stakes,
        game_id=evening.house.game("No limit hold'em 5/5").pk,
        consents=[evening.sits(seat) for seat in (1, 2, 3)],
    ),
    "tables.count_tip_box": lambda evening: evening.at_table(chips.count_tip_box, counted_cents=5_00),
}
