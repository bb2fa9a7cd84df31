"""The floor's taps: each reads its form, calls the service, and answers with the fresh page."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from django.db import transaction
from django.http import HttpResponse
from django.views.decorators.http import require_POST

from casino.cage.models import Slip
from casino.cage.services import cancel_slip, judge_doubt
from casino.commands.frame import Answer, Command
from casino.errors import NotFound
from casino.people.http import (
    DoorRequest,
    command_for,
    done,
    form_cents,
    form_cents_or_none,
    form_choice,
    form_flag,
    form_int,
    form_int_or_none,
    form_ints,
    form_text,
    page,
)
from casino.people.services import add_player, unlock_person
from casino.poker.positions import Entry
from tables.models import Table
from tables.selectors.waiting import waiting_id_of
from tables.services import chips, opening, seating, stacks
from tables.services.seat_buy_ins import ask_for_seat
from tables.views.floor import table_for
from tables.views.overrules import chosen


def floor_tap(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view one of the floor's taps."""
    return page("page.floor")(require_POST(view))


def page_done(request: DoorRequest, table: Table) -> HttpResponse:
    """Answer with the page that the sheet lay on: the map, or the table's own."""
    on = "floor" if request.POST.get("on") == "floor" else f"table.{table.number}.floor"
    return done(request, audience=on)


def _also(command: Command, step: str) -> Command:
    """Return a second command of the same tap: told again, it is a replay like the first."""
    return replace(command, id=uuid.uuid5(command.id, step))


@floor_tap
def open_tap(request: DoorRequest, number: int) -> HttpResponse:
    """Open a table with a game."""
    table = table_for(request, number)
    game_id = form_int(request, "game_id", most=2**63 - 1)
    version = form_int_or_none(request, "version", most=2**63 - 1)
    feeds = form_int_or_none(request, "feeds", least=1)
    feeds_table_id = table_for(request, feeds).pk if feeds else None
    opening.open_table(
        command_for(request), table_id=table.pk, game_id=game_id, feeds_table_id=feeds_table_id, version=version
    )
    return page_done(request, table)


@floor_tap
def close_tap(request: DoorRequest, number: int) -> HttpResponse:
    """Close a table."""
    table = table_for(request, number)
    version = form_int_or_none(request, "version", most=2**63 - 1)
    opening.close_table(command_for(request), table_id=table.pk, version=version)
    return page_done(request, table)


@floor_tap
def draw_tap(request: DoorRequest, number: int) -> HttpResponse:
    """Record the button draw."""
    table = table_for(request, number)
    winner, seats = form_int(request, "winner_seat", least=1), form_ints(request, "seats")
    opening.record_draw(command_for(request), table_id=table.pk, winner_seat=winner, seats=sorted({*seats, winner}))
    return page_done(request, table)


@floor_tap
def button_tap(request: DoorRequest, number: int) -> HttpResponse:
    """Take somebody's word for where the button lies."""
    table = table_for(request, number)
    seat_number = form_int(request, "seat_number", least=1)
    opening.button_here(command_for(request), table_id=table.pk, seat_number=seat_number)
    return page_done(request, table)


@floor_tap
def tips_tap(request: DoorRequest, number: int) -> HttpResponse:
    """Post what was counted in the tip box."""
    table = table_for(request, number)
    chips.count_tip_box(command_for(request), table_id=table.pk, counted_cents=form_cents(request, "counted"))
    return page_done(request, table)


@floor_tap
def seat_tap(request: DoorRequest, number: int, seat_number: int) -> HttpResponse:
    """
    Sit a player down: one who is known, or a new one by two fields; with chips brought, or asked from the cage.

    It is one tap, so all of it happens or nothing: a buy-in that the game refuses seats nobody, and adds nobody.
    """
    table = table_for(request, number)
    command = command_for(request)
    cents = form_cents_or_none(request, "chips") or 0
    from_cage = request.POST.get("source") == "cage"
    game_id = table.opening.game_id if table.opening else 0

    def seats(player_id: int) -> Answer:
        sit = partial(
            seating.seat_player,
            command,
            table_id=table.pk,
            seat_number=seat_number,
            player_id=player_id,
            chips_cents=0 if from_cage else cents,
            entry=_way_in(request) if "entry" in request.POST else Entry.WAITS.value,
        )
        whose = (True, waiting_id_of(table, player_id))
        return chosen(request, command, table, seat_number, sit, game_id=game_id, whose=whose)

    if request.POST.get("player_id") != "new" and not (from_cage and cents):
        # One command, whose refusal stands in the log: a transaction around it would undo that too.
        seats(player_of_form(request, command))
        return page_done(request, table)
    with transaction.atomic():
        player_id = player_of_form(request, command)
        answer = seats(player_id)
        if from_cage and cents:
            also = _also(command, "buy_in")
            ask_for_seat(also, table=table, seating_id=answer.data["seating"], amount_cents=cents)
    return page_done(request, table)


def player_of_form(request: DoorRequest, command: Command) -> int:
    """Return the player whom a form names; a new one, by nickname, is added in the same tap."""
    if request.POST.get("player_id") != "new":
        return form_int(request, "player_id", most=2**63 - 1)
    added = add_player(
        _also(command, "player"),
        nickname=form_text(request, "nickname", longest=30),
        full_name=form_text(request, "full_name", longest=120, empty=True),
    )
    return int(added.data["player_id"])


@floor_tap
def entry_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Let a player who is new, or has missed blinds, wait for the big blind, post or straddle."""
    table = table_for(request, number)
    seating.choose_entry(
        command_for(request),
        table_id=table.pk,
        seating_id=seating_id,
        entry=_way_in(request),
        version=form_int_or_none(request, "version"),
    )
    return page_done(request, table)


@floor_tap
def hold_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Hold a seat, or deal it in again, as its player chose to come in."""
    table = table_for(request, number)
    seating.hold_seat(
        command_for(request),
        table_id=table.pk,
        seating_id=seating_id,
        is_held=form_flag(request, "is_held"),
        entry=_way_in(request) if "entry" in request.POST else None,
    )
    return page_done(request, table)


@floor_tap
def straddle_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Have a player straddle from now on, or no more."""
    table = table_for(request, number)
    seating.set_straddle(
        command_for(request), table_id=table.pk, seating_id=seating_id, straddles=form_flag(request, "straddles")
    )
    return page_done(request, table)


def _way_in(request: DoorRequest) -> str:
    return form_choice(request, "entry", [way.value for way in Entry if way is not Entry.IN])


@floor_tap
def leave_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Let a player leave: with the stack as counted, or with an empty field not counted."""
    table = table_for(request, number)
    stack = None if form_flag(request, "uncounted") else form_cents(request, "stack")
    seating.leave_seat(command_for(request), table_id=table.pk, seating_id=seating_id, stack_cents=stack)
    return page_done(request, table)


@floor_tap
def count_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Supply the stack of somebody who left uncounted; with the seat's version, put a wrong count right."""
    table = table_for(request, number)
    stack, version = form_cents(request, "stack"), form_int_or_none(request, "version")
    stacks.count_stack(
        command_for(request), table_id=table.pk, seating_id=seating_id, stack_cents=stack, version=version
    )
    return page_done(request, table)


@floor_tap
def take_back_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Take back that a player left."""
    table = table_for(request, number)
    version = form_int(request, "version")
    seating.take_back_leaving(command_for(request), table_id=table.pk, seating_id=seating_id, version=version)
    return page_done(request, table)


@floor_tap
def buy_in_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Ask the cage for chips for a seat."""
    table = table_for(request, number)
    ask_for_seat(
        command_for(request),
        table=table,
        seating_id=seating_id,
        amount_cents=form_cents(request, "amount"),
        stack=_stack(request),
        again=form_flag(request, "again"),
    )
    return page_done(request, table)


@floor_tap
def chips_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Note chips that a player brought to the table."""
    table = table_for(request, number)
    chips.bring_chips(
        command_for(request),
        table_id=table.pk,
        seating_id=seating_id,
        chips_cents=form_cents(request, "amount"),
        stack=_stack(request),
        version=form_int_or_none(request, "version"),
    )
    return page_done(request, table)


def _stack(request: DoorRequest) -> int | str | None:
    """Return the stack as somebody said it: a word, a count, or nothing."""
    word = request.POST.get("stack_word", "")
    return word if word in {"under_blind", "full"} else form_cents_or_none(request, "stack")


@floor_tap
def cancel_tap(request: DoorRequest, number: int, slip_id: int) -> HttpResponse:
    """Take back what was asked from the cage. :raises NotFound: not for a seat of this table."""
    table = table_for(request, number)
    if not Slip.objects.filter(id=slip_id, room_id=table.room_id, about__table=table.pk).exists():
        raise NotFound(what="slip")
    cancel_slip(command_for(request), slip_id=slip_id, version=form_int_or_none(request, "version"))
    return page_done(request, table)


@floor_tap
def unlock_tap(request: DoorRequest, staff_id: int) -> HttpResponse:
    """Let somebody try their PIN again."""
    unlock_person(command_for(request), staff_id=staff_id)
    return done(request, audience="floor")


@floor_tap
def doubt_tap(request: DoorRequest, doubt_id: int) -> HttpResponse:
    """Take something of the cage off the to-do, having looked at it."""
    judge_doubt(command_for(request), doubt_id=doubt_id)
    return done(request, audience="floor")
