"""Real threads, real connections: two who print at once, the first time in the room and later."""

import threading

import pytest
from django.db import connection

from casino.commands.carrying_out import Answer
from casino.paper import services
from casino.paper.models import Sheet, SheetNumbers
from casino.paper.services import print_sheets
from tests.cage.desk import at_once
from tests.cast import command
from tests.support.patience import PATIENCE_SECONDS
from tests.tables.conftest import House, make_house

pytestmark = pytest.mark.smoke


@pytest.fixture
def racing(committing_db: object) -> House:
    house = make_house()
    house.open(1, Lee=1, Kai=2)
    return house


def numbers_of(said: list[object]) -> list[int]:
    answers = [each for each in said if isinstance(each, Answer)]
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
    both = threading.Barrier(2)

    def unlocked(room_id: int) -> SheetNumbers:
        numbers = SheetNumbers.objects.get(room_id=room_id)
        # Two threads that merely start together miss each other at times.
        both.wait(PATIENCE_SECONDS)
        return numbers

    print_sheets(command(racing.cast.frans, at=racing.at))
    monkeypatch.setattr(services, "lock_numbers", unlocked)
    said = both_print(racing)

    # The database has the last word: one of them printed nothing.
    assert numbers_of(said) == [3, 4]
    connection.close()
