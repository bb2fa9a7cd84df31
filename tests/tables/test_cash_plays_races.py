"""Real threads, real connections: two who buy the last chips of a rack, and one that is counted while it sells."""

from typing import Any

import pytest

from casino.ledger.proof import problems
from tables.errors_racks import RackShortUnseen
from tables.models import Seating, Table
from tables.services.rack_sales import sell_from_rack
from tests.cast import command
from tests.support.locks import at_once, meet, without_lock
from tests.tables.conftest import House, make_house
from tests.tables.racking import Racking

pytestmark = pytest.mark.smoke


@pytest.fixture
def racking(committing_db: object) -> Racking:
    """Return a table with 200 € in its rack, where two sit without chips."""
    racking = Racking(make_house())
    racking.begin(200, sells="true")
    for nickname, seat in (("Mika", 5), ("Timo", 6)):
        racking.house.seat(nickname, seat, chips=0)
    return racking


def sells(house: House, nickname: str) -> Any:
    seating = Seating.objects.get(player__nickname=nickname)
    arguments: dict[str, Any] = {"table_id": seating.table_id, "seating_id": seating.pk, "amount_cents": 200_00}
    return sell_from_rack(command(house.cast.anna, at=house.at), **arguments)


def test_the_last_chips_of_a_rack_are_sold_once(racking: Racking) -> None:
    answers = at_once(2, lambda index: sells(racking.house, ("Mika", "Timo")[index]))

    assert sorted(type(each).__name__ for each in answers) == ["Answer", "RackShortUnseen"], answers
    assert (racking.house.figures()["float"], racking.house.figures()["rack_cash"]) == (0, 200_00)
    assert list(problems(racking.house.room_id)) == []


@pytest.mark.parametrize("is_locked", [True, False])
def test_a_rack_that_is_just_being_counted_sells_what_was_found(
    racking: Racking, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    if not is_locked:
        without_lock(monkeypatch, Table)

    def comes_late() -> None:
        if is_locked:
            with pytest.raises(RackShortUnseen):
                sells(racking.house, "Mika")
        else:
            sells(racking.house, "Mika")

    meet(lambda: racking.count(195), comes_late)

    assert racking.house.figures()["float"] == (195_00 if is_locked else -5_00)
