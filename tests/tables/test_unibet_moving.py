"""Changing tables and coming back by the Unibet book: Banzai is a game of its own, and remembers for half an hour."""

from datetime import timedelta

import pytest

from casino.rooms.models import RuleBookVersion
from casino.rulebooks.reading import text_of
from tables.errors import BuyInOverMaximum
from tables.errors_moves import MovesWithStack, StackToBring
from tables.services.chips import bring_chips
from tables.services.setup import add_table, offer_games
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_moving import left_with, move, open_with

pytestmark = pytest.mark.django_db

NL50, BANZAI, NL10 = "No limit hold'em 0.25/0.50", "Banzai hold'em 0.25/0.50", "No limit hold'em 0.05/0.10"


@pytest.fixture
def unibet(house: House) -> House:
    """The room goes by the Unibet book, with NL50 at table 1 and Banzai of the same blinds at table 2."""
    with as_owner():
        RuleBookVersion.objects.filter(room_id=house.room_id).delete()
    RuleBookVersion.objects.create(
        room_id=house.room_id, book="unibet", number=9, text=text_of("unibet"), holds_from=house.at
    )
    house.tap(offer_games, house.cast.mari)
    open_with(house, 1, NL50)
    open_with(house, 2, BANZAI)
    house.seat("Lee", 1, chips=40_00)
    house.seat("Kai", 2, chips=40_00)
    return house


@pytest.mark.rule("U43", "U46")
def test_who_comes_from_the_ordinary_game_brings_ten_big_blinds_to_banzai(unibet: House) -> None:
    with pytest.raises(MovesWithStack):
        move(unibet, "Kai", 3, stack=40_00, chips_cents=40_00)

    assert move(unibet, "Kai", 3, stack=40_00).chips_in_cents == 5_00


@pytest.mark.rule("U44")
def test_at_banzai_a_stack_is_bought_up_to_ten_big_blinds_and_no_further(unibet: House) -> None:
    mika = unibet.seat("Mika", 3, number=2, chips=5_00)

    def buys(cents: int, stack: int) -> None:
        unibet.tap(bring_chips, table_id=mika.table_id, seating_id=mika.pk, chips_cents=cents, stack=stack)

    with pytest.raises(BuyInOverMaximum):
        buys(2_01, stack=3_00)
    buys(2_00, stack=3_00)
    with pytest.raises(BuyInOverMaximum):
        buys(5_01, stack=0)
    buys(5_00, stack=0)
    mika.refresh_from_db()
    assert mika.chips_in_cents == 5_00 + 2_00 + 5_00


@pytest.mark.rule("U46")
def test_a_stack_of_the_ordinary_game_is_not_remembered_at_banzai_nor_the_other_way_round(unibet: House) -> None:
    left_with(unibet, "Kai", 60_00)
    with pytest.raises(BuyInOverMaximum):
        unibet.seat("Kai", 3, number=2, chips=60_00)
    unibet.seat("Kai", 3, number=2, chips=5_00)
    left_with(unibet, "Kai", 12_00)

    assert unibet.seat("Kai", 3, number=1, chips=20_00).chips_in_cents == 20_00


@pytest.mark.rule("U46")
def test_who_left_banzai_above_ten_big_blinds_brings_that_stack_back_also_by_a_move(unibet: House) -> None:
    unibet.seat("Mika", 3, number=2, chips=5_00)
    unibet.seat("Timo", 4, number=2, chips=5_00)
    left_with(unibet, "Mika", 12_00)
    left_with(unibet, "Timo", 12_00)

    with pytest.raises(StackToBring) as refused:
        unibet.seat("Mika", 3, number=2, chips=5_00)
    assert refused.value.data == {"stack_cents": 12_00, "asked_cents": 5_00, "reason": "stack_above_maximum_comes_back"}
    unibet.seat("Timo", 4, number=1, chips=40_00)
    with pytest.raises(MovesWithStack) as refused_move:
        move(unibet, "Timo", 4, stack=40_00, chips_cents=5_00)
    assert refused_move.value.data["reason"] == "stack_above_maximum_comes_back"
    unibet.at += timedelta(minutes=31)
    assert move(unibet, "Timo", 4, stack=40_00).chips_in_cents == 5_00
    assert unibet.seat("Mika", 3, number=2, chips=5_00).chips_in_cents == 5_00


@pytest.mark.rule("U46")
def test_no_stack_is_remembered_where_the_game_has_no_maximum(unibet: House) -> None:
    """Who left with more a while ago and comes by a move brings the present stack: H1.64 is not in this book."""
    left_with(unibet, "Kai", 60_00)
    unibet.tap(add_table, unibet.cast.mari, number=3)
    open_with(unibet, 3, NL10)
    unibet.seat("Kai", 1, number=3, chips=30_00, stands=True)

    assert move(unibet, "Kai", 5, stack=30_00, to=1).chips_in_cents == 30_00
