"""Two floors move players between the same two tables at once: nobody waits for ever, and no seat is given twice."""

from functools import partial

import pytest
from django.db import IntegrityError

from casino.ledger.proof import problems
from tables.models import Seating, Table
from tables.services.moving import move_player
from tests.cast import command
from tests.support.locks import at_once, codes, meet, without_lock
from tests.tables.conftest import House, make_house

pytestmark = pytest.mark.smoke


def _moves(house: House, seating: Seating, to: int, seat: int) -> None:
    move_player(
        command(house.cast.frans, at=house.at),
        table_id=seating.table_id,
        seating_id=seating.pk,
        to_table_id=to,
        seat_number=seat,
        stack_cents=200_00,
    )


def test_moves_that_cross_lock_both_tables_in_one_order(committing_db: object) -> None:
    house = make_house()
    first, second = house.open(1, Lee=1, Kai=2).pk, house.open(2, Mika=1, Pekka=2).pk
    sits = {each.player.nickname: each for each in Seating.objects.select_related("player")}
    moves = [("Lee", second, 5), ("Mika", first, 5), ("Kai", second, 5), ("Pekka", first, 6)]
    tries = [partial(_moves, house, sits[name], to, seat) for name, to, seat in moves]

    outcomes = codes(at_once(4, lambda index: tries[index]()))

    # Lee and Kai wanted one seat; the other two met nobody.
    assert sorted([outcomes[0], outcomes[2]]) == ["done", "seat_taken"]
    assert (outcomes[1], outcomes[3]) == ("done", "done")
    assert list(problems(house.room_id)) == []


@pytest.mark.slow
def test_without_the_tables_lock_only_the_database_would_keep_two_from_one_seat(
    committing_db: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = make_house()
    house.open(1, Lee=1, Kai=2)
    there = house.open(2, Mika=1, Pekka=2).pk
    without_lock(monkeypatch, Table)
    lee, kai = [partial(_moves, house, Seating.objects.get(player__nickname=name), there, 5) for name in ("Lee", "Kai")]

    with pytest.raises(IntegrityError, match="seating_one_player_per_seat"):
        meet(lee, kai)

    assert Seating.objects.get(table_id=there, seat_number=5).player.nickname == "Lee"
