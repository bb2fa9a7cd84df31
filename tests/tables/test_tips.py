"""Tips: the box counted by two and emptied, shared by time or the dealer's own, and handed to payroll to the cent."""

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from casino import clock
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import house_figures
from casino.people.errors import NeedsSecondSignature
from casino.reports.selectors.day import day_report
from casino.rooms.models import GamingDay
from tables.errors_racks import DealersStillDeal, NoTipsLeft, WhoseTips
from tables.models import TipCount, TipPayroll, TipShare, ToDo
from tables.rules.tips import shares_by_time
from tables.services import tips
from tables.services.chips import count_tip_box
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.racking import Racking, keeps_racks, pieces_of
from tests.tables.tipping import dealt, hand_on, take
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses


@given(cents=st.integers(0, 10_000_00), seconds=st.dictionaries(st.integers(1, 20), st.integers(0, 50_000), max_size=9))
def test_shares_add_up_and_nobody_is_a_cent_off(cents: int, seconds: dict[int, int]):
    shares, whole = shares_by_time(cents, seconds), sum(seconds.values())

    assert sum(shares.values()) == (cents if whole else 0)
    assert all(abs(share - cents * seconds[dealer] / whole) < 1 for dealer, share in shares.items())


@pytest.mark.parametrize(
    ("cents", "seconds", "expected"),
    [
        (100_00, {1: 3600, 2: 3600, 3: 3600}, {1: 33_34, 2: 33_33, 3: 33_33}),
        (100_00, {1: 1800, 2: 5400}, {1: 25_00, 2: 75_00}),
        (2, {1: 10, 2: 20, 3: 20}, {1: 0, 2: 1, 3: 1}),
        (50_00, {1: 0}, {}),
    ],
)
def test_odd_cents_go_to_whose_share_was_cut_most(cents: int, seconds: dict[int, int], expected: dict[int, int]):
    assert shares_by_time(cents, seconds) == expected


def sound(house: House) -> bool:
    return [each.detail for each in problems(house.room_id)] == []


@pytest.mark.helsinki
def test_a_count_by_two_takes_what_was_noted_and_what_was_not(house: House):
    house.open(Lee=1, Kai=2)
    house.tap(count_tip_box, table_id=house.table_id(), counted_cents=20_00)

    answer = take(house, 35)

    assert (answer.data["counted_cents"], answer.data["dealer"]) == (35_00, None)
    assert house.figures() | {"tip_box": 0, "in_play": 365_00} == house.figures()
    assert house_figures(house.room_id)["tips"] == 35_00
    with clock.frozen(house.at):
        assert [ran.tips_cents for ran in day_report(house.cast.room).tables] == [35_00]
    assert sound(house)


def test_less_than_was_noted_is_left_to_the_floor(house: House):
    house.open(Lee=1, Kai=2)
    dealt(house, (house.cast.anna, 30))
    house.tap(count_tip_box, table_id=house.table_id(), counted_cents=20_00)

    take(house, 15)

    assert house.figures() | {"tip_box": 0, "in_play": 380_00, "difference": 5_00} == house.figures()
    assert ToDo.objects.get(kind=ToDo.Kind.TIPS_DIFFER).data == {"cents": 15_00, "noted_cents": 20_00}
    assert sound(house)


@pytest.mark.helsinki
def test_pooled_tips_go_by_the_time_dealt_and_payroll_has_them_to_the_cent(house: House):
    house.open(Lee=1, Kai=2)
    dealt(house, (house.cast.anna, 90), (house.cast.dan, 30))
    take(house, 35)
    take(house, 65)
    vault = house_figures(house.room_id)["vault_chips"]

    hand_on(house, 100_00)

    payroll = TipPayroll.objects.get()
    shares = dict(payroll.shares.values_list("dealer_id", "cents"))
    assert shares == shares_by_time(100_00, {int(dealer): each for dealer, each in payroll.seconds.items()})
    assert set(shares) == {house.cast.anna.pk, house.cast.dan.pk}
    assert shares[house.cast.anna.pk] > 2 * shares[house.cast.dan.pk]
    figures = house_figures(house.room_id)
    assert (figures["tips"], figures["vault_chips"]) == (0, vault + 100_00)
    assert sound(house)
    # What is counted later is handed on by itself; the same twice is not.
    take(house, 10)
    with pytest.raises(NoTipsLeft):
        hand_on(house, 100_00)
    hand_on(house, 10_00)
    assert TipShare.objects.filter(payroll__number=2).count() == 2
    assert sound(house)


def test_a_dealers_own_tips_are_theirs_alone(house: House):
    keeps_racks(house.room_id, is_kept="false", tips="per_dealer")
    house.open(Lee=1, Kai=2)
    with pytest.raises(WhoseTips):
        take(house, 5)
    dealt(house, (house.cast.anna, 40), (house.cast.dan, 40))

    take(house, 12, house.cast.dan)
    take(house, 20, house.cast.anna)

    assert dict(TipCount.objects.values_list("cents", "dealer_id")) == {
        12_00: house.cast.dan.pk, 20_00: house.cast.anna.pk,
    }  # fmt: skip
    hand_on(house, 32_00)
    assert dict(TipShare.objects.values_list("dealer_id", "cents")) == {
        house.cast.dan.pk: 12_00, house.cast.anna.pk: 20_00,
    }  # fmt: skip
    assert sound(house)


def test_payrolls_form_waits_for_an_open_day(house: House):
    house.open(Lee=1, Kai=2)
    dealt(house, (house.cast.anna, 40))
    take(house, 10)
    mari = at_desktop(house.cast.mari)
    assert "payroll-pin" in mari.get("/tips/").content.decode()

    with as_owner():
        GamingDay.objects.update(closed_at=house.at)

    page = mari.get("/tips/").content.decode()
    assert ("No gaming day is open" in page, "payroll-pin" in page) == (True, False)


def test_while_somebody_deals_nothing_is_handed_on(house: House):
    house.open(Lee=1, Kai=2)
    Racking(house).began(house.cast.anna)
    take(house, 10)

    with pytest.raises(DealersStillDeal):
        hand_on(house, 10_00)


def test_nobody_empties_a_tip_box_alone(house: House):
    house.open(Lee=1, Kai=2)

    with pytest.raises(NeedsSecondSignature):
        house.tap(tips.take_tips, table_id=house.table_id(), pieces=pieces_of(5), approved_by_id=house.cast.mari.pk)


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE tables_tipcount SET cents = cents + 100", {"table_pieces", "tips_posted", "tips_shared"}),
        ("UPDATE tables_tipshare SET cents = cents + 1", {"tips_shared"}),
        ("UPDATE tables_tippayroll SET cents = cents - 1", {"tips_posted", "tips_shared"}),
    ],
)
def test_the_proof_finds_what_was_planted(house: House, statement: str, found: set[str]):
    house.open(Lee=1, Kai=2)
    dealt(house, (house.cast.anna, 30))
    take(house, 10)
    hand_on(house, 10_00)
    assert sound(house)

    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for name in ("tipcount", "tipshare", "tippayroll"):
            cursor.execute(f"ALTER TABLE tables_{name} DISABLE TRIGGER USER")
        cursor.execute(statement)

    assert {each.what for each in problems(house.room_id)} - {"event"} == found
