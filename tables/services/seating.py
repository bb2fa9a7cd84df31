"""Sitting down, coming into the blinds, holding a seat, leaving."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Q

from casino.cage.audiences import EVERY_WINDOW
from casino.cage.selectors.slips import has_cashed_out_since
from casino.cage.services.carried import carried_back
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound, NotPermitted, Stale
from casino.people.services import NewPlayer, player_meant
from casino.people.services.playing import lock_for_play
from casino.poker.positions import Entry
from casino.poker.straddles import Straddle
from casino.rooms.selectors import lock_open_day
from casino.rows import read
from tables.claims import claims
from tables.errors import AlreadySeated, EntryNotOffered, NoStraddles, NotANewPlayer, OverPlayerPosts, SeatTaken
from tables.errors_moves import CashedOutSince, SeatUsedSince, TableClosedSince
from tables.errors_seats import SitsElsewhere
from tables.models import Hand, Opening, Seating, Table
from tables.rules.absence import limit_at
from tables.rules.entry import entry_after_leaving_taken_back, entry_on_sitting_down
from tables.selectors.continued import openings_of_game
from tables.services.buying import check_purchase_at
from tables.services.chips import bring_to_seat, look_twice
from tables.services.penalties import check_no_penalty, still_sits_out
from tables.services.playing_over import comes_back, over_player_leaves
from tables.services.promised import check_not_promised, check_seat_exists
from tables.services.protection import check_apart, hours_end
from tables.services.seat_buy_ins import ask_on_sitting_down
from tables.services.stack_brought_back import right_used
from tables.services.stacks import supply_stack, take_back_stack
from tables.services.state import (
    done,
    lock_day_and_table_for_fact,
    lock_table,
    newest_hand_id,
    open_to_newcomers,
    opening_of,
    save_seating,
    seating_of,
    stand_up,
)

# Where a player's first chips come from: brought along, or asked of the cage in the same tap.
HANDS, CAGE = "hands", "cage"


@service("tables.seat_player", private=["new_player"])
def seat_player(
    command: Command,
    *,
    table_id: int,
    seat_number: int,
    player_id: int | None = None,
    new_player: NewPlayer | None = None,
    chips_cents: int = 0,
    chips_from: str = HANDS,
    entry: str = Entry.WAITS,
    stands: bool = False,
) -> Outcome:
    """
    Sit a player down, known or new, with chips from the player's hands, or asked from the cage, or without any yet.

    During a hand this is accepted and holds from the next one (H1.1). Without chips nobody is dealt in
    (H1.60): the player sits and buys in. `entry` is how a new player comes in: waits for the big blind, posts or
    straddles (H4.30, H4.31, H4.34); not looked at of who waited by right of a closed table where that is free (R-§3-4).
    `stands`: a sum that cannot be was counted again.

    :raises EntryNotOffered: the game knows no such way in.
    :raises TableClosed, TableCloses: the table runs no game, or not for long (H2.22).
    :raises NoSuchSeat: the game has fewer seats (H2.2).
    :raises SeatTaken: somebody is in that seat.
    :raises SeatPromised: somebody else was called to it (H2.6).
    :raises AlreadySeated: the player sits at this table.
    :raises SitsElsewhere: the player sits at another table, and moves over from there (H2.8, U45).
    :raises PlayerBanned, PlayerExcludedOwnWish, HoursUsedUp: the player may not play, or not today any more.
    :raises PenaltyRuns: a penalty keeps the player out (H1.48).
    :raises PlayersKeptApart: somebody there is kept apart from the player (H1.75).
    :raises BuyInUnderMinimum: fewer chips than the game's minimum (H2.14).
    :raises BuyInOverMaximum: more than its maximum (H2.17).
    :raises StackToBring: the player comes back and brings less than they left with (H1.64).
    :raises MoreThanInHand: as `look_twice`.
    :raises NicknameTaken: the new player is called as another is.
    """
    day = lock_open_day(command.room_id)
    player_id = player_meant(command, player_id, new_player)
    # Before the table: what is decided about a person (exclusion, hours, one seat) is decided under the person's row.
    # Two tables that each lock only themselves let one player sit down at both.
    player, standing = lock_for_play(command, player_id, day_id=day.pk)
    check_no_penalty(player, at=command.at)
    until = hours_end(command, player, standing, day)
    table = lock_table(command, table_id)
    opening = open_to_newcomers(table)
    check_seat_exists(opening, seat_number)
    check_not_promised(table, seat_number=seat_number, player_id=player_id)
    check_free(table, seat_number=seat_number, player_id=player_id)
    check_apart(table, player_id, standing)
    right_from = right_used(opening, player_id)
    way = entry_on_sitting_down(
        first_hand_begun=opening.last is not None or table.hand is not None,
        wanted=offered(opening, entry) if right_from is None else Entry.IN,
    )
    seating = Seating.objects.create(
        room_id=command.room_id,
        table=table,
        opening=opening,
        player_id=player_id,
        seat_number=seat_number,
        entry=way.value,
        sat_down_at=command.at,
        seated_by_id=command.by.staff_id,
        plays_until=until,
        right_from=right_from,
    )
    data = {"seating": seating.pk, "seat": seat_number, "player": player_id, "entry": way.value}
    audiences: tuple[str, ...] = ()
    if chips_cents and chips_from == CAGE:
        slip = ask_on_sitting_down(command, table=table, seating=seating, cents=chips_cents)
        data |= {"slip_id": slip.pk, "asked_cents": chips_cents}
        chips_cents, audiences = 0, (EVERY_WINDOW,)
    elif chips_cents:
        check_purchase_at(seating, amount_cents=chips_cents, stack=None, at=command.at)
        look_twice(command, seating, chips_cents, stands=stands)
        bring_to_seat(command, day=day, table=table, seating=seating, cents=chips_cents)
    # Last, for it locks the game's list, and lists come after tables.
    met = claims().met(command, table, opening.game, player_id)
    return done(table, data={**data, "chips_cents": chips_cents}, audiences=(*met.screens, *audiences))


def check_free(table: Table, *, seat_number: int, player_id: int, comes_from: Table | None = None) -> None:
    """
    Ask whether a locked player may have a seat at the locked table; `comes_from` is where they get up now.

    :raises AlreadySeated, SeatTaken: the player sits at this table already, or somebody sits there.
    :raises SitsElsewhere: the player sits at another table: nobody has two seats (U45), and a stack is not left behind.
    """
    mine = Q(table=table) | Q(player_id=player_id)
    there = Seating.objects.filter(mine, left_at=None).values_list("table__number", "seat_number", "player_id")
    seats = {number: seat for number, seat, sitting_id in there if sitting_id == player_id}
    if table.number in seats:
        raise AlreadySeated(table_number=table.number, seat_number=seats[table.number])
    if (table.number, seat_number) in {(number, seat) for number, seat, _ in there}:
        raise SeatTaken(seat_number=seat_number)
    for number, seat in seats.items():
        if comes_from is None or number != comes_from.number:
            raise SitsElsewhere(table_number=number, seat_number=seat)


def offered(opening: Opening, entry: str, *, missed: str = "") -> Entry:
    """:raises EntryNotOffered: the game knows no such way in."""
    way = next((way for way in opening.terms.ways_in(missed) if way.entry == entry), None)
    if way is None:
        raise EntryNotOffered
    return way.entry


@service("tables.choose_entry")
def choose_entry(
    command: Command, *, table_id: int, seating_id: int, entry: str, version: int | None = None
) -> Outcome:
    """
    Let a player who is new, or has missed blinds, wait for the big blind, post or straddle.

    Rules: H4.30, H4.31, H4.34, H4.39-H4.43.
    :raises SeatEmpty: the player has left.
    :raises NotANewPlayer: the player is in the blinds already.
    :raises EntryNotOffered: the game knows no such way in.
    :raises OverPlayerPosts: who plays over does not wait (H4.49).
    :raises Stale: the seat has changed since the screen showed `version`.
    """
    table = lock_table(command, table_id)
    seating = seating_of(table, seating_id, version=version)
    if seating.entry == Seating.EntryKind.IN:
        raise NotANewPlayer
    if entry == Entry.WAITS and _plays_over(table, seating):
        raise OverPlayerPosts
    seating.entry = offered(opening_of(table), entry, missed=seating.missed).value
    save_seating(seating)
    return done(table, data={"seating": seating.pk, "entry": seating.entry})


def _plays_over(table: Table, seating: Seating) -> bool:
    same = Seating.objects.filter(table=table, seat_number=seating.seat_number, left_at=None, is_played_over=True)
    return not seating.is_played_over and same.exists()


@service("tables.hold_seat")
def hold_seat(command: Command, *, table_id: int, seating_id: int, is_held: bool, entry: str | None = None) -> Outcome:
    """
    Hold a seat, or deal it in again: the player is not at the table just now (H1.5). A fact.

    Blinds that come round meanwhile are missed (H4.35). `entry` is how a player who missed some comes in again,
    left out: waits for the big blind (H4.39, H4.41). Who is away has until the house's limit (H1.10). Who plays
    over gives the seat back to a player who is there again (A40). Who is dealt in although a penalty runs stands on
    the floor's to-do (H1.48).

    :raises SeatEmpty: the player has left.
    :raises EntryNotOffered: the game knows no such way in.
    """
    table = lock_table(command, table_id)
    seating = seating_of(table, seating_id)
    if is_held != seating.is_held:
        _goes_or_comes(command, table, seating, is_held=is_held)
    if entry is not None and seating.entry != Seating.EntryKind.IN:
        seating.entry = offered(opening_of(table), entry, missed=seating.missed).value
    save_seating(seating)
    if not is_held:
        comes_back(table, seating, at=command.at)
    return done(table, data={"seating": seating.pk, "held": is_held, "entry": seating.entry, "missed": seating.missed})


def _goes_or_comes(command: Command, table: Table, seating: Seating, *, is_held: bool) -> None:
    seating.is_held, seating.buttons_passed = is_held, 0
    seating.away_since = seating.away_limit_at = None
    if is_held:
        seating.away_since = command.tapped_at
        seating.away_limit_at = limit_at(opening_of(table).terms.absence, away_since=command.tapped_at)


@service("tables.set_straddle")
def set_straddle(command: Command, *, table_id: int, seating_id: int, straddles: bool) -> Outcome:
    """
    Have a player straddle from now on whenever the game allows it, or no more (H4.18-H4.21, R-§11).

    During a hand it holds from the next one (H1.1, R-§11-5).

    :raises SeatEmpty: the player has left.
    :raises NoStraddles: the game has none.
    """
    table = lock_table(command, table_id)
    seating = seating_of(table, seating_id)
    if straddles and opening_of(table).game.straddle == Straddle.OFF:
        raise NoStraddles
    seating.straddles = straddles
    save_seating(seating)
    return done(table, data={"seating": seating.pk, "straddles": straddles})


@service("tables.leave_seat")
def leave_seat(command: Command, *, table_id: int, seating_id: int, stack_cents: int | None = None) -> Outcome:
    """
    Let a player leave with the stack as counted, or not counted. A fact.

    Counted chips go from play into the player's hands. What was not counted is supplied by the player's
    cash-out of the day. Leaving twice leaves once.

    :raises NotFound: that seating is not of this table.
    """
    day, table = lock_day_and_table_for_fact(command, table_id)
    found = read(Seating, "WHERE id = %s AND table_id = %s", seating_id, table.pk)
    if not found:
        raise NotFound(what="seating")
    seating = found[0]
    data = {"seating": seating.pk, "seat": seating.seat_number, "player": seating.player_id, "stack_cents": stack_cents}
    if seating.left_at is not None:
        return done(table, data={**data, "known": True})
    comes_back(table, seating, at=command.at)
    ends_now(command, table, seating)
    if stack_cents is not None:
        supply_stack(command, day_id=day.pk, seating=seating, cents=stack_cents)
    return done(table, data=data)


def ends_now(command: Command, table: Table, seating: Seating, *, at: datetime | None = None) -> None:
    """End a player's sitting, now or earlier: the seat is free, or its absent holder's alone again (H4.48)."""
    stand_up(seating, at=at or command.at, after_hand_id=newest_hand_id(table.pk))
    if not seating.is_played_over:
        # Once the other has stood up: two would sit in one seat for the database.
        over_player_leaves(table, seating)


@service("tables.take_back_leaving")
def take_back_leaving(command: Command, *, table_id: int, seating_id: int, version: int) -> Outcome:
    """
    Take back that a player left: the wrong seat was tapped, or the player sits down again at once. A stack that was
    picked up comes back from the way to the cage. Whoever has got on the game's list in between waits no longer (H2.9).

    The stack goes back into play if it was counted, and the player is in the blinds as before, or new if a hand was
    begun meanwhile (`entry_after_leaving_taken_back`: H4.24, H4.30). Who sits out a penalty is held out there too
    (H1.48).

    :raises NotFound: that seating is not of this table.
    :raises Stale: it has changed since the screen showed `version`.
    :raises AlreadySeated, SitsElsewhere: the player has not left, or sits in another seat, here or elsewhere.
    :raises SeatTaken, SeatUsedSince: somebody else sits or has sat there, or the player elsewhere here.
    :raises SeatPromised: somebody was called to that seat since (H2.6).
    :raises TableClosedSince: what the player left is over.
    :raises CashedOutSince: the chips are no longer the player's.
    :raises PlayerBanned, PlayerExcludedOwnWish, HoursUsedUp, PlayersKeptApart: as `seat_player`.
    :raises NotPermitted: a dealer takes back what two have signed (H1.8).
    """
    day = lock_open_day(command.room_id)
    whose = Seating.objects.filter(id=seating_id, table_id=table_id, room_id=command.room_id)
    player_id = whose.values_list("player_id", flat=True).first()
    if player_id is None:
        raise NotFound(what="seating")
    player, standing = lock_for_play(command, player_id, day_id=day.pk)
    table = lock_table(command, table_id)
    seating = Seating.objects.select_related("opening").filter(id=seating_id, table=table).first()
    if seating is None:
        raise NotFound(what="seating")
    if version != seating.version:
        raise Stale(what="seat", seat_number=seating.seat_number, version=seating.version)
    ran = openings_of_game(table.opening) if table.opening else []
    if seating.opening_id not in ran:
        raise TableClosedSince(table_number=table.number)
    check_free(table, seat_number=seating.seat_number, player_id=seating.player_id)
    check_not_promised(table, seat_number=seating.seat_number, player_id=player_id)
    # Here, and not last as in `seat_player`: it locks the list, and what follows a slip, which comes after lists.
    met = claims().met(command, table, opening_of(table).game, player_id)
    is_carried_back = carried_back(command, destination="picked_up", seating_id=seating.pk)
    if is_carried_back and "tables.pick_up_stack" not in command.by.may:
        raise NotPermitted
    _check_untouched(seating, ran)
    check_apart(table, player_id, standing)
    seating.plays_until = hours_end(command, player, standing, day)
    stack_cents = seating.left_stack_cents
    if stack_cents is not None:
        take_back_stack(command, day_id=day.pk, seating=seating)
    seating.entry, seating.opening = _entry_after_leaving_taken_back(seating, ran).value, opening_of(table)
    seating.left_at = seating.left_after_hand_id = None
    seating.barred_since = None
    save_seating(seating)
    still_sits_out(player, seating, at=command.at)
    data = {"seating": seating.pk, "seat": seating.seat_number, "player": seating.player_id, "entry": seating.entry}
    audiences = (EVERY_WINDOW, *met.screens) if is_carried_back else met.screens
    return done(table, data={**data, "stack_cents": stack_cents, "waiting": met.ref}, audiences=audiences)


def _check_untouched(seating: Seating, ran: Collection[int]) -> None:
    """:raises SeatUsedSince, CashedOutSince: seat, player or chips have gone on since the player left."""
    assert seating.left_at is not None, "whoever still sits is refused before"
    same = Q(seat_number=seating.seat_number) | Q(player_id=seating.player_id)
    # Not by ids: who sat down first may have changed to the seat last. By the table's hands before the moment, for the
    # clock may have been set back; a sitting that ended with a move taken back names no hand.
    hand = seating.left_after_hand_id
    as_late = Q(left_after_hand_id=hand) | Q(left_after_hand_id=None)
    later = Q(left_after_hand_id__gt=hand or 0) | as_late & Q(left_at__gt=seating.left_at)
    used = Seating.objects.filter(same, later, opening__in=ran).exclude(id=seating.pk).order_by("id").first()
    if used is not None:
        raise SeatUsedSince(seat_number=used.seat_number)
    move = seating.moves_away.filter(taken_back_at=None).select_related("seating_to__table").first()
    if move is not None:
        raise AlreadySeated(table_number=move.seating_to.table.number, seat_number=move.seating_to.seat_number)
    if has_cashed_out_since(seating.room_id, seating.player_id, since=seating.left_at):
        raise CashedOutSince


def _entry_after_leaving_taken_back(seating: Seating, ran: Collection[int]) -> Entry:
    counted = Hand.objects.filter(opening__in=ran, corrects=None)
    counted = counted.exclude(status__in=[Hand.Status.VOID, Hand.Status.UNDONE])
    # What came late may have been dealt to the player before they left, or before they ever sat down.
    since = counted.filter(id__gt=seating.left_after_hand_id or 0, dealt_at__gte=seating.sat_down_at)
    last = counted.filter(id=seating.left_after_hand_id or 0).exclude(status=Hand.Status.DEALT)
    return entry_after_leaving_taken_back(
        Entry(seating.entry),
        missed_a_hand=since.exclude(seats__player=seating.player_id).exists(),
        played_the_last_one=last.filter(seats__player=seating.player_id).exists(),
    )
