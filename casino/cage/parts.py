"""
What the cage gives the screens that show several apps: the edge of the felt, on a table's own tablet, and the floor's
sheet of a seat. No staff's name is told at a table.
"""

from collections.abc import Iterator

from django.template.loader import render_to_string

from casino.cage.labels import MONEY_WITH, REFUSED_FOR
from casino.cage.models import RequestMoney, Slip
from casino.cage.selectors.chips import on_way
from casino.cage.selectors.money import for_seats, money_of
from casino.cage.selectors.refused import unseen
from casino.live.areas import Part
from casino.rooms.models import Room
from casino.rooms.selectors import room_of

# At the edge of the felt, among what others give; of what was refused on a seat's sheet too.
_MONEY_RANK, _REFUSED_RANK, _CHIPS_RANK = 15, 20, 25


def money_at_felt(*, room_id: int, number: int) -> Iterator[Part]:
    """Yield, for a table's own tablet, which seats wait for chips and where their money is, but no staff's name."""
    waiting = [slip for slip in for_seats(room_id) if slip.seat and slip.seat.table_number == number]
    if waiting:
        context = {"number": number, "room": room_of(room_id), "waiting": [(slip, _where(slip)) for slip in waiting]}
        yield Part((_MONEY_RANK,), render_to_string("cage/felt_money.html", context))


def _where(slip: Slip) -> str:
    money = money_of(slip)
    return str(MONEY_WITH[money.money_with if money else RequestMoney.With.PLAYER])


def chips_at_felt(*, room_id: int, number: int) -> Iterator[Part]:
    """Yield, for a table's own tablet, which seats' chips are on their way: one tap says that they came. No names."""
    waiting = [slip for slip in on_way(room_id) if slip.seat and slip.seat.table_number == number]
    if waiting:
        context = {"number": number, "room": room_of(room_id), "waiting": waiting}
        yield Part((_CHIPS_RANK,), render_to_string("cage/felt_chips.html", context))


def refused_at_felt(*, room_id: int, number: int) -> Iterator[Part]:
    """Yield, for a table's own tablet, the seats whose players are to see the floor. Why is said to nobody there."""
    wanted = (each.slip.seat for each in unseen(room_id))
    seats = sorted({seat.seat_number for seat in wanted if seat is not None and seat.table_number == number})
    if seats:
        yield Part((_REFUSED_RANK,), render_to_string("cage/felt_refused.html", {"seats": seats}))


def refused_of_who_sits(*, player_id: int) -> Iterator[Part]:
    """Yield, for the floor's sheet of a seat, what the cage refused this player and nobody has seen. Two queries."""
    room = Room.objects.get(player__id=player_id)
    for each in unseen(room.pk):
        if each.slip.player_id == player_id:
            context = {"slip": each.slip, "room": room, "reason": REFUSED_FOR[each.refused.reason]}
            yield Part((_REFUSED_RANK, each.slip.pk), render_to_string("cage/sits_refused.html", context))
