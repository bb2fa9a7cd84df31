"""The floor's waiting lists: what a tap on a list or a player opens, and what each tap there does."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from casino import clock
from casino.errors import NotFound
from casino.people.http import ActorRequest, actor_of, command_for, done_there
from casino.people.inputs import arguments_of_form
from casino.reading import reading_once
from casino.rooms.models import Room
from casino.waiting.api.lists import Call, Join, Reorder, Strike, TakeBackCall, TakeBackStrike
from casino.waiting.models import Waiting
from casino.waiting.selectors.lists import NOBODY, GameList, lists_by_game, struck_lately
from casino.waiting.services import after_call, choosing
from casino.waiting.services import lists as waiting
from casino.waiting.views.words import REORDER_WORDS
from tables.models import Game, Table
from tables.rules.newcomers import Proposal, Step
from tables.selectors.next_steps import steps_by_game
from tables.selectors.regulars import candidates
from tables.selectors.running import seatings_by_table, tables_of
from tables.views.floor import on_the_floor, table_for
from tables.views.floor_taps import floor_tap
from tables.views.floor_words import OVERRULE_WORDS


@on_the_floor
def list_sheet(request: ActorRequest, game_id: int) -> HttpResponse:
    """Ask who joins a game's list, and show who was struck lately."""
    game = _game(request, game_id)
    choices = candidates(game.room_id, None, "")
    gone = struck_lately(game, at=clock.now())
    return _sheet(request, "list_sheet_join.html", game, candidates=choices, text="", struck=gone)


@on_the_floor
def rest_sheet(request: ActorRequest, game_id: int) -> HttpResponse:
    """Show a game's whole list: the map shows its beginning."""
    game = _game(request, game_id)
    game_list = lists_by_game(game.room_id).get(game.name, NOBODY)
    return _sheet(request, "list_sheet_rest.html", game, entries=game_list.present)


@on_the_floor
def players_found(request: ActorRequest) -> HttpResponse:
    """Return players for a list while a nickname is being typed."""
    text = request.GET.get("q", "").strip()[:30]
    choices = candidates(actor_of(request).room_id, None, text)
    return render(request, "tables/floor_candidates.html", {"candidates": choices, "text": text})


@on_the_floor
def waiting_sheet(request: ActorRequest, waiting_id: int) -> HttpResponse:
    """Show what can be done for a player on a list: call, more time, strike, another place."""
    entry = _entry(request, waiting_id)
    game = entry.waiting_list.game
    with reading_once():
        game_list = lists_by_game(entry.room_id).get(game.name, NOBODY)
        tables, seatings = tables_of(entry.room_id), seatings_by_table(entry.room_id)
        steps = steps_by_game(entry.room_id).get(game.name, ())
    running = [
        table
        for table in tables
        if table.opening and table.opening.game.is_same_game(game) and not table.opening.is_closing
    ]
    free = [(table, _free(table, seatings.get(table.pk, ()), game_list)) for table in running if table.opening]
    return _sheet(
        request,
        "list_sheet_waiting.html",
        game,
        entry=entry,
        list_version=game_list.version,
        others=[each for each in game_list.waiting if each.pk != entry.pk],
        offer=_offered(steps, entry),
        why_else=OVERRULE_WORDS.items(),
        free=[(table, seats) for table, seats in free if seats],
        reasons=REORDER_WORDS.items(),
        is_live=entry.status in Waiting.LIVE,
    )


def _offered(steps: Sequence[Step], entry: Waiting) -> Proposal | None:
    """Return the seat that is this player's next, None while none is."""
    step = next((each for each in steps if each.claim.is_waiting and each.claim.ref == entry.pk), None)
    return Proposal(step.seat.table_number, step.seat.seat_number, step.reason) if step else None


def _free(table: Table, sitting: Any, game_list: GameList) -> list[int]:
    assert table.opening is not None
    taken = {seating.seat_number for seating in sitting}
    taken |= {entry.seat_number for entry in game_list.called if entry.table_id == table.pk}
    return [seat for seat in range(1, table.opening.game.seats + 1) if seat not in taken]


@floor_tap
def join_tap(request: ActorRequest, game_id: int) -> HttpResponse:
    """Put a player on a list: one who is known, or a new one by two fields."""
    waiting.join_list(command_for(request), game_id=game_id, **arguments_of_form(request, Join))
    return done_there(request)


@floor_tap
def call_tap(request: ActorRequest, waiting_id: int) -> HttpResponse:
    """Call a player to a seat."""
    arguments = arguments_of_form(request, Call)
    table = table_for(request, arguments.pop("table_number"))
    choosing.call(command_for(request), table, waiting_id=waiting_id, **arguments)
    return done_there(request)


@floor_tap
def back_tap(request: ActorRequest, waiting_id: int) -> HttpResponse:
    """Take a call back."""
    waiting.take_back_call(command_for(request), waiting_id=waiting_id, **arguments_of_form(request, TakeBackCall))
    return done_there(request)


@floor_tap
def strike_tap(request: ActorRequest, waiting_id: int) -> HttpResponse:
    """Strike a player off the list."""
    waiting.strike(command_for(request), waiting_id=waiting_id, **arguments_of_form(request, Strike))
    return done_there(request)


@floor_tap
def unstrike_tap(request: ActorRequest, waiting_id: int) -> HttpResponse:
    """Put a player back who was struck or dropped out."""
    waiting.take_back_strike(command_for(request), waiting_id=waiting_id, **arguments_of_form(request, TakeBackStrike))
    return done_there(request)


@floor_tap
def drop_tap(request: ActorRequest, waiting_id: int) -> HttpResponse:
    """Take a player off the list who says so."""
    waiting.drop_out(command_for(request), waiting_id=waiting_id)
    return done_there(request)


@floor_tap
def more_tap(request: ActorRequest, waiting_id: int) -> HttpResponse:
    """Grant a called player more time."""
    after_call.grant_more_time(command_for(request), waiting_id=waiting_id)
    return done_there(request)


@floor_tap
def no_more_tap(request: ActorRequest, waiting_id: int) -> HttpResponse:
    """Give a called player no more time."""
    after_call.refuse_more_time(command_for(request), waiting_id=waiting_id)
    return done_there(request)


@floor_tap
def chips_tap(request: ActorRequest, waiting_id: int) -> HttpResponse:
    """Keep the seat while its player is at the cage."""
    after_call.fetch_chips(command_for(request), waiting_id=waiting_id)
    return done_there(request)


@floor_tap
def check_in_tap(request: ActorRequest, waiting_id: int) -> HttpResponse:
    """A player who called in is there."""
    waiting.check_in(command_for(request), waiting_id=waiting_id)
    return done_there(request)


@floor_tap
def move_tap(request: ActorRequest, waiting_id: int) -> HttpResponse:
    """Put a player elsewhere on the list, for a reason."""
    waiting.reorder_list(command_for(request), waiting_id=waiting_id, **arguments_of_form(request, Reorder))
    return done_there(request)


def _game(request: ActorRequest, game_id: int) -> Game:
    """:raises NotFound: the room has no such game."""
    game = Game.objects.filter(id=game_id, room_id=actor_of(request).room_id).first()
    if game is None:
        raise NotFound(what="game")
    return game


def _entry(request: ActorRequest, waiting_id: int) -> Waiting:
    """:raises NotFound: the room has no such entry."""
    entries = Waiting.objects.select_related("player", "table", "waiting_list__game")
    entry = entries.filter(id=waiting_id, room_id=actor_of(request).room_id).first()
    if entry is None:
        raise NotFound(what="waiting")
    return entry


def _sheet(request: ActorRequest, template: str, game: Game, **more: Any) -> HttpResponse:
    room = Room.objects.get(id=game.room_id)
    return render(request, f"waiting/{template}", {"game": game, "room": room, **more})
