"""Nobody carries over a day's end what they had a part in themselves: another manager closes the day."""

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from casino.cage import services
from casino.cage.errors_days import CarriesOwn, CarriesOwnCount
from casino.cage.models import CarriedItem, Slip
from casino.cage.open_items import may_be_carried, own_of
from casino.ledger.models import Account
from casino.ledger.selectors.accounts import house_figures
from tables.models import Hand
from tests.boxes.hanging import Hanging
from tests.cage.bad_night import bad_night
from tests.cage.banking import NUMBER
from tests.cage.carrying_over import also, carries, sells
from tests.cage.counting import carried, closes, counts_vault
from tests.cage.filling import Filling
from tests.cage.test_banks import given
from tests.support.owner import as_owner
from tests.tables.conftest import House, house
from tests.taps import at_desktop

__all__ = ["house"]

pytestmark = pytest.mark.two_houses


def paid_too_much(house: House) -> str:
    out = {"drawer_id": house.drawer_id, "amount_cents": 100_00, "unnamed": "gives_no_name"}
    house.tap(services.cash_out, house.cast.mari, **out)
    house.close_drawer()
    return "doubt.1"


def sold_where_it_is_short(house: House) -> str:
    sells(house, 10_00, by=house.cast.mari)
    house.close_drawer(short_cents=5_00)
    return "doubt.1"


def held_a_bank(house: House) -> str:
    bank_id = given(house, house.cast.mari, chips=1_000_00)
    closes(house.cast.carla, house.cast.frans, bank_id, 0, 995_00, at=house.at)
    house.close_drawer()
    return f"bank_doubt.{NUMBER}"


def counted_a_fill(house: House) -> str:
    fills = Filling(house.cast, at=house.at)
    slip = fills.counts(fills.sent(100_00), 95_00, by=house.cast.frans, second=house.cast.mari)
    house.close_drawer()
    return f"fill_differs.{slip.number}"


def carries_a_fill(house: House) -> str:
    fills = Filling(house.cast, at=house.at)
    slip = fills.sends(fills.authorised(100_00), 100_00, runner=also(house.cast.mari, "dealer"))
    house.close_drawer()
    return f"fill.{slip.number}"


def stood_by_in_the_vault(house: House) -> str:
    house.close_drawer()
    lies = house_figures(house.room_id)
    cash, chips, card = (lies.get(f"vault_{what}", 0) for what in ("cash", "chips", "card_slips"))
    count = counts_vault(house.cast.carla, house.cast.mari, cash - 5_00, chips, card, at=house.at)
    return f"vault_differs.{count.number}"


def carries_more_than_a_fill(house: House) -> str:
    fills = Filling(house.cast, at=house.at)
    mari = also(house.cast.mari, "dealer")
    fills.sends(fills.authorised(100_00), 100_00, runner=mari)
    house.close_drawer()
    with as_owner():
        Account.objects.filter(owner_kind="runner", owner_id=mari.pk, kind="carried").update(balance_cents=105_00)
    return f"runner.{mari.pk}"


def gave_a_fill_out(house: House) -> str:
    fills = Filling(house.cast, at=house.at)
    slip = fills.counts(fills.sends(fills.authorised(100_00), 100_00, by=also(house.cast.mari, "cashier")), 95_00)
    house.close_drawer()
    return f"fill_differs.{slip.number}"


def paid_a_deposit_out_unsigned(house: House) -> str:
    lee = house.player("Lee")
    about = {"drawer_id": house.drawer_id, "player_id": lee.pk, "amount_cents": 100_00}
    left = house.tap(services.deposit, house.cast.carla, **about)
    house.tap(services.note_signature, house.cast.carla, slip_id=left.data["slip_id"])
    slip = Slip.objects.get(pk=house.tap(services.withdraw, also(house.cast.mari, "cashier"), **about).data["slip_id"])
    house.close_drawer()
    return f"unsigned.{slip.pk}"


@pytest.mark.parametrize(
    "did",
    [
        # One of each kind of part that somebody can have had.
        paid_too_much,
        counted_a_fill,
        stood_by_in_the_vault,
        carries_more_than_a_fill,
        paid_a_deposit_out_unsigned,
        *(
            pytest.param(did, marks=pytest.mark.slow)
            for did in (sold_where_it_is_short, held_a_bank, carries_a_fill, gave_a_fill_out)
        ),
    ],
)
def test_what_others_judge_or_count_another_manager_carries(house: House, did: Callable[[House], str]) -> None:
    word, other = did(house), also(house.cast.olavi, "manager")
    pages = [at_desktop(by).get("/cage/day/").content.decode() for by in (house.cast.mari, other)]

    with pytest.raises(CarriesOwn, match="another manager closes the day"):
        carries(house, word, reason="looked_into")
    assert not CarriedItem.objects.exists()
    carries(house, word, reason="looked_into", by=other)

    assert [f'name="carry_{word}"' in page for page in pages] == [False, True]
    assert "You had a part in it: somebody else counts or judges it first" in pages[0]
    assert CarriedItem.objects.get(kind=word.split(".")[0]).carried_by_id == other.pk


def test_what_is_ones_own_is_found_at_once_however_much_there_is(
    house: House, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    mari, carla = house.cast.mari, house.cast.carla
    for by in (mari, carla, mari):
        out = {"drawer_id": house.drawer_id, "amount_cents": 100_00, "unnamed": "gives_no_name"}
        house.tap(services.cash_out, by, **out)
    sells(house, 10_00, by=mari)
    house.close_drawer(short_cents=5_00)
    left = [each for each in may_be_carried(house.room_id) if each.kind == "doubt"]
    assert [len(each.rows) for each in left] == [4]

    with django_assert_num_queries(1):
        own = own_of(left, house.room_id, mari.pk)

    assert own == left
    assert own_of(left, house.room_id, house.cast.frans.pk) == []


@pytest.mark.parametrize("signs", ["first", "second"])
def test_who_dealt_into_a_box_puts_its_count_off_by_neither_signature(house: House, signs: str) -> None:
    night = bad_night(house)
    house.close_day()
    dealer = also(house.cast.staff["anna"], "manager")
    assert Hand.objects.get().dealer_id == dealer.pk
    item = [carried(f"box.{night.waits.pk}", "under_seal")]
    pages = [at_desktop(by).get(f"/cage/day/{night.day_id}/").content.decode() for by in (dealer, house.cast.mari)]
    choices = [
        re.findall(r'<option value="(\w+)">', page[page.index(f"carry-box.{night.waits.pk}") :]) for page in pages
    ]

    by, second = (dealer, house.cast.olavi) if signs == "first" else (house.cast.mari, dealer)
    with pytest.raises(CarriesOwnCount, match="two others close the day as counted"):
        night.close_counts(by, second, carrying=item)

    assert choices[0][:1] == ["not_found"]
    assert "under_seal" not in choices[0]
    assert "under_seal" in choices[1]
    assert "You had a part in it: others count it first" in pages[0]
    night.close_counts(carrying=item)
    assert night.day.counted_with_id == house.cast.olavi.pk


@pytest.mark.slow
def test_who_dealt_into_a_box_that_hangs_on_carries_it_no_more_than_one_that_was_dropped(house: House) -> None:
    night = bad_night(house)
    Hanging(house).take_back(night.waits)
    house.close_day()
    dealer = also(house.cast.staff["anna"], "manager")

    with pytest.raises(CarriesOwnCount):
        night.close_counts(by=dealer, carrying=[carried(f"box.{night.waits.pk}", "plays_on")])

    night.close_counts(carrying=[carried(f"box.{night.waits.pk}", "plays_on")])


def test_of_a_box_that_is_gone_it_is_enough_that_one_of_two_had_no_part(house: House) -> None:
    night = bad_night(house)
    house.close_day()
    anna, mari, olavi = also(house.cast.staff["anna"], "manager"), house.cast.mari, house.cast.olavi
    gone = [carried(f"box.{night.waits.pk}", "not_found")]

    hand = Hand.objects.get()
    hand.pk, hand.hand_id, hand.number, hand.dealer_id = None, uuid4(), hand.number + 1, mari.pk
    with as_owner():
        hand.save(force_insert=True)
    with pytest.raises(CarriesOwnCount, match="one of you is enough who had none"):
        night.close_counts(anna, mari, carrying=gone)
    night.close_counts(olavi, mari, carrying=gone)

    assert CarriedItem.objects.get(kind="box").reason == "not_found"
