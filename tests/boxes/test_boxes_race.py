"""Real threads, real connections: a hand that settles while the box is changed, and two counts at once."""

from contextlib import nullcontext
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connection

from casino.boxes import services
from casino.boxes.errors import BoxElsewhere
from casino.boxes.models import Box, BoxCount
from casino.boxes.selectors.log import expected_in
from casino.commands.carrying_out import Answer, Command
from casino.errors import Stale
from casino.ledger.errors import AlreadyPosted
from casino.ledger.models import Transfer
from casino.ledger.proof import problems
from tables.models import Table
from tests.boxes.hanging import Hanging, pieces_of
from tests.cast import command
from tests.jackpot.beats import SEVEN
from tests.support.locks import at_once, meet, without_constraint, without_lock
from tests.tables.conftest import House, make_house

pytestmark = pytest.mark.smoke


@pytest.fixture
def boxes(committing_db: object) -> Hanging:
    boxes = Hanging(make_house())
    boxes.house.open(1, **SEVEN)
    return boxes


def played(house: House) -> None:
    house.settle(40_00, winners=(2,), dealt_in=tuple(SEVEN.values()))


def fell_in(*boxes: Box) -> list[int]:
    return [expected_in(box).cents for box in boxes]


def test_without_the_tables_lock_a_hand_that_just_settled_would_fall_into_the_box_after(
    boxes: Hanging, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unlocked(command: Command, table_id: int) -> Table:
        return Table.objects.get(id=table_id)

    first = boxes.hang(7)
    monkeypatch.setattr(services, "lock_table", unlocked)
    # It waits for the table's chain in the log, and has looked by then.
    meet(lambda: played(boxes.house), lambda: boxes.hang(8))

    second = boxes.hangs()
    assert second is not None
    assert fell_in(Box.objects.get(id=first.pk), second) == [0, 2_00]
    connection.close()


def test_a_box_is_changed_after_the_hand_that_is_just_settling(boxes: Hanging) -> None:
    first = boxes.hang(7)
    house = boxes.house

    meet(lambda: played(house), lambda: boxes.hang(8))

    second = boxes.hangs()
    assert second is not None
    assert fell_in(Box.objects.get(id=first.pk), second) == [2_00, 0]
    assert list(problems(house.room_id)) == []
    connection.close()


def test_two_pairs_who_count_one_box_at_once_count_it_once(boxes: Hanging) -> None:
    house, cast = boxes.house, boxes.house.cast
    boxes.hang(7)
    played(house)
    box = boxes.drop()
    version = Box.objects.values_list("version", flat=True).get(id=box.pk)
    pairs = [(cast.carla, cast.frans), (cast.mari, cast.frans)]
    signed = [boxes.signed(box, pieces_of(2), by=by, second=second) for by, second in pairs]

    def work(index: int) -> Answer:
        arguments: dict[str, Any] = {"box_id": box.pk, "version": version, "pieces": pieces_of(2)}
        return services.count_box(signed[index], **arguments, approved_by_id=cast.frans.pk)

    answers = at_once(2, work)

    assert {type(each) for each in answers} == {Answer, Stale}, answers
    assert (BoxCount.objects.count(), Transfer.objects.filter(kind="box_counted").count()) == (1, 1)
    assert list(problems(house.room_id)) == []


def test_without_the_boxs_lock_two_pairs_would_count_it_at_once(
    boxes: Hanging, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast = boxes.house.cast
    boxes.hang(7)
    played(boxes.house)
    box = boxes.drop()
    arguments: dict[str, Any] = {
        "box_id": box.pk,
        "version": Box.objects.values_list("version", flat=True).get(id=box.pk),
    }
    signed = iter([boxes.signed(box, pieces_of(2), by=by, second=cast.frans) for by in (cast.carla, cast.mari)])
    without_lock(monkeypatch, Box)

    def counts() -> None:
        services.count_box(next(signed), **arguments, pieces=pieces_of(2), approved_by_id=cast.frans.pk)

    # The ledger has the last word.
    with pytest.raises(AlreadyPosted):
        meet(counts, counts)

    assert BoxCount.objects.count() == 1


@pytest.mark.parametrize("is_constrained", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_one_number_that_is_hung_at_two_tables_at_once_hangs_at_one(boxes: Hanging, is_constrained: bool) -> None:
    house = boxes.house
    box: dict[str, Any] = {"charge": "rake", "number": 7}
    house.open(2)
    if not is_constrained:
        without_constraint(Box, "box_is_in_one_place_until_it_is_counted")

    first, second = [
        partial(services.hang_box, command(house.cast.frans, at=house.at), table_id=house.table_id(number), **box)
        for number in (1, 2)
    ]
    with pytest.raises(BoxElsewhere) if is_constrained else nullcontext():
        meet(first, second, waits=is_constrained)

    assert Box.objects.filter(Box.OPEN, number=7).count() == (1 if is_constrained else 2)


@pytest.mark.parametrize("is_counted_first", [True, False])
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_drop_that_is_taken_back_while_it_is_counted_is_one_or_the_other(
    boxes: Hanging, monkeypatch: pytest.MonkeyPatch, is_counted_first: bool, is_locked: bool
) -> None:
    house, cast = boxes.house, boxes.house.cast
    boxes.hang(7)
    played(house)
    box = boxes.drop()
    version = Box.objects.values_list("version", flat=True).get(id=box.pk)
    signed = boxes.signed(box, pieces_of(2), by=cast.carla, second=cast.frans)

    arguments: dict[str, Any] = {"box_id": box.pk, "version": version}
    takes_back = partial(services.take_back, command(cast.frans, at=house.at), **arguments)
    counts = partial(services.count_box, signed, **arguments, pieces=pieces_of(2), approved_by_id=cast.frans.pk)
    if not is_locked:
        without_lock(monkeypatch, Box)

    # The constraint has the last word.
    with pytest.raises(Stale) if is_locked else pytest.raises(IntegrityError, match="box_is_counted_once_dropped"):
        meet(*((counts, takes_back) if is_counted_first else (takes_back, counts)))

    box.refresh_from_db()
    assert box.is_counted == (box.dropped_after is not None) == BoxCount.objects.exists() == is_counted_first
    assert list(problems(house.room_id)) == []
