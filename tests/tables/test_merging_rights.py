"""What a player has once an evening, brought along, or has to sit out, follows the record that was kept."""

from typing import Any

import pytest
from django.db.models import QuerySet

from casino.people.models import Player
from tables.errors import BuyInUnderMinimum, LongBreakTaken
from tables.errors_moves import StackToBring
from tables.models import Game, Seating
from tables.selectors.absences import away_of
from tables.selectors.work import table_work
from tables.services.absence_limits import set_long_break
from tables.services.chips import bring_chips
from tables.services.incidents import write_incident
from tables.services.seating import leave_seat
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_merging_players import Office

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


@pytest.fixture
def office(house: House) -> Office:
    return Office(house)


def of(player: Player) -> QuerySet[Seating]:
    return Seating.objects.select_related("opening__game", "table").filter(player=player, left_at=None)


@pytest.mark.helsinki
@pytest.mark.rule("H1.9", "H1.64", "H2.19")
def test_rights_of_the_evening_that_the_other_record_had_are_had(office: Office) -> None:
    house = office.house
    with as_owner():
        Game.objects.update(structure="pot_limit")
    table = house.open(1, Lee=1, Kai=2)
    tim = office.seat(office.tim, 4)
    at: dict[str, Any] = {"table_id": table.pk, "seating_id": tim.pk}
    house.tap(bring_chips, chips_cents=60_00, stack="under_blind", **at)
    house.tap(set_long_break, **at)
    house.tap(leave_seat, stack_cents=350_00, **at)

    office.merge()

    with pytest.raises(StackToBring):
        house.seat("Timo", 4, chips=100_00)
    house.seat("Timo", 4, chips=350_00)
    timo = of(office.timo).get()
    at = {"table_id": table.pk, "seating_id": timo.pk}
    assert away_of(timo, timo.opening).had_long_break
    with pytest.raises(LongBreakTaken):
        house.tap(set_long_break, **at)
    with pytest.raises(BuyInUnderMinimum):
        house.tap(bring_chips, chips_cents=60_00, stack="under_blind", **at)


def test_a_penalty_that_runs_is_the_kept_records(office: Office) -> None:
    house = office.house
    house.open(1, Lee=1, Timo=4)
    people: dict[str, Any] = {"player_ids": [office.tim.pk], "table_id": None}
    house.tap(write_incident, kind="penalty", clause="", text="", minutes=20, **people)

    office.merge()

    assert [penalty.seat for penalty in table_work(house.room_id, 1).penalties] == [4]
    assert of(office.timo).get().is_held
