"""Somebody without a seat plays in the seat of a player who is away, until that one is back (H4.48-H4.50, A40)."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from django.db.models import QuerySet

from casino.commands.carrying_out import Command, Outcome, service
from casino.people.services import NewPlayer, player_meant
from casino.people.services.playing import lock_for_play
from casino.poker.missed import Missed
from casino.poker.positions import Entry
from casino.rooms.selectors import lock_open_day
from casino.rows import Change, Update, write
from tables.errors import AlreadySeated, HandInProgress, NotAway, SeatNotFree
from tables.models import Hand, Opening, Seating, Table
from tables.rules.entry import entry_on_sitting_down
from tables.selectors.played_over import owed_on_coming_back
from tables.services.buying import check_purchase_at
from tables.services.chips import bring_to_seat, look_twice
from tables.services.penalties import check_no_penalty
from tables.services.protection import check_apart, hours_end
from tables.services.state import (
    done,
    lock_table,
    newest_hand_id,
    open_to_newcomers,
    opening_of,
    save_seating,
    seating_of,
    stand_up,
)


@service("tables.play_over", private=["new_player"])
def play_over(
    command: Command,
    *,
    table_id: int,
    seating_id: int,
    player_id: int | None = None,
    new_player: NewPlayer | None = None,
    chips_cents: int = 0,
    stands: bool = False,
    version: int | None = None,
) -> Outcome:
    """
    Let a player without a seat, known or new, play in the seat of one who is away: the floor's leave, not the holder's
    (H4.48).

    Whose chips are whose stays apart: the holder's stay the holder's, who goes on missing blinds (H4.50). The over
    player posts the new player's blind (H4.49), buys in like anybody, and keeps the place on the lists (A40).

    :raises TableClosed, TableCloses: the table runs no game, or not for long (H2.22).
    :raises SeatEmpty: the holder has left.
    :raises NotAway: the holder is at the table.
    :raises SeatNotFree: somebody plays over there already.
    :raises AlreadySeated: the player has a seat.
    :raises NicknameTaken: the new player is called as another is.
    :raises PlayerBanned, PlayerExcludedOwnWish, HoursUsedUp: the player may not play, or not today any more.
    :raises PenaltyRuns: a penalty keeps the player out (H1.48).
    :raises PlayersKeptApart: somebody there is kept apart from the player (H1.75).
    :raises HandInProgress: nobody sits down in a seat during a hand that its holder may be in (H1.1).
    :raises BuyInUnderMinimum, BuyInOverMaximum: the game's limits (H2.14, H2.17).
    :raises MoreThanInHand: as `look_twice`; `stands` says that it was counted again.
    :raises Stale: the seat has changed since the screen showed `version`.
    """
    day = lock_open_day(command.room_id)
    player_id = player_meant(command, player_id, new_player)
    player, standing = lock_for_play(command, player_id, day_id=day.pk)
    check_no_penalty(player, at=command.at)
    until = hours_end(command, player, standing, day)
    table = lock_table(command, table_id)
    opening = open_to_newcomers(table)
    holder = seating_of(table, seating_id, version=version)
    if holder.is_played_over:
        raise SeatNotFree(seat_number=holder.seat_number)
    if not holder.is_held:
        raise NotAway
    if table.hand is not None:
        raise HandInProgress(hand_number=table.hand.number)
    _check_has_no_seat(player_id)
    check_apart(table, player_id, standing)
    # Before the other sits down: in a seat one row alone is not played over, and the database sees to it at once.
    holder.is_played_over = True
    save_seating(holder)
    begun = opening.last is not None
    over = Seating.objects.create(
        room_id=command.room_id,
        table=table,
        opening=opening,
        player_id=player_id,
        seat_number=holder.seat_number,
        entry=entry_on_sitting_down(first_hand_begun=begun, wanted=Entry.POSTS).value,
        sat_down_at=command.at,
        seated_by_id=command.by.staff_id,
        plays_until=until,
    )
    if chips_cents:
        check_purchase_at(over, amount_cents=chips_cents, stack=None, at=command.at)
        look_twice(command, over, chips_cents, stands=stands)
        bring_to_seat(command, day=day, table=table, seating=over, cents=chips_cents)
    data = {"seating": over.pk, "seat": over.seat_number, "player": player_id, "holder": holder.pk}
    return done(table, data={**data, "chips_cents": chips_cents})


def _check_has_no_seat(player_id: int) -> None:
    sits = Seating.objects.filter(player_id=player_id, left_at=None).select_related("table").first()
    if sits is not None:
        raise AlreadySeated(table_number=sits.table.number, seat_number=sits.seat_number)


def comes_back(table: Table, holder: Seating, *, at: datetime) -> None:
    """
    Give a seat back whose holder is there again, or gives it up: at once between two hands, else at the end of the
    one in progress (H1.1, A40).

    The one who plays there leaves uncounted; the stack is supplied like any other.
    """
    if not holder.is_played_over:
        return
    hand = table.hand
    if hand is None or (kept := hand.in_turn) is None:
        opening, paid_for = opening_of(table), give_back(holder, at=at)
        if paid_for:
            write(*paid_for_holders(opening, paid_for))
        return
    # Who plays there now: by the end of the hand they may have left, and somebody else have sat down there.
    over_id = _plays_over(holder).values_list("id", flat=True).first()
    hand.before = replace(kept, gives_back={**kept.gives_back, holder.pk: over_id}).kept()
    write(Update(hand))


def give_promised(promised: Mapping[int, int | None], *, at: datetime, played: Hand | None = None) -> dict[int, int]:
    """
    Give the seats back that were `promised` during a hand that is over (`InTurn.gives_back`); `played` is the hand
    itself where it counts. Returns as `give_back`, of all of them.
    """
    paid_for: dict[int, int] = {}
    if promised:
        for holder in Seating.objects.filter(id__in=promised):
            paid_for |= give_back(holder, at=at, over_id=promised[holder.pk], played=played)
    return paid_for


def give_back(
    holder: Seating, *, at: datetime, over_id: int | None = None, played: Hand | None = None
) -> dict[int, int]:
    """
    End the playing over in a holder's seat: who plays there leaves, uncounted; `over_id`: that one alone.

    A holder who is there again owes no blind of an orbit whose big blind the other one has paid (A40). Returns for whom
    was paid, the holder's id by the other one's; `played` is a hand that is just over.
    """
    if not holder.is_played_over:
        return {}
    over = _plays_over(holder)
    newest = newest_hand_id(holder.table_id)
    paid_for: dict[int, int] = {}
    for each in over.filter(id=over_id) if over_id else over:
        owed = None if holder.is_held else owed_on_coming_back(holder, each, played=played)
        if owed is not None:
            holder.missed = owed.value
            if owed is Missed.NONE:
                holder.entry = Entry.IN.value
                paid_for[each.player_id] = holder.player_id
        stand_up(each, at=at, after_hand_id=newest)
    # Only now: until whoever plays there has left, two would sit in one seat for the database.
    holder.is_played_over = False
    save_seating(holder)
    return paid_for


def paid_for_holders(opening: Opening, paid_for: Mapping[int, int]) -> list[Change]:
    """Let button and blinds go on as if the holders had posted what was paid for them; return what is to be stored."""
    last = opening.hand_before
    opening.hand_before = last.as_if_posted_by(paid_for) if last else None
    return [Update(opening)]


def _plays_over(holder: Seating) -> QuerySet[Seating]:
    return Seating.objects.filter(
        table_id=holder.table_id, seat_number=holder.seat_number, left_at=None, is_played_over=False
    )


def over_player_leaves(table: Table, seating: Seating) -> None:
    """Give the seat back to its holder, who is still away: the one who played over has left it."""
    Seating.objects.filter(table=table, seat_number=seating.seat_number, left_at=None, is_played_over=True).update(
        is_played_over=False
    )
