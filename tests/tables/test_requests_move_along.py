"""What a player asked from the cage goes along to another seat, and waits for nobody who has left."""

from typing import Any

import pytest

from casino.cage.about import AtSeat
from casino.cage.errors import SlipNotWaiting
from casino.cage.models import Slip
from casino.cage.services import cancel_slip, request_buy_in, take_money
from casino.ledger.proof import problems
from casino.live.areas import TODO
from tables.errors_moves import StackNotCounted, StackToBring
from tables.models import Seating
from tables.selectors.floor import room_on_map
from tables.services.chips import bring_chips
from tables.services.closing import announce_last_orbit
from tables.services.moving import move_player, take_back_move
from tables.services.opening import close_table, open_table
from tables.services.seating import leave_seat
from tests.tables.conftest import House
from tests.taps import at_desktop, tap

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]
CENTS = 150_00


@pytest.fixture
def house(house: House) -> House:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.tap(open_table, table_id=house.table_id(2), game_id=house.game().pk)
    return house


def sits(house: House, nickname: str) -> Seating:
    return Seating.objects.select_related("table").get(player=house.player(nickname), left_at=None)


def asks(house: House, nickname: str, *, cents: int = CENTS) -> Slip:
    seating = sits(house, nickname)
    seat = AtSeat(
        table=seating.table_id,
        table_number=seating.table.number,
        seating=seating.pk,
        seat_number=seating.seat_number,
        stack=50_00,
    )
    answer = house.tap(request_buy_in, player_id=seating.player_id, amount_cents=cents, seat=seat)
    return Slip.objects.get(id=answer.data["slip_id"])


def moves(house: House, nickname: str, *, stack: int = 200_00) -> Seating:
    seating = sits(house, nickname)
    house.tap(
        move_player,
        table_id=seating.table_id,
        seating_id=seating.pk,
        to_table_id=house.table_id(2),
        seat_number=4,
        stack_cents=stack,
    )
    return sits(house, nickname)


def waiting() -> list[tuple[int, int]]:
    slips = Slip.objects.filter(status=Slip.Status.REQUESTED)
    return [(slip.about["table_number"], slip.about["seat_number"]) for slip in slips]


def pays(house: House, slip: Slip) -> None:
    house.tap(take_money, house.cast.carla, slip_id=slip.pk, drawer_id=house.drawer_id, method="cash")


def test_what_a_mover_asked_for_is_sold_at_the_new_seat(house):
    old = asks(house, "Timo")

    there = moves(house, "Timo")

    assert waiting() == [(2, 4)]
    with pytest.raises(SlipNotWaiting):
        pays(house, old)
    new = Slip.objects.get(status=Slip.Status.REQUESTED)
    assert (new.amount_cents, new.requested_at, new.requested_by_id) == (CENTS, old.requested_at, old.requested_by_id)
    pays(house, new)
    there.refresh_from_db()
    assert there.chips_in_cents == 200_00 + CENTS
    assert not list(problems(house.room_id))


@pytest.mark.helsinki
@pytest.mark.rule("H1.64")
@pytest.mark.parametrize("counted", [350_00, None])
def test_what_was_asked_for_another_game_is_asked_anew_of_the_one_that_is_entered(house, counted):
    """Who left this game comes back with what they left with, also by way of a table of other stakes."""
    seating = sits(house, "Timo")
    house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=counted)
    other = house.game("No limit hold'em 5/5")
    house.tap(close_table, table_id=house.table_id(2))
    house.tap(open_table, table_id=house.table_id(2), game_id=other.pk)
    house.seat("Timo", 5, number=2, chips=0)
    asks(house, "Timo", cents=600_00)
    old = sits(house, "Timo")
    house.tap(
        move_player, table_id=old.table_id, seating_id=old.pk, to_table_id=house.table_id(1), seat_number=6,
        stack_cents=0,
    )  # fmt: skip

    (slip,) = Slip.objects.filter(status=Slip.Status.REQUESTED)
    with pytest.raises(StackToBring if counted else StackNotCounted):
        pays(house, slip)

    house.tap(cancel_slip, slip_id=slip.pk)
    assert waiting() == []
    assert sits(house, "Timo").chips_in_cents == 0


def test_who_moved_without_chips_and_brought_some_since_is_sold_what_was_asked_for(house):
    """The cage asks nobody for the stack: it was none when they moved."""
    house.seat("Mika", 6, chips=0)
    asks(house, "Mika")
    there = moves(house, "Mika", stack=0)
    house.tap(bring_chips, table_id=there.table_id, seating_id=there.pk, chips_cents=100_00)

    pays(house, Slip.objects.get(status=Slip.Status.REQUESTED))

    assert sits(house, "Mika").chips_in_cents == 100_00 + CENTS


def test_it_comes_back_with_a_move_that_is_taken_back(house):
    asks(house, "Timo")
    there = moves(house, "Timo")

    house.tap(take_back_move, table_id=there.table_id, seating_id=there.pk)

    assert waiting() == [(1, 3)]
    pays(house, Slip.objects.get(status=Slip.Status.REQUESTED))
    assert sits(house, "Timo").chips_in_cents == 200_00 + CENTS


def test_what_somebody_asked_for_who_has_left_is_taken_away_with_one_tap(house):
    slip, seating = asks(house, "Timo"), sits(house, "Timo")
    house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=200_00)

    (line,) = (line for line in TODO.gather(room_id=house.room_id) if line.key == f"slip.{slip.pk}")

    assert line.how == "post"
    assert line.shown_from is None
    fields: dict[str, Any] = dict(line.values)
    tap(at_desktop(house.cast.frans), line.address, on="floor", **fields)
    assert waiting() == []


def test_a_closing_table_that_everybody_left_asks_for_its_closing_alone(house):
    house.tap(announce_last_orbit, table_id=house.table_id(), hands=0)
    for nickname in ("Lee", "Kai", "Timo"):
        seating = sits(house, nickname)
        house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=200_00)

    shown = room_on_map(house.room_id)

    (line,) = (line for line in TODO.gather(room_id=house.room_id) if line.table_number == 1)
    assert line.key == "closing.1"
    assert shown.tiles[0].hands_left == 0
    assert shown.tiles[0].trouble == ""
