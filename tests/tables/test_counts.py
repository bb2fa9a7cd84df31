"""A stack that was counted on leaving: who may put the count right, and where that is too late."""

import pytest
from django.urls import reverse

from casino.cage.models import Slip
from casino.cage.services import cancel_slip, reverse_slip, take_money
from casino.errors import NotPermitted
from casino.ledger.proof import problems
from casino.people.models import Staff
from casino.people.services import second_person
from tables.errors_counts import StackMoved, StackSigned
from tables.models import Seating
from tables.services.moving import take_back_move
from tables.services.seating import take_back_leaving
from tables.services.stacks import count_stack
from tests.cast import command, demo_person
from tests.tables.conftest import House
from tests.tables.test_absence import later, pick_up
from tests.tables.test_missed_blinds import Evening
from tests.tables.test_moving import move
from tests.taps import at_desktop

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


def counted(house: House, seating: Seating, cents: int) -> None:
    seating.refresh_from_db()
    house.tap(count_stack, table_id=seating.table_id, seating_id=seating.pk, stack_cents=cents, version=seating.version)


@pytest.fixture
def away(house: House) -> Seating:
    """Return the seating of a player whose stack of 180 € two have picked up."""
    evening = Evening(house)
    evening.hold(4, is_held=True)
    seating = evening.seating(4)
    later(house, 20)
    pick_up(house, seating, 180_00)
    seating.refresh_from_db()
    return seating


def pays(house: House) -> Slip:
    slip = Slip.objects.get(kind="cash_out")
    house.tap(take_money, house.cast.carla, slip_id=slip.pk, drawer_id=house.drawer_id, method="deposit")
    return slip


@pytest.mark.helsinki
@pytest.mark.rule("H1.8", "U35")
@pytest.mark.parametrize("is_paid", [False, True])
def test_one_person_does_not_overrule_the_count_of_two(house, away, is_paid):
    if is_paid:
        pays(house)

    with pytest.raises(StackSigned):
        counted(house, away, 100_00)

    away.refresh_from_db()
    assert away.left_stack_cents == Slip.objects.get(kind="cash_out").amount_cents == 180_00


@pytest.mark.helsinki
@pytest.mark.rule("H1.8", "U35")
@pytest.mark.parametrize("who", ["frans", "carla"])
def test_one_person_takes_no_slip_away_that_two_have_signed(house, away, who):
    slip = Slip.objects.get(kind="cash_out")

    with pytest.raises(StackSigned):
        house.tap(cancel_slip, getattr(house.cast, who), slip_id=slip.pk)

    slip.refresh_from_db()
    assert slip.status == "requested"


@pytest.mark.helsinki
def test_once_two_have_reversed_the_slip_the_count_is_put_right(house, away):
    slip = pays(house)
    reversed_by_two(house, slip)

    counted(house, away, 100_00)

    away.refresh_from_db()
    assert away.left_stack_cents == 100_00
    assert list(problems(house.room_id)) == []


def reversed_by_two(house: House, slip: Slip) -> None:
    tap = command(house.cast.carla, at=house.at)
    pin = demo_person("frans").pin
    signed = second_person(tap, username="frans", pin=pin, needs="cage.approve_reversal", signs=f"slip.{slip.pk}")
    reverse_slip(tap, slip_id=slip.pk, approved_by_id=signed, reason="wrong_amount")


def comes_back(house: House, seating: Seating, by: Staff) -> None:
    house.tap(take_back_leaving, by, table_id=seating.table_id, seating_id=seating.pk, version=seating.version)


@pytest.mark.helsinki
def test_a_dealer_alone_takes_back_nothing_that_two_have_signed(house, away):
    with pytest.raises(NotPermitted):
        comes_back(house, away, house.cast.anna)
    assert Slip.objects.get(kind="cash_out").status == "requested"

    comes_back(house, away, house.cast.frans)

    assert Slip.objects.get(kind="cash_out").status == "cancelled"


@pytest.mark.helsinki
@pytest.mark.rule("H1.65")
def test_a_stack_that_moved_on_is_not_counted_anew_where_it_was(house):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    new = move(house, "Kai", 5, stack=340_00)
    old = Seating.objects.get(player=house.player("Kai"), table__number=1)

    with pytest.raises(StackMoved):
        counted(house, old, 430_00)
    page = at_desktop(house.cast.frans).get(reverse("floor_departure_sheet", args=[1, old.pk])).content.decode()
    assert "went along to table 2" in page
    assert "Correct the count" not in page

    house.tap(take_back_move, table_id=new.table_id, seating_id=new.pk)
    assert move(house, "Kai", 5, stack=430_00).chips_in_cents == 430_00
    assert house.figures(2)["in_play"] == 200_00 + 430_00
