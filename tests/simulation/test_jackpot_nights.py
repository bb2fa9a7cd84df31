"""Nights of bad beats, with all faults: each jackpot holds, shows and pays what the felt says."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from casino.simulation.behaviours import Behaviour, all_faults
from casino.simulation.checks_jackpots import HELD, SHARES
from casino.simulation.instance import OwnInstance
from casino.simulation.machines import own_machines
from casino.simulation.night import Night
from casino.simulation.playing import Failed, Plan, Simulation
from tests.conftest import Database
from tests.simulation.test_nights import DEFECTIVE
from tests.simulation.thorough import Thorough
from tests.simulation.warm_instance import WarmInstance, copied_database

pytestmark = pytest.mark.slow
# What the nights have to have seen.
PLAYED = {
    "approved", "approved too early", "called", "corrected", "disputed", "refused", "shares disputed", "shares paid",
    "shares taken back", "two at once", "verified",
}  # fmt: skip
# And of the rest that moves money beside the tables.
PROMOTED = {"hands shown", "splashed"}
BOXED = {"hung", "dropped", "counted"}
ENDED = {"ended, moved", "ended, paid out"}


@contextmanager
def with_everything(folder: Path) -> Iterator[OwnInstance]:
    with own_machines() as machines, copied_database(machines) as database:
        instance = WarmInstance(
            database=database, redis_url=machines.redis_url, folder=folder, has_worker=True, on=machines
        )
        try:
            yield instance
        finally:
            instance.stop()


def missing(night: Night) -> set[str]:
    """Return the modules of behaviours of which something has not been seen yet."""
    played = {what for what, count in night.jackpots.played.items() if count}
    found = set() if played >= PLAYED and played & ENDED else {"bad_beats", "payouts", "pools"}
    found |= set() if set(night.promotions.played) >= PROMOTED else {"promotions"}
    return found | (set() if set(night.boxes.played) >= BOXED else {"boxes"})


def is_looked_for(night: Night, each: Behaviour) -> bool:
    """Say whether what is missing hangs on it: beside jackpots much else is drawn, and boxes change once an hour."""
    # A bad beat by itself holds the table that two at once would need.
    is_alone = each.name == "a bad beat" and bool(night.jackpots.played["called"])
    return each.do.__module__.split(".")[-1] in missing(night) and not is_alone


@pytest.mark.rule("H7.5", "H7.7", "H7.10", "H7.14", "H7.16", "H7.17", "H7.31", "H7.32", "H7.33")
def test_nights_of_bad_beats_with_all_faults_hold(tmp_path: Path) -> None:
    lines: list[str] = []
    with with_everything(tmp_path) as instance:
        plan = Plan(seed=1, nights=2, hours=0.3, tables=2, faults=all_faults(), jackpots=True)
        simulation = Thorough(instance, plan, say=lines.append)
        simulation.is_enough = lambda night: not missing(night)
        simulation.is_looked_for = lambda each: is_looked_for(simulation.night, each)

        simulation.run()

    summary = simulation.summary()
    assert not missing(simulation.night), summary
    assert "jackpots  " in summary
    assert "boxes     " in summary


@pytest.mark.parametrize(
    ("defect", "checks"),
    [
        ("rounds shares up", {"what the house answers equals the felt"}),
        ("pays claims in any order", {"refused with earlier_claim_waits", "refused with same_moment_waits"}),
        ("forgets that a share is paid", {SHARES, HELD}),
    ],
)
def test_a_jackpot_that_pays_wrongly_is_found(
    committing_db: Database, tmp_path: Path, defect: str, checks: set[str], record_property
) -> None:
    # It ends with the first that is wrong.
    instance = WarmInstance(
        database=committing_db,
        redis_url=os.environ["REDIS_URL"],
        folder=tmp_path,
        application=DEFECTIVE,
        env={"BRUSH_SIMULATED_DEFECT": defect},
    )
    plan = Plan(seed=3, hours=12, tables=2, screens_every=1000, jackpots=True)

    try:
        with pytest.raises(Failed) as failed:
            Simulation(instance, plan, say=lambda line: None).run()
    finally:
        instance.stop()

    assert failed.value.broken.check in checks, failed.value
    record_property("planted defects found", 1)
