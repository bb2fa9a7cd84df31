"""Requests that the cage refused on the open day, and that nobody on the floor has seen."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.cage import deliveries
from casino.cage.labels import REFUSED_FOR
from casino.cage.models import RefusedRequest, Slip
from casino.live.todo import ToDoLine
from casino.money import format_cents
from casino.people.models import Player
from casino.reading import read_once
from casino.rooms.models import Room
from casino.rooms.selectors import room_of
from casino.rows import read_seldom, relate
from casino.text import isolated

# The news that a request was refused, or that the floor has seen it: everywhere, and at its table.
NEWS, AT_TABLE = "cage.refused", "cage.refused.{number}"
# Of the open day: what nobody looked at by its end nobody will.
_UNSEEN = """FROM cage_refusedrequest JOIN cage_slip ON cage_slip.id = cage_refusedrequest.slip_id
    JOIN people_player ON people_player.id = cage_slip.player_id
    JOIN rooms_gamingday ON rooms_gamingday.room_id = cage_slip.room_id AND rooms_gamingday.closed_at IS NULL
    WHERE cage_slip.room_id = %s AND cage_refusedrequest.seen_at IS NULL
    AND cage_refusedrequest.refused_at >= rooms_gamingday.opened_at
    ORDER BY cage_refusedrequest.refused_at, cage_refusedrequest.id"""


@dataclass(frozen=True)
class _Refused:
    refused: RefusedRequest
    slip: Slip
    player: Player


@read_once
def unseen(room_id: int) -> list[_Refused]:
    """Return what the cage refused on the open day and the floor has not seen yet, oldest first. One query."""
    refusals = []
    for refused, slip, player in read_seldom((RefusedRequest, Slip, Player), _UNSEEN, room_id):
        relate(refused, slip=slip)
        relate(slip, player=player)
        refusals.append(_Refused(refused, slip.where_player_sits(), player))
    return refusals


def news_of(slip: Slip) -> tuple[str, ...]:
    """Return the news that something has changed about a refused request."""
    return (NEWS, AT_TABLE.format(number=slip.seat.table_number)) if slip.seat else (NEWS,)


def lines(*, room_id: int) -> Iterator[ToDoLine]:
    """Yield a line of the floor's to-do for each. One query, and the room's."""
    for each in unseen(room_id):
        yield _line(room_of(room_id), each)


def _line(room: Room, each: _Refused) -> ToDoLine:
    slip = each.slip
    money = format_cents(slip.amount_cents, currency=room.currency, locale=room.locale)
    return ToDoLine(
        key=f"refused.{slip.pk}",
        table_number=slip.seat.table_number if slip.seat else None,
        urgency=1,
        tone="soon",
        where=deliveries.of(slip).label(slip),
        text=_("The cage refused %(money)s of %(player)s") % {"player": isolated(str(each.player)), "money": money},
        reason=str(REFUSED_FOR[each.refused.reason]),
        at=each.refused.refused_at,
        how="post",
        address=reverse("cage_refusal_seen", args=[slip.pk]),
        label=_("Seen"),
    )
