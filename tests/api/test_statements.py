"""
How many statements the frequent commands send to PostgreSQL, from the token to the answer.

A number that grows here is a wait that every tap at every table pays; change it knowingly. Savepoints are
left out, since the test's own transaction adds them: a command sends BEGIN and COMMIT besides, a refused one
BEGIN, ROLLBACK, BEGIN and COMMIT.
"""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.models import Seating
from tests.api.stage import Caller, Stage, whole_hand

SAVEPOINTS = ("SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK TO SAVEPOINT")


def statements(call: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as seen:
        call()
    sent = [query["sql"] for query in seen.captured_queries if not query["sql"].startswith(SAVEPOINTS)]
    print("\n".join(f"{number:3} {sql[:110]}" for number, sql in enumerate(sent, 1)))  # noqa: T201 - shown on failure
    return len(sent)


@pytest.fixture
def table(stage: Stage) -> Stage:
    """Return the stage with a full table in the middle of its evening."""
    stage.house.open(1, Lee=1, Kai=2, Timo=3, Mika=4, Pekka=5, Jo=6)
    stage.house.settle(86_00)
    return stage


def test_a_dealt_hand(table: Stage):
    anna, hand = table.anna, {"hand_id": str(uuid.uuid4())}

    assert statements(lambda: anna.tap("tables/1/hands/deal", hand)) == 12


def test_a_flop(table: Stage):
    anna, hand = table.anna, {"hand_id": str(uuid.uuid4())}
    anna.tap("tables/1/hands/deal", hand)

    assert statements(lambda: anna.tap("tables/1/hands/flop", hand)) == 9


def test_a_settled_hand(table: Stage):
    anna, hand = table.anna, {"hand_id": str(uuid.uuid4())}
    anna.tap("tables/1/hands/deal", hand)
    anna.tap("tables/1/hands/flop", hand)

    assert statements(lambda: anna.tap("tables/1/hands/settle", hand | {"winners": [[2]], "pots": [86_00]})) == 11


def test_a_settled_hand_of_which_nothing_was_known(table: Stage):
    anna = table.anna

    assert statements(lambda: anna.tap("tables/1/hands/settle", whole_hand(60_00, 26_00, winners=[[2], [5]]))) == 13


def test_a_replay(table: Stage):
    anna, hand, command_id = table.anna, whole_hand(86_00), uuid.uuid4()
    anna.tap("tables/1/hands/settle", hand, id=command_id)

    assert statements(lambda: anna.tap("tables/1/hands/settle", hand, id=command_id)) == 4


def test_an_undone_hand(table: Stage):
    anna, hand = table.anna, whole_hand(86_00)
    anna.tap("tables/1/hands/settle", hand)

    # One reads what was taken: it lies in the boxes all the same.
    assert statements(lambda: anna.tap("tables/1/hands/undo", {"hand_id": hand["hand_id"]})) == 17


def test_a_player_leaves(table: Stage):
    frans, seating = table.frans, Seating.objects.get(player=table.house.player("Lee"))

    assert statements(lambda: frans.tap(f"tables/1/seatings/{seating.pk}/leave", {"stack_cents": 180_00})) == 17


def test_a_refusal(table: Stage):
    frans, lee = table.frans, {"player_id": table.house.player("Lee").pk, "chips_cents": 200_00}

    # One of them asks which book is in force: it says on which clause a refusal stands.
    assert statements(lambda: frans.post("tables/1/seats/7", lee)) == 21


def test_a_player_sits_down(table: Stage):
    frans, sara = table.frans, {"player_id": table.house.player("Sara").pk, "chips_cents": 200_00}

    # One of them asks with how much a player comes back who has left these stakes (H1.64), seven who is passed over,
    # and one is what the event says of the sitting.
    assert statements(lambda: frans.tap("tables/1/seats/7", sara)) == 27


def test_a_buy_in_is_asked_for_and_paid(table: Stage):
    anna, carla = table.anna, table.carla
    seating = Seating.objects.get(player=table.house.player("Lee"))
    body = {"amount_cents": 100_00, "stack_cents": 0}
    money = {"drawer_number": 1, "method": "cash"}
    slip: dict[str, Any] = {}

    def ask() -> None:
        slip.update(anna.tap(f"tables/1/seatings/{seating.pk}/buy-in", body))

    def pay() -> None:
        carla.tap(f"cage/slips/{slip['slip_id']}/take-money", money, If_Match='"1"')

    # One of each reads how the slip stands now: its event says so.
    assert statements(ask) == 16
    assert statements(pay) == 23


def test_a_cash_out(table: Stage):
    carla = table.carla
    stacks = {"amount_cents": 100_00, "player_id": table.house.player("Lee").pk}

    carla.tap("cage/drawers/1/buy-ins", {"amount_cents": 200_00, "method": "card"})

    assert statements(lambda: carla.tap("cage/drawers/1/cash-outs", stacks)) == 19


@pytest.mark.parametrize(
    ("path", "expected"),
    [("tables", 3), ("tables/1", 4), ("tables/1/hands", 6), ("cage/slips", 2), ("people/players", 2)],
)
def test_a_list_costs_the_same_however_long_it_is(table: Stage, path: str, expected: int):
    mari: Caller = table.mari
    few = statements(lambda: mari.get(path))
    for number in range(3):
        table.house.settle(86_00 + number)
        table.mari.tap("people/players", {"nickname": f"Guest {number}"})
        table.mari.tap("cage/drawers/1/buy-ins", {"amount_cents": 50_00, "method": "cash"})
    table.house.open(2, Sara=1)

    assert few == statements(lambda: mari.get(path)) == expected
