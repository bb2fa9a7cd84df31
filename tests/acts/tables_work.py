"""People at work: downs, decks, clocks, penalties, disputed pots, as acts."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from casino.people.services import ban_player, start_shift
from tables.models import DisputedPot, Down, Incident, PlayerClock
from tables.services import clocks, disputes, downs, floor_calls, incidents
from tables.tasks import wake_bans, wake_penalties
from tests.tables.evening import Acts, Evening


def _on_clock(evening: Evening) -> int:
    evening.at_table(clocks.call_clock, seating_id=evening.sits(2))()
    return PlayerClock.objects.get().pk


def _penalty(evening: Evening) -> Callable[[], Any]:
    arguments: dict[str, Any] = {"kind": "penalty", "player_ids": [evening.house.player("Kai").pk], "minutes": 10}
    return evening.at_table(incidents.write_incident, **arguments)


def _punished(evening: Evening) -> int:
    _penalty(evening)()
    return Incident.objects.get().pk


def _ending_penalty(evening: Evening) -> Callable[[], Any]:
    incident = _punished(evening)
    return lambda: evening.house.tap(incidents.end_penalty, incident_id=incident)


def _penalty_ran_out(evening: Evening) -> Callable[[], Any]:
    _punished(evening)
    return lambda: wake_penalties(at=evening.house.at + timedelta(minutes=20))


def _ban_over(evening: Evening) -> Callable[[], Any]:
    house = evening.house
    house.tap(ban_player, player_id=house.player("Kai").pk, last_day="2026-11-20")
    return lambda: wake_bans(at=house.at + timedelta(hours=10))


def _apart(evening: Evening) -> DisputedPot:
    evening.at_table(disputes.set_pot_aside)()
    return DisputedPot.objects.get()


def _paying(evening: Evening) -> Callable[[], Any]:
    pot = _apart(evening)
    shares = [disputes.Share(evening.house.player("Kai").pk, pot.cents)]
    return evening.at_table(disputes.pay_disputed_pot, pot_id=pot.pk, shares=shares)


def _pushing(evening: Evening) -> Callable[[], Any]:
    dan = evening.house.cast.dan
    evening.house.tap(start_shift, staff_id=dan.pk)
    return evening.at_table(downs.push_dealer, dealer_id=dan.pk)


def _in_the_box(evening: Evening) -> int:
    _pushing(evening)()
    return Down.objects.get().pk


ACTS: Acts = {
    "tables.push_dealer": _pushing,
    "tables.end_down": lambda evening: evening.at_table(downs.end_down, down_id=_in_the_box(evening)),
    "tables.change_deck": lambda evening: evening.at_table(downs.change_deck, colour="blue"),
    "tables.call_floor": lambda evening: evening.at_table(floor_calls.call_floor, reason="ruling"),
    "tables.call_clock": lambda evening: evening.at_table(clocks.call_clock, seating_id=evening.sits(2)),
    "tables.end_clock": lambda evening: evening.at_table(clocks.end_clock, clock_id=_on_clock(evening), how="acted"),
    "tables.write_incident": _penalty,
    "tables.end_penalty": _ending_penalty,
    "tables.let_penalty_run_out": _penalty_ran_out,
    "tables.let_ban_end": _ban_over,
    "tables.set_pot_aside": lambda evening: evening.at_table(disputes.set_pot_aside),
    "tables.pay_disputed_pot": _paying,
    "tables.put_pot_back": lambda evening: evening.at_table(disputes.put_pot_back, pot_id=_apart(evening).pk),
}
