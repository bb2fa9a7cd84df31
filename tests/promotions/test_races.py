"""A period is decided once, and by the hands that stand then, whoever taps at the same time."""

from contextlib import nullcontext

import pytest
from django.db import IntegrityError, connection

from casino.cage.models import Slip
from casino.errors import Refusal, Stale
from casino.ledger.errors import AlreadyPosted
from casino.ledger.proof import problems
from casino.promotions.errors import PeriodIsOver, PrizePaid
from casino.promotions.models import Entry, Fund, Period, Prize
from tables.models import Hand
from tests.promotions.running import QUADS, Running
from tests.support.locks import meet, without_lock
from tests.tables.conftest import House, make_house


def ended(house: House) -> tuple[Running, Period]:
    """Return a period that has ended, with Lee's hand in it, and Kai's that was played in it and is not entered."""
    house.open(1, Lee=1, Kai=2)
    running = Running.begun(house)
    period = running.opened()
    running.entered(period)
    house.settle(86_00, winners=(2,))
    return running, running.ended(period)


@pytest.mark.smoke
def test_two_who_decide_a_period_at_once_pay_it_once(committing_db: object) -> None:
    house = make_house()
    running, period = ended(house)
    # Signed before: who signs is locked too, and the second would wait there.
    first, second = running.deciding(period), running.deciding(period)
    refused: list[Refusal] = []

    def decides() -> None:
        try:
            second()
        except (PeriodIsOver, Stale) as refusal:
            refused.append(refusal)

    meet(first, decides)

    assert (len(refused), Prize.objects.count(), running.figures()["pending"]) == (1, 1, 100_00)
    assert [each.detail for each in problems(house.room_id)] == []
    connection.close()


def test_without_the_funds_lock_two_would_decide_one_period(
    committing_db: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = make_house()
    running, period = ended(house)
    first, second = running.deciding(period), running.deciding(period)
    without_lock(monkeypatch, Fund)

    # The ledger has the last word.
    with pytest.raises(AlreadyPosted):
        meet(first, second)

    assert (Prize.objects.count(), running.figures()["pending"]) == (1, 100_00)
    connection.close()


@pytest.mark.parametrize("is_entered_first", [True, False])
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_hand_that_is_entered_while_its_period_is_decided_counts_or_is_refused(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_entered_first: bool, is_locked: bool
) -> None:
    house = make_house()
    running, period = ended(house)
    shown_at = Hand.objects.get().settled_at
    decides = running.deciding(period)
    if not is_locked:
        without_lock(monkeypatch, Fund)

    def enters() -> None:
        running.entered(period, QUADS, shown_at=shown_at)

    with pytest.raises(Stale if is_entered_first else PeriodIsOver) if is_locked else nullcontext():
        meet(*((enters, decides) if is_entered_first else (decides, enters)))

    # Without the fund's lock the aces win beside four kings that are entered.
    paid_and_entered = ((0, 2) if is_entered_first else (1, 1)) if is_locked else (1, 2)
    assert (Prize.objects.count(), Entry.objects.count()) == paid_and_entered


@pytest.mark.parametrize("is_locked", [True, False])
def test_a_prize_that_is_just_being_paid_is_not_taken_back(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    house = make_house()
    running, period = ended(house)
    period = running.decided(period)
    prize = Prize.objects.get()
    refused: list[type[Exception]] = []
    if not is_locked:
        without_lock(monkeypatch, Slip)

    def takes_back() -> None:
        try:
            running.undecided(period)
        except (PrizePaid, IntegrityError) as refusal:
            refused.append(type(refusal))

    meet(lambda: running.paid(prize), takes_back)

    # Without the slip's lock the database has the last word, and nobody a sentence.
    assert refused == [PrizePaid if is_locked else IntegrityError]
    prize.refresh_from_db()
    assert (prize.paid_at is not None, prize.taken_back_at) == (True, None)
    connection.close()
