"""
Catching the waiting lists up: who came on, was called, was struck or left by their sheet of paper, whole or not at all.

Players keep the order of the sheet, and the times that stand on it. Whoever joined in Brush after that comes behind.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound
from casino.paper.catching_up import caught_up_before, known_by_name
from casino.paper.entered import digest_of
from casino.paper.errors import clock_time
from casino.paper.errors_lists import CalledAlready, CallRanOut, NotCalledThen, NotOnListThen, OnListAlready
from casino.paper.lists_entered import (
    JOINS,
    ListLine,
    ListsEntered,
    What,
    check_readable,
)
from casino.paper.models import CaughtUp, Sheet
from casino.paper.services import keep_caught_up, lock_numbers
from casino.people.services import NewPlayer, player_meant
from casino.people.services.locks import lock_player
from casino.people.services.signatures import check_signed
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day, room_of
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.selectors.phones import phones_on_list
from casino.waiting.services import from_paper
from casino.waiting.services.lists import keep_seat, list_of
from casino.waiting.services.protection import lock_who_waits
from casino.waiting.services.state import lock_list, save_entry, touch
from tables.audiences import ROOM, of_table
from tables.models import Game, Table
from tables.services.state import lock_table, open_to_newcomers

# What the second person under the sheet must be allowed to do.
NEEDS = "paper.sign_catch_up_lists"
_ENDS = {
    What.SEATED: (Waiting.Status.SEATED, "on_paper"),
    What.STRUCK: (Waiting.Status.STRUCK, "by_tap"),
    What.DROPPED: (Waiting.Status.DROPPED, "own_wish"),
}


def catch_up_lists_signs(*, number: int, entered: ListsEntered, names: Mapping[str, str]) -> str:
    """Return what the second person signs: of which sheet, and all that is entered of it."""
    return f"lists.{number}.{digest_of(entered, names)}"


def lists_sheet_of(room_id: int, number: int) -> Sheet:
    """Return the sheet of the lists. :raises NotFound: the room has no such sheet, or it is a table's."""
    sheet = Sheet.objects.select_related("printing").filter(room_id=room_id, number=number, table=None).first()
    if sheet is None:
        raise NotFound(what="sheet")
    return sheet


@service("paper.catch_up_lists", private=["names"])
def catch_up_lists(
    command: Command, *, number: int, entered: ListsEntered, names: Mapping[str, str], approved_by_id: int
) -> Outcome:
    """
    Record what was written on the sheet of the waiting lists, marked as caught up from it.

    `names` are nicknames by the number of their line; a name that nobody has is a new player's, on lines of who came
    on. `approved_by_id` has signed `catch_up_lists_signs`. A call that still runs by its written time holds its seat
    from now on; of any other the sheet says what became of it. What Brush itself has of a place that ended since stays.

    :raises NotFound: the room has no such sheet of lists, game, table or player.
    :raises NeedsSecondSignature: nobody else signed it, or not this.
    :raises NoOpenDay: no gaming day is open.
    :raises SheetCaughtUp: it was caught up before.
    :raises NicknameTaken: a name that cannot be.
    :raises PlayerBanned, PlayerExcludedOwnWish, HoursUsedUp: somebody who came on may not play.
    :raises Refusal: as `check_readable`; a line that does not follow from those before it; as `call_player` of a call
        that runs.
    """
    check_signed(
        command, approved_by_id, needs=NEEDS, signs=catch_up_lists_signs(number=number, entered=entered, names=names)
    )
    done = recorded(command, number=number, entered=entered, names=names)
    keep_caught_up(command, done.sheet, done.entered, done.figures, dealer_id=approved_by_id)
    data = {"sheet": number, "signed_by": approved_by_id, **done.figures, "became": done.became}
    return Outcome(chain="paper", data=data, audiences=tuple(dict.fromkeys((*ROOM, *done.screens))))


@dataclass
class Catching:
    """The sheet of the lists that is being caught up, and what has come of it so far."""

    command: Command
    sheet: Sheet
    entered: ListsEntered
    day: GamingDay
    games: Mapping[int, Game]
    lists: Mapping[int, WaitingList]
    tables: Mapping[int, Table]
    zone: str
    # The calls on paper that no line has ended, by list and player: promises in Brush once the sheet ends with them.
    called: dict[tuple[int, int], ListLine] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    touched: set[int] = field(default_factory=set)
    screens: list[str] = field(default_factory=list)

    @property
    def figures(self) -> dict[str, Any]:
        """Return how many of each there were, for the event and for whoever looks at the sheet again."""
        return {"lines": len(self.entered.lines), **{what.value: self.counts[what.value] for what in What}}

    @property
    def became(self) -> list[dict[str, Any]]:
        """Return what became of whom on which list, line by line as it happened: the log finds each player in it."""
        return [
            {"line": line.number, "what": line.what, "player": line.player_id, "list": self.lists[line.game_id].pk}
            for line in self.entered.in_time()
        ]


def recorded(command: Command, *, number: int, entered: ListsEntered, names: Mapping[str, str]) -> Catching:
    """Record the lines of a sheet, in the transaction that runs. :raises Refusal: as `catch_up_lists`."""
    sheet, zone = lists_sheet_of(command.room_id, number), room_of(command.room_id).time_zone
    check_readable(entered, at=command.at, zone=zone)
    # Whoever prints or catches up lists waits here: a sheet has no row of its own that may be locked.
    lock_numbers(command.room_id)
    before = CaughtUp.objects.select_related("sheet").filter(sheet=sheet).first()
    if before is not None:
        raise caught_up_before(before, zone=zone)
    day = lock_open_day(command.room_id)
    games = _games(command, entered)
    entered = _with_players(command, entered, names, games)
    _lock_players(command, entered, day)
    tables = _lock_tables(command, _calls_that_run(entered, games))
    lists = {game_id: list_of(game).pk for game_id, game in games.items()}
    # After the tables, and by id.
    locked = {list_id: lock_list(command, list_id) for list_id in sorted(set(lists.values()))}
    of_game = {game_id: locked[list_id] for game_id, list_id in lists.items()}
    catching = Catching(command, sheet, entered, day, games, of_game, tables, zone)
    for line in entered.in_time():
        _enter(catching, line)
        catching.counts[line.what] += 1
    for line in catching.called.values():
        _keep_seat(catching, line)
    for waiting_list in locked.values():
        touch(waiting_list)
    # Whoever stays on a list moves up as others go.
    catching.screens += [
        screen
        for line in entered.lines
        for screen in phones_on_list(catching.lists[line.game_id].pk, line.player_id or 0)
    ]
    return catching


def looked_at(command: Command, *, number: int, entered: ListsEntered, names: Mapping[str, str]) -> dict[str, Any]:
    """
    Return how the lists would stand, nicknames in order by the game's name, and what was counted. Nothing is recorded:
    it is done as the command would, and taken back.

    :raises Refusal: as `catch_up_lists`.
    """
    with transaction.atomic():
        done = recorded(command, number=number, entered=entered, names=names)
        stands = {}
        for game_id, waiting_list in done.lists.items():
            live = waiting_list.entries.filter(status__in=Waiting.LIVE).select_related("player", "table")
            stands[done.games[game_id].name] = list(live.order_by("place", "id"))
        transaction.set_rollback(True)
    return {"stands": stands, "figures": done.figures}


def _games(command: Command, entered: ListsEntered) -> dict[int, Game]:
    meant = {line.game_id for line in entered.lines}
    games = {game.pk: game for game in Game.objects.filter(room_id=command.room_id, id__in=meant)}
    if meant - games.keys():
        raise NotFound(what="game")
    return games


def _with_players(
    command: Command, entered: ListsEntered, names: Mapping[str, str], games: Mapping[int, Game]
) -> ListsEntered:
    """Return it with a player for each name; who came on and is not known is added. :raises NotOnListThen: else."""
    ids: dict[str, int] = {}
    lines = []
    for line in entered.in_time():
        nickname = names.get(str(line.number), "")
        key = nickname.casefold()
        player_id = line.player_id if not nickname else ids.get(key) or known_by_name(command.room_id, nickname)
        if player_id is None:
            if not nickname or line.what not in JOINS:
                raise NotOnListThen(line=line.number, game=games[line.game_id].name)
            player_id = player_meant(command, None, NewPlayer(nickname))
        ids[key] = player_id
        lines.append(replace(line, player_id=player_id))
    return replace(entered, lines=tuple(sorted(lines, key=lambda line: line.number)))


def _lock_players(command: Command, entered: ListsEntered, day: GamingDay) -> None:
    """Lock whoever is meant, by id; who came on has to be allowed to wait."""
    joins = {line.player_id for line in entered.lines if line.what in JOINS}
    # A line without a player asks for row 0, which no room has: NotFound.
    for player_id in sorted({line.player_id or 0 for line in entered.lines}):
        if player_id in joins:
            lock_who_waits(command, player_id, day)
        else:
            lock_player(command, player_id)


def _calls_that_run(entered: ListsEntered, games: Mapping[int, Game]) -> list[ListLine]:
    """
    Return the calls that still stand: no later line of the player on that list ends them.

    A line that says somebody is here ends no call. Games of one name have one list.
    """
    says = [line for line in entered.in_time() if line.what != What.HERE]
    last = {(games[line.game_id].name, line.player_id): line for line in says}
    return [line for line in last.values() if line.what == What.CALLED]


def _lock_tables(command: Command, calls: list[ListLine]) -> dict[int, Table]:
    """Return the tables of calls that run, locked in the order of their ids, by number. :raises NotFound: no such."""
    meant = {line.table or 0 for line in calls}
    seen = Table.objects.filter(room_id=command.room_id, number__in=meant).order_by("id")
    tables = {number: lock_table(command, table_id) for table_id, number in seen.values_list("id", "number")}
    if meant - tables.keys():
        raise NotFound(what="table")
    return tables


def _enter(catching: Catching, line: ListLine) -> None:
    """Record a line as it follows from those before it."""
    command, waiting_list, sheet = catching.command, catching.lists[line.game_id], catching.sheet.number
    player_id = line.player_id or 0
    entry = waiting_list.entries.filter(player_id=player_id, status__in=Waiting.LIVE).select_related("table").first()
    about = {"line": line.number, "game": catching.games[line.game_id].name}
    if line.what in JOINS:
        if entry is not None:
            raise OnListAlready(**about)
        is_call_in = line.what == What.CALLED_IN
        from_paper.came_on(
            command, waiting_list, player_id, day=catching.day, at=line.at, is_call_in=is_call_in, sheet=sheet
        )
        return
    if entry is None:
        if not _ended_in_brush(catching, waiting_list, player_id):
            raise NotOnListThen(**about)
        return
    if not from_paper.was_there(entry, line.at):
        raise NotOnListThen(**about)
    key = (waiting_list.pk, player_id)
    is_called = entry.status == Waiting.Status.CALLED or key in catching.called
    if line.what == What.HERE:
        from_paper.is_here(entry, sheet=sheet)
    elif line.what == What.CALLED:
        if is_called:
            raise CalledAlready(line=line.number)
        catching.called[key] = line
    else:
        if line.what == What.MISSED and not is_called:
            raise NotCalledThen(line=line.number)
        catching.called.pop(key, None)
        if line.what == What.MISSED:
            table = from_paper.did_not_come(command, waiting_list, entry, at=line.at, sheet=sheet)
        else:
            status, why = _ENDS[What(line.what)]
            table = from_paper.came_off(command, entry, status, why=why, at=line.at, sheet=sheet)
        catching.screens += of_table(table) if table else ()


def _ended_in_brush(catching: Catching, waiting_list: WaitingList, player_id: int) -> bool:
    """Say whether a place has ended by Brush since: a table's sheet seated the player, or the call ran out there."""
    since = {"ended_at__gte": catching.entered.from_at, "joined_at__lte": catching.entered.until_at}
    ended = waiting_list.entries.filter(player_id=player_id, **since).exclude(from_sheet=catching.sheet.number)
    return ended.exists()


def _keep_seat(catching: Catching, line: ListLine) -> None:
    """Promise the seat of a call that runs, to who is there by now. :raises CallRanOut: by its time it does no more."""
    table = catching.tables[line.table or 0]
    entry = catching.lists[line.game_id].entries.get(player_id=line.player_id or 0, status__in=Waiting.LIVE)
    keep_seat(
        catching.command, catching.day, table, open_to_newcomers(table), entry, line.seat_number or 0, called_at=line.at
    )
    until = entry.call_expires_at
    if until is not None and until <= catching.command.at:
        raise CallRanOut(line=line.number, until=clock_time(until, catching.zone))
    entry.from_sheet = catching.sheet.number
    save_entry(entry, "from_sheet")
    table.version += 1
    table.save(update_fields=["version"])
    catching.screens += of_table(table)
