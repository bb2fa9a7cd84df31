"""Who sat at a table that closed and finds no seat: waits first, and by some books pays no blind."""

import pytest

from casino.waiting.models import Waiting
from casino.waiting.services.closing import wait_with_right
from casino.waiting.services.lists import call_player, join_list
from tables.errors_moves import StackToBring
from tables.models import Seating
from tables.services.chips import bring_chips
from tables.services.closing import announce_last_orbit
from tables.services.seating import leave_seat
from tables.services.setup import add_table
from tests.tables.conftest import House
from tests.tables.test_moving import by_royal_rules, sits
from tests.taps import at_desktop

pytestmark = pytest.mark.django_db


def waits_by_right(house: House, nickname: str = "Kai", stack: int = 340_00) -> None:
    """A table closes whose player finds no seat, while table 2 is in the middle of its evening."""
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1, Pekka=2, Jo=3)
    house.settle(40_00, number=2)
    house.tap(announce_last_orbit, table_id=house.table_id(1), hands=0)
    seating = sits(house, nickname)
    house.tap(wait_with_right, table_id=seating.table_id, seating_id=seating.pk, stack_cents=stack)


@pytest.mark.rule("R-§3-4", "R-§3-1")
def test_who_waited_by_right_pays_no_blind_and_brings_the_whole_stack(house: House) -> None:
    by_royal_rules(house)
    waits_by_right(house)

    with pytest.raises(StackToBring) as refused:
        house.seat("Kai", 5, number=2, chips=100_00)
    assert refused.value.data["stack_cents"] == 340_00
    new = house.seat("Kai", 5, number=2, chips=340_00)

    assert (new.entry, new.chips_in_cents) == ("in", 340_00)
    assert 5 in house.settle(40_00, number=2).seats.values_list("seat_number", flat=True)


@pytest.mark.rule("R-§3-4")
def test_chips_that_come_later_are_the_whole_stack_too_and_a_short_one_is_enough(house: House) -> None:
    by_royal_rules(house)
    waits_by_right(house, stack=30_00)

    seating = house.seat("Kai", 5, number=2, chips=0)
    with pytest.raises(StackToBring):
        house.tap(bring_chips, table_id=seating.table_id, seating_id=seating.pk, chips_cents=100_00)
    house.tap(bring_chips, table_id=seating.table_id, seating_id=seating.pk, chips_cents=30_00)
    house.tap(bring_chips, table_id=seating.table_id, seating_id=seating.pk, chips_cents=100_00, stack=30_00)

    assert (sits(house, "Kai").entry, sits(house, "Kai").chips_in_cents) == ("in", 130_00)


@pytest.mark.rule("R-§3-4", "H4.30")
def test_the_right_is_used_once_and_who_has_none_waits_for_the_blind(house: House) -> None:
    by_royal_rules(house)
    waits_by_right(house, stack=0)
    seating = house.seat("Kai", 5, number=2, chips=100_00)
    assert seating.entry == "in"

    house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=150_00)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Kai").pk)
    again = house.seat("Kai", 5, number=2, chips=100_00)

    assert (again.entry, Seating.objects.filter(right_from__isnull=False).count()) == ("waits", 1)


@pytest.mark.rule("H2.11", "H4.30")
def test_by_the_helsinki_book_they_come_in_like_new_players(house: House) -> None:
    house.tap(add_table, house.cast.mari, number=3)
    waits_by_right(house)

    assert house.seat("Kai", 5, number=2, chips=340_00).entry == "waits"


@pytest.mark.rule("R-§3-4")
def test_the_seat_sheet_asks_for_no_blind_of_who_comes_by_right(house: House) -> None:

    by_royal_rules(house)
    waits_by_right(house)
    waits = Waiting.objects.get(player=house.player("Kai"), status="waiting")
    house.tap(call_player, waiting_id=waits.pk, table_id=house.table_id(2), seat_number=5)

    sheet = at_desktop(house.cast.frans).get("/floor/tables/2/seats/5/sheet/").text

    assert "waits for BB" not in sheet
    assert "Comes from a closed table and pays no blind." in sheet
