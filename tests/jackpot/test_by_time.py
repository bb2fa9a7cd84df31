"""What a table pays into a jackpot by the time instead of by the hand, where all its players agree (H7.18, H7.19)."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from casino.audit.models import Event
from casino.errors import Stale
from casino.rulebooks import RuleBookError, parse
from jackpot.models import Claim, Collection, Pool
from jackpot.selectors.pools import figures
from jackpot.services.claims import call_bad_beat, withdraw_claim
from tables.errors import HandInProgress
from tables.errors_moves import NotAllConsent, TableCloses
from tables.errors_time import NoSuchPeriod, NoTimeCharge, TimeOwed
from tables.models import Game, Opening, Seating, TimeTaken
from tables.selectors.dealer import dealer_screen
from tables.selectors.floor_table import find_table, floor_table
from tables.services.by_time import pay_by_hand, pay_by_time
from tables.services.closing import announce_last_orbit
from tables.services.corrections import void_settled_hand
from tables.services.opening import open_table
from tables.services.seating import leave_seat
from tables.services.stakes import change_stakes
from tables.services.time_charges import let_time_go, take_back_time, take_time
from tests.jackpot.books import AT_ONCE, HELSINKI, put_in_force
from tests.jackpot.test_takings import SIX, end_day, minute, sound, sum_of
from tests.tables.conftest import House, make_house


def sitting(house: House) -> list[int]:
    return list(Seating.objects.filter(table=house.table(), left_at=None).order_by("id").values_list("id", flat=True))


def by_time(house: House, minutes: int = 60, **more: Any) -> dict[str, Any]:
    consents = more.pop("consents", sitting(house))
    arguments = {"table_id": house.table_id(), "kind": "drop", "minutes": minutes, "consents": consents}
    return house.tap(pay_by_time, **arguments, **more).data


def by_hand(house: House) -> dict[str, Any]:
    return house.tap(pay_by_hand, table_id=house.table_id()).data


def take(house: House, period: int) -> TimeTaken:
    answer = house.tap(
        take_time, house.cast.anna, table_id=house.table_id(), opening_id=house.table().opening_id, period=period
    )
    return TimeTaken.objects.get(id=answer.data["time"])


def due(house: House) -> Any:
    return dealer_screen(room_id=house.room_id, number=1).time


def drop_shown(house: House) -> Any:
    offer = dealer_screen(room_id=house.room_id, number=1).offer
    assert offer is not None
    return next(charge for charge in offer.charges if charge.kind == "drop")


@pytest.mark.rule("H7.18", "H7.17")
def test_where_all_agree_the_table_pays_by_the_hour_and_its_hands_pay_no_drop(house):
    house.open(1, **SIX)
    before = house.settle(40_00)
    answer = by_time(house)
    hand = house.settle(40_00)
    row = take(house, 1)

    assert (before.taken("drop"), hand.due("drop"), hand.taken("drop"), hand.taken("rake")) == (1_00, 0, 0, 2_00)
    assert (row.paid_cents, sum(row.shares.values_list("paid_cents", flat=True)), row.began_at) == (
        40_00, 40_00, hand.dealt_at,
    )  # fmt: skip
    boxes = house.figures()
    assert (boxes["jackpot_box"], boxes["rake_box"]) == (41_00, 4_00)
    # Who agreed stands in the log.
    event = json.loads(Event.objects.get(name="tables.pay_by_time").text)
    assert event["data"]["players"] == [house.player(name).pk for name in SIX]
    assert answer["charge_cents"] == 40_00
    # A bad beat there is a claim like any other: no clause asks for a drop of that hand.
    house.tap(call_bad_beat, house.cast.anna, table_id=house.table_id(), hand_id=hand.hand_id)
    assert Claim.objects.get().code == "bad-beat"
    claim = Claim.objects.get()
    house.tap(withdraw_claim, claim_id=claim.pk, version=claim.version)
    end_day(house)
    assert (Collection.objects.get().cents, sum_of(house)) == (41_00, 1_041_00)
    sound(house)


@pytest.mark.rule("H7.18")
@pytest.mark.parametrize(
    ("minutes", "periods", "cents"),
    [pytest.param(60, 3, 120_00, id="E-H7.18a-hour"), pytest.param(15, 9, 90_00, id="E-H7.18a-quarter")],
)
def test_each_started_period_is_due_whole(house: House, minutes: int, periods: int, cents: int):
    house.open(1, **SIX)
    by_time(house, minutes)
    dealt_at = house.settle(40_00).dealt_at
    assert dealt_at is not None

    paid = 0
    while due(house).is_due(dealt_at + timedelta(hours=2, minutes=10) - timedelta(seconds=1)):
        paid += take(house, due(house).number).paid_cents

    assert (paid, TimeTaken.objects.count(), house.figures()["jackpot_box"]) == (cents, periods, cents)


@pytest.mark.rule("H7.19")
def test_what_was_collected_stays_in_the_fund_when_players_leave(house):
    house.open(1, **SIX)
    by_time(house)
    house.settle(40_00)
    take(house, 1)
    for seating in sitting(house)[:2]:
        house.tap(leave_seat, table_id=house.table_id(), seating_id=seating, stack_cents=None)

    hand = house.settle(40_00, winners=(4,))
    assert (hand.due("drop"), house.figures()["jackpot_box"]) == (0, 40_00)
    # Four are left, and the next hour is shared by them.
    assert [share.cents for share in due(house).shares] == [10_00] * 4
    # Closed in mid-hour nothing comes back: a started period is due whole.
    end_day(house)
    assert sum_of(house) == 1_040_00
    sound(house)


@pytest.mark.rule("H7.18")
def test_back_to_the_hand_what_was_paid_runs_to_its_end(house):
    house.open(1, **SIX)
    by_time(house)
    first = house.settle(40_00)
    with pytest.raises(TimeOwed):
        by_hand(house)
    take(house, 1)
    ends_at = first.dealt_at + timedelta(minutes=60)

    assert datetime.fromisoformat(by_hand(house)["free_until"]) == ends_at
    free = house.settle(40_00)
    shown = drop_shown(house)
    house.at = ends_at
    charged = house.settle(40_00)

    assert (free.due("drop"), charged.due("drop"), due(house)) == (0, 1_00, None)
    assert (datetime.fromisoformat(shown.free_until), shown.is_by_time, bool(shown.by)) == (ends_at, False, True)
    assert house.figures()["jackpot_box"] == 41_00
    # Put right later, the hand keeps what it was dealt under; and what is given back frees no hand.
    house.tap(void_settled_hand, table_id=house.table_id(), hand_row_id=free.pk, reason="void")
    assert house.figures()["jackpot_box"] == 41_00
    house.at = free.dealt_at + timedelta(seconds=5)
    house.tap(take_back_time, table_id=house.table_id(), time_id=TimeTaken.objects.get().pk)
    assert (house.settle(40_00).due("drop"), drop_shown(house).free_until) == (1_00, None)
    sound(house)


def test_time_agreed_anew_begins_where_what_was_paid_ends(house):
    house.open(1, **SIX)
    by_time(house)
    first = house.settle(40_00)
    take(house, 1)
    by_time(house, 15)
    house.settle(40_00)
    assert (due(house).begins_at, due(house).minutes) == (first.dealt_at + timedelta(minutes=60), 15)
    by_hand(house)
    house.settle(40_00)
    by_time(house, 15)
    house.settle(40_00)
    assert (due(house).begins_at, due(house).number) == (first.dealt_at + timedelta(minutes=60), 1)
    # Of a period that was let go nothing was paid: hands pay again at once.
    house.at = due(house).begins_at
    house.tap(let_time_go, table_id=house.table_id(), period=1)
    assert by_hand(house)["free_until"] is None
    assert house.settle(40_00).due("drop") == 1_00


@pytest.mark.rule("H7.18")
def test_it_takes_everybody_between_two_hands_at_a_table_that_goes_on(house):
    house.open(1, **SIX)
    everybody = sitting(house)
    with pytest.raises(NotAllConsent, match="1"):
        by_time(house, consents=everybody[1:])
    with pytest.raises(NoSuchPeriod, match="30"):
        by_time(house, 30)
    with pytest.raises(NoTimeCharge):
        by_hand(house)
    house.deal()
    with pytest.raises(HandInProgress):
        by_time(house)
    house.settle(40_00)
    table = house.table()
    with pytest.raises(Stale):
        by_time(house, version=table.version - 1)
    by_time(house)
    with pytest.raises(Stale):
        by_time(house)
    house.tap(announce_last_orbit, table_id=house.table_id())
    with pytest.raises(TableCloses):
        by_hand(house)
    shown = drop_shown(house)
    assert (shown.is_by_time, shown.by, due(house).kind) == (True, (), "drop")


def test_other_stakes_go_on_being_paid_so(house):
    house.open(1, **SIX)
    by_time(house)
    first = house.settle(40_00)
    take(house, 1)
    five = house.game("No limit hold'em 5/5")
    house.tap(change_stakes, table_id=house.table_id(), game_id=five.pk, consents=sitting(house))

    hand = house.settle(40_00)
    assert (hand.due("drop"), due(house).begins_at) == (0, first.dealt_at + timedelta(minutes=60))
    assert Opening.objects.filter(table=house.table()).count() == 3


@pytest.mark.slow
@pytest.mark.rule("H7.17", "L-P41")
def test_a_period_taken_back_after_it_joined_the_sum_waits_for_the_next_takings(house):
    put_in_force(house, AT_ONCE)
    house.open(1, **SIX)
    lost = house.settle(40_00)
    by_time(house)
    house.settle(40_00)
    row = take(house, 1)
    minute(house)
    sums = [sum_of(house)]
    house.tap(take_back_time, table_id=house.table_id(), time_id=row.pk)
    house.tap(void_settled_hand, table_id=house.table_id(), hand_row_id=lost.pk, reason="void")
    minute(house)
    sums += [sum_of(house), figures(Pool.objects.get().pk)["takings"]]
    # Once each, by what they put right, and nothing more however often it is asked.
    minute(house)
    assert sums == [1_041_00, 1_041_00, -41_00]
    rights = Collection.objects.exclude(puts_right=None).order_by("id").values_list("cents", "hand", "time")
    assert sorted(rights) == [(-40_00, None, row.pk), (-1_00, lost.pk, None)]
    take(house, 1)
    house.at += timedelta(hours=1)
    take(house, 2)
    minute(house)
    assert sum_of(house) == 1_080_00
    sound(house)


@pytest.mark.django_db
def test_a_house_whose_book_has_no_such_choice_has_no_button_for_it():
    house = make_house(book="unibet")
    game = Game.objects.filter(room_id=house.room_id, is_offered=True).earliest("id")
    house.tap(open_table, table_id=house.table_id(), game_id=game.pk)
    table = find_table(house.room_id, 1)
    assert table is not None

    assert not floor_table(house.room_id, table).has_time
    with pytest.raises(NoTimeCharge):
        by_time(house)


def test_a_book_says_each_period_once_and_no_other_charge_by_the_time():
    twice = HELSINKI.replace("charge_cents = 10_00, period_minutes = 15", "charge_cents = 10_00, period_minutes = 60")
    with pytest.raises(RuleBookError, match="same length"):
        parse(twice, source="a book")
    rake = 'rake = { kind = "step", block_cents = 20_00, charge_cents = 1_00, maximum_cents = 10_00 }'
    both = HELSINKI.replace(rake, "time_charge = { charge_cents = 6_00, period_minutes = 30 }")
    with pytest.raises(RuleBookError, match="one charge by the time"):
        parse(both, source="a book")
