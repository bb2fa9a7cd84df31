"""Two floors move players between the same two tables at once: nobody waits for ever, and no seat is given twice."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection, connections

from casino.errors import Refusal
from casino.ledger.proof import problems
from tables.models import Seating
from tables.services.moving import move_player
from tests.cast import command
from tests.tables.conftest import House, make_house

pytestmark = pytest.mark.smoke


def _move(house: House, seating: Seating, to: int, seat: int, together: Barrier) -> str:
    together.wait(10)
    try:
        move_player(
            command(house.cast.frans, at=house.at),
            table_id=seating.table_id,
            seating_id=seating.pk,
            to_table_id=to,
            seat_number=seat,
            stack_cents=200_00,
        )
    except Refusal as refusal:
        return refusal.code
    finally:
        connections.close_all()
    return "done"


def test_moves_that_cross_lock_both_tables_in_one_order(committing_db: object) -> None:
    house = make_house()
    first, second = house.open(1, Lee=1, Kai=2).pk, house.open(2, Mika=1, Pekka=2).pk
    sits = {each.player.nickname: each for each in Seating.objects.select_related("player")}
    together = Barrier(4)
    moves = [("Lee", second, 5), ("Mika", first, 5), ("Kai", second, 5), ("Pekka", first, 6)]

    with ThreadPoolExecutor(4) as pool:
        tried = [pool.submit(_move, house, sits[name], to, seat, together) for name, to, seat in moves]
        said = [each.result(timeout=30) for each in tried]

    # Lee and Kai wanted one seat; the other two met nobody.
    assert sorted([said[0], said[2]]) == ["done", "seat_taken"]
    assert (said[1], said[3]) == ("done", "done")
    assert list(problems(house.room_id)) == []
    connection.close()
