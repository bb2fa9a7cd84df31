"""Drawers, banks and tables that stay open over the day's end: what is gone is missing where they are counted."""

from datetime import datetime
from pathlib import Path

import pytest

from casino.simulation.behaviours import all_faults, carried, days, playing_on
from casino.simulation.machines import own_machines
from casino.simulation.night import Night
from casino.simulation.playing import Plan
from tests.simulation.thorough import UntilEnough
from tests.simulation.warm_instance import WarmInstance, copied_database

# Whoever made the room carries no drawer of theirs: on the first evening it is counted, and the banks alone stay.
NIGHTS = 3
PLAYED = {
    "drawer carried", "drawer counted later", "drawer differs later", "drawer robbed later", "slips before",
    "bank carried", "bank counted later", "bank differs later", "bank robbed later", "slips later",
    "counted through", "pocketed", "played on",
}  # fmt: skip
LOOKED_FOR = {"a runner is given a bank", "a player buys chips at the cage", "a slip is asked for at the desk and paid"}


class Carried(UntilEnough):
    """All that is open at the end stays open, but on the last evening nothing does; by the morning some is gone."""

    def begin_evening(self) -> str:
        days.STAYS_SHARE = float(self.night.number < NIGHTS - 1)
        return super().begin_evening()

    @staticmethod
    def is_looked_for(each):
        return each.name in LOOKED_FOR

    @staticmethod
    def is_begun(night: Night) -> bool:
        return bool(night.banks.open()) and has_sold(night) and has_chips_in_play(night)

    @staticmethod
    def is_enough(night: Night) -> bool:
        return has_sold(night)


def has_sold(night: Night) -> bool:
    """Say whether a slip was paid this evening."""
    newest = night.staff.cage.get("/api/v1/cage/slips?status=paid&limit=1").body
    return any(datetime.fromisoformat(slip["paid_at"]) > night.began_at for slip in newest)


def has_chips_in_play(night: Night) -> bool:
    """Say whether somebody who may play on over the day's end has chips."""
    open_tables = (table for table in night.open_tables() if not (table.is_closing or table.is_held))
    return any(sitter.stack for table in open_tables for sitter in table.sitters())


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_nights_over_whose_ends_drawers_banks_and_tables_stay_open_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(days, "STAYS_SHARE", days.STAYS_SHARE)
    monkeypatch.setattr(carried, "GONE_SHARE", 1)
    monkeypatch.setattr(playing_on, "PLAYS_ON_SHARE", 1)
    monkeypatch.setattr(playing_on, "POCKETED_SHARE", 1)
    with own_machines() as machines, copied_database(machines) as database:
        instance = WarmInstance(
            database=database, redis_url=machines.redis_url, folder=tmp_path, has_worker=True, on=machines
        )
        plan = Plan(seed=seed, nights=NIGHTS, hours=0.05, tables=1, faults=all_faults())
        simulation = Carried(instance, plan, say=lambda line: None)
        try:
            simulation.run()
        finally:
            instance.stop()

    played = simulation.night.days.played
    assert {what for what, count in played.items() if count} >= PLAYED, simulation.summary()
    refused = simulation.night.tally.refusals
    assert refused["drawer_open"] == 1 <= refused["carries_own"]
    assert not simulation.night.days.open_now()
