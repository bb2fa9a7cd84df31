"""One command by both doors, and the evening in which all of them are walked (`tests/doors/ways`)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model
from django.test import Client

from tables.models import Hand, Seating
from tests.cast import demo_person
from tests.tables.conftest import House

Names = dict[str, Any]
NewestOf = dict[str, type[Model]]
T = "/floor/tables/1/"
S, LEE = "tables/1/seatings/{lee}/", T + "seatings/{lee}/"


@dataclass(frozen=True)
class Way:
    """
    One command by both doors. "{lee}" in an address or a value is what `names` calls so.

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


def at(house: House, service: Callable[..., Any], nickname: str = "Lee", **told: Any) -> None:
    """Do something to whoever sits at table 1."""
    house.tap(service, table_id=house.table_id(), seating_id=sits(nickname).pk, **told)


def sits(nickname: str) -> Seating:
    return Seating.objects.filter(player__nickname=nickname).latest("id")


def evening(house: House) -> None:
    house.open(2, Jo=1)
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(40_00, taken={"rake": 1_00})
    house.seat("Mika", 4)


def names_at_tables(house: House) -> Names:
    """Return what all ways may name: `{lee}` is a seating, `{lee_player}` and `{riku}` (who sits nowhere) players."""
    names: Names = {
        "game": house.game().pk,
        "other_game": house.game("No limit hold'em 5/5").pk,
        "dan": house.cast.dan.pk,
        "pin": demo_person("frans").pin,
        "hand_uuid": str(Hand.objects.latest("id").hand_id),
    }
    for nickname in ("Lee", "Kai", "Timo", "Mika"):
        seat = sits(nickname)
        names |= {nickname.lower(): seat.pk, f"{nickname.lower()}_version": seat.version}
    names |= {f"{nickname.lower()}_player": house.player(nickname).pk for nickname in ("Lee", "Kai")}
    names |= {nickname.lower(): house.player(nickname).pk for nickname in ("Riku", "Aino")}
    return names | {"table_version": house.table().version}
