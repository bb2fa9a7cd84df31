"""One command by both doors, and the evening in which all of them are walked (`tests/doors/ways`)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db.models import Model
from django.test import Client

from tables.models import Hand, Seating
from tests.cast import demo_person
from tests.tables.conftest import House

Names = dict[str, Any]
NewestOf = dict[str, type[Model]]
Finders = dict[str, Callable[[House], Any]]
T = "/floor/tables/1/"
S, LEE = "tables/1/seatings/{lee}/", T + "seatings/{lee}/"


@dataclass(frozen=True)
class Way:
    """
    One command by both doors. "{lee}" in an address or a value is what `NAMES` finds under that name.

    `before` brings the house to where the command makes sense; `version` is the name of what it decides on. `by`
    returns the browser that taps and calls, where it is none at the manager's desktop.
    """

    page: str
    call: str
    form: Names = field(default_factory=dict)
    body: Names = field(default_factory=dict)
    version: str = ""
    before: Callable[[House], Any] | None = None
    by: Callable[[House], Client] | None = None
    id: str = ""


def at(house: House, service: Callable[..., Any], nickname: str = "Lee", **arguments: Any) -> None:
    """Do something to whoever sits at table 1."""
    house.tap(service, table_id=house.table_id(), seating_id=sits(nickname).pk, **arguments)


def sits(nickname: str) -> Seating:
    return Seating.objects.filter(player__nickname=nickname).latest("id")


def evening(house: House) -> None:
    house.open(2, Jo=1)
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(40_00, taken={"rake": 1_00})
    house.seat("Mika", 4)


def _seat(house: House, *, nickname: str, field: str) -> Any:
    return getattr(sits(nickname), field)


def _player(house: House, *, nickname: str) -> int:
    return house.player(nickname).pk


# What all ways may name: `{lee}` is a seating, `{lee_player}` and `{riku}` (who sits nowhere) are players.
AT_TABLES: Finders = {
    "game": lambda house: house.game().pk,
    "other_game": lambda house: house.game("No limit hold'em 5/5").pk,
    "dan": lambda house: house.cast.dan.pk,
    "pin": lambda house: demo_person("frans").pin,
    "hand_uuid": lambda house: str(Hand.objects.latest("id").hand_id),
    "table_version": lambda house: house.table().version,
}
for _nickname in ("Lee", "Kai", "Timo", "Mika"):
    AT_TABLES[_nickname.lower()] = partial(_seat, nickname=_nickname, field="pk")
    AT_TABLES[f"{_nickname.lower()}_version"] = partial(_seat, nickname=_nickname, field="version")
for _nickname in ("Lee", "Kai"):
    AT_TABLES[f"{_nickname.lower()}_player"] = partial(_player, nickname=_nickname)
for _nickname in ("Riku", "Aino"):
    AT_TABLES[_nickname.lower()] = partial(_player, nickname=_nickname)
