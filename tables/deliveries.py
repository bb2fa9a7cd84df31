"""How the cage reaches a seat: chips bought for it, and stacks that left it uncounted."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import cast

from django.utils.translation import gettext as _

from casino.cage.about import AtSeat
from casino.cage.deliveries import CashOutHook, Destination
from casino.cage.models import Slip
from casino.commands.carrying_out import Command
from casino.ledger.chart import PostingLine
from casino.ledger.selectors.accounts import standing_transfer
from casino.people.models import Player
from casino.rooms.selectors import lock_open_day
from casino.rows import Update, read, read_joined, relate, write
from tables.audiences import of_table as audiences_of_table
from tables.chart import of_table
from tables.errors import SeatEmpty
from tables.errors_counts import StackSigned
from tables.models import Game, Opening, Seating, Table
from tables.services.buying import check_purchase_at
from tables.services.protection import check_may_buy
from tables.services.stacks import supply_stack, take_back_stack

_SITS = """FROM tables_seating JOIN tables_opening ON tables_opening.id = tables_seating.opening_id
    JOIN tables_game ON tables_game.id = tables_opening.game_id
    JOIN people_player ON people_player.id = tables_seating.player_id
    WHERE tables_seating.id = %s AND tables_seating.table_id = %s AND tables_seating.player_id = %s
    AND tables_seating.left_at IS NULL"""
_AT_TABLE = """FROM tables_seating JOIN tables_table ON tables_table.id = tables_seating.table_id
    WHERE tables_seating.id = %s"""


class Seat(Destination):
    """
    A seat at a table: `slip.seat`.
    """

    tells_floor = True

    def lock(self, slip: Slip) -> None:
        """Lock the table's row; a buy-in is accepted during a hand and holds from the next one (H1.1)."""
        (_locked,) = read(Table, "WHERE id = %s AND room_id = %s FOR NO KEY UPDATE", _seat(slip).table, slip.room_id)

    def check(self, slip: Slip, *, at: datetime) -> None:
        """
        Ask whether this player may buy this much for this seat now (H1.62, H2.14-H2.21).

        The slip says then whether it is the evening's short buy-in.

        :raises SeatEmpty: the player has left it.
        :raises HoursUsedUp: the player's own hours are used up.
        :raises BuyInUnderMinimum, BuyInOverMaximum, StackNeeded: the game's limits.
        :raises StackToBring: the player comes back and buys less than they left with (H1.64).
        :raises StackNotCounted: nobody knows yet with what they left.
        """
        seating = self._seating(slip)
        if seating is None:
            raise SeatEmpty
        check_may_buy(seating, day_id=seating.opening.day_id, at=at)
        seat, cents = _seat(slip), slip.amount_cents
        was_requested = slip.pk is not None and not seat.anew
        is_short = check_purchase_at(
            seating, amount_cents=cents, stack=seat.stack, at=at, was_requested=was_requested, has_slip=True
        )
        slip.about = replace(seat, is_short=is_short).to_json()

    def line(self, slip: Slip) -> PostingLine:
        """Return the table's chips in play."""
        return of_table(_seat(slip).table, "in_play", slip.amount_cents)

    def delivered(self, slip: Slip, command: Command) -> None:
        """Add the chips to what was put on the table at this seat."""
        self._add(slip, slip.amount_cents)

    def taken_back(self, slip: Slip, command: Command) -> None:
        """Take the chips off again; the reversal's approver has seen them."""
        self._add(slip, -slip.amount_cents)

    def audiences(self, slip: Slip) -> Sequence[str]:
        """Return everybody who sees the table."""
        return audiences_of_table(*read(Table, "WHERE id = %s", _seat(slip).table))

    def label(self, slip: Slip) -> str:
        """Return "Table 4, seat 3"."""
        return _("Table %(table)s, seat %(seat)s") % {
            "table": _seat(slip).table_number,
            "seat": _seat(slip).seat_number,
        }

    def stake_cents(self, slip: Slip) -> int | None:
        """Return the small blind of what is played at the table. One query."""
        table = Table.objects.select_related("opening__game").get(id=_seat(slip).table)
        return table.opening.game.small_blind_cents if table.opening else None

    def _seating(self, slip: Slip) -> Seating | None:
        assert slip.player_id is not None, "a seat is somebody's"
        sits = (_seat(slip).seating, _seat(slip).table, slip.player_id)
        for seating, opening, game, player in read_joined((Seating, Opening, Game, Player), _SITS, *sits):
            relate(opening, game=game)
            relate(seating, opening=opening, player=player)
            return cast(Seating, seating)
        return None

    def _add(self, slip: Slip, cents: int) -> None:
        ((seating, table),) = read_joined((Seating, Table), _AT_TABLE, _seat(slip).seating)
        seating.chips_in_cents = max(seating.chips_in_cents + cents, 0)
        if _seat(slip).is_short:
            seating.short_buy_in_cents = max(seating.short_buy_in_cents + cents, 0)
        seating.version += 1
        table.version += 1
        write(Update(seating), Update(table))


def _seat(slip: Slip) -> AtSeat:
    assert slip.seat is not None, "chips of this destination are a seat's"
    return slip.seat


class PickedUp(Destination):
    """
    The cage, to which a stack is carried that was taken from a seat: `slip.seat`.
    """

    def check_cancelled(self, slip: Slip) -> None:
        """:raises StackSigned: always: the chips are on their way, and two have signed for them."""
        raise StackSigned

    def label(self, slip: Slip) -> str:
        """Return "Table 4, seat 3: stack picked up"."""
        return _("Table %(table)s, seat %(seat)s: stack picked up") % {
            "table": _seat(slip).table_number,
            "seat": _seat(slip).seat_number,
        }


class UncountedStack(CashOutHook):
    """The cash-out of the day supplies the stack that left a table uncounted."""

    def lock(self, slip: Slip) -> bool:
        """Lock the table that the player left uncounted, before the drawer; False where there is none."""
        seating = _uncounted(slip)
        if seating is None:
            return False
        Table.objects.select_for_update(no_key=True).get(id=seating.table_id)
        return True

    def cashed_out(self, slip: Slip, command: Command) -> Sequence[str]:
        """Take the chips that were cashed out of play at that table; return the screens that show it."""
        # Again, now under the lock: somebody may have supplied the stack meanwhile.
        seating = _uncounted(slip)
        if seating is None:
            return ()
        # Of today, though the drawer may have been opened on a day before (a drawer is carried over a day's end).
        day = lock_open_day(slip.room_id)
        supply_stack(command, day_id=day.pk, seating=seating, cents=slip.amount_cents, slip_id=slip.pk)
        return audiences_of_table(seating.table)

    def lock_taken_back(self, slip: Slip) -> bool:
        """Lock the table whose uncounted stack this cash-out supplied; False where it supplied none."""
        supplied = _supplied(slip)
        if supplied is None:
            return False
        Table.objects.select_for_update(no_key=True).get(id=supplied.table_id)
        return True

    def taken_back(self, slip: Slip, command: Command) -> Sequence[str]:
        """Leave that stack uncounted again: the cash-out that was right supplies it."""
        # Again, now under the lock: somebody may have counted it otherwise meanwhile.
        seating = _supplied(slip)
        if seating is None:
            return ()
        take_back_stack(command, day_id=lock_open_day(slip.room_id).pk, seating=seating)
        return audiences_of_table(seating.table)


def _uncounted(slip: Slip) -> Seating | None:
    """Return the player's newest uncounted departure of the open day."""
    # A stack that was picked up was counted, and is no other one that the player left.
    if slip.player_id is None or slip.destination == "picked_up":
        return None
    return (
        Seating.objects.filter(
            room_id=slip.room_id,
            player_id=slip.player_id,
            left_at__isnull=False,
            left_stack_cents=None,
            opening__day__closed_at=None,
        )
        .select_related("table")
        .order_by("-left_at", "-id")
        .first()
    )


def _supplied(slip: Slip) -> Seating | None:
    """Return the departure whose stack this cash-out supplied, if that still stands."""
    about = {"slip_id": slip.pk}
    assert slip.session is not None, "a paid slip belongs to a drawer's session"
    transfer = standing_transfer(slip.room_id, kind="leave", about=about, since_day_id=slip.session.day_id)
    if transfer is None:
        return None
    return Seating.objects.select_related("table", "opening").get(id=transfer.about["seating"])
