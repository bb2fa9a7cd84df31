"""Who has the money of requests: what waits for it, what goes back, in words and on the floor's to-do."""

from collections.abc import Iterator
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.cage import deliveries
from casino.cage.labels import MONEY_WITH
from casino.cage.models import PaidChips, RequestMoney, Slip
from casino.live.todo import ToDoLine
from casino.money import format_cents
from casino.patience import REQUEST_TAKES
from casino.people.models import Player, Staff
from casino.reading import read_once
from casino.rooms.models import Room
from casino.rooms.selectors import room_of
from casino.rows import read, read_seldom, relate
from casino.text import isolated

# Those that wait to be paid, and those that were and whose chips are on their way: few, and each found by its index.
# An array is looked up once: PostgreSQL plans IN as a join, and in a new house that join read every slip of the room.
_OF_SEATS = """FROM cage_slip JOIN people_player ON people_player.id = cage_slip.player_id
    LEFT JOIN cage_requestmoney ON cage_requestmoney.slip_id = cage_slip.id
    LEFT JOIN people_staff ON people_staff.id = cage_requestmoney.staff_id
    LEFT JOIN cage_paidchips ON cage_paidchips.slip_id = cage_slip.id
    WHERE cage_slip.room_id = %s AND cage_slip.id = ANY (ARRAY(
        SELECT asked.id FROM cage_slip asked WHERE asked.room_id = %s AND asked.status = 'requested'
            AND asked.kind = 'buy_in' AND asked.destination = 'seat'
        UNION ALL SELECT sent.slip_id FROM cage_paidchips sent WHERE sent.delivered_at IS NULL
    )) AND cage_slip.status <> 'void' ORDER BY cage_slip.requested_at, cage_slip.id"""
_OWED_BACK = """FROM cage_requestmoney JOIN cage_slip ON cage_slip.id = cage_requestmoney.slip_id
    JOIN people_player ON people_player.id = cage_slip.player_id
    JOIN people_staff ON people_staff.id = cage_requestmoney.staff_id
    WHERE cage_slip.room_id = %s AND cage_requestmoney.is_held AND cage_slip.status <> 'requested'
    ORDER BY cage_requestmoney.since, cage_requestmoney.id"""


def money_of(slip: Slip) -> RequestMoney | None:
    """Return who has the money of a request; None where its player has, and nobody ever took it. No query, if read."""
    if not Slip.money.is_cached(slip):
        found = [] if slip.pk is None else read(RequestMoney, "WHERE slip_id = %s", slip.pk)
        relate(slip, money=found[0] if found else None)
    return getattr(slip, "money", None)


def words(money: RequestMoney | None) -> str:
    """Return with whom the money is, with the name of whoever answers for it, in the active language."""
    if money is None or money.staff is None:
        return str(MONEY_WITH[RequestMoney.With.PLAYER])
    return f"{MONEY_WITH[money.money_with]}: {isolated(str(money.staff))}"


@read_once
def of_seats(room_id: int) -> list[Slip]:
    """
    Return the buy-ins that seats wait for, asked or paid, oldest first, each as it is about the seat where its player
    sits now, with its player, who has its money and who its chips. One query.
    """
    slips = []
    tables = (Slip, Player, RequestMoney, Staff, PaidChips)
    for slip, player, money, staff, chips in read_seldom(tables, _OF_SEATS, room_id, room_id):
        relate(slip, chips=chips)
        slips.append(_related(slip, player, money, staff).where_player_sits())
    return slips


def for_seats(room_id: int) -> list[Slip]:
    """Return the buy-ins of seats that wait for money, as `of_seats`. One query."""
    return [slip for slip in of_seats(room_id) if slip.status == Slip.Status.REQUESTED]


@read_once
def owed_back(room_id: int) -> list[Slip]:
    """Return the requests that are over, cancelled or paid by other means, and whose money the house has. One query."""
    rows = read_seldom((RequestMoney, Slip, Player, Staff), _OWED_BACK, room_id)
    return [_related(slip, player, money, staff).where_player_sits() for money, slip, player, staff in rows]


def is_at_cage(slip: Slip) -> bool:
    """Say whether the cage has the money of a request. No query, if read."""
    money = money_of(slip)
    return money is not None and money.is_held and money.money_with == RequestMoney.With.CAGE


def _related(slip: Slip, player: Player, money: RequestMoney | None, staff: Staff | None) -> Slip:
    relate(slip, player=player, money=money)
    if money is not None:
        relate(money, slip=slip, staff=staff)
    return slip


def why_it_waits(slip: Slip) -> str:
    """Return what the floor reads of a request that waits: where its money is tells what to do."""
    money = money_of(slip)
    name = isolated(str(money.staff)) if money and money.staff else ""
    sentences = {
        RequestMoney.With.DEALER: _("The dealer has the money: somebody carries it to the cage."),
        RequestMoney.With.RUNNER: _("%(name)s carries the money. The cage has not received it yet."),
        RequestMoney.With.CAGE: _("The cage has received the money, and has not sold the chips yet."),
    }
    sentence = sentences.get(RequestMoney.With(money.money_with)) if money else None
    return sentence % {"name": name} if sentence else _("The cage has not taken the money yet. Go and see.")


def shown_from(slip: Slip) -> datetime:
    """Return from when on a request that waits is the floor's: money at the table at once, for it needs a runner."""
    money = money_of(slip)
    if money is None or money.money_with == RequestMoney.With.PLAYER:
        return slip.requested_at + REQUEST_TAKES
    return money.since if money.money_with == RequestMoney.With.DEALER else money.since + REQUEST_TAKES


def lines(*, room_id: int) -> Iterator[ToDoLine]:
    """Yield a line of the floor's to-do for all money that is to go back to its player. One query, and the room's."""
    for slip in owed_back(room_id):
        yield _line(room_of(room_id), slip)


def _line(room: Room, slip: Slip) -> ToDoLine:
    money = money_of(slip)
    assert money is not None, "somebody has it"
    amount = format_cents(slip.amount_cents, currency=room.currency, locale=room.locale)
    return ToDoLine(
        key=f"owed_back.{slip.pk}",
        table_number=slip.seat.table_number if slip.seat else None,
        urgency=1,
        tone="wrong",
        where=deliveries.of(slip).label(slip),
        text=_("%(money)s go back to %(player)s") % {"money": amount, "player": isolated(str(slip.player))},
        reason=_("The request is over, and its money is %(where)s.") % {"where": words(money)},
        at=money.since,
        how="post",
        address=reverse("cage_money", args=[slip.pk]),
        values=(("money_with", RequestMoney.With.PLAYER.value),),
        label=_("Given back"),
    )
