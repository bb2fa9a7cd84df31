"""What is held of a screen: that it shows what its page does, within a moment from when all pages were read."""

import pytest

from casino.simulation import checks
from casino.simulation.broken import Broken
from casino.simulation.front_door import Answer, Device, Tally
from casino.simulation.screens import Screen

AUDIENCE = "lobby"


class Time:
    """The seconds that reading pages and waiting for pushes take here."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


class SlowScreen(Screen):
    """A screen that shows this."""

    def __init__(self, time: Time, shows: str) -> None:
        super().__init__(url="", page="/lobby/", audiences=(AUDIENCE,), cookies={})
        self.time, self.shows = time, shows

    def shown(self, audience: str) -> str:
        return self.shows

    def wait(self, seconds: float) -> None:
        self.time.now += seconds


class BusyHouse(Device):
    """A house that takes three seconds for each page; what it says of it then, one after the other, and the last on."""

    def __init__(self, time: Time, *says: str) -> None:
        super().__init__("http://127.0.0.1:1", "a device", Tally())
        self.time, self.says = time, list(says)

    def get(self, path: str) -> Answer:
        self.time.now += 3.0
        text = self.says.pop(0) if len(self.says) > 1 else self.says[0]
        return Answer(200, None, 3.0, text=f'<div data-audience="{AUDIENCE}">{text}</div>')


@pytest.mark.parametrize(("says", "is_wrong"), [(("old", "new"), False), (("old",), True)])
def test_a_page_that_was_read_before_it_changed_is_read_again_however_long_the_others_took(
    monkeypatch: pytest.MonkeyPatch, says: tuple[str, ...], is_wrong: bool
) -> None:
    time = Time()
    monkeypatch.setattr(checks, "time", time)
    screens = [(SlowScreen(time, "new"), BusyHouse(time, *texts)) for texts in (says, ("new",))]

    if is_wrong:
        with pytest.raises(Broken, match="each screen equals a fresh render"):
            checks.check_screens(screens)
    else:
        checks.check_screens(screens)
