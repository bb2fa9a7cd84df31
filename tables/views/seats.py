"""The floor about a player who is away, changes seats or plays over: sheets that open and taps that do it."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render

from casino.cage.selectors import approvers
from casino.commands.frame import Answer, Command
from casino.errors import NotFound
from casino.people.http import (
    DoorRequest,
    actor_of,
    command_for,
    form_cents,
    form_cents_or_none,
    form_flag,
    form_int,
    form_int_or_none,
    form_text,
)
from casino.people.services import second_person
from casino.poker.missed import Missed
from casino.poker.seat_change import is_further_from_the_blinds, owed_further
from casino.rooms.selectors import room_of
from tables.models import Opening, Seating, Table
from tables.rules.newcomers import Why
from tables.selectors.absences import away_of, wishes
from tables.selectors.asked import occupants, seated
from tables.selectors.regulars import candidates
from tables.selectors.waiting import called_to_table, waiting_id_of
from tables.services import absence, playing_over, seat_change
from tables.services.overruling import played_over
from tables.services.state import open_to_newcomers, opening_of
from tables.views.floor import on_the_floor, table_for
from tables.views.floor_taps import floor_tap, page_done, player_of_form
from tables.views.overrules import chosen, overrule_of


@dataclass(frozen=True)
class FreeSeat:
    """A seat to change to; `is_further`: it costs a big blind, or the wait for it (H4.46)."""

    number: int
    is_further: bool


def free_seats(table: Table, opening: Opening, sitting: list[Seating], seating: Seating) -> list[FreeSeat]:
    """Return the seats that a player may change to, with what each costs (H4.46, H4.47). One query."""
    promised = {seat for seat, entry in called_to_table(table.pk).items() if entry.player_id != seating.player_id}
    taken = {*promised, *(each.seat_number for each in sitting)}
    there = occupants(sitting)
    free = [number for number in range(1, opening.game.seats + 1) if number not in taken]
    return [
        FreeSeat(
            number,
            is_further_from_the_blinds(there, opening.last_hand, from_seat=seating.seat_number, to_seat=number),
        )
        for number in free
    ]


def _sheet(request: DoorRequest, template: str, table: Table, **shown: Any) -> HttpResponse:
    on = "floor" if request.GET.get("on") == "floor" else f"table.{table.number}.floor"
    return render(request, f"tables/{template}", {"table": table, "room": room_of(table.room_id), "on": on, **shown})


def _sitting(table: Table, seating_id: int) -> tuple[list[Seating], Seating]:
    """:raises NotFound: nobody sits here of that seating."""
    sitting = seated(table.pk)
    everybody = [*sitting, *(each.holder for each in sitting if each.holder)]
    found = next((each for each in everybody if each.pk == seating_id), None)
    if found is None:
        raise NotFound(what="seating")
    return sitting, found


@on_the_floor
def change_sheet(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Offer other seats with what each costs, and note a wish (H2.13, H4.45-H4.47)."""
    table = table_for(request, number)
    opening = opening_of(table)
    sitting, seating = _sitting(table, seating_id)
    free = free_seats(table, opening, sitting, seating)
    others = [each for each in range(1, opening.game.seats + 1) if each != seating.seat_number]
    owed = owed_further(Missed(seating.missed))
    is_back = seating.changed_from is not None and seating.changed_from["hand_number"] == table.hand_number
    return _sheet(
        request,
        "floor_sheet_change.html",
        table,
        seating=seating,
        game=opening.game,
        free=free,
        wanted=_called_to(table, seating)
        or seating.change_to
        or (free[0].number if free and seating.change_asked_at else None),
        is_any_further=any(each.is_further for each in free),
        posts=next((way for way in opening.game.ways_in(owed) if way.entry == "posts"), None),
        others=others,
        wishes=[each for each in wishes(sitting) if each.pk != seating.pk],
        may_take_back=is_back and table.hand_id is None,
    )


def _called_to(table: Table, seating: Seating) -> int | None:
    """Return the seat of the table to which a player is called who plays over there (A40)."""
    return next(
        (seat for seat, entry in called_to_table(table.pk).items() if entry.player_id == seating.player_id), None
    )


@on_the_floor
def pick_up_sheet(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Ask for the count of a stack that is picked up, and for the one who counts with the floor (H1.8, R-§4)."""
    table = table_for(request, number)
    _, seating = _sitting(table, seating_id)
    counters = approvers(table.room_id, needs=absence.NEEDS, without={actor_of(request).staff_id})
    return _sheet(
        request,
        "floor_sheet_pick_up.html",
        table,
        seating=seating,
        counters=counters,
        away=away_of(seating, opening_of(table)),
    )


@on_the_floor
def over_sheet(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Ask who plays over in an absent player's box (H4.48)."""
    table = table_for(request, number)
    open_to_newcomers(table)
    _, seating = _sitting(table, seating_id)
    found = [each for each in candidates(table.room_id, table, "") if each.sits_at is None]
    return _sheet(
        request, "floor_sheet_over.html", table, seating=seating, game=opening_of(table).game, candidates=found, text=""
    )


@floor_tap
def long_break_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Give a player the long break of the evening, or take it back (H1.9)."""
    table = table_for(request, number)
    absence.set_long_break(
        command_for(request), table_id=table.pk, seating_id=seating_id, has_break=form_flag(request, "has_break")
    )
    return page_done(request, table)


@floor_tap
def limit_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Hold a seat for so many minutes from now (H1.10)."""
    table = table_for(request, number)
    minutes = form_int(request, "minutes", least=1, most=240)
    absence.set_absence_limit(command_for(request), table_id=table.pk, seating_id=seating_id, minutes=minutes)
    return page_done(request, table)


@floor_tap
def pick_up_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Pick up a stack as two have counted it; the second one signs it here."""
    table = table_for(request, number)
    command = command_for(request)
    cents = form_cents(request, "stack")
    second = second_person(
        command,
        username=form_text(request, "username", longest=40),
        pin=form_text(request, "pin", longest=8),
        needs=absence.NEEDS,
        signs=absence.signature(seating_id, cents),
    )
    absence.pick_up_stack(
        command,
        table_id=table.pk,
        seating_id=seating_id,
        stack_cents=cents,
        counted_with_id=second,
        version=form_int_or_none(request, "version"),
    )
    return page_done(request, table)


@floor_tap
def ask_change_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Note that a player would like another seat, or no more (H2.13)."""
    table = table_for(request, number)
    seat_change.ask_seat_change(
        command_for(request),
        table_id=table.pk,
        seating_id=seating_id,
        asks=form_flag(request, "asks"),
        seat_number=form_int_or_none(request, "seat_number", most=12) or None,
    )
    return page_done(request, table)


@floor_tap
def change_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Let a player change seats (H4.45); a seat that somebody else asked for first is recorded as an overrule."""
    table, command = table_for(request, number), command_for(request)
    seat_number = form_int(request, "seat_number", least=1, most=12)
    game_id = table.opening.game_id if table.opening else 0
    # The seat that is left goes to the list, so nobody there is passed over; but for who plays over and leaves none.
    over = next((each for each in seated(table.pk) if each.pk == seating_id and each.holder), None)
    weakest = Why.WAITING_LIST if over else Why.SEAT_CHANGE
    whose = (True, waiting_id_of(table, over.player_id)) if over else (False, seating_id)
    change = partial(
        seat_change.change_seat,
        command,
        table_id=table.pk,
        seating_id=seating_id,
        seat_number=seat_number,
        posts=form_flag(request, "posts"),
        version=form_int_or_none(request, "version"),
    )
    chosen(request, command, table, seat_number, change, game_id=game_id, whose=whose, weakest=weakest)
    return page_done(request, table)


@floor_tap
def change_back_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Put a player back who changed seats by mistake."""
    table = table_for(request, number)
    seat_change.take_back_seat_change(command_for(request), table_id=table.pk, seating_id=seating_id)
    return page_done(request, table)


@floor_tap
def over_tap(request: DoorRequest, number: int, seating_id: int) -> HttpResponse:
    """Let somebody play over, known or new, in one tap: all of it happens or nothing (H4.48)."""
    table = table_for(request, number)
    command: Command = command_for(request)
    reason = overrule_of(request)

    def over(player_id: int) -> Answer:
        play = partial(
            playing_over.play_over,
            command,
            table_id=table.pk,
            seating_id=seating_id,
            player_id=player_id,
            chips_cents=form_cents_or_none(request, "chips") or 0,
            version=form_int_or_none(request, "version"),
        )
        return played_over(command, table, seating_id, play, player_id=player_id, reason=reason)

    if request.POST.get("player_id") != "new":
        # One command, whose refusal stands in the log: a transaction around it would undo that too.
        over(player_of_form(request, command))
    else:
        with transaction.atomic():
            over(player_of_form(request, command))
    return page_done(request, table)
