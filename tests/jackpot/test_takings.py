"""Drops join the sum with the close of the gaming day, or at once: from each table's box, by the games' own pools."""

from datetime import timedelta

import pytest

from casino import clock
from casino.audit.models import Event
from casino.cage.demo import house_opening
from casino.cage.models import DrawerSession
from casino.cage.services import open_day
from casino.ledger.proof import problems
from casino.rulebooks import RuleBookError, parse
from jackpot.models import Claim, Collection, Movement, Pool
from jackpot.selectors.pools import figures
from jackpot.services.claims import call_bad_beat
from jackpot.tasks import wake
from tables.models import Hand, Seating
from tables.services.corrections import void_settled_hand
from tables.services.opening import close_table
from tables.services.seating import leave_seat
from tables.services.setup import add_table
from tests.cast import TONIGHT, actor, make_cast
from tests.jackpot.beats import base_sum
from tests.jackpot.books import AT_ONCE, HELSINKI, TWO, WITHOUT, put_in_force
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses

SIX = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 4, "Pekka": 5, "Jo": 6}


def house_of_before() -> House:
    """Return a house whose day opened under a book without a jackpot, whose games pay a drop all the same."""
    house = House(cast=make_cast(with_secrets=True), drawer_id=0)
    put_in_force(house, WITHOUT)
    (house.drawer_id,) = house_opening(by=actor(house.cast.mari), at=TONIGHT)
    house.tap(add_table, house.cast.mari, number=1)
    return house


def hands(house: House, *pots: int) -> list[int]:
    """Open table 1 for six, log a hand of each of these pots, and return the hands' ids."""
    house.open(1, **SIX)
    return [house.settle(pot).pk for pot in pots]


def end_day(house: House) -> None:
    for seating in Seating.objects.filter(room_id=house.room_id, left_at=None).order_by("id"):
        house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=None)
    if house.table().opening is not None:
        house.tap(close_table, table_id=house.table_id())
    for session in DrawerSession.objects.filter(drawer__room_id=house.room_id, closed_at=None):
        house.drawer_id = session.drawer_id
        house.count_drawer()
    house.close_day()


def sum_of(house: House, code: str = "bad-beat") -> int | None:
    return base_sum(house.room_id, code)


def sound(house: House) -> None:
    assert [problem for problem in problems(house.room_id) if problem.what != "event"] == []


def minute(house: House) -> None:
    house.at += timedelta(minutes=1)
    with clock.frozen(house.at):
        wake()


def tablets_notified() -> list[str]:
    """Return which tables' tablets heard of the newest command."""
    return [each for each in Event.objects.latest("id").audiences if each.endswith(".dealer")]


@pytest.mark.helsinki
@pytest.mark.rule("H7.17", "L-P41", "H7.16")
def test_takings_join_the_sum_when_the_day_closes_and_not_before(house):
    row, *_others = hands(house, 20_00, 40_00, 60_00)
    house.tap(void_settled_hand, table_id=house.table_id(), hand_row_id=row, reason="void")
    minute(house)
    before = sum_of(house)
    end_day(house)
    collected = Collection.objects.get()

    assert (before, sum_of(house)) == (1_000_00, 1_002_00)
    assert (collected.cents, collected.by_table) == (2_00, {str(house.table_id()): 2_00})
    assert [each.kind for each in Movement.objects.order_by("number")] == ["seed", "takings"]
    sound(house)
    house.at += timedelta(days=1)
    house.tap(open_day, house.cast.mari)
    end_day(house)
    assert (sum_of(house), Collection.objects.count()) == (1_002_00, 1)


@pytest.mark.helsinki
def test_at_once_a_drop_that_is_taken_back_waits_for_the_next_and_lowers_no_displayed_sum(house):
    put_in_force(house, AT_ONCE)
    first, second = hands(house, 20_00, 40_00)
    minute(house)
    sums = [sum_of(house)]
    assert tablets_notified() == ["table.1.dealer"]
    for row in (first, second):
        house.tap(void_settled_hand, table_id=house.table_id(), hand_row_id=row, reason="void")
    house.settle(20_00)
    minute(house)
    sums += [sum_of(house), figures(Pool.objects.get().pk)["takings"]]
    for _ in range(2):
        house.settle(20_00)
    minute(house)

    assert [*sums, sum_of(house)] == [1_002_00, 1_002_00, -1_00, 1_003_00]
    sound(house)


@pytest.mark.helsinki
def test_each_game_feeds_the_jackpot_that_it_names(house):
    put_in_force(house, TWO)
    hands(house, 20_00, 40_00)
    small_before = sum_of(house, "small")
    # And a bad beat there is a claim to that one, not to the book's first.
    hand = Hand.objects.latest("id")
    house.tap(call_bad_beat, house.cast.anna, table_id=hand.table_id, hand_id=hand.hand_id)
    assert Claim.objects.get().code == "small"
    end_day(house)

    # Its pool opened with the close: the book came to hold during the day.
    assert (small_before, sum_of(house, "small"), sum_of(house)) == (None, 1_002_00, 1_000_00)
    sound(house)
    with pytest.raises(RuleBookError, match="none of the jackpots"):
        parse(
            HELSINKI.replace("participants_min = 6, by", 'participants_min = 6, jackpot = "smal", by'), source="a book"
        )


@pytest.mark.helsinki
def test_what_is_dropped_for_a_jackpot_that_is_new_in_the_book_waits_for_its_pool(house: House):
    put_in_force(house, TWO.replace('takings_join = "day_end"', 'takings_join = "at_once"', 1))
    house.open(1, **SIX)
    house.settle(20_00)
    minute(house)
    end_day(house)

    assert [base_sum(house.room_id, code) for code in ("bad-beat", "small")] == [1_000_00, 1_001_00]


@pytest.mark.slow
@pytest.mark.usefixtures("db")
def test_a_house_that_had_drops_before_it_had_pools_gets_them_all():
    house = house_of_before()
    hands(house, 20_00, 40_00)
    end_day(house)
    house.at += timedelta(days=1)
    house.tap(open_day, house.cast.mari)
    before = Pool.objects.count()
    hands(house, 20_00)
    put_in_force(house, HELSINKI)
    end_day(house)

    assert (before, sum_of(house)) == (0, 1_003_00)
    assert list(Collection.objects.order_by("id").values_list("cents", "is_before")) == [(2_00, True), (1_00, False)]
    sound(house)
