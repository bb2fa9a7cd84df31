"""Whose a shown hand is: of who was dealt in then, never of who happens to sit there when it is entered."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from casino.commands.carrying_out import Command
from casino.errors import NotFound
from casino.promotions.errors import HandNotPlayed, HandStandsNoMore, NobodyThere, NotInPeriod, WhichHand
from casino.promotions.models import Entry
from tables.models import Game, Hand, HandSeat, Seating, Table
from tables.selectors.same_hand import log_of

# A clock on a form says no seconds.
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class ShownHand:
    """
    A hand as the floor saw it: where, and its cards in any spelling ("As Ah").

    With the number that the hand has at its table the player is whoever was dealt in there; without it, whoever sits in
    the seat. `variant` "" is the game's own.
    """

    table_number: int
    seat_number: int
    cards: str
    board: str = ""
    variant: str = ""
    hand_number: int | None = None


@dataclass(frozen=True)
class Whose:
    """Whose a shown hand is, and when it was shown; `hand` is the logged one, where there is one."""

    table: Table
    game: Game
    player_id: int
    shown_at: datetime
    hand: Hand | None = None


def whose_hand(command: Command, hand: ShownHand, shown_at: datetime | None) -> Whose:
    """
    Return whose a hand is: of a number or a moment gone by, who was dealt in then; just now, who sits there.

    :raises NotFound: no such table or hand.
    :raises HandNotPlayed: the hand of that number did not come to its end.
    :raises NotInPeriod: it was not played at `shown_at`.
    :raises WhichHand: no one logged hand was played at `shown_at`.
    :raises NobodyThere: nobody has a hand in that seat.
    """
    table = Table.objects.filter(room_id=command.room_id, number=hand.table_number).first()
    if table is None:
        raise NotFound(what="table")
    if hand.hand_number is not None:
        row = _of_number(table, hand.hand_number)
        at = shown_at or row.settled_at
        if at is None or row not in _played_at(table, at):
            raise NotInPeriod
        return _dealt_in(table, row, hand.seat_number, at)
    # A tap that waited for the network is late too.
    at = shown_at or command.tapped_at
    if shown_at is None and command.at - at < _MINUTE:
        return _sits(table, hand.seat_number, at)
    played = _played_at(table, at)
    if len(played) != 1:
        raise WhichHand
    return _dealt_in(table, played[0], hand.seat_number, at)


def check_stand(entries: Iterable[Entry]) -> None:
    """Let hands pass that the log has as they were entered. Two queries for each. :raises HandStandsNoMore: one."""
    for entry in entries:
        if entry.hand is None:
            continue
        now = log_of(entry.hand.pk)[-1]
        seat = HandSeat.objects.filter(hand=now, seat_number=entry.seat_number, player_id=entry.player_id)
        if now.status != Hand.Status.SETTLED or not seat.exists():
            raise HandStandsNoMore(number=entry.hand.number, table=entry.table.number)


def _of_number(table: Table, number: int) -> Hand:
    """Return the hand of a table by its number. :raises NotFound, HandNotPlayed: there is none, or none to its end."""
    rows = Hand.objects.filter(table=table, number=number)
    rows = rows.exclude(status__in=[Hand.Status.UNDONE, Hand.Status.CORRECTED])
    row = rows.select_related("opening__game").order_by("-id").first()
    if row is None:
        raise NotFound(what="hand")
    if row.status != Hand.Status.SETTLED:
        raise HandNotPlayed(number=number)
    return row


def _played_at(table: Table, at: datetime) -> list[Hand]:
    """Return the hands that were played at a table then, or within that minute where it says no seconds. One query."""
    until = at if at.second or at.microsecond else at + _MINUTE
    began = Q(dealt_at__lte=until) | Q(dealt_at=None, settled_at__lte=until)
    rows = Hand.objects.filter(began, table=table, status=Hand.Status.SETTLED, settled_at__gte=at)
    return list(rows.select_related("opening__game").order_by("id"))


def _dealt_in(table: Table, hand: Hand, seat_number: int, at: datetime) -> Whose:
    dealt = HandSeat.objects.filter(hand=hand, seat_number=seat_number).first()
    if dealt is None:
        raise NobodyThere(seat_number=seat_number)
    return Whose(table, hand.opening.game, dealt.player_id, at, hand)


def _sits(table: Table, seat_number: int, at: datetime) -> Whose:
    sits = Seating.objects.filter(table=table, seat_number=seat_number, left_at=None)
    seating = sits.select_related("opening__game").first()
    if seating is None:
        raise NobodyThere(seat_number=seat_number)
    return Whose(table, seating.opening.game, seating.player_id, at)
