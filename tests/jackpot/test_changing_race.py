"""A jackpot does not end under a bad beat that is just being called for it, and is corrected once."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from casino.errors import Stale
from casino.ledger.errors import AlreadyPosted
from casino.people.models import Staff
from casino.rooms.models import GamingDay
from jackpot.errors_pools import ClaimsOpen
from jackpot.models import Claim, Pool
from jackpot.services import changing
from tests.jackpot.beats import Beats
from tests.jackpot.books import second_pool
from tests.support.locks import meet, without_lock
from tests.tables.conftest import make_house


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_who_ends_a_jackpot_waits_for_the_claim_that_is_being_called_and_finds_it(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    beats = Beats(make_house())
    second_pool(beats.house)
    beats.open()
    hand = beats.played()
    refused = []

    def ends() -> None:
        try:
            beats.wound_down("small", "bad-beat")
        except ClaimsOpen as refusal:
            refused.append(refusal.data["claims"])

    if not is_locked:
        without_lock(monkeypatch, GamingDay)

    meet(lambda: beats.called(hand=hand), ends, waits=is_locked)

    # Without the day's lock a claim is left to a jackpot that is no more.
    assert refused == ([[[1, hand.number]]] if is_locked else [])
    assert Claim.objects.get().code == "small"
    assert Pool.objects.get(code="small").state == ("open" if is_locked else "closed")


def correcting(beats: Beats, *, more_cents: int) -> Callable[[], object]:
    """Return a correction by so much, signed and ready to be sent."""
    cast = beats.house.cast
    arguments: dict[str, Any] = {
        "version": beats.pool_version(),
        "new_sum_cents": beats.sum() + more_cents,
        "reason": "takings",
    }
    signs = changing.correction_signs("bad-beat", **arguments)
    signing = beats.signed(cast.mari, cast.frans, signs=signs, needs=changing.NEEDS)
    return lambda: changing.correct_sum(signing, jackpot="bad-beat", approved_by_id=cast.frans.pk, **arguments)


@pytest.fixture
def beats(committing_db: object) -> Beats:
    """Return a house in which Frans is a manager tonight too."""
    house = make_house()
    Staff.objects.filter(pk=house.cast.frans.pk).update(roles=["floor", "manager"])
    return Beats(house)


@pytest.mark.smoke
def test_two_corrections_of_one_sum_at_once_correct_it_once(beats: Beats) -> None:
    before = beats.sum()
    first, second = correcting(beats, more_cents=50_00), correcting(beats, more_cents=50_00)
    refused = []

    def other() -> None:
        try:
            second()
        except Stale as refusal:
            refused.append(refusal)

    meet(first, other)

    assert len(refused) == 1
    assert beats.sum() == before + 50_00
    connection.close()


def test_without_the_pools_lock_two_would_correct_one_sum(beats: Beats, monkeypatch: pytest.MonkeyPatch) -> None:
    before = beats.sum()
    first, second = correcting(beats, more_cents=50_00), correcting(beats, more_cents=50_00)
    without_lock(monkeypatch, Pool)

    # The ledger has the last word.
    with pytest.raises(AlreadyPosted):
        meet(first, second)

    assert beats.sum() == before + 50_00
    connection.close()
