"""Promotions, by both doors."""

from datetime import timedelta

from casino.people.models import Staff
from casino.promotions.models import Entry, Fund, Period, Splash
from casino.promotions.services.splashes import draw_due, note_splash
from tests.doors.way import NewestOf, Way
from tests.promotions.running import SPLASH, Running
from tests.support.owner import as_owner
from tests.tables.conftest import House

FUND, FUNDS = "/promotions/funds/high-hand/", "promotions/funds/high-hand/"
P, PERIOD = "/promotions/periods/{period}/", "promotions/periods/{period}/"
NEWEST: NewestOf = {"fund": Fund, "period": Period, "shown_hand": Entry, "splash": Splash}
SIGNED = {"username": "frans", "pin": "{pin}"}


def _opened(house: House) -> Running:
    running = Running.begun(house)
    running.opened()
    return running


def _shown(house: House) -> None:
    _opened(house).entered(Period.objects.get())


def _ended(house: House) -> None:
    """Have a period run that has ended when these taps are made, half an hour from now, with Mari's entry."""
    running = Running.begun(house)
    running.entered(running.begun_before(running.opened(), timedelta(minutes=10)), by=house.cast.mari)


def _drawn(house: House) -> None:
    running = Running.begun(house, code=SPLASH)
    running.opened(code=SPLASH)
    with as_owner():
        Splash.objects.update(due_at=house.at)
    draw_due(at=house.at)


def _dan_of_floor(house: House) -> Staff:
    """Return Dan on the floor: whoever taps here and whoever signs did nothing of it before."""
    Staff.objects.filter(pk=house.cast.dan.pk).update(roles=["floor"])
    return Staff.objects.get(pk=house.cast.dan.pk)


def _splashed(house: House) -> None:
    """Have a pot noted as splashed, by Dan."""
    _drawn(house)
    house.tap(note_splash, _dan_of_floor(house), splash_id=Splash.objects.latest("id").pk, drawer_id=house.drawer_id)


def _decided(house: House) -> None:
    """Have a period decided before these taps are made, by Dan and Mari, for nobody."""
    running = Running.begun(house)
    running.decided(running.begun_before(running.opened(), timedelta(minutes=40)), by=_dan_of_floor(house))


WAYS = [
    Way(
        FUND + "change/",
        FUNDS + "change",
        {"amount": "12.50", "takes_out": "on", **SIGNED},
        {"amount_cents": 12_50, "takes_out": True, "second": SIGNED},
        "fund",
        Running.begun,
    ),
    Way(FUND + "open/", FUNDS + "periods", {"number": "3"}, {"number": 3}, before=Running.begun),
    Way(
        P + "hands/",
        PERIOD + "hands",
        {"table_number": "1", "seat_number": "1", "cards": "As Ad", "board": "Ac Kh Ks 2d 7c", "hand_number": ""},
        {"table_number": 1, "seat_number": 1, "cards": "As Ad", "board": "Ac Kh Ks 2d 7c"},
        before=_opened,
    ),
    Way(
        "/promotions/hands/{shown_hand}/take-back/",
        "promotions/hands/{shown_hand}/take-back",
        {"reason": "cards"},
        {"reason": "cards"},
        before=_shown,
    ),
    Way(
        "/promotions/splashes/{splash}/note/",
        "promotions/splashes/{splash}/note",
        {"drawer_id": "{drawer}"},
        {"drawer_id": "{drawer}"},
        before=_drawn,
    ),
    Way(
        "/promotions/splashes/{splash}/pass/",
        "promotions/splashes/{splash}/pass",
        {"reason": "trouble"},
        {"reason": "trouble"},
        before=_drawn,
    ),
    Way(
        "/promotions/splashes/{splash}/take-back/",
        "promotions/splashes/{splash}/take-back",
        {"reason": "not_in_pot", **SIGNED},
        {"reason": "not_in_pot", "second": SIGNED},
        "fund",
        _splashed,
    ),
    Way(
        P + "take-back/",
        PERIOD + "take-back",
        {"reason": "wrong_tap", **SIGNED},
        {"reason": "wrong_tap", "second": SIGNED},
        "fund",
        _decided,
    ),
    Way(P + "decide/", PERIOD + "decide", SIGNED, {"second": SIGNED}, "fund", _ended),
    Way(
        P + "call-off/",
        PERIOD + "call-off",
        {"reason": "mistake", **SIGNED},
        {"reason": "mistake", "second": SIGNED},
        "fund",
        _opened,
    ),
]
