"""A high hand from the fund to the cashier: covered before it is promised, won by the best hand, signed, paid."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.cage.errors import DepositFull, SlipNotWaiting
from casino.cage.models import Slip
from casino.cage.selectors.slips import prizes_of
from casino.cage.services import cancel_slip, deposit, reverse_slip, take_money, withdraw
from casino.cage.services.voiding import NEEDS as NEEDS_TO_VOID
from casino.errors import Malformed, NotFound, Refusal, Stale
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import deposit_cents
from casino.people.errors import NeedsSecondSignature
from casino.people.models import Staff
from casino.people.services import check_identity
from casino.promotions.errors import (
    EarlierUndecided,
    EntryIsGone,
    FundTooSmall,
    GameTakesNoPart,
    HandEntered,
    HandNotPlayed,
    HandStandsNoMore,
    HandTooLow,
    NobodyThere,
    NoPromotion,
    NotInPeriod,
    PeriodIsOver,
    PeriodsOverlap,
    PeriodStillRuns,
    PrizeStays,
    SameEntrant,
    WhichHand,
)
from casino.promotions.models import Entry, Fund, Period, Prize
from casino.promotions.services import high_hands, periods
from casino.promotions.services.whose import ShownHand
from casino.rulebooks import RuleBookError, parse, text_of
from jackpot.errors import BoardNotDealt, CardTwice
from tables.models import Hand, Seating
from tables.services.corrections import undo_hand
from tables.services.hands import void_hand
from tables.services.seating import leave_seat
from tests.cage.counting import signed
from tests.cage.desk import limits_of
from tests.promotions.running import ACES_FULL, BLOCKS, EXAMPLE, QUADS, Running, left_out
from tests.support.owner import as_owner
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses


@pytest.fixture
def running(house: House) -> Running:
    house.open(1, Lee=1, Kai=2, Timo=3)
    return Running.begun(house)


class Undone(Exception):
    """What was spoilt is whole again."""


# What is spoilt of rows, what the ledger says of it, and whether the public page tells of it.
SPOILT: list[tuple[Callable[[Prize, Fund], Any], str, bool]] = [
    (
        lambda prize, fund: Fund.objects.create(room_id=fund.room_id, code="bare", made_at=fund.made_at),
        "nothing",
        False,
    ),
    (
        lambda prize, fund: Slip.objects.filter(id=prize.slip_id or 0).update(amount_cents=1),
        "its slip: 1, requested",
        False,
    ),
    (lambda prize, fund: Prize.objects.update(slip_id=None), "no prize is paid by it", False),
    (lambda prize, fund: Prize.objects.update(paid_at=fund.made_at), "10000, paid; its slip: 10000, requested", True),
    (lambda prize, fund: Prize.objects.update(cents=1), "its account pending holds 10000, and its rows say 1", True),
]


def proved(running: Running) -> list[str]:
    """Return what the ledger does not prove."""
    return [problem.detail for problem in problems(running.house.room_id)]


def refused(running: Running, why: type[Refusal], period: Period, hand: ShownHand, **more: Any) -> None:
    with pytest.raises(why):
        running.entered(period, hand, **more)


def test_the_best_hand_of_a_period_wins_and_is_paid_once_at_the_cage(running: Running):
    house = running.house
    period = running.opened()
    assert running.figures()["reserved"] == 100_00
    first = running.entered(period)
    assert (first.player, first.made, first.ranks) == (house.player("Lee"), "full_house", [14, 13])
    running.entered(period, QUADS)
    with pytest.raises(PeriodStillRuns):
        running.decided(period)

    period = running.decided(running.ended(period))

    assert (period.status, period.reserved_cents) == ("won", 0)
    prize = Prize.objects.get()
    assert (prize.player, prize.cents, prize.paid_at) == (house.player("Kai"), 100_00, None)
    assert running.figures() == {
        "free": 900_00,
        "reserved": 0,
        "pending": 100_00,
        "put_in": -1_000_00,
        "paid": 0,
        "splashed": 0,
    }
    with CaptureQueriesContext(connection) as queries:
        waits = prizes_of(house.room_id, prize.player_id)
    assert [(slip.amount_cents, slip.label) for slip in waits] == [(100_00, "Promotion High hand")]
    assert len(queries) == 1, "a prize asks for nothing to be called by its promotion's name"
    assert proved(running) == []
    with pytest.raises(PrizeStays):
        house.tap(cancel_slip, slip_id=prize.slip_id)

    slip = running.paid(prize)

    assert (slip.status, running.figures()["paid"], running.figures()["pending"]) == ("paid", 100_00, 0)
    with pytest.raises(SlipNotWaiting):
        running.paid(prize)
    with pytest.raises(PeriodIsOver):
        running.called_off(period)
    assert proved(running) == []

    # A slip that is taken back waits again.
    at = house.at + timedelta(seconds=1)
    signing = signed(house.cast.carla, house.cast.mari, f"slip.{slip.pk}", needs=NEEDS_TO_VOID, at=at)
    arguments: dict[str, Any] = {"slip_id": slip.pk, "version": slip.version, "reason": "wrong_player"}
    reverse_slip(signing, approved_by_id=house.cast.mari.pk, **arguments)
    prize.refresh_from_db()
    assert (prize.paid_at, prize.slip_id != slip.pk, running.figures()["pending"]) == (None, True, 100_00)
    assert proved(running) == []


@pytest.mark.rule("L-O2")
def test_a_prize_goes_onto_a_deposit_as_far_as_one_may_hold_it_and_else_is_paid_in_cash(running: Running, house: House):
    kai, carla = house.player("Kai").pk, house.cast.carla
    running.entered(period := running.opened(), QUADS)
    running.decided(running.ended(period))
    prize, most = Prize.objects.get(), limits_of(house.room_id).deposit_max_cents
    assert (prize.player_id, prize.cents) == (kai, 100_00)
    assert most is not None
    house.tap(check_identity, carla, player_id=kai, full_name="Kai Laine", document="passport", number="XP7")
    house.tap(deposit, carla, drawer_id=house.drawer_id, player_id=kai, amount_cents=most - 99_00, method="card")
    pays: dict[str, Any] = {"slip_id": prize.slip_id, "drawer_id": house.drawer_id}

    with pytest.raises(DepositFull) as refused:
        house.tap(take_money, carla, method="deposit", **pays)

    assert refused.value.data == {"limit_cents": most, "held_cents": most - 99_00, "fits_cents": 99_00}
    house.tap(withdraw, carla, drawer_id=house.drawer_id, player_id=kai, amount_cents=1_00)
    house.tap(take_money, carla, method="deposit", **pays)
    assert deposit_cents(kai) == most


@pytest.mark.parametrize("amount", [101_00, 100_01, 1])
def test_equal_hands_share_and_what_is_left_goes_back_to_the_fund(house: House, amount: int):
    """Of euros each has half to the cent, of crowns whole ones."""
    coin = {"EUR": 1, "CZK": 1_00}[house.cast.room.currency]
    each = amount // 2 - amount // 2 % coin
    house.open(1, Lee=1, Kai=2, Timo=3)
    running = Running.begun(house, text=EXAMPLE.replace("100_00", str(amount)))
    period = running.opened()
    running.entered(period)
    running.entered(period, replace(ACES_FULL, seat_number=2, cards="Ac Ah", board="Ad Kh Ks 2d 7c"))

    assert running.decided(running.ended(period)).status == "won"

    shares = [("Kai", each), ("Lee", each)] if each else []
    assert sorted(Prize.objects.values_list("player__nickname", "cents")) == shares
    assert running.figures()["free"] == 1_000_00 - 2 * each
    assert proved(running) == []


def test_what_nobody_wins_is_paid_by_the_next_period_or_stays(running: Running):
    first = running.opened(2)
    following = Period.objects.latest("begins_at")
    assert following.begins_at == first.ends_at

    assert running.decided(running.ended(first)).status == "unwon"

    following.refresh_from_db()
    assert (following.amount_cents, following.carried_cents, running.figures()["reserved"]) == (200_00, 100_00, 200_00)
    running.decided(running.ended(following))
    assert (Fund.objects.get().carried_cents, running.figures()["free"]) == (200_00, 1_000_00)
    third = running.opened()
    assert (third.amount_cents, third.carried_cents) == (300_00, 200_00)
    # Called off, it is still owed to the next.
    assert (running.called_off(third).status, Fund.objects.get().carried_cents) == ("called_off", 200_00)
    assert proved(running) == []

    stays = BLOCKS[0].replace("high-hand", "stays").replace("rolls_over", "stays").replace('"High hand"', '"Stays"')
    with_stays = Running.begun(running.house, text=stays, code="stays")
    period = with_stays.opened(code="stays")
    with_stays.decided(with_stays.ended(period))
    assert (Fund.objects.get(code="stays").carried_cents, with_stays.figures("stays")["free"]) == (0, 1_000_00)


def test_nothing_is_promised_that_the_fund_does_not_cover(running: Running):
    with pytest.raises(FundTooSmall) as why:
        running.opened(11)
    assert why.value.data == {"free_cents": 1_000_00, "needed_cents": 1_100_00}
    period = running.opened(10)
    with pytest.raises(FundTooSmall):
        running.funded(1, takes_out=True)
    with pytest.raises(PeriodsOverlap):
        running.opened(begins_at=period.ends_at - timedelta(minutes=1))
    running.called_off(period)
    running.funded(100_00, takes_out=True)
    assert running.figures()["free"] == 0
    assert running.figures()["put_in"] == -900_00
    on_minute = running.house.at.replace(second=0)
    for wrong in (
        {"number": 0},
        {"number": 49},
        {"begins_at": on_minute - timedelta(minutes=2)},
        {"begins_at": on_minute + timedelta(seconds=90)},
    ):
        with pytest.raises(Malformed):
            running.opened(**wrong)
    with pytest.raises(NoPromotion):
        running.opened(code="nothing")
    assert proved(running) == []


def test_a_hand_that_does_not_take_part_is_refused(running: Running):
    house, period = running.house, running.opened()
    refused(running, HandTooLow, period, replace(ACES_FULL, board="Ac 9h 9s 2d 7c"))
    refused(running, HandTooLow, period, replace(ACES_FULL, cards="As 3d", board="Ac Ah Ts Td 7c"))
    refused(running, CardTwice, period, replace(ACES_FULL, cards="Ac Ad"))
    refused(running, BoardNotDealt, period, replace(ACES_FULL, board="Ac Kh Ks"))
    refused(running, GameTakesNoPart, period, replace(ACES_FULL, variant="omaha"))
    refused(running, NobodyThere, period, replace(ACES_FULL, seat_number=9))
    refused(running, NotFound, period, replace(ACES_FULL, table_number=99))
    refused(running, NotFound, period, replace(ACES_FULL, hand_number=99))
    refused(running, NotInPeriod, period, ACES_FULL, shown_at=period.begins_at - timedelta(seconds=1))
    refused(running, NotInPeriod, period, ACES_FULL, shown_at=house.at + timedelta(minutes=5))
    running.entered(period)
    refused(running, HandEntered, period, ACES_FULL)
    refused(running, HandEntered, period, replace(ACES_FULL, board="7c 2d Ks Kh Ac"))
    # It was shown within the period, and is entered after its end: by then nobody knows who sat there.
    running.ended(period)
    refused(running, NotInPeriod, period, QUADS)
    refused(running, WhichHand, period, QUADS, shown_at=period.ends_at - timedelta(seconds=1))
    assert period.entries.count() == 1


def test_of_a_logged_hand_it_is_of_whoever_was_dealt_in(running: Running):
    house, period = running.house, running.opened()
    hand = house.settle(86_00, winners=(2,), dealt_in=(1, 2))

    entry = running.entered(period, replace(QUADS, hand_number=hand.number))

    assert (entry.player, entry.hand) == (house.player("Kai"), hand)
    refused(running, NobodyThere, period, replace(ACES_FULL, seat_number=3, hand_number=hand.number))


def test_a_hand_that_is_entered_late_is_of_whoever_was_dealt_in_then(running: Running):
    house, period = running.house, running.opened()
    hand = house.settle(86_00, winners=(2,))
    seating = Seating.objects.get(table=house.table(1), seat_number=2, left_at=None)
    house.at += timedelta(minutes=5)
    house.tap(leave_seat, table_id=house.table_id(1), seating_id=seating.pk)
    house.seat("Jo", 2)

    entry = running.entered(running.ended(period), QUADS, shown_at=hand.settled_at)

    assert (entry.player, entry.hand, entry.shown_at) == (house.player("Kai"), hand, hand.settled_at)
    refused(running, NotInPeriod, period, replace(QUADS, hand_number=hand.number), shown_at=period.ends_at)
    second = running.opened(begins_at=period.ends_at)
    house.at += timedelta(minutes=1)
    refused(running, NotInPeriod, second, replace(QUADS, hand_number=hand.number))


def test_a_hand_that_does_not_stand_is_not_entered_and_wins_nothing(running: Running):
    house, period = running.house, running.opened()
    anna, table_id = house.cast.anna, house.table_id(1)
    house.tap(void_hand, anna, table_id=table_id, hand=house.logged(), reason="misdeal")
    void = Hand.objects.latest("id")
    refused(running, HandNotPlayed, period, replace(QUADS, hand_number=void.number))
    hand = house.settle(86_00, winners=(2,))
    entry = running.entered(period, replace(QUADS, hand_number=hand.number))
    house.tap(undo_hand, anna, table_id=table_id, hand_id=hand.hand_id)
    running.ended(period)

    with pytest.raises(HandStandsNoMore):
        running.decided(period)

    house.tap(high_hands.take_back_hand, house.cast.mari, entry_id=entry.pk, reason="does_not_count")
    with pytest.raises(SameEntrant):
        running.decided(period)
    Staff.objects.filter(pk=house.cast.dan.pk).update(roles=["floor", "manager"])
    assert running.decided(period, signer=house.cast.dan).status == "unwon"


def test_periods_are_decided_in_their_order_and_what_is_carried_stays(running: Running):
    house = running.house
    first = running.opened(3)
    second, third = Period.objects.order_by("begins_at")[1:]
    running.ended(third)
    with pytest.raises(EarlierUndecided):
        running.decided(second)
    running.decided(first)
    second.refresh_from_db()

    running.called_off(second)

    third.refresh_from_db()
    assert (third.amount_cents, third.carried_cents, running.figures()["reserved"]) == (200_00, 100_00, 200_00)
    running.decided(third)
    assert (Fund.objects.get().carried_cents, running.figures()["free"]) == (200_00, 1_000_00)
    with pytest.raises(FundTooSmall) as why:
        running.funded(800_01, takes_out=True)
    assert why.value.data == {"free_cents": 800_00, "needed_cents": 800_01}
    running.funded(800_00, takes_out=True)
    assert proved(running) == []

    # The promotion has left the book: there comes no period any more to pay it.
    left_out(house)
    running.funded(200_00, takes_out=True)
    assert (Fund.objects.get().carried_cents, running.figures()["free"]) == (0, 0)
    assert proved(running) == []


def test_a_hand_that_was_entered_wrongly_is_taken_back_and_leads_no_more(running: Running):
    period = running.opened()
    wrong, right = running.entered(period, QUADS), running.entered(period)

    running.house.tap(high_hands.take_back_hand, entry_id=wrong.pk, reason="player")

    with pytest.raises(EntryIsGone):
        running.house.tap(high_hands.take_back_hand, entry_id=wrong.pk, reason="player")
    with pytest.raises(Malformed):
        running.house.tap(high_hands.take_back_hand, entry_id=right.pk, reason="felt like it")
    running.decided(running.ended(period))
    assert Prize.objects.get().entry == right
    assert Entry.objects.get(id=wrong.pk).reason == "player", "it stays on record"
    with pytest.raises(PeriodIsOver):
        running.house.tap(high_hands.take_back_hand, entry_id=right.pk, reason="cards")


def test_whoever_entered_the_winning_hand_or_asks_does_not_sign(running: Running):
    house, period = running.house, running.opened()
    Staff.objects.filter(pk=house.cast.dan.pk).update(roles=["floor", "manager"])
    running.entered(period, by=house.cast.mari)
    stale = running.version() - 1
    running.ended(period)

    with pytest.raises(SameEntrant):
        running.decided(period)
    arguments: dict[str, Any] = {
        "period_id": period.pk,
        "version": running.version(),
        "approved_by_id": house.cast.dan.pk,
    }
    with pytest.raises(NeedsSecondSignature):
        house.tap(high_hands.decide_period, **arguments)
    with pytest.raises(NeedsSecondSignature):
        house.tap(periods.call_off_period, **arguments, reason="mistake")
    signs = high_hands.decision_signs(period.pk, version=stale)
    signing = running._signed(house.cast.frans, house.cast.dan, signs=signs)
    with pytest.raises(Stale):
        high_hands.decide_period(signing, **(arguments | {"version": stale}))

    assert running.decided(period, signer=house.cast.dan).status == "won"


def test_the_ledger_finds_each_thing_that_is_not_as_its_rows_say(running: Running):
    house, period = running.house, running.opened()
    running.entered(period)
    running.decided(running.ended(period))
    prize, fund = Prize.objects.get(), Fund.objects.get()
    assert proved(running) == []

    for spoil, found, is_shown in SPOILT:
        with suppress(Undone), transaction.atomic(), as_owner():
            spoil(prize, fund)
            assert [each for each in proved(running) if found in each], found
            with clock.frozen(house.at):
                shown = Client().get("/promotions/shown/high-hand/").content.decode()
            assert ("The ledger says something else" in shown) is is_shown, found
            raise Undone


@pytest.mark.two_houses
def test_a_high_hand_runs_in_any_house(house: House):
    house.open(1, Lee=1, Kai=2)
    running = Running.begun(house)
    period = running.opened()
    running.entered(period)
    running.paid(running.decided(running.ended(period)).entries.get().prizes.get())

    assert running.figures()["paid"] == 100_00


@pytest.mark.parametrize(
    ("was", "now", "says"),
    [
        ('["nlh-2-2"]', '["chess"]', "chess is none of the games"),
        ('variants = ["holdem"]', 'variants = ["holdem", "holdem"]', "a variant has two of them"),
        ('ranks = "AT"', 'ranks = "AT"\nwinner_own_cards_min = 1', "winner_own_cards_min is not a key"),
    ],
)
def test_a_book_that_makes_no_sense_is_refused(was: str, now: str, says: str):
    with pytest.raises(RuleBookError, match=says):
        parse(text_of("helsinki") + EXAMPLE.replace(was, now), source="a book")
