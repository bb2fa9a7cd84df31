"""Claims to a jackpot, as acts."""

from collections.abc import Callable
from typing import Any

from jackpot.models import Claim
from jackpot.services import claims
from tests.jackpot.beats import BEAT, NO_BEAT, Beats
from tests.jackpot.books import SEED_GOES_BACK, put_in_force, second_pool
from tests.tables.conftest import House
from tests.tables.evening import Acts


def _claim(
    house: House, service: Callable[..., Any], begin: Callable[[Beats], Claim], **arguments: Any
) -> Callable[[], Any]:
    beats = Beats(house)
    beats.fill()
    claim = begin(beats)
    return lambda: beats.step(service, claim, **arguments)


def _approving(house: House) -> Callable[[], Any]:
    beats = Beats(house)
    beats.fill()
    beats.sum(12_345_67)
    claim = beats.verified()
    return lambda: beats.approved(claim)


def _recovering(house: House) -> Callable[[], Any]:
    put_in_force(house, SEED_GOES_BACK)
    Beats(house).sum(12_345_67)
    return lambda: Beats(house).recovered(500_00)


def _winding_down(house: House) -> Callable[[], Any]:
    second_pool(house)
    return lambda: Beats(house).wound_down("small", "bad-beat")


ACTS: Acts = {
    "jackpot.call_bad_beat": lambda evening: evening.at_table(
        claims.call_bad_beat, evening.house.cast.anna, hand_id=evening.hand.hand_id
    ),
    "jackpot.withdraw_claim": lambda evening: _claim(evening.house, claims.withdraw_claim, Beats.called),
    "jackpot.enter_hands": lambda evening: _claim(evening.house, claims.enter_hands, Beats.called, hand=BEAT),
    "jackpot.dispute_claim": lambda evening: _claim(evening.house, claims.dispute_claim, Beats.called, reason="cards"),
    "jackpot.verify_claim": lambda evening: _claim(
        evening.house, claims.verify_claim, lambda beats: beats.walked(beats.entered())
    ),
    "jackpot.refuse_claim": lambda evening: _claim(
        evening.house, claims.refuse_claim, lambda beats: beats.entered(hand=NO_BEAT), reason="talk"
    ),
    "jackpot.approve_claim": lambda evening: _approving(evening.house),
    "jackpot.correct_sum": lambda evening: lambda: Beats(evening.house).corrected(12_345_67),
    "jackpot.recover_seed": lambda evening: _recovering(evening.house),
    "jackpot.wind_down": lambda evening: _winding_down(evening.house),
}
