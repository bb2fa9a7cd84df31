"""
Waiting lists: joining, their order, and the call to a seat (H2.3-H2.9, H2.12); what becomes of a call: `after_call`.

A list's row owns its order and its calls; a call locks the table first, which owns the seat.
"""

from datetime import datetime, timedelta

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound, Stale
from casino.people.services import NewPlayer, player_meant
from casino.poker.calls import call_expires_at
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day, rule_book_in_force
from casino.waiting.errors import AlreadyCalled, AlreadyOnList, NotOnList, NotThereYet
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.rules.reasons import REORDER_REASONS
from casino.waiting.selectors.call_times import seat_opened_at
from casino.waiting.selectors.phones import phones_on_list
from casino.waiting.services.protection import check_call, lock_waiting_player, lock_who_waits
from casino.waiting.services.state import (
    CALL,
    ENDED,
    end_entry,
    end_of,
    entry_data,
    list_done,
    lock_list,
    locked_entry,
    no_longer_called,
    place_before,
    save_entry,
    touch,
)
from tables.audiences import of_table
from tables.claims import Ended
from tables.errors import AlreadySeated, SeatTaken
from tables.errors_seats import OtherGame
from tables.models import Game, HandSeat, Opening, Seating, Table, of_game
from tables.services.promised import check_not_promised, check_seat_exists
from tables.services.state import done as table_done
from tables.services.state import lock_table, open_to_newcomers


def list_of(game: Game) -> WaitingList:
    """Return a game's list, whatever terms the game had; made now if nobody has waited for it before."""
    waiting_list = WaitingList.objects.filter(of_game(game, "game")).order_by("-game_id").first()
    if waiting_list is not None:
        return waiting_list
    offered = Game.objects.filter(of_game(game), is_offered=True).first()
    return WaitingList.objects.get_or_create(game=offered or game, defaults={"room_id": game.room_id})[0]


@service("waiting.join_list", private=["new_player"])
def join_list(
    command: Command,
    *,
    game_id: int,
    player_id: int | None = None,
    new_player: NewPlayer | None = None,
    is_call_in: bool = False,
) -> Outcome:
    """
    Put a player, known or new, at the end of a game's list: one who is there, or who calls in and has to be there in
    time.

    A player may wait for several games, also while seated at another (H2.4, H2.7).

    :raises NotFound: the room does not offer that game, or knows no such player.
    :raises AlreadyOnList: the player waits for it.
    :raises NicknameTaken: the new player is called as another is.
    :raises PlayerBanned, PlayerExcludedOwnWish, HoursUsedUp: the player may not play, or not today any more.
    """
    day = lock_open_day(command.room_id)
    game = Game.objects.filter(id=game_id, room_id=command.room_id, is_offered=True).first()
    if game is None:
        raise NotFound(what="game")
    player_id = player_meant(command, player_id, new_player)
    lock_who_waits(command, player_id, day)
    waiting_list = lock_list(command, list_of(game).pk)
    if waiting_list.entries.filter(player_id=player_id, status__in=Waiting.LIVE).exists():
        raise AlreadyOnList(game=game.name)
    _, book = rule_book_in_force(command.room_id, at=command.at)
    entry = Waiting.objects.create(
        room_id=command.room_id,
        waiting_list=waiting_list,
        player_id=player_id,
        place=end_of(waiting_list),
        day=day,
        joined_at=command.at,
        joined_by_id=command.by.staff_id,
        check_in_by=command.at + timedelta(minutes=book.timers.call_in_minutes) if is_call_in else None,
    )
    return list_done(waiting_list, entry, data={"player": player_id, "game": game.pk, "is_call_in": is_call_in})


@service("waiting.check_in")
def check_in(command: Command, *, waiting_id: int) -> Outcome:
    """
    A player who has called in is there, and may be called.

    :raises NotOnList: the player no longer waits.
    """
    waiting_list, entry = locked_entry(command, waiting_id)
    entry.check_in_by = None
    save_entry(entry, "check_in_by")
    return list_done(waiting_list, entry)


@service("waiting.call_player")
def call_player(command: Command, *, waiting_id: int, table_id: int, seat_number: int) -> Outcome:
    """
    Call a waiting player to a seat: it is promised until the call runs out (H2.5, H2.6).

    :raises NotOnList: the player no longer waits.
    :raises AlreadyCalled: the player is called already, to this seat or another.
    :raises NotThereYet: the player has called in and is not there yet.
    :raises TableClosed, TableCloses: the table runs no game, or not for long (H2.22).
    :raises OtherGame: the table runs another game than the list's.
    :raises SeatTaken, SeatPromised: somebody sits there, or is called to it.
    :raises AlreadySeated: the player has a seat of their own at this table (who plays over has none: A40).
    :raises PlayersKeptApart: somebody there is kept apart from the player (H1.75).
    :raises HoursUsedUp: the player's own limit of hours is reached.
    :raises PenaltyRuns: a penalty keeps the player out (H1.48).
    """
    day = lock_open_day(command.room_id)
    # Two lists own their own rows and would each call the player: the player's row decides between them.
    lock_waiting_player(command, waiting_id)
    table = lock_table(command, table_id)
    opening = open_to_newcomers(table)
    waiting_list, entry = locked_entry(command, waiting_id)
    keep_seat(command, day, table, opening, entry, seat_number, called_at=command.at)
    touch(waiting_list)
    assert entry.call_expires_at is not None, "a call ends"
    data = {**entry_data(waiting_list, entry), "seat": seat_number, "until": entry.call_expires_at.isoformat()}
    return table_done(table, data=data, audiences=phones_on_list(waiting_list.pk, entry.player_id))


def keep_seat(
    command: Command, day: GamingDay, table: Table, opening: Opening, entry: Waiting, seat_number: int, *,
    called_at: datetime,
) -> None:  # fmt: skip
    """
    Promise a seat of a locked table to a player of a locked list, who was called to it at a moment.

    :raises Refusal: as `call_player`, but for a table that takes nobody.
    """
    _check_call(table, opening, entry, seat_number=seat_number)
    check_call(command, entry, table, day)
    _, book = rule_book_in_force(command.room_id, at=command.at)
    entry.status, entry.table, entry.seat_number = Waiting.Status.CALLED, table, seat_number
    entry.called_at, entry.called_by_id = called_at, command.by.staff_id
    entry.seat_opened_at = seat_opened_at(opening, seat_number)
    entry.call_expires_at = call_expires_at(
        called_at=called_at,
        seat_opened_at=entry.seat_opened_at,
        joined_at=entry.joined_at,
        seconds=book.timers.call_seconds,
        runs_from=book.settings.call_runs_from,
        seconds_least=book.timers.call_least_seconds,
    )
    save_entry(entry, *CALL)


def _check_call(table: Table, opening: Opening, entry: Waiting, *, seat_number: int) -> None:
    # A list goes on with new terms of its game, and a table may still run the old ones.
    if not opening.game.is_same_game(entry.waiting_list.game):
        raise OtherGame(table_number=table.number)
    if entry.status == Waiting.Status.CALLED or _calls(entry.player_id):
        raise AlreadyCalled
    if not entry.is_there:
        raise NotThereYet
    there = list(Seating.objects.filter(table=table, left_at=None))
    for seating in there:
        if seating.player_id == entry.player_id and not _plays_over(seating, there):
            raise AlreadySeated(table_number=table.number, seat_number=seating.seat_number)
        if seating.seat_number == seat_number:
            raise SeatTaken(seat_number=seat_number)
    check_not_promised(table, seat_number=seat_number, player_id=entry.player_id)
    check_seat_exists(opening, seat_number)


def _plays_over(seating: Seating, there: list[Seating]) -> bool:
    """Say whether somebody has no seat of their own here: who plays over keeps the place on the list (A40)."""
    holders = {each.seat_number for each in there if each.is_played_over}
    return not seating.is_played_over and seating.seat_number in holders


def _calls(player_id: int) -> bool:
    return Waiting.objects.filter(player_id=player_id, status=Waiting.Status.CALLED).exists()


@service("waiting.take_back_call")
def take_back_call(command: Command, *, waiting_id: int, version: int) -> Outcome:
    """
    Take a call back: the player waits again in the old place.

    :raises NotCalled: the player is not called.
    :raises Stale: the entry has changed since the screen showed `version`.
    """
    waiting_list, entry = locked_entry(command, waiting_id, version=version)
    table = no_longer_called(entry)
    return list_done(waiting_list, entry, table=table)


@service("waiting.strike")
def strike(command: Command, *, waiting_id: int, version: int) -> Outcome:
    """
    Strike a player off a list: who did not come, or does not want to wait (H2.6, H2.9).

    :raises NotOnList: the player no longer waits.
    :raises Stale: the entry has changed since the screen showed `version`.
    """
    waiting_list, entry = locked_entry(command, waiting_id, version=version)
    table = end_entry(command, entry, Waiting.Status.STRUCK, why="by_tap")
    return list_done(waiting_list, entry, table=table)


@service("waiting.take_back_strike")
def take_back_strike(command: Command, *, waiting_id: int, version: int) -> Outcome:
    """
    Put a player back who was struck, dropped out or was seated by mistake, in the old place; a call is not renewed.

    :raises NotFound: no such entry.
    :raises NotOnList: it was on an evening's list that is over, or they were dealt in since they were seated.
    :raises AlreadySeated: they sit at the game.
    :raises AlreadyOnList: the player has joined the list again since.
    :raises Stale: the entry has changed since the screen showed `version`.
    :raises PlayerBanned, PlayerExcludedOwnWish, HoursUsedUp: as `join_list`.
    """
    entry = Waiting.objects.filter(id=waiting_id, room_id=command.room_id).select_related("waiting_list__game").first()
    if entry is None:
        raise NotFound(what="waiting")
    day = lock_open_day(command.room_id)
    lock_who_waits(command, entry.player_id, day)
    waiting_list = lock_list(command, entry.waiting_list_id)
    # Again, under the list's lock: it may have been put back meanwhile.
    entry.refresh_from_db()
    if entry.day_id != day.pk:
        raise NotOnList
    if entry.version != version or entry.status in Waiting.LIVE:
        raise Stale(what="waiting", version=entry.version)
    if entry.status == Waiting.Status.SEATED:
        _check_never_played(entry)
    if waiting_list.entries.filter(player_id=entry.player_id, status__in=Waiting.LIVE).exists():
        raise AlreadyOnList(game=waiting_list.game.name)
    entry.status, entry.ended_at, entry.ended_by_id, entry.ended_why = Waiting.Status.WAITING, None, None, ""
    save_entry(entry, *ENDED)
    return list_done(waiting_list, entry)


def _check_never_played(entry: Waiting) -> None:
    """:raises AlreadySeated, NotOnList: whoever was seated sits there still, or has had cards."""
    for_game = of_game(entry.waiting_list.game, "opening__game")
    sits = Seating.objects.filter(for_game, player_id=entry.player_id, left_at=None).select_related("table").first()
    if sits is not None:
        raise AlreadySeated(table_number=sits.table.number, seat_number=sits.seat_number)
    if HandSeat.objects.filter(player_id=entry.player_id, hand__dealt_at__gte=entry.ended_at).exists():
        raise NotOnList


@service("waiting.drop_out")
def drop_out(command: Command, *, waiting_id: int) -> Outcome:
    """
    Take a player off a list who says so.

    :raises NotOnList: the player no longer waits.
    """
    waiting_list, entry = locked_entry(command, waiting_id)
    table = end_entry(command, entry, Waiting.Status.DROPPED, why="own_wish")
    return list_done(waiting_list, entry, table=table)


@service("waiting.reorder_list")
def reorder_list(command: Command, *, waiting_id: int, before_id: int | None, reason: str, version: int) -> Outcome:
    """
    Put a player before another one of the same list, or at its end (`before_id` None), for a reason that is recorded.

    :raises Malformed: the reason is none of `REORDER_REASONS`, or the other one is on another list.
    :raises NotOnList: the player no longer waits.
    :raises Stale: the list has changed since the screen showed `version`.
    """
    if reason not in REORDER_REASONS:
        raise Malformed(field="reason")
    waiting_list, entry = locked_entry(command, waiting_id)
    if waiting_list.version != version:
        raise Stale(what="list", version=waiting_list.version)
    live = waiting_list.entries.filter(status__in=Waiting.LIVE).exclude(pk=entry.pk)
    if before_id is None:
        entry.place = end_of(waiting_list)
    else:
        other = live.filter(pk=before_id).first()
        if other is None:
            raise Malformed(field="before")
        entry.place = place_before(waiting_list, other, among=live)
    save_entry(entry, "place")
    return list_done(waiting_list, entry, data={"before": before_id, "reason": reason})


def sits_down(command: Command, table: Table, game: Game, player_id: int) -> Ended:
    """
    Take a player who sits down off that game's list; the table is locked.

    Called to another seat or not called at all: the player waits no longer for this game (H2.9). Return the entry that
    has ended, if the player waited, and the screens that show it: phones, and those of another table that kept a seat.
    """
    lists = WaitingList.objects.filter(of_game(game, "game"))
    mine = {"player_id": player_id, "status__in": Waiting.LIVE}
    list_id = Waiting.objects.filter(waiting_list__in=lists, **mine).values_list("waiting_list_id", flat=True).first()
    if list_id is None:
        return Ended()
    waiting_list = lock_list(command, list_id)
    # Again, now under the lock: the call may have run out meanwhile.
    entry = waiting_list.entries.filter(**mine).select_related("table").first()
    if entry is None:
        return Ended()
    promised = end_entry(command, entry, Waiting.Status.SEATED, why=f"table_{table.number}")
    touch(waiting_list)
    screens = of_table(promised) if promised is not None and promised.pk != table.pk else ()
    return Ended([entry.pk], (*screens, *phones_on_list(waiting_list.pk, player_id)))
