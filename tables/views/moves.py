"""The floor moves players: from table to table, out of a table that closes, and the whole table to other stakes."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from casino.errors import NotFound
from casino.live.areas import GONE, LEAVES
from casino.people.http import ActorRequest, command_for, done
from casino.people.inputs import arguments_of_form, form_int_or_none
from casino.rooms.models import Room
from tables.api.moves import (
    AnnounceLastOrbit,
    AskTableChange,
    ChangeStakes,
    EndTableChange,
    MovePlayer,
    PrepareSeatDraw,
)
from tables.claims import claims
from tables.models import Game, Seating, Table, TableChange
from tables.open_items import left_unstated
from tables.owners import table_figures
from tables.rules.entry import WayIn
from tables.rules.newcomers import Step
from tables.selectors.closing import FreeSeat, closing, free_seats
from tables.selectors.floor_table import figures
from tables.selectors.next_steps import steps_by_game
from tables.selectors.running import tables_of
from tables.services import choosing, moving, requests, stakes
from tables.services import closing as closes
from tables.services.must_move import linked
from tables.views.floor import on_the_floor, shown_on, table_for
from tables.views.floor_taps import floor_tap
from tables.views.floor_words import OVERRULE_WORDS

_SEAT = re.compile(r"(\d{1,4})/(\d{1,2})")


@on_the_floor
def close_sheet(request: ActorRequest, number: int) -> HttpResponse:
    """Show a table that is about to close: the last orbit, who goes where, and what lies there."""
    table = table_for(request, number)
    return HttpResponse(_closing_html(request, table, on=shown_on(request, table)))


@on_the_floor
def move_sheet(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Ask to which table and seat a player moves, with which stack; or note that they ask for another table."""
    table = table_for(request, number)
    seating = _sitting(table, seating_id)
    assert table.opening is not None, "somebody sits there"
    seats = free_seats(table)
    # The seat to which the player is called is free for nobody else.
    called = _called(table, seating)
    step = _step(table, seating)
    game = table.opening.game
    running = [t for t in tables_of(table.room_id) if t.pk != table.pk]
    others = [t for t in running if t.opening and t.opening.game.is_same_game(game)]
    context = {
        "table": table,
        "room": Room.objects.get(id=table.room_id),
        "on": shown_on(request, table),
        "seating": seating,
        "step": step,
        "called": called,
        "wanted": _meant(request, called, step),
        "by_game": _by_game([*seats, called] if called else seats, is_closing=table.opening.is_closing),
        "others": others,
        "table_change": TableChange.objects.filter(seating=seating, ended_at=None).select_related("to_table").first(),
        "reasons": OVERRULE_WORDS.items(),
        "in_play_cents": table_figures(table.pk).get("in_play", 0),
    }
    return render(request, "tables/floor_sheet_move.html", context)


# So many other tables stand on a seat's sheet; the sheet of a move has them all.
TARGETS_MAX = 6


def targets(table: Table, seating: Seating) -> list[FreeSeat]:
    """
    Return where a player goes with one tap: at each other table the seat proposed, or the first one free, tables of the
    same game first; who is called to a seat goes there.
    """
    called = _called(table, seating)
    if called is not None:
        return [called]
    meant = _step(table, seating)
    code = f"{meant.seat.table_number}/{meant.seat.seat_number}" if meant else ""
    first: dict[int, FreeSeat] = {}
    for seat in free_seats(table):
        if seat.code == code:
            first[seat.table_number] = seat
        first.setdefault(seat.table_number, seat)
    return list(first.values())[:TARGETS_MAX]


def _step(table: Table, seating: Seating) -> Step | None:
    """Return what the house proposes for a player: a seat at another table, by right or by wish."""
    assert table.opening is not None, "somebody sits there"
    steps = steps_by_game(table.room_id).get(table.opening.game.name, ())
    mine = [step for step in steps if not step.claim.is_waiting and step.claim.ref == seating.pk]
    return next((step for step in mine if step.seat.table_number != table.number), None)


@dataclass
class _Offer:
    """One game's free seats by table, and how a mover comes into its blinds: nothing to choose where that is free."""

    game: Game
    ways: tuple[WayIn, ...]
    by_table: dict[int, list[FreeSeat]] = field(default_factory=dict)

    @property
    def tables(self) -> Iterable[tuple[int, list[FreeSeat]]]:
        return self.by_table.items()


def _by_game(seats: Iterable[FreeSeat], *, is_closing: bool) -> list[_Offer]:
    """
    Return what is offered, each game with its own ways in and prices: those of the table that is entered (H4.31).

    By some books nobody is a new player there who leaves a table that closes (R-§3-4).
    """
    offers: dict[int, _Offer] = {}
    for seat in seats:
        if seat.runs is not None:
            pays = not is_closing or seat.runs.terms.moving.closed_table_pays
            ways = seat.runs.terms.ways_in() if pays else ()
            offer = offers.setdefault(seat.runs.game_id, _Offer(seat.runs.game, ways))
            offer.by_table.setdefault(seat.table_number, []).append(seat)
    return list(offers.values())


@on_the_floor
def stakes_sheet(request: ActorRequest, number: int) -> HttpResponse:
    """Ask to which stakes a running table changes, and who agrees."""
    table = table_for(request, number)
    games = Game.objects.filter(room_id=table.room_id, is_offered=True).order_by("big_blind_cents", "name")
    there = Seating.objects.filter(table=table, left_at=None).select_related("player").order_by("seat_number")
    context = {
        "table": table,
        "room": Room.objects.get(id=table.room_id),
        "on": shown_on(request, table),
        "games": games.exclude(id=table.opening.game_id) if table.opening else games.none(),
        "chain": ", ".join(str(other.number) for other in linked(table)),
        "seatings": there,
    }
    return render(request, "tables/floor_sheet_stakes.html", context)


@floor_tap
def move_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Move a player to a seat at another table; another seat than proposed is recorded as an overrule."""
    table, arguments = table_for(request, number), arguments_of_form(request, MovePlayer)
    there = table_for(request, arguments.pop("to_table"))
    choosing.move(command_for(request), table, there, seating_id=seating_id, **arguments)
    return _moved(request, number)


@floor_tap
def move_back_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Take a move back: the player sits where they sat before. `from` is the table whose sheet lies open."""
    table, shown_of = table_for(request, number), form_int_or_none(request, "from", least=1)
    seen_from = table_for(request, shown_of) if shown_of else table
    moving.take_back_move(command_for(request), table_id=table.pk, seating_id=seating_id)
    return _moved(request, seen_from.number)


@floor_tap
def ask_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Note that a player asks for another table."""
    table, arguments = table_for(request, number), arguments_of_form(request, AskTableChange)
    wanted = arguments["to_table"]
    requests.ask_table_change(
        command_for(request),
        table_id=table.pk,
        seating_id=seating_id,
        to_table_id=table_for(request, wanted).pk if wanted else None,
    )
    return _done(request, number)


@floor_tap
def ask_end_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """End a player's wish for another table."""
    table, arguments = table_for(request, number), arguments_of_form(request, EndTableChange)
    requests.end_table_change(command_for(request), table_id=table.pk, seating_id=seating_id, **arguments)
    return _done(request, number)


@floor_tap
def last_orbit_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Announce the last orbit, or so many more hands."""
    table, arguments = table_for(request, number), arguments_of_form(request, AnnounceLastOrbit)
    closes.announce_last_orbit(command_for(request), table_id=table.pk, **arguments)
    return closing_again(request, number)


@floor_tap
def last_orbit_back_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Let the table go on after all."""
    closes.take_back_last_orbit(command_for(request), table_id=table_for(request, number).pk)
    return closing_again(request, number)


@floor_tap
def prepare_draw_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Bind the house to a draw."""
    table, arguments = table_for(request, number), arguments_of_form(request, PrepareSeatDraw)
    closes.prepare_seat_draw(command_for(request), table_id=table.pk, **arguments)
    return closing_again(request, number)


@floor_tap
def draw_seats_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Show the cards of the draw."""
    closes.draw_seats(command_for(request), table_id=table_for(request, number).pk)
    return closing_again(request, number)


@floor_tap
def stakes_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Change the stakes of a running table."""
    table, arguments = table_for(request, number), arguments_of_form(request, ChangeStakes)
    stakes.change_stakes(command_for(request), table_id=table.pk, **arguments)
    return _done(request, number)


def _called(table: Table, seating: Seating) -> FreeSeat | None:
    """Return the seat at another table to which a player is called, None where there is none."""
    promised = claims().promised_to(seating.player_id)
    if promised is None or promised[0].pk == table.pk:
        return None
    there, seat_number = promised
    assert there.opening is not None, "a call is to a table that runs its game"
    assert table.opening is not None, "somebody sits there"
    game = there.opening.game
    name = "" if game.is_same_game(table.opening.game) else game.short_name
    return FreeSeat(there.number, seat_number, name, there.opening)


def _meant(request: ActorRequest, called: FreeSeat | None, step: Step | None) -> str:
    """Return the seat that is offered first: what was tapped before, what was called to, what is proposed."""
    if _SEAT.fullmatch(to := request.GET.get("to", "")):
        return to
    if called is not None:
        return called.code
    return f"{step.seat.table_number}/{step.seat.seat_number}" if step else ""


def _sitting(table: Table, seating_id: int) -> Seating:
    """:raises NotFound: nobody sits there any more."""
    there = Seating.objects.filter(id=seating_id, table=table, left_at=None).select_related("player").first()
    if there is None or table.opening is None:
        raise NotFound(what="seating")
    return there


def _done(request: ActorRequest, number: int) -> HttpResponse:
    return done(request, audience=shown_on(request, table_for(request, number)))


def _moved(request: ActorRequest, number: int) -> HttpResponse:
    """Answer with the sheet of the closing table where the tap came from there, else with the page."""
    return closing_again(request, number) if request.POST.get("flow") == "closing" else _done(request, number)


def closing_again(request: ActorRequest, number: int) -> HttpResponse:
    """Answer with the closing table's sheet as it is now: it stays open until the table is closed."""
    table = table_for(request, number)
    on = shown_on(request, table)
    answer = done(request, audience=on, content=_closing_html(request, table, on=on))
    # Said to be done, the sheet would close.
    del answer["HX-Trigger"]
    return answer


def _closing_html(request: ActorRequest, table: Table, *, on: str) -> str:
    room = Room.objects.get(id=table.room_id)
    context: dict[str, Any] = {"table": table, "room": room, "on": on, "figures": figures(table.pk)}
    if table.opening is None:
        return render_to_string("tables/floor_sheet_done.html", context, request)
    board = closing(table)
    players = sum(leaver.seating.may_be_dealt_in for leaver in board.leavers)
    choices = [hands for hands in (5, 3, 1) if hands < players]
    context["unstated"] = left_unstated(table)
    context |= {"board": board, "orbit": players, "choices": choices, "called": claims().promises_at(table.pk)}
    context["gone"] = GONE.gather(number=table.number, opening_id=table.opening.pk, on=on)
    context["rows"] = [
        (each, LEAVES.gather(number=table.number, seating_id=each.seating.pk, is_proposed=bool(each.proposed)))
        for each in board.leavers
    ]
    return render_to_string("tables/floor_sheet_close.html", context, request)
