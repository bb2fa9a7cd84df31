"""Stateful machines on the services, against real PostgreSQL: each compares the house with a plain model of it."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.hostile.machines_cage import CageMachine
from tests.hostile.machines_room import RoomMachine
from tests.hostile.machines_tables import TablesMachine
from tests.tables.conftest import House, make_house

MACHINES = [TablesMachine, CageMachine]
# One transaction is open for the whole file: beside none that asks which are open (tests/live/test_hub.py).
pytestmark = pytest.mark.xdist_group("a transaction stays open")
PROFILE = settings(
    deadline=None,
    derandomize=True,
    database=None,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)
QUICK = settings(PROFILE, max_examples=2, stateful_step_count=25, phases=[Phase.generate])
# It ends with the first find; which example that is hangs on more than the code here.
PLANTING = settings(QUICK, max_examples=300, stateful_step_count=30)
DEEP = settings(PROFILE, max_examples=12, stateful_step_count=50)


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker) -> Iterator[House]:
    """Return a room with an open day, made once: each example plays in a savepoint of its own."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_house()
        transaction.set_rollback(True)


def play(machine: type[RoomMachine], made: House, profile: settings) -> None:
    run_state_machine_as_test(type(machine.__name__, (machine,), {"made": made}), settings=profile)


@pytest.mark.parametrize("machine", MACHINES)
def test_the_house_keeps_to_the_model_in_a_short_evening(machine: type[RoomMachine], made: House):
    play(machine, made, QUICK)


@pytest.mark.slow
@pytest.mark.longest
@pytest.mark.parametrize("machine", MACHINES)
def test_the_house_keeps_to_the_model_in_a_long_night(machine: type[RoomMachine], made: House):
    play(machine, made, DEEP)


# Each stands for a slip of the pen in a service, and is found in an evening as short as those of `make test`.
PLANTED = [
    pytest.param(TablesMachine, "tables.services.corrections._restored", lambda *_: [], id="undo keeps the button"),
    pytest.param(TablesMachine, "tables.services.corrections.give_number_back", lambda *_: None, id="a gap"),
    pytest.param(
        CageMachine,
        "casino.cage.rules._PLACES",
        dict.fromkeys(("cash", "card"), "cash"),
        id="a card's money in the drawer",
    ),
    pytest.param(CageMachine, "casino.cage.services.counting.drawer_figures", lambda _: Counter(), id="a blind count"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("machine", "where", "what"), PLANTED)
def test_a_machine_finds_what_is_planted(
    machine, where: str, what: Any, made: House, monkeypatch: pytest.MonkeyPatch, record_property
):
    monkeypatch.setattr(where, what)

    with pytest.raises(AssertionError):
        play(machine, made, PLANTING)
    record_property("planted defects found", 1)
