"""What makes a finding, and whoever reads and marks it: for tests."""

from typing import Any

from casino import clock
from casino.cage.models import Slip
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.services import buy_in, cash_out
from casino.compliance.selectors.findings import Findings, findings_of
from casino.compliance.services import mark_finding
from casino.people.models import Player, Staff
from casino.people.selectors import actor_at_desktop
from casino.people.services import check_identity
from tests.cage.desk import identity_from
from tests.reports.test_exceptions import Officer
from tests.tables.conftest import House

NOTE_TEXT = "Asked twice from which sum on a document is needed"


def buys(house: House, cents: int, nickname: str | None = "Lee", by: Staff | None = None, **more: Any) -> int:
    player_id = house.player(nickname).pk if nickname else None
    arguments: dict[str, Any] = {"drawer_id": house.drawer_id, "amount_cents": cents, "method": "cash", **more}
    house.tap(buy_in, by or house.cast.carla, player_id=player_id, **arguments)
    return Slip.objects.latest("id").pk


def known(house: House, nickname: str = "Lee") -> Player:
    """Have somebody show a passport, as from the sum on and for lost cash the till needs one."""
    player = house.player(nickname)
    seen = {"full_name": f"{nickname} Laine", "document": "passport", "number": f"X{player.pk}"}
    house.tap(check_identity, house.cast.carla, player_id=player.pk, **seen)
    return player


def cashes(house: House, cents: int, nickname: str = "Lee") -> None:
    arguments: dict[str, Any] = {"drawer_id": house.drawer_id, "amount_cents": cents, "method": "cash"}
    house.tap(cash_out, house.cast.carla, player_id=house.player(nickname).pk, **arguments)


def reads(vera: Officer) -> Findings:
    with clock.frozen(vera.house.at):
        return findings_of(vera.house.cast.room, actor_at_desktop(vera.staff))


def findings_shown(vera: Officer) -> list[tuple[str, str, str, int]]:
    return [(each.finding.kind, each.name, each.state, each.finding.cents) for each in reads(vera).shown]


def marks(vera: Officer, slip_ids: list[int], mark: str = "looked_at", **more: Any) -> int:
    arguments: dict[str, Any] = {"kind": "just_below", "text": NOTE_TEXT, **more}
    return int(vera.house.tap(mark_finding, vera.staff, slip_ids=slip_ids, mark=mark, **arguments).data["note"])


def next_day(house: House) -> None:
    lies = drawer_figures(house.drawer_id)
    # Chips that the house never put there were sold: what lies there is none.
    house.count_drawer(lies["cash"], max(lies["chips"], 0))
    house.close_day()
    house.next_day()
    house.open_drawer()


def below(house: House, nickname: str | None = "Lee") -> list[int]:
    """Have somebody buy 200 less than the sum on two days in a row: just below it, so that no document is needed."""
    cents = identity_from(house.room_id) - 200_00
    first = buys(house, cents, nickname)
    next_day(house)
    return [first, buys(house, cents, nickname)]


def carla_reads(house: House, staff: Staff | None = None) -> Officer:
    """Have the cashier, or somebody else, hold compliance too."""
    staff = staff or house.cast.carla
    Staff.objects.filter(pk=staff.pk).update(roles=[*staff.roles, "compliance"])
    staff.refresh_from_db()
    return Officer(house, staff)
