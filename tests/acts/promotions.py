"""What is done with promotions, as acts."""

from collections.abc import Callable
from typing import Any

from casino.promotions.models import Splash
from casino.promotions.services import high_hands, splashes
from tests.promotions.running import SPLASH, Running
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


def _undeciding(evening: Evening) -> Callable[[], Any]:
    running = Running.begun(evening.house)
    period = running.opened()
    running.entered(period)
    running.decided(running.ended(period))
    return lambda: running.undecided(period)


def _unsplashing(evening: Evening) -> Callable[[], Any]:
    running = Running.begun(evening.house, code=SPLASH)
    running.opened(code=SPLASH)
    (splash,) = running.drawn()
    splash = running.splashed(splash)
    return lambda: running.unsplashed(splash)


def _splash(evening: Evening, act: Callable[[Running, Splash], Any]) -> Callable[[], Any]:
    running = Running.begun(evening.house, code=SPLASH)
    running.opened(code=SPLASH)
    (splash,) = running.drawn()
    return lambda: act(running, splash)


def _drawing(evening: Evening) -> Callable[[], Any]:
    running = Running.begun(evening.house, code=SPLASH)
    running.opened(code=SPLASH)
    return running.drawn


def _passed(running: Running, splash: Splash) -> None:
    running.house.tap(splashes.pass_splash, splash_id=splash.pk, reason="trouble")


ACTS: Acts = {
    "promotions.draw_splash": _drawing,
    "promotions.note_splash": lambda evening: _splash(evening, Running.splashed),
    "promotions.pass_splash": lambda evening: _splash(evening, _passed),
    "promotions.change_fund": lambda evening: _begun(evening, lambda running: running.funded(50_00)),
    "promotions.open_periods": lambda evening: _begun(evening, Running.opened),
    "promotions.enter_hand": lambda evening: _with_period(evening, Running.entered),
    "promotions.take_back_hand": _taking_back,
    "promotions.decide_period": _deciding,
    "promotions.take_back_splash": _unsplashing,
    "promotions.take_back_decision": _undeciding,
    "promotions.call_off_period": lambda evening: _with_period(evening, Running.called_off),
}
