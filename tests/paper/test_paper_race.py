"""Real threads, real connections: two who print at once, the first time in the room and later."""

from functools import partial

import pytest
from django.db import IntegrityError, connection

from casino.commands.carrying_out import Answer
from casino.paper.models import Sheet, SheetNumbers
from casino.paper.services import print_sheets
from tests.cast import command
from tests.support.locks import at_once, meet, without_lock
from tests.tables.conftest import House, make_house

pytestmark = pytest.mark.smoke


@pytest.fixture
def racing(committing_db: object) -> House:
    house = make_house()
    house.open(1, Lee=1, Kai=2)
    return house


def numbers_of(results: list[object]) -> list[int]:
    answers = [each for each in results if isinstance(each, Answer)]
    return sorted(sheet["number"] for answer in answers for sheet in answer.data["sheets"])


def both_print(house: House) -> list[object]:
    staff = [house.cast.frans, house.cast.mari]
    return at_once(2, lambda index: print_sheets(command(staff[index], at=house.at)))


def test_two_who_print_at_once_get_different_numbers(racing: House) -> None:
    # Nobody has printed before: both find no row.
    first, second = both_print(racing), both_print(racing)

    assert numbers_of([*first, *second]) == list(range(1, 9))
    assert Sheet.objects.count() == 8
    connection.close()


def test_without_the_lock_two_would_get_the_same(racing: House, monkeypatch: pytest.MonkeyPatch) -> None:
    by = partial(command, at=racing.at)
    print_sheets(by(racing.cast.frans))
    without_lock(monkeypatch, SheetNumbers)

    # The database has the last word: one of them prints nothing.
    with pytest.raises(IntegrityError, match="sheet_numbered_once_per_room"):
        meet(lambda: print_sheets(by(racing.cast.frans)), lambda: print_sheets(by(racing.cast.mari)))

    assert list(Sheet.objects.order_by("number").values_list("number", flat=True)) == [1, 2, 3, 4]
