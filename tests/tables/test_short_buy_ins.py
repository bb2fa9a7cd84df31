"""Buying for a seat: the houses' readings, and the short buy-in of pot limit, once an evening."""

import pytest

from casino.cage.about import AtSeat
from casino.cage.models import Slip
from casino.cage.services import request_buy_in, reverse_slip, take_money
from casino.cage.services.voiding import NEEDS
from casino.people.services import second_person
from casino.poker.buyins import BuyInLimits, Outcome, ShortBuyIn, StackWord, Why, decide_buy_in
from casino.rulebooks import load
from tables.errors import BuyInUnderMinimum, StackNeeded
from tables.models import Game, Opening, Seating
from tables.rules.buying import quick_amounts
from tables.selectors.dealer import dealer_screen
from tables.services.chips import bring_chips
from tables.services.seating import leave_seat
from tests.cast import command
from tests.support.owner import as_owner
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses

REFUSED = Outcome.REFUSED
LIMITS = BuyInLimits(min_cents=100_00, max_cents=400_00, big_blind_cents=2_00, short_min_cents=50_00)


@pytest.mark.parametrize(
    ("least", "most", "big_blind", "expected"),
    [
        (100_00, 400_00, 2_00, (100_00, 200_00, 400_00)),
        (500_00, None, 5_00, (500_00,)),
        (300_00, None, 5_00, (300_00, 500_00)),
        (100_00, 150_00, 2_00, (100_00, 150_00)),
        (250_00, 400_00, 2_00, (250_00, 400_00)),
    ],
)
def test_the_usual_buy_ins_are_a_hundred_big_blinds_and_the_games_limits(
    least: int, most: int | None, big_blind: int, expected: tuple[int, ...]
) -> None:
    limits = BuyInLimits(min_cents=least, max_cents=most, big_blind_cents=big_blind)

    assert quick_amounts(limits, usual_big_blinds=100) == expected


@pytest.mark.rule("H2.19", "H2.20", "H2.21")
@pytest.mark.parametrize(
    ("amount", "stack", "short", "is_first", "expected"),
    [
        pytest.param(50_00, 0, ShortBuyIn.OPEN, False, (Outcome.ALLOWED, 50_00, None, True), id="half-the-minimum"),
        pytest.param(99_00, 1_00, ShortBuyIn.OPEN, False, (Outcome.ALLOWED, 50_00, None, True), id="under-a-blind"),
        pytest.param(
            60_00, StackWord.UNDER_BLIND, ShortBuyIn.OPEN, False, (Outcome.ALLOWED, 50_00, None, True), id="as-seen"
        ),
        pytest.param(49_00, 0, ShortBuyIn.OPEN, False, (REFUSED, 50_00, Why.SHORT, False), id="less-than-half"),
        pytest.param(50_00, 0, ShortBuyIn.OPEN, True, (REFUSED, 100_00, Why.FIRST, False), id="not-the-first"),
        pytest.param(50_00, 0, ShortBuyIn.USED, False, (REFUSED, 100_00, Why.SHORT_USED, False), id="once"),
        pytest.param(
            50_00,
            0,
            ShortBuyIn.NOT_OFFERED,
            False,
            (REFUSED, 100_00, Why.OUT_OF_CHIPS, False),
            id="no-limit",
        ),
        pytest.param(100_00, 0, ShortBuyIn.OPEN, False, (Outcome.ALLOWED, 100_00, None, False), id="the-minimum"),
        pytest.param(10_00, 2_00, ShortBuyIn.OPEN, False, (Outcome.ALLOWED, 1, None, False), id="a-top-up-is-none"),
    ],
)
def test_once_an_evening_half_the_minimum_will_do(amount, stack, short, is_first, expected):
    decision = decide_buy_in(amount, limits=LIMITS, stack=stack, is_first=is_first, short=short)

    assert (decision.outcome, decision.least_cents, decision.why, decision.is_short) == expected


@pytest.fixture
def kai(house: House) -> Seating:
    """Kai sits in seat 2 of a pot limit game."""
    return at_pot_limit(house)


def at_pot_limit(house: House, *, percent: int = 50) -> Seating:
    """Open a pot limit game whose short buy-in is so much of its minimum, and return where Kai sits there."""
    house.reads(f"pot_limit_short_buy_in_percent = {percent}")
    with as_owner():
        Game.objects.update(structure="pot_limit")
    return Seating.objects.get(table=house.open(Lee=1, Kai=2), seat_number=2)


def buys(house: House, seating: Seating, cents: int, stack: int | str | None = "under_blind") -> None:
    house.tap(bring_chips, table_id=seating.table_id, seating_id=seating.pk, chips_cents=cents, stack=stack)


@pytest.mark.django_db
@pytest.mark.rule("H2.20")
@pytest.mark.parametrize(("least", "half"), [(99_99, 50_00), (1, 1)])
def test_half_of_an_odd_minimum_is_rounded_up(house, least, half):
    house.reads("pot_limit_short_buy_in_percent = 50")
    with as_owner():
        Game.objects.update(structure="pot_limit", buy_in_min_cents=least)
    limits = Opening.objects.get(table=house.open(Lee=1)).terms.buy_ins

    assert limits.short_min_cents == half


@pytest.mark.django_db
@pytest.mark.rule("H2.15")
def test_a_house_whose_document_knows_no_short_buy_in_has_none_at_pot_limit_either(house):
    kai = at_pot_limit(house, percent=0)

    with pytest.raises(BuyInUnderMinimum) as refused:
        buys(house, kai, 60_00, stack=0)

    assert (refused.value.data["reason"], refused.value.data["minimum_cents"]) == ("buy_in_out_of_chips", 100_00)


@pytest.mark.parametrize(("book", "percent"), [("helsinki", 50), ("royal", 0), ("unibet", 0), ("czech", 0)])
def test_only_the_house_whose_document_has_it_offers_a_short_buy_in(book, percent):
    assert load(book).settings.pot_limit_short_buy_in_percent == percent


@pytest.mark.django_db
@pytest.mark.rule("H2.19", "H2.21")
def test_a_short_buy_in_is_had_once_wherever_the_player_sits(house, kai):
    buys(house, kai, 50_00)
    with pytest.raises(BuyInUnderMinimum) as refused:
        buys(house, kai, 60_00)
    assert (refused.value.data["reason"], refused.value.data["minimum_cents"]) == ("buy_in_short_used", 100_00)

    house.tap(leave_seat, table_id=kai.table_id, seating_id=kai.pk, stack_cents=0)
    house.open(2)
    elsewhere = house.seat("Kai", 4, number=2)
    with pytest.raises(BuyInUnderMinimum):
        buys(house, elsewhere, 60_00)
    buys(house, elsewhere, 100_00)


@pytest.mark.django_db
@pytest.mark.rule("H2.19")
def test_one_that_the_cage_takes_back_is_still_to_be_had(house, kai):
    seat = AtSeat(table=kai.table_id, table_number=1, seating=kai.pk, seat_number=2, stack=0)
    slip_id = house.tap(request_buy_in, player_id=kai.player_id, amount_cents=50_00, seat=seat).data["slip_id"]
    house.tap(take_money, house.cast.carla, slip_id=slip_id, drawer_id=house.drawer_id, method="cash")
    kai.refresh_from_db()
    assert (kai.short_buy_in_cents, Slip.objects.get(id=slip_id).about["is_short"]) == (50_00, True)

    tap = command(house.cast.carla, at=house.at)
    frans = second_person(tap, username="frans", pin="2468", needs=NEEDS, signs=f"slip.{slip_id}")
    reverse_slip(tap, slip_id=slip_id, reason="wrong_amount", approved_by_id=frans)

    kai.refresh_from_db()
    assert kai.short_buy_in_cents == 0
    buys(house, kai, 50_00)


@pytest.mark.django_db
@pytest.mark.rule("H2.15", "H2.16", "H2.19", "H1.62")
def test_without_a_stack_there_is_one_question_and_no_limit_knows_no_short_buy_in(house, kai):
    with pytest.raises(StackNeeded):
        buys(house, kai, 50_00, stack=None)
    with as_owner():
        Game.objects.update(structure="no_limit")
    with pytest.raises(BuyInUnderMinimum) as refused:
        buys(house, kai, 50_00, stack=0)

    assert refused.value.data["reason"] == "buy_in_out_of_chips"
    assert "100 ¤" in str(refused.value).replace("\xa0", " ")
    buys(house, kai, 50_00, stack=40_00)


@pytest.mark.django_db
@pytest.mark.rule("H1.62")
def test_the_houses_reading_of_a_stack_under_a_blind_is_the_books(house):
    house.reads('stack_below_big_blind = "tops_up"')
    kai = Seating.objects.get(table=house.open(Lee=1, Kai=2), seat_number=2)

    buys(house, kai, 10_00, stack=1_00)


@pytest.mark.django_db
@pytest.mark.rule("H1.60", "H1.1")
def test_chips_play_from_the_hand_before_which_they_lie_on_the_table(house):
    table = house.open(Lee=1, Kai=2, Timo=3)
    house.settle(20_00)
    mika = house.seat("Mika", 5, chips=0, post=True)
    seat = AtSeat(table=table.pk, table_number=1, seating=mika.pk, seat_number=5)
    slip = house.tap(request_buy_in, player_id=mika.player_id, amount_cents=200_00, seat=seat)

    def dealt_in() -> tuple[int, ...]:
        return dealer_screen(room_id=house.room_id, number=1).ahead[0].dealt_in

    assert 5 not in dealt_in()
    house.deal()
    house.tap(take_money, house.cast.carla, slip_id=slip.data["slip_id"], drawer_id=house.drawer_id, method="cash")
    in_play = dealer_screen(room_id=house.room_id, number=1).hand
    assert in_play is not None
    assert 5 not in in_play.start.dealt_in
    assert 5 in dealt_in()
