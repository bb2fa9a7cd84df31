"""Nights played through the front door: they hold, the same number plays the same night, and a defect is found."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from casino.simulation.behaviours import all_behaviours, all_faults, behaviours_with
from casino.simulation.behaviours.phones import SHOWN
from casino.simulation.instance import Instance, OwnInstance
from casino.simulation.lists import ANSWERED
from casino.simulation.machines import Database as Addresses
from casino.simulation.machines import fresh_database, own_machines
from casino.simulation.markers import AS_ON_THE_FELT, COST
from casino.simulation.night import Night
from casino.simulation.plan import BOOKS
from casino.simulation.playing import Failed, Plan, Simulation
from tests.conftest import Database
from tests.simulation.thorough import Only, Thorough, UntilEnough
from tests.simulation.warm_instance import ColdAtFirst, WarmInstance, copied_database
from tests.support import servers

# Some fifty steps, in which any fault may happen: with this number hands are played early.
QUICK = Plan(seed=4, hours=0.25, tables=1, faults=all_faults())
DEFECTIVE = "tests.simulation.defective_asgi:application"


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def instances(committing_db: Database, tmp_path: Path) -> Iterator["Instances"]:
    found = Instances(committing_db, tmp_path)
    yield found
    for instance in found.made:
        instance.stop()


@pytest.fixture
def instance_of_its_own(tmp_path: Path) -> Iterator[OwnInstance]:
    """An instance with worker, beat and servers of its own: all of it can be killed."""
    with own_machines() as machines, copied_database(machines) as database:
        instance = WarmInstance(
            database=database, redis_url=machines.redis_url, folder=tmp_path, has_worker=True, on=machines
        )
        yield instance
        instance.stop()


@pytest.fixture
def cold_instance(tmp_path: Path) -> Iterator[OwnInstance]:
    """The same, as `manage.py simulate` plays in: migrated, and in the first nights its processes start for real."""
    with own_machines() as machines, fresh_database(machines) as database:
        instance = ColdAtFirst(
            database=database, redis_url=machines.redis_url, folder=tmp_path, has_worker=True, on=machines
        )
        yield instance
        instance.stop()


class Instances:
    """Instances on the test's own database, one after the other."""

    def __init__(self, database: Database, folder: Path) -> None:
        self._database, self._folder = database, folder
        self.made: list[OwnInstance] = []

    @contextmanager
    def another_database(self, *, defect: str = "") -> Iterator[OwnInstance]:
        """Run an instance on one more copy of an empty database."""
        with servers.clone(servers.template_database()) as name:
            database = Addresses(servers.with_database(os.environ["DATABASE_URL"], name), servers.owner_url(name))
            instance = self.instance(database=database, defect=defect)
            try:
                yield instance
            finally:
                instance.stop()

    def instance(self, *, defect: str = "", database: Addresses | None = None) -> OwnInstance:
        self.made.append(
            WarmInstance(
                database=database or self._database,
                redis_url=os.environ["REDIS_URL"],
                folder=self._folder,
                application=DEFECTIVE if defect else "casino.asgi:application",
                env={"BRUSH_SIMULATED_DEFECT": defect} if defect else {},
            )
        )
        return self.made[-1]


def hands_of(night: Night) -> int:
    return sum(table.hands_dealt for table in night.tables.values())


@pytest.mark.slow
@pytest.mark.smoke
def test_the_smokes_night_with_all_faults_holds(instance_of_its_own, lines):
    simulation = UntilEnough(instance_of_its_own, QUICK, say=lines.append)
    simulation.is_enough = lambda night: hands_of(night) >= 2 and len(night.tally.switches) >= 2

    simulation.run()

    night, summary = simulation.night, simulation.summary()
    assert simulation.is_enough(night), summary
    assert night.tally.refusals["no_open_day"] == 1
    assert not any(table.is_open for table in night.tables.values())
    assert re.search(r"p50 \d+ ms, p99 \d+ ms", summary)
    assert simulation.progress().startswith("night 1/1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("defect", "check"),
    [
        ("links to nothing", "the log's chains whole"),
        ("drops a posting", "ledger plus stated differences equals felt"),
        ("forgets a push", "each screen equals a fresh render"),
        ("doubles a drop", "ledger plus stated differences equals felt"),
        ("loses a chip", "ledger plus stated differences equals felt"),
    ],
)
def test_a_deliberate_defect_is_found_and_says_how_to_find_it_again(instances, lines, defect, check, record_property):
    # Long enough that six are dealt in, and a jackpot drop is taken, at whichever pace.
    screens_every = 5 if "screen" in check else 1000
    plan = Plan(seed=1, hours=4, tables=1, screens_every=screens_every, faults=frozenset())
    simulation = Simulation(instances.instance(defect=defect), plan, say=lines.append)

    with pytest.raises(Failed) as failed:
        simulation.run()

    assert failed.value.broken.check == check, failed.value
    record_property("planted defects found", 1)
    line = str(failed.value)
    assert f"seed 1, step {failed.value.step}" in line
    assert (
        f"manage.py simulate --seed 1 --nights 1 --hours 4 --tables 1 --faults none --until {failed.value.step}" in line
    )


@pytest.mark.slow
@pytest.mark.rule("H4.36", "H4.37", "H4.40")
@pytest.mark.parametrize(
    ("defect", "modules", "checks"),
    [
        ("forgets missed blinds", ("opening", "hands", "players", "cage"), {AS_ON_THE_FELT}),
        ("asks too little of who is back", ("opening", "hands", "players", "cage"), {COST}),
        # The player's page shows it, or the rows do.
        ("loses a phone's answer", ("phones", "opening", "hands", "players", "cage", "waiting"), {SHOWN, ANSWERED}),
    ],
)
def test_markers_their_price_and_a_phones_answer_that_are_wrong_are_found(
    instances, lines, defect, modules, checks, record_property
):
    # It ends with the first that is wrong.
    plan = Plan(seed=2, hours=24, tables=2, screens_every=1000, faults=frozenset())
    simulation = Only(instances.instance(defect=defect), plan, say=lines.append)
    simulation.modules = modules

    with pytest.raises(Failed) as failed:
        simulation.run()

    assert failed.value.broken.check in checks, failed.value
    record_property("planted defects found", 1)


@pytest.mark.parametrize(
    ("defect", "checks"),
    [
        # Two in one seat stopped by the database alone, a version lost, or a hand that was settled twice.
        pytest.param(
            "skips the lock of a table",
            {
                "no 5xx",
                "each command makes a version of its own",
                "a hand is new once",
                "of several at once only one is carried out",
                "what may be done at once is done",
            },
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "skips the lock of a drawer",
            {"what may be done at once is done", "no 5xx", "each slip of a drawer has a number of its own"},
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_row_that_is_read_without_its_lock_is_found_by_commands_that_meet(
    instances, lines, defect, checks, record_property
):
    # Most meetings go well even so: it ends with the first that does not.
    plan = Plan(seed=3, hours=8, tables=1, screens_every=1000, faults=frozenset())

    with pytest.raises(Failed) as failed:
        Simulation(instances.instance(defect=defect), plan, say=lines.append).run()

    assert failed.value.broken.check in checks, failed.value
    record_property("planted defects found", 1)


@pytest.mark.slow
def test_the_replayed_prefix_fails_at_its_end_though_no_check_of_screens_is_due_there(instances, lines):
    plan = Plan(seed=6, hours=1, tables=1, screens_every=5, faults=frozenset())

    with pytest.raises(Failed) as first, instances.another_database(defect="forgets a push") as instance:
        Simulation(instance, plan, say=lines.append).run()
    replayed = replace(plan, screens_every=1000, until=first.value.step)
    with pytest.raises(Failed) as again, instances.another_database(defect="forgets a push") as instance:
        Simulation(instance, replayed, say=lines.append).run()

    assert again.value.step == first.value.step
    assert again.value.broken.check == "each screen equals a fresh render"


@pytest.mark.slow
def test_it_plays_in_a_demo_room_that_runs(live_room, committing_db, lines):
    simulation = Simulation(
        Instance(live_room.url, database_url=committing_db.url),
        Plan(seed=2, hours=2, tables=1, until=120, faults=all_faults()),
        say=lines.append,
    )

    simulation.run()

    night = simulation.night
    assert night.step == 120
    assert not night.tally.faults["web process killed"]
    assert hands_of(night) >= 3


@pytest.mark.slow
def test_one_number_plays_one_night_and_another_another(instances, lines):
    """Until the same step the same people do the same, with the same ids."""
    journals = []
    for seed in (5, 5, 6):
        with instances.another_database() as instance:
            simulation = Simulation(
                instance,
                Plan(seed=seed, hours=1, tables=1, until=45, screens_every=45, faults=all_faults()),
                say=lines.append,
            )
            simulation.run()
            journals.append(simulation.night.journal)

    assert len(journals[0]) >= 20
    assert journals[0] == journals[1]
    assert journals[0] != journals[2]


@pytest.mark.slow
@pytest.mark.longest
def test_eight_nights_with_all_faults_hold(cold_instance, lines):
    """What `manage.py simulate --nights 8 --hours 0.15 --seed 1 --faults all` plays."""
    simulation = Thorough(cold_instance, Plan(seed=1, nights=8, hours=0.15, faults=all_faults()), say=lines.append)
    simulation.is_enough = lambda night: set(night.tally.switches) == all_faults() and len(night.tally.refusals) >= 20
    # Another tablet takes over from one that is in a dead corner with taps on it, and seldom is one there just then.
    simulation.is_looked_for = lambda each: each.fault == "dead-corner"

    simulation.run()

    assert simulation.night.number == 7
    assert not all_faults() - set(simulation.night.tally.switches), simulation.summary()
    assert len(simulation.night.tally.refusals) >= 20, simulation.summary()


def test_a_new_behaviour_is_a_new_file_and_every_one_has_a_name_and_a_weight():
    everything = all_behaviours()

    assert {each.name for each in behaviours_with(frozenset())} < {each.name for each in everything}
    assert set(behaviours_with(all_faults(), BOOKS)) == set(everything)
    assert all(each.weight > 0 for each in everything)
    assert [each.name for each in everything] == sorted(each.name for each in everything)
