"""The waiting lists: players join, are called, come or do not; the floor puts right what it did."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.players import may_sit
from casino.simulation.broken import Broken
from casino.simulation.felt import Sitter
from casino.simulation.front_door import Answer
from casino.simulation.lists import ANSWERED, Wait
from casino.simulation.table import Table
from casino.waiting.rules.reasons import REORDER_REASONS

if TYPE_CHECKING:
    from casino.simulation.night import Night

CALLS_IN_SHARE = 0.15
LIST_MAX = 12
# Time may end a call while somebody taps: by the house's clock, which runs sixty times as fast.
SOON = timedelta(minutes=4)
# What a tap hears where time was faster.
TOO_LATE = frozenset({"not_called", "not_on_list", "stale"})


@behaviour("a player joins a list", weight=7)
def joins(night: "Night") -> str | None:
    """Put a player, in the room or on the telephone, on the list of a game, running or not; refused a second time."""
    if not night.has_lists:
        return None
    games = sorted(night.staff.floor.get("/api/v1/games").body, key=lambda game: str(game["name"]))
    game = night.rng.choice(games)["id"]
    players = [player for player in night.felt.by_name() if not night.lists.waits_for(game, player)]
    players = [player for player in players if player.table is None or night.tables[player.table].game["id"] != game]
    if not players or sum(wait.is_live for wait in night.lists.entries.get(game, [])) >= LIST_MAX:
        return None
    player, is_call_in = night.rng.choice(players), night.rng.random() < CALLS_IN_SHARE
    device = night.rng.choice([night.staff.floor, night.staff.desktop, night.staff.program])
    body = {"player_id": player.id, "is_call_in": is_call_in}
    answer = night.done(device, f"/api/v1/lists/{game}/join", body)
    night.lists.joins(game, Wait(answer.data["waiting"], player, is_there=not is_call_in))
    night.refused(device, f"/api/v1/lists/{game}/join", body, code="already_on_list")
    return f"{player.nickname}{', by telephone' if is_call_in else ''}"


@behaviour("who called in has come", weight=2)
def has_come(night: "Night") -> str | None:
    waits = [wait for _, wait in night.lists.live() if not wait.is_there]
    if not waits:
        return None
    wait = night.rng.choice(waits)
    night.done(night.staff.floor, _path(wait, "check-in"))
    wait.is_there = True
    return wait.player.nickname


@behaviour("the floor calls the next player", weight=9)
def calls(night: "Night") -> str | None:
    """Have the floor call the first player present on the list to a free seat; refused for one who has yet to come."""
    found = [
        (table, waiting)
        for table in night.open_tables()
        if table.free_seats() and not table.is_closing and (waiting := _waiting_for(night, table))
    ]
    if not found:
        return None
    table, waiting = night.rng.choice(found)
    seat = night.rng.choice(table.free_seats())
    body = {"table_number": table.number, "seat_number": seat}
    absent = next((wait for wait in waiting if not wait.is_there), None)
    if absent is not None:
        night.refused(night.staff.floor, _path(absent, "call"), body, code="not_there_yet")
    wait = next((wait for wait in waiting if wait.is_there), None)
    if wait is None:
        return ""
    answer = night.done(night.staff.floor, _path(wait, "call"), body)
    wait.status, wait.called_to = "called", (table.number, seat)
    wait.until = datetime.fromisoformat(answer.data["until"])
    return f"{wait.player.nickname} to table {table.number}, seat {seat}"


@behaviour("a called player comes", weight=12)
def comes(night: "Night") -> str | None:
    """Seat a called player, who sits nowhere, in the promised seat."""
    found = [
        (wait, night.tables[wait.called_to[0]], wait.called_to[1])
        for _, wait in night.lists.live()
        if wait.called_to and wait.player.table is None and may_sit(wait.player)
    ]
    if not found:
        return None
    wait, table, seat = night.rng.choice(found)
    device = night.staff.floor if table.is_offline else night.staff.tablets[table.number]
    answer = night.done(device, f"{table.api}/seats/{seat}", {"player_id": wait.player.id})
    table.felt.sit_down(Sitter(wait.player, answer.data["seating"], seat))
    return f"{wait.player.nickname} at table {table.number}, seat {seat}"


@behaviour("a promised seat is asked for", weight=1.5)
def asks_for_a_promised_seat(night: "Night") -> str | None:
    """Have the floor try to seat another player in a promised seat; refused as long as the call has not run out."""
    waits = [wait for _, wait in night.lists.live() if wait.called_to and not is_soon_over(night, wait)]
    others = [player for player in night.felt.by_name() if player.table is None and may_sit(player)]
    if not waits or len(others) < 2:
        return None
    wait = night.rng.choice(waits)
    assert wait.called_to is not None
    number, seat = wait.called_to
    other = night.rng.choice([player for player in others if player is not wait.player])
    path = f"/api/v1/tables/{number}/seats/{seat}"
    return night.refused(night.staff.floor, path, {"player_id": other.id}, code="seat_promised")


@behaviour("a called player fetches chips", weight=1.5)
def fetches_chips(night: "Night") -> str | None:
    """Have the floor note that a called player fetches chips at the cage; refused a second time in the same call."""
    called = [wait for _, wait in night.lists.live() if wait.called_to]
    if not called:
        return None
    wait = night.rng.choice(called)
    if wait.has_fetched:
        # The call may have run out meanwhile.
        answer = night.tap(night.staff.floor, _path(wait, "fetch-chips"))
        is_explained = answer.code == "chips_fetched" or (answer.code in TOO_LATE and is_soon_over(night, wait))
        return or_broken(is_explained, f"fetch-chips again: {answer.text[:300]}")
    return tap_one(night, [wait], "fetch-chips", fetched)


@behaviour("the floor grants more time", weight=1.5)
def grants_more_time(night: "Night") -> str | None:
    called = [wait for _, wait in night.lists.live() if wait.called_to]
    return tap_one(night, called, "more-time", granted)


@behaviour("the floor takes a call back", weight=1)
def takes_a_call_back(night: "Night") -> str | None:
    """Have the floor take a call back; the player waits again in the old place."""
    called = [wait for _, wait in night.lists.live() if wait.called_to]
    return tap_one(night, called, "take-back-call", lambda wait, _: wait.waits_again(), is_by_version=True)


@behaviour("the floor strikes a player", weight=1.2)
def strikes(night: "Night") -> str | None:
    waiting = [wait for _, wait in night.lists.live()]
    return tap_one(night, waiting, "strike", lambda wait, _: wait.ends("struck"), is_by_version=True)


@behaviour("a player does not want to wait", weight=1.2)
def drops_out(night: "Night") -> str | None:
    waiting = [wait for _, wait in night.lists.live()]
    return tap_one(night, waiting, "drop-out", lambda wait, _: wait.ends("dropped"))


@behaviour("a struck player is put back", weight=1)
def is_put_back(night: "Night") -> str | None:
    """Have the floor put a struck or dropped player back in the old place; refused if the player has joined again."""
    found = [
        (game, wait)
        for game in sorted(night.lists.entries)
        for wait in night.lists.entries[game]
        if wait.status in {"struck", "dropped"} and wait.may_be_put_back
    ]
    if not found:
        return None
    game, wait = night.rng.choice(found)
    path = _path(wait, "take-back-strike")
    if night.lists.waits_for(game, wait.player):
        return night.refused(night.staff.floor, path, code="already_on_list", version=wait.version)
    night.done(night.staff.floor, path, version=wait.version)
    wait.waits_again()
    return wait.player.nickname


@behaviour("the floor changes a list's order", weight=1)
def reorders(night: "Night") -> str | None:
    """Have the floor move a waiting player before another or to the end, with a reason; refused if a call ran out."""
    games = [game for game in sorted(night.lists.entries) if len(_still(night.lists.entries[game])) >= 2]
    if not games:
        return None
    game = night.rng.choice(games)
    wait, other = night.rng.sample(_still(night.lists.entries[game]), 2)
    before = None if night.rng.random() < 0.3 else other
    body = {"before_id": before.id if before else None, "reason": night.rng.choice(sorted(REORDER_REASONS))}
    shown = next(each for each in night.staff.floor.get("/api/v1/lists").body if each["game_id"] == game)
    path, version = _path(wait, "move"), shown["version"]
    answer = night.tap(night.staff.floor, path, body, version=version)
    if not answer.is_done:
        # Somebody's call ran out on this list meanwhile.
        is_moved_on = any(is_soon_over(night, each) for each in night.lists.entries[game])
        return or_broken(answer.code == "stale" and is_moved_on, f"{path}: {answer.text[:300]}")
    night.lists.moves(game, wait, before)
    # After a move nobody could say where the old place of an entry that has ended lies.
    for each in night.lists.entries[game]:
        each.may_be_put_back = each.is_live
    return f"{wait.player.nickname} before {before.player.nickname if before else 'nobody'}"


def _waiting_for(night: "Night", table: Table) -> list[Wait]:
    """Return who waits for this table's game and may be called to it, in order, with those who are not there yet."""
    entries = night.lists.entries.get(table.game["id"], [])
    return [
        wait
        for wait in entries
        if wait.status == "waiting" and wait.player.table != table.number and not night.lists.is_called(wait.player)
    ]


def _still(entries: list[Wait]) -> list[Wait]:
    return [wait for wait in entries if wait.status == "waiting"]


def fetched(wait: Wait, answer: Answer) -> None:
    """Note that a called player fetches chips at the cage. :raises Broken: the seat is kept less long than before."""
    wait.has_fetched = True
    _is_kept(wait, answer)


def granted(wait: Wait, answer: Answer) -> None:
    """Note that the floor has granted a call more time, on request or not. :raises Broken: it is kept less long."""
    wait.says = replace(wait.says, asks_more=False, is_refused=False)
    _is_kept(wait, answer)


def _is_kept(wait: Wait, answer: Answer) -> None:
    until = datetime.fromisoformat(answer.data["until"])
    if wait.until is None or until < wait.until:
        raise Broken(ANSWERED, f"{wait} is kept until {until}")
    wait.until = until


def tap_one(
    night: "Night", among: list[Wait], what: str, then: Callable[[Wait, Answer], None], *, is_by_version: bool = False
) -> str | None:
    """
    Have the floor tap `what` for one of these entries, and call `then` with the answer; None where there is no entry.

    :raises Broken: refused, though the call was not about to run out.
    """
    if not among:
        return None
    wait = night.rng.choice(among)
    answer = night.tap(night.staff.floor, _path(wait, what), version=wait.version if is_by_version else None)
    if not answer.is_done:
        path = _path(wait, what)
        return or_broken(answer.code in TOO_LATE and is_soon_over(night, wait), f"{path}: {answer.text[:300]}")
    then(wait, answer)
    wait.version = answer.data["entry_version"]
    return wait.player.nickname


def or_broken(is_explained: bool, seen: str) -> str:
    """Return a line on a tap that time has overtaken. :raises Broken: nothing explains its refusal."""
    if not is_explained:
        raise Broken("what may be done is done", f"POST {seen}")
    return "time was faster"


def is_soon_over(night: "Night", wait: Wait) -> bool:
    """Say whether time may end this call while somebody taps."""
    return wait.until is not None and wait.until <= night.now() + SOON


def _path(wait: Wait, what: str) -> str:
    return f"/api/v1/waiting/{wait.id}/{what}"
