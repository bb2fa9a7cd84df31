"""Chips on their way for tests: a book that asks whether they came, and a seat's request that was paid."""

from casino.cage import services
from casino.cage.about import AtSeat
from casino.cage.models import Slip
from casino.rooms.models import RuleBookVersion
from tables.models import Seating
from tests.support.books import says_in_book
from tests.tables.conftest import House


def asks_whether_they_came(room_id: int) -> None:
    """Have a room's book ask from now on whether chips that were paid came to their seat."""
    now = RuleBookVersion.objects.filter(room_id=room_id).latest("number")
    says_in_book(room_id, now.text.replace("confirms_delivery = false", "confirms_delivery = true"))


def sends_chips(house: House, seating: Seating, cents: int = 50_00) -> int:
    """Have chips that a seat asks for be paid in such a house; return the id of their slip, which is on its way."""
    asks_whether_they_came(house.room_id)
    seat = AtSeat(
        table=seating.table_id, table_number=seating.table.number, seating=seating.pk, seat_number=seating.seat_number,
        stack=20_00,
    )  # fmt: skip
    request = house.tap(services.request_buy_in, player_id=seating.player_id, amount_cents=cents, seat=seat)
    slip = Slip.objects.get(pk=request.data["slip_id"])
    pays(house, slip.pk)
    return slip.pk


def pays(house: House, slip_id: int) -> dict[str, object]:
    answer = house.tap(services.take_money, house.cast.carla, slip_id=slip_id, drawer_id=house.drawer_id, method="cash")
    return dict(answer.data)
