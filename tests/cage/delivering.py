"""Chips on their way for tests: a book that asks whether they came, and a seat's request that was paid."""

import itertools

from casino.cage import services
from casino.cage.about import AtSeat
from casino.cage.models import Slip
from casino.rooms.models import RuleBookVersion
from casino.rulebooks import digest
from tables.models import Seating
from tests.support.owner import as_owner
from tests.tables.conftest import House

# A process reads a version once, by its id, which a test that is undone would give again.
_VERSIONS = itertools.count(820_000_000)


def asks_whether_they_came(room_id: int) -> None:
    """Have a room's book ask from now on whether chips that were paid came to their seat."""
    now = RuleBookVersion.objects.filter(room_id=room_id).latest("number")
    text = now.text.replace("[cage]\n", "[cage]\nconfirms_delivery = true\n")
    with as_owner():
        RuleBookVersion.objects.create(
            id=next(_VERSIONS), room_id=room_id, book=now.book, number=now.number + 1, digest=digest(text), text=text,
            holds_from=now.holds_from,
        )  # fmt: skip


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
