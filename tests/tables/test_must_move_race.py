"""A must-move game opens while its main game's table goes on with other stakes: the link is carried over or refused."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from casino.errors import Stale
from tables.errors_seats import OtherGame
from tables.models import Opening, Seating, Table
from tables.services.by_time import pay_by_time
from tables.services.opening import open_table
from tables.services.stakes import change_stakes
from tests.support.locks import meet, without_lock
from tests.tables.conftest import House, make_house
from tests.tables.test_lock_order import tap_of

pytestmark = pytest.mark.smoke


def _opens(house: House, number: int, *, main: int) -> Callable[[], Any]:
    """Return what opens one table as the must-move game of another one's."""
    tables: dict[str, Any] = {"table_id": house.table_id(number), "feeds_table_id": house.table_id(main)}
    return partial(open_table, tap_of(house), game_id=house.game().pk, **tables)


def _changes(house: House, main: int) -> Callable[[], Any]:
    """Return what lets a table at which nobody sits go on with other stakes."""
    game = house.game("No limit hold'em 5/5")
    return partial(change_stakes, tap_of(house), table_id=house.table_id(main), game_id=game.pk, consents=[])


def _fed_by(house: House, number: int) -> Opening | None:
    opening = house.table(number).opening
    assert opening is not None
    return opening.feeds


@pytest.mark.parametrize(("main", "number"), [(1, 2), (2, 1)])
def test_a_main_game_goes_on_with_the_must_move_game_that_opened_meanwhile(
    committing_db: object, main: int, number: int
) -> None:
    house = make_house()
    house.open(main)
    before = house.table(main).opening

    with pytest.raises(Stale):
        meet(_opens(house, number, main=main), _changes(house, main))

    assert house.table(main).opening == before == _fed_by(house, number)
    assert _changes(house, main)().data["rests"] == [number]
    assert _fed_by(house, number) == house.table(main).opening != before


@pytest.mark.parametrize(("main", "number"), [(1, 2), (2, 1)])
def test_no_must_move_game_opens_for_what_the_main_game_no_longer_is(
    committing_db: object, main: int, number: int
) -> None:
    house = make_house()
    house.open(main)

    with pytest.raises(OtherGame):
        meet(_changes(house, main), _opens(house, number, main=main))

    assert house.table(number).opening is None


def test_a_must_move_game_that_waited_feeds_the_main_game_as_it_is_charged_now(committing_db: object) -> None:
    house = make_house()
    house.open(1, Lee=1, Kai=2)
    before = house.table(1).opening
    everybody = list(Seating.objects.filter(left_at=None).values_list("id", flat=True))
    agreed: dict[str, Any] = {"kind": "drop", "minutes": 60, "consents": everybody}

    meet(partial(pay_by_time, tap_of(house), table_id=house.table_id(1), **agreed), _opens(house, 2, main=1))

    assert _fed_by(house, 2) == house.table(1).opening != before


@pytest.mark.slow
def test_without_the_tables_lock_a_must_move_game_would_feed_what_is_over(
    committing_db: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = make_house()
    house.open(1)
    without_lock(monkeypatch, Table)

    meet(_opens(house, 2, main=1), _changes(house, 1), waits=False)

    feeds = _fed_by(house, 2)
    assert feeds is not None
    assert feeds.closed_at is not None
