"""A fill to a table's rack that no runner has yet: its page is told, and says so, where a book takes racks away."""

from collections.abc import Callable

import pytest

from casino import clock
from casino.audit.models import Event
from casino.cage.models_fills import FillSlip
from tests.cage.filling import Filling
from tests.cage.test_fills_that_wait import GIVEN, page_of, stand
from tests.tables.conftest import House
from tests.tables.racking import Racking
from tests.tables.test_books import Office
from tests.tables.test_other_stakes import change
from tests.tables.test_racks_opened_and_closed import closes

pytestmark = pytest.mark.two_houses


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["closes", "changes its stakes"])
def test_it_hears_of_a_book_that_comes_into_force_and_of_a_table_that_leaves_the_one_before(
    house: House, ends: str
) -> None:
    Racking(house).begin(counted_pushes_per_day=0)
    fills, office = Filling(house.cast, at=house.at), Office(house)
    runs, idle = [fills.authorised(0, 5_00, at=("table", number)) for number in (1, 2)]

    def shown(slip: FillSlip) -> tuple[bool, str]:
        with clock.frozen(house.at):
            return GIVEN in page_of(slip, house.cast.carla), stand(slip)

    def pushed(act: Callable[[], object]) -> bool:
        newest = Event.objects.latest("id").pk
        act()
        return any("fills" in event.audiences for event in Event.objects.filter(id__gt=newest))

    before = shown(runs), shown(idle)
    assert [is_offered for is_offered, _stand in before] == [True, True]

    assert pushed(lambda: office.change(("is_kept = true", "is_kept = false")))

    # The table that runs keeps the racks of its opening.
    assert shown(runs) == before[0]
    is_offered, stands = shown(idle)
    assert (is_offered, stands == before[1][1]) == (False, False)

    assert pushed(lambda: closes(house) if ends == "closes" else change(house))

    is_offered, stands = shown(runs)
    assert (is_offered, stands == before[0][1]) == (False, False)
