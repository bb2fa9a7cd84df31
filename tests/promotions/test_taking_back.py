"""What was noted or decided by mistake is taken back by two: chips, promises and slips are as they were before."""

from contextlib import nullcontext, suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from casino import clock
from casino.audit.models import Event
from casino.audit.sentences import Reader, sentences_of
from casino.cage.errors import SlipNotWaiting
from casino.cage.models import Drawer, Slip
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.selectors.slips import prizes_of
from casino.cage.services import open_day, reverse_slip, take_money
from casino.cage.services.voiding import NEEDS as NEEDS_TO_VOID
from casino.errors import Malformed, NotFound, Stale
from casino.ledger.errors import AlreadyReversed, PromiseTooSmall
from casino.ledger.models import Transfer
from casino.ledger.proof import problems
from casino.live.render import fragment
from casino.people.errors import NeedsSecondSignature
from casino.promotions.errors import (
    CarriedIsGone,
    DoneByYourself,
    DrawerCountedSince,
    FundTooSmall,
    LaterDecided,
    NotDecided,
    PeriodIsOver,
    PrizePaid,
    SplashNotNoted,
)
from casino.promotions.models import Fund, Period, Prize, Splash
from casino.promotions.services import high_hands, splashes
from casino.reports.selectors.day import day_report
from casino.rooms.errors import NoOpenDay
from tables.models import Seating
from tables.services.opening import close_table
from tables.services.seating import leave_seat
from tests.cage.carrying_over import carlas, carries
from tests.cage.counting import closing, signed
from tests.promotions.running import ACES_FULL, BLOCKS, EXAMPLE, SPLASH, Running, left_out
from tests.support.locks import meet, without_lock
from tests.support.owner import as_owner
from tests.tables.conftest import House, make_house
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses

DESK = "/promotions/funds/high-hand/"


@pytest.fixture
def room(house: House) -> House:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.open(2, Jo=1, Sara=2)
    return house


@pytest.fixture
def running(room: House) -> Running:
    return Running.begun(room)


def proved(running: Running) -> list[str]:
    return [problem.detail for problem in problems(running.house.room_id)]


def won(running: Running) -> Period:
    """Return a period that Lee has won, decided by Frans and Mari."""
    period = running.opened()
    running.entered(period)
    return running.decided(running.ended(period))


def reversed_at_cage(running: Running, slip: Slip) -> None:
    house = running.house
    house.at += timedelta(seconds=1)
    signing = signed(house.cast.carla, house.cast.mari, f"slip.{slip.pk}", needs=NEEDS_TO_VOID, at=house.at)
    arguments: dict[str, Any] = {"slip_id": slip.pk, "version": slip.version, "reason": "wrong_player"}
    reverse_slip(signing, approved_by_id=house.cast.mari.pk, **arguments)


def begun(house: House, text: str = EXAMPLE) -> tuple[Running, Splash]:
    """Return splash pots with the first one noted, by Frans out of drawer 1."""
    running = Running.begun(house, text=text, code=SPLASH)
    running.opened(code=SPLASH)
    (splash,) = running.drawn()
    return running, running.splashed(splash)


# ---- a splash


def test_a_splash_that_was_noted_by_mistake_is_still_to_be_done(room: House):
    chips, before = drawer_figures(room.drawer_id)["chips"], [room.figures(number)["in_play"] for number in (1, 2)]
    running, splash = begun(room)
    noted = splash.transfer_id

    splash = running.unsplashed(splash)

    assert (splash.status, splash.done_at, splash.transfer_id, splash.drawer_id) == ("drawn", None, None, None)
    assert drawer_figures(room.drawer_id)["chips"] == chips
    assert [room.figures(number)["in_play"] for number in (1, 2)] == before
    held = running.figures(SPLASH)
    assert (held["reserved"], held["splashed"], splash.period.reserved_cents) == (200_00, 0, 200_00)
    assert Transfer.objects.get(reverses=noted).approved_by_id == room.cast.carla.pk
    assert proved(running) == []
    with pytest.raises(SplashNotNoted):
        running.unsplashed(splash)

    assert running.splashed(splash).status == "splashed"
    assert drawer_figures(room.drawer_id)["chips"] == chips - 50_00
    assert proved(running) == []


def test_a_period_that_a_splash_had_ended_is_open_again(room: House):
    running, splash = begun(room, EXAMPLE.replace("splashes = 4", "splashes = 1"))
    assert splash.period.status == "done"

    period = running.unsplashed(splash).period

    assert (period.status, period.decided_at, period.reserved_cents) == ("open", None, 50_00)
    assert ": the next pot is splashed" in fragment(room.room_id, "lobby", "en").html
    assert proved(running) == []
    running.splashed(splash)
    assert Period.objects.get(id=period.pk).status == "done"
    assert proved(running) == []


def test_a_splash_stands_once_its_drawer_was_closed_or_its_period_called_off(room: House):
    running, splash = begun(room)
    room.close_drawer()
    with pytest.raises(DrawerCountedSince):
        running.unsplashed(splash)
    room.open_drawer(100_00, 100_00)
    with pytest.raises(DrawerCountedSince):
        running.unsplashed(splash)
    running.called_off(splash.period)
    with pytest.raises(PeriodIsOver):
        running.unsplashed(splash)
    assert proved(running) == []


@pytest.mark.slow
def test_of_a_drawer_that_was_carried_a_splash_goes_back_on_the_open_day_as_slips_do(room: House):
    carlas(room)
    running, splash = begun(room)
    noted, chips = splash.transfer_id, drawer_figures(room.drawer_id)["chips"]
    for seating in Seating.objects.filter(room_id=room.room_id, left_at=None):
        room.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=0)
    for number in (1, 2):
        room.tap(close_table, table_id=room.table_id(number))
    closed = carries(room, "drawer.1")
    was = replace(day_report(room.cast.room, closed.date), at=room.at, carried=())
    with pytest.raises(NoOpenDay):
        running.unsplashed(splash)
    today = room.next_day()

    splash = running.unsplashed(splash)

    # The closed day stays as it was: it takes no posting.
    assert Transfer.objects.get(id=noted or 0).day_id == closed.pk
    assert Transfer.objects.get(reverses=noted).day_id == today.pk
    assert replace(day_report(room.cast.room, closed.date), at=was.at, carried=()) == was
    assert (splash.status, drawer_figures(room.drawer_id)["chips"]) == ("drawn", chips + 50_00)
    assert proved(running) == []


def test_a_splash_is_taken_back_by_two_and_for_a_reason(room: House):
    running, splash = begun(room)
    with pytest.raises(DoneByYourself):
        running.unsplashed(splash, signer=room.cast.frans)
    with pytest.raises(Malformed):
        running.unsplashed(splash, "felt like it")
    with pytest.raises(NotFound):
        running.unsplashed(replaced(splash, pk=splash.pk + 99))
    arguments: dict[str, Any] = {"splash_id": splash.pk, "reason": "wrong_tap", "approved_by_id": room.cast.carla.pk}
    with pytest.raises(NeedsSecondSignature):
        room.tap(splashes.take_back_splash, version=running.version(SPLASH), **arguments)
    signs = splashes.taking_back_signs(splash.pk, version=1, reason="wrong_tap")
    signing = running._signed(room.cast.mari, room.cast.carla, signs=signs, needs=splashes.NEEDS)
    with pytest.raises(Stale):
        splashes.take_back_splash(signing, version=1, **arguments)
    drawn = Splash.objects.filter(status="coming").earliest("number")
    with pytest.raises(SplashNotNoted):
        running.unsplashed(drawn)
    assert Splash.objects.get(id=splash.pk).status == "splashed"
    assert proved(running) == []


def replaced(splash: Splash, *, pk: int) -> Splash:
    other = Splash.objects.select_related("period__fund").get(id=splash.pk)
    other.pk = pk
    return other


def test_the_ledger_tells_of_a_splash_whose_chips_went_back(room: House):
    running, splash = begun(room)
    running.unsplashed(splash)

    with as_owner():
        Splash.objects.filter(id=splash.pk).update(
            status="splashed", transfer_id=splash.transfer_id, done_at=splash.done_at
        )

    assert [each for each in proved(running) if f"its transfer {splash.transfer_id} was reversed" in each]
    assert [each for each in proved(running) if "its account splashed holds 0, and its rows say 5000" in each]


# ---- a decision


def test_a_winner_who_was_wrong_is_decided_anew(running: Running):
    house = running.house
    period = won(running)
    prize = Prize.objects.get()
    decided = period.transfer_id

    period = running.undecided(period)

    assert (period.status, period.reserved_cents, period.decided_at, period.decided_by) == ("open", 100_00, None, None)
    held = running.figures()
    assert (held["free"], held["reserved"], held["pending"]) == (900_00, 100_00, 0)
    prize.refresh_from_db()
    assert prize.taken_back_at is not None
    assert Slip.objects.get(id=prize.slip_id or 0).status == "cancelled"
    assert prizes_of(house.room_id, prize.player_id) == []
    assert Transfer.objects.get(reverses=decided).approved_by_id == house.cast.mari.pk
    assert proved(running) == []
    with pytest.raises(SlipNotWaiting):
        running.paid(prize)
    with pytest.raises(NotDecided):
        running.undecided(period)

    # The same hand wins again: a prize of its own, and a slip.
    period = running.decided(period)
    again = Prize.objects.get(taken_back_at=None)
    assert (again.entry, again.slip_id == prize.slip_id, period.status) == (prize.entry, False, "won")
    assert running.paid(again).status == "paid"
    assert proved(running) == []
    # And each of a hand is one.
    with pytest.raises(IntegrityError), transaction.atomic():
        Prize.objects.create(entry=again.entry, player=again.player, cents=1)


def test_shares_and_what_rounding_left_are_promised_again(house: House):
    house.open(1, Lee=1, Kai=2)
    running = Running.begun(house, text=EXAMPLE.replace("100_00", "100_01"))
    period = running.opened()
    running.entered(period)
    running.entered(period, replace(ACES_FULL, seat_number=2, cards="Ac Ah", board="Ad Kh Ks 2d 7c"))

    running.undecided(running.decided(running.ended(period)))

    held = running.figures()
    assert (held["free"], held["reserved"], held["pending"]) == (899_99, 100_01, 0)
    assert Prize.objects.filter(taken_back_at=None).count() == 0
    assert Slip.objects.filter(status="cancelled").count() == 2
    assert proved(running) == []


def test_what_was_carried_is_carried_back_from_the_next_period(running: Running):
    first = running.opened(2)
    running.decided(running.ended(first))
    following = Period.objects.latest("begins_at")
    assert (following.amount_cents, running.figures()["reserved"]) == (200_00, 200_00)

    assert running.undecided(first).reserved_cents == 100_00

    following.refresh_from_db()
    assert (following.amount_cents, following.carried_cents, running.figures()["reserved"]) == (100_00, 0, 200_00)
    assert proved(running) == []
    # Likewise over two periods, from the last one back.
    running.decided(first)
    running.decided(running.ended(following))
    assert Fund.objects.get().carried_cents == 200_00
    with pytest.raises(LaterDecided):
        running.undecided(first)
    assert running.undecided(following).reserved_cents == 200_00
    assert Fund.objects.get().carried_cents == 0
    assert proved(running) == []
    running.undecided(first)
    following.refresh_from_db()
    assert (following.amount_cents, running.figures()["free"], running.figures()["reserved"]) == (
        100_00,
        800_00,
        200_00,
    )
    assert proved(running) == []


@pytest.mark.slow
def test_what_was_carried_to_the_fund_and_on_is_found_where_it_is(running: Running):
    first = running.opened()
    running.decided(running.ended(first))
    assert Fund.objects.get().carried_cents == 100_00
    second = running.opened()
    assert second.amount_cents == 200_00

    running.undecided(first)

    second.refresh_from_db()
    assert (second.amount_cents, second.carried_cents, Fund.objects.get().carried_cents) == (100_00, 0, 0)
    held = running.figures()
    assert (held["free"], held["reserved"]) == (800_00, 200_00)
    assert proved(running) == []
    # Called off meanwhile, it gave on what it had been given.
    running.decided(first)
    running.called_off(second)
    assert Fund.objects.get().carried_cents == 100_00
    running.undecided(first)
    assert (Fund.objects.get().carried_cents, running.figures()["free"]) == (0, 900_00)
    assert proved(running) == []


def test_what_is_no_more_in_the_fund_is_not_promised_again(running: Running):
    house = running.house
    first = running.decided(running.ended(running.opened()))
    left_out(house)
    house.at += timedelta(seconds=1)
    running.funded(1_000_00, takes_out=True)

    with pytest.raises(CarriedIsGone):
        running.undecided(first)

    stays = BLOCKS[0].replace("high-hand", "stays").replace("rolls_over", "stays").replace('"High hand"', '"Stays"')
    with_stays = Running.begun(house, text=stays, code="stays", fund_cents=150_00)
    period = with_stays.opened(code="stays")
    with_stays.decided(with_stays.ended(period))
    with_stays.funded(100_00, code="stays", takes_out=True)
    with pytest.raises(FundTooSmall):
        with_stays.undecided(period)
    with_stays.funded(50_00, code="stays")
    assert with_stays.undecided(period).status == "open"
    assert proved(running) == []


def test_a_paid_prize_is_first_reversed_at_the_cage(running: Running):
    period = won(running)
    slip = running.paid(Prize.objects.get())

    with pytest.raises(PrizePaid) as why:
        running.undecided(period)

    assert why.value.data == {"number": slip.number, "drawer": 1}
    assert proved(running) == []
    reversed_at_cage(running, slip)
    running.undecided(period)
    assert (running.figures()["pending"], running.figures()["reserved"]) == (0, 100_00)
    assert proved(running) == []


def test_a_decision_is_taken_back_by_two_and_for_a_reason(running: Running):
    house = running.house
    period = won(running)
    with pytest.raises(DoneByYourself):
        running.undecided(period, by=house.cast.mari, signer=house.cast.frans)
    with pytest.raises(Malformed):
        running.undecided(period, "felt like it")
    arguments: dict[str, Any] = {"period_id": period.pk, "reason": "wrong_tap", "approved_by_id": house.cast.mari.pk}
    with pytest.raises(NeedsSecondSignature):
        house.tap(high_hands.take_back_decision, version=running.version(), **arguments)
    signing = running._signed(
        house.cast.frans, house.cast.mari, signs=high_hands.taking_back_signs(period.pk, version=1, reason="wrong_tap")
    )
    with pytest.raises(Stale):
        high_hands.take_back_decision(signing, version=1, **arguments)
    signing = running._signed(
        house.cast.frans, house.cast.mari, signs=high_hands.taking_back_signs(0, version=1, reason="wrong_tap")
    )
    with pytest.raises(NotFound):
        high_hands.take_back_decision(signing, version=1, **{**arguments, "period_id": 0})
    with pytest.raises(NotDecided):
        running.undecided(running.called_off(running.opened(begins_at=period.ends_at)))
    assert Prize.objects.get().taken_back_at is None
    assert proved(running) == []


@pytest.mark.slow
def test_a_decision_of_an_earlier_day_is_taken_back_today(house: House):
    running = Running.begun(house)
    period = running.decided(running.ended(running.opened()))
    house.close_drawer()
    house.close_day()
    with pytest.raises(NoOpenDay):
        running.undecided(period)
    house.at += timedelta(hours=12)
    house.tap(open_day, house.cast.mari)

    assert running.undecided(period).status == "open"
    assert (running.figures()["reserved"], Fund.objects.get().carried_cents) == (100_00, 0)
    assert proved(running) == []


def test_a_decision_of_before_its_transfer_was_kept_is_taken_back_too(running: Running):
    period = won(running)
    with as_owner():
        Period.objects.update(transfer_id=None)

    running.undecided(period)

    held = running.figures()
    assert (held["free"], held["reserved"], held["pending"]) == (900_00, 100_00, 0)
    assert proved(running) == []


class Undone(Exception):
    """What was spoilt is whole again."""


SPOILT = [
    (lambda: Prize.objects.update(taken_back_at=None), "stands, and its period"),
    (
        lambda: Slip.objects.filter(destination="promotion").update(status="requested"),
        "taken back; its slip: 10000, requested",
    ),
]


def test_the_ledger_tells_of_a_prize_that_was_taken_back_and_is_not(running: Running):
    running.undecided(won(running))

    for spoil, found in SPOILT:
        with suppress(Undone), transaction.atomic(), as_owner():
            spoil()
            assert [each for each in proved(running) if found in each], found
            raise Undone


# ---- what is told of it


@pytest.mark.slow
def test_pages_wall_and_log_follow(running: Running):
    house = running.house
    period = won(running)
    floor = at_desktop(house.cast.mari)
    with clock.frozen(house.at):
        assert "Take the decision back" in floor.get(DESK).content.decode()

    running.undecided(period)

    with clock.frozen(house.at):
        desk, shown = floor.get(DESK).content.decode(), Client().get("/promotions/shown/high-hand/").content.decode()
    assert "Take the decision back" not in desk
    assert "Decide the period" in desk
    assert "Not yet." in shown
    assert "The ledger says the same." in shown
    assert "to be decided" in fragment(house.room_id, "lobby", "en").html
    assert "The period is over: who has won?" in fragment(house.room_id, "floor", "en").html
    reader = Reader(house.room_id, currency="EUR", locale="en", may=())
    (sentence,) = sentences_of([Event.objects.filter(name="promotions.take_back_decision").get()], reader)
    text = "".join(part.text for part in sentence)
    assert "was won was taken back" in text
    assert "A hand is missing, or was entered wrongly" in text
    running.decided(period)
    running.paid(Prize.objects.get(taken_back_at=None))
    with clock.frozen(house.at):
        assert "Take the decision back" not in floor.get(DESK).content.decode(), "it is paid"


# ---- at once


@pytest.mark.parametrize("is_paid_first", [True, False])
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_prize_is_paid_or_its_decision_taken_back_whoever_comes_first(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_paid_first: bool, is_locked: bool
) -> None:
    house = make_house()
    house.open(1, Lee=1, Kai=2)
    running = Running.begun(house)
    period = won(running)
    # Signed before: who signs is locked too, and the second would wait there.
    takes_back, prize = running.undeciding(period), Prize.objects.get()
    if not is_locked:
        without_lock(monkeypatch, Slip)

    def pays() -> None:
        house.tap(take_money, house.cast.carla, slip_id=prize.slip_id, drawer_id=house.drawer_id, method="cash")

    # Without the slip's lock the constraint has the last word, or the ledger.
    late = (PrizePaid, SlipNotWaiting) if is_locked else (IntegrityError, PromiseTooSmall)
    with pytest.raises(late[0] if is_paid_first else late[1]):
        meet(*((pays, takes_back) if is_paid_first else (takes_back, pays)))

    held = running.figures()
    assert (held["paid"], held["reserved"], held["pending"]) == ((100_00, 0, 0) if is_paid_first else (0, 100_00, 0))
    assert [each.detail for each in problems(house.room_id)] == []


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_decision_is_taken_back_once(committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool) -> None:
    house = make_house()
    house.open(1, Lee=1, Kai=2)
    running = Running.begun(house)
    period = won(running)
    first, second = running.undeciding(period), running.undeciding(period)
    if not is_locked:
        # The fund's is enough. What nobody has won has no slip, whose lock keeps the two apart as well.
        without_lock(monkeypatch, Fund)
        without_lock(monkeypatch, Slip)

    # The ledger has the last word.
    with pytest.raises(Stale if is_locked else AlreadyReversed):
        meet(first, second)

    assert running.figures()["reserved"] == 100_00
    assert [each.detail for each in problems(house.room_id)] == []


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_splash_is_taken_back_once(committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool) -> None:
    house = make_house()
    house.open(1, Lee=1, Kai=2)
    running, splash = begun(house)
    first, second = running.unsplashing(splash), running.unsplashing(splash)
    if not is_locked:
        # Either of them is enough: the drawer's is there for its count, the fund's for whatever else is done with it.
        without_lock(monkeypatch, Drawer)
        without_lock(monkeypatch, Fund)

    # The ledger has the last word.
    with pytest.raises(Stale if is_locked else AlreadyReversed):
        meet(first, second)

    assert running.figures(SPLASH)["splashed"] == 0
    assert [each.detail for each in problems(house.room_id)] == []


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_no_splash_is_taken_back_out_of_a_drawer_that_is_just_being_counted(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    house = make_house()
    house.open(1, Lee=1, Kai=2)
    running, splash = begun(house)
    lies = drawer_figures(house.drawer_id)
    # Frans splashed out of it and Mari takes that back: the cashier, who only signs, counts it.
    counts = closing(house.cast.carla, house.cast.mari, house.drawer_id, lies["cash"], lies["chips"], at=house.at)
    takes_back = running.unsplashing(splash)
    if not is_locked:
        without_lock(monkeypatch, Drawer)

    with pytest.raises(DrawerCountedSince) if is_locked else nullcontext():
        meet(counts, takes_back)

    # Without the drawer's lock the chips come back into one that is closed and emptied.
    assert running.figures(SPLASH)["splashed"] == (50_00 if is_locked else 0)
    assert drawer_figures(house.drawer_id)["chips"] == (0 if is_locked else 50_00)
    assert [each.detail for each in problems(house.room_id)] == []
