"""Downs and sittings are rows that the log answers for, from the first event on that names one."""

from datetime import timedelta

import pytest

from casino.audit.models import Event
from casino.audit.selectors import breaks
from tables.models import Down, Seating
from tables.services.downs import end_down
from tables.services.seating import leave_seat
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.racking import Racking
from tests.tables.test_merging_players import Office
from tests.tables.test_playing_on import counts_through

pytestmark = pytest.mark.two_houses

OTHER, UNKNOWN = "it is not what its event says", "no event knows it"


def found(house: House) -> list[tuple[str, int, str]]:
    return [(each.chain, each.number, each.problem) for each in breaks(house.room_id)]


@pytest.fixture
def sits(house: House) -> Seating:
    """Return Lee's seat at table 1, where Anna has dealt."""
    house.open(1, Lee=1, Kai=2)
    down = Racking(house).began(house.cast.anna)
    house.tap(end_down, table_id=house.table_id(), down_id=down.pk)
    return Seating.objects.get(player=house.player("Lee"), left_at=None)


def named(house: House, kind: str) -> list[str]:
    """Return by which commands rows of a kind were named, in order."""
    events = Event.objects.filter(room_id=house.room_id, text__contains=f'"{kind}":{{').order_by("id")
    return list(events.values_list("name", flat=True))


def test_who_sat_and_dealt_from_when_to_when_is_named_by_each_command_that_says_so(house: House, sits: Seating) -> None:
    house.tap(leave_seat, table_id=sits.table_id, seating_id=sits.pk, stack_cents=200_00)

    assert named(house, "sitting") == ["tables.seat_player", "tables.seat_player", "tables.leave_seat"]
    assert named(house, "down") == ["tables.push_dealer", "tables.end_down"]
    assert found(house) == []


def test_a_stay_that_somebody_made_longer_is_found(house: House, sits: Seating) -> None:
    down = Down.objects.get()
    with as_owner():
        Seating.objects.filter(pk=sits.pk).update(sat_down_at=sits.sat_down_at - timedelta(seconds=1))
        Down.objects.filter(pk=down.pk).update(ended_at=house.at + timedelta(hours=1))

    assert found(house) == [("down", down.pk, OTHER), ("sitting", sits.pk, OTHER)]


def test_one_that_no_event_knows_is_found_unless_it_is_of_before_the_log_named_any(house: House, sits: Seating) -> None:
    down = Down.objects.get()
    forged = Down.objects.create(
        room_id=house.room_id, table_id=sits.table_id, dealer_id=house.cast.dan.pk, how="pin", began_at=house.at,
        ended_at=house.at,
    )  # fmt: skip
    Down.objects.create(
        room_id=house.room_id, table_id=sits.table_id, dealer_id=house.cast.dan.pk, how="pin",
        began_at=down.began_at - timedelta(seconds=1), ended_at=down.began_at,
    )  # fmt: skip

    assert found(house) == [("down", forged.pk, UNKNOWN)]


def test_who_plays_on_or_is_another_record_now_is_named_again(house: House) -> None:
    office = Office(house)
    house.open(1, Lee=1, Kai=2)
    Racking(house).began(house.cast.anna)
    house.close_drawer()
    counts_through(house)
    house.close_day()
    house.next_day()
    sits = office.seat(office.tim, 5)
    house.tap(leave_seat, table_id=sits.table_id, seating_id=sits.pk, stack_cents=None)
    office.merge()

    assert [name for name in named(house, "sitting") if name != "tables.seat_player"] == [
        "cage.open_day", "tables.leave_seat", "people.merge_players",
    ]  # fmt: skip
    assert named(house, "down") == ["tables.push_dealer", "cage.open_day"]
    assert found(house) == []
