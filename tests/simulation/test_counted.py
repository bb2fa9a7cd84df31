"""What two people count is what lies there; what was lost or stolen shows where it was, and a defect is found."""

import os
from pathlib import Path

import pytest

from casino.simulation.behaviours.racks import DRAWN, POINTS
from casino.simulation.checks_counted import CARRIED, CARRIED_OVER
from casino.simulation.playing import Failed, Plan
from tests.conftest import Database
from tests.simulation.test_nights import DEFECTIVE
from tests.simulation.thorough import Only
from tests.simulation.warm_house import WarmHouse


@pytest.mark.slow
@pytest.mark.parametrize(
    ("defect", "modules", "check", "more"),
    [
        ("blames who gave a fill", {"fills"}, CARRIED, {}),
        ("points to the newest down alone", {"racks", "opening", "floor"}, POINTS, {"racks": True}),
        ("never draws a count of a rack", {"racks", "opening", "floor"}, DRAWN, {"racks": True}),
        ("forgets what is carried over", {"fills"}, CARRIED_OVER, {"hours": 0.3, "nights": 9}),
    ],
)
def test_a_count_that_is_laid_to_the_wrong_one_is_found(
    committing_db: Database, tmp_path: Path, defect: str, modules: set[str], check: str, more, record_property
) -> None:
    # It ends with the first that is wrong.
    house = WarmHouse(
        database=committing_db,
        redis_url=os.environ["REDIS_URL"],
        folder=tmp_path,
        application=DEFECTIVE,
        env={"BRUSH_SIMULATED_DEFECT": defect},
    )
    plan = Plan(**{"seed": 1, "hours": 24, "tables": 1, "screens_every": 1000, "proof_every": 1000} | more)
    simulation = Only(house, plan, say=lambda line: None)
    simulation.modules = frozenset(modules)

    try:
        with pytest.raises(Failed) as failed:
            simulation.run()
    finally:
        house.stop()

    assert failed.value.broken.check == check, failed.value
    record_property("planted defects found", 1)
