"""What is done with promotions, as acts."""

from collections.abc import Callable
from typing import Any

from promotions.services import high_hands
from tests.promotions.running import Running
from tests.tables.evening import Acts, Evening


def _begun(evening: Evening, act: Callable[[Running], Any]) -> Callable[[], Any]:
    running = Running.begun(evening.house)
    return lambda: act(running)


def _with_period(evening: Evening, act: Callable[[Running, Any], Any]) -> Callable[[], Any]:
    running = Running.begun(evening.house)
    period = running.opened()
    return lambda: act(running, period)


def _taking_back(evening: Evening) -> Callable[[], Any]:
    running = Running.begun(evening.house)
    entry = running.entered(running.opened())
    return lambda: evening.house.tap(high_hands.take_back_hand, entry_id=entry.pk, reason="cards")


def _deciding(evening: Evening) -> Callable[[], Any]:
    running = Running.begun(evening.house)
    period = running.opened()
    running.entered(period)
    running.ended(period)
    return lambda: running.decided(period)


ACTS: Acts = {
    "promotions.change_fund": lambda evening: _begun(evening, lambda running: running.funded(50_00)),
    "promotions.open_periods": lambda evening: _begun(evening, Running.opened),
    "promotions.enter_hand": lambda evening: _with_period(evening, Running.entered),
    "promotions.take_back_hand": _taking_back,
    "promotions.decide_period": _deciding,
    "promotions.call_off_period": lambda evening: _with_period(evening, Running.called_off),
}
