"""The floor about a player who is away, changes seats or plays over: sheets that open and taps that do it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from casino.errors import NotFound
from casino.people.http import ActorRequest, actor_of, command_for
from casino.people.inputs import arguments_of_form
from casino.people.standing import may_sign
from casino.poker.missed import Missed
from casino.poker.seat_change import is_further_from_the_blinds, owed_further
from casino.rooms.selectors import room_of
from tables.api.seats import (
    AskSeatChange,
    ChangeSeat,
    PickUpStack,
    PlayOver,
    SetAbsenceLimit,
    SetLongBreak,
    pick_up_by_two,
)
from tables.claims import Promise, claims
from tables.models import Opening, Seating, Table
from tables.owners import table_figures
from tables.selectors.absences import away_of, wishes
from tables.selectors.next_hand import occupants, seated
from tables.selectors.regulars import candidates
from tables.services import absence_limits, choosing, seat_change
from tables.services.state import open_to_newcomers, opening_of
from tables.views.floor import on_the_floor, shown_on, table_for
from tables.views.floor_taps import floor_tap, page_done


@dataclass(frozen=True)
class FreeSeat:
    """A seat to change to; `is_further`: it costs a big blind, or the wait for it (H4.46)."""

    number: int
    is_further: bool


def _promises(table: Table) -> Mapping[int, Promise]:
    return claims().promises_at(table.pk)


def free_seats(table: Table, opening: Opening, sitting: list[Seating], seating: Seating) -> list[FreeSeat]:
    """Return the seats that a player may change to, with what each costs (H4.46, H4.47). One query."""
    promised = {seat for seat, promise in _promises(table).items() if promise.player.pk != seating.player_id}
    taken = {*promised, *(each.seat_number for each in sitting)}
    there = occupants(sitting)
    free = [number for number in range(1, opening.game.seats + 1) if number not in taken]
    return [
        FreeSeat(
            number,
            is_further_from_the_blinds(there, opening.hand_before, from_seat=seating.seat_number, to_seat=number),
        )
        for number in free
    ]


def _sheet(request: ActorRequest, template: str, table: Table, **more: Any) -> HttpResponse:
    context = {"table": table, "room": room_of(table.room_id), "on": shown_on(request, table), **more}
    return render(request, f"tables/{template}", context)


def _sitting(table: Table, seating_id: int) -> tuple[list[Seating], Seating]:
    """:raises NotFound: nobody sits here of that seating."""
    sitting = seated(table.pk)
    everybody = [*sitting, *(each.holder for each in sitting if each.holder)]
    seating = next((each for each in everybody if each.pk == seating_id), None)
    if seating is None:
        raise NotFound(what="seating")
    return sitting, seating


@on_the_floor
def change_sheet(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
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
        or (free[0].number if free and seating.change_wished_at else None),
        is_any_further=any(each.is_further for each in free),
        posts=next((way for way in opening.terms.ways_in(owed) if way.entry == "posts"), None),
        others=others,
        wishes=[each for each in wishes(sitting) if each.pk != seating.pk],
        may_take_back=is_back and table.hand_id is None,
    )


def _called_to(table: Table, seating: Seating) -> int | None:
    """Return the seat of the table to which a player is called who plays over there (A40)."""
    return next((seat for seat, promise in _promises(table).items() if promise.player.pk == seating.player_id), None)


@on_the_floor
def pick_up_sheet(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Ask for the count of a stack that is picked up, and for the one who counts with the floor (H1.8, R-§4)."""
    table = table_for(request, number)
    _, seating = _sitting(table, seating_id)
    counters = may_sign(table.room_id, needs=absence_limits.NEEDS, without={actor_of(request).staff_id})
    return _sheet(
        request,
        "floor_sheet_pick_up.html",
        table,
        seating=seating,
        counters=counters,
        away=away_of(seating, opening_of(table)),
        in_play_cents=table_figures(table.pk).get("in_play", 0),
    )


@on_the_floor
def over_sheet(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Ask who plays over in an absent player's seat (H4.48)."""
    table = table_for(request, number)
    open_to_newcomers(table)
    _, seating = _sitting(table, seating_id)
    choices = [each for each in candidates(table.room_id, table, "") if each.sits_at is None]
    return _sheet(
        request,
        "floor_sheet_over.html",
        table,
        seating=seating,
        game=opening_of(table).game,
        candidates=choices,
        text="",
    )


@floor_tap
def long_break_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Give a player the long break of the evening, or take it back (H1.9)."""
    table, arguments = table_for(request, number), arguments_of_form(request, SetLongBreak)
    absence_limits.set_long_break(command_for(request), table_id=table.pk, seating_id=seating_id, **arguments)
    return page_done(request, table)


@floor_tap
def limit_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Hold a seat for so many minutes from now (H1.10)."""
    table, arguments = table_for(request, number), arguments_of_form(request, SetAbsenceLimit)
    absence_limits.set_absence_limit(command_for(request), table_id=table.pk, seating_id=seating_id, **arguments)
    return page_done(request, table)


@floor_tap
def pick_up_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Pick up a stack as two have counted it; the second one signs it here."""
    table, arguments = table_for(request, number), arguments_of_form(request, PickUpStack)
    pick_up_by_two(command_for(request), table_id=table.pk, seating_id=seating_id, **arguments)
    return page_done(request, table)


@floor_tap
def ask_change_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Note that a player would like another seat, or no more (H2.13)."""
    table, arguments = table_for(request, number), arguments_of_form(request, AskSeatChange)
    seat_change.ask_seat_change(command_for(request), table_id=table.pk, seating_id=seating_id, **arguments)
    return page_done(request, table)


@floor_tap
def change_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Let a player change seats (H4.45); a seat that somebody else asked for first is recorded as an overrule."""
    table, arguments = table_for(request, number), arguments_of_form(request, ChangeSeat)
    choosing.change(command_for(request), table, seating_id=seating_id, **arguments)
    return page_done(request, table)


@floor_tap
def change_back_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Put a player back who changed seats by mistake."""
    table = table_for(request, number)
    seat_change.take_back_seat_change(command_for(request), table_id=table.pk, seating_id=seating_id)
    return page_done(request, table)


@floor_tap
def over_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Let somebody play over, known or new, in one tap (H4.48)."""
    table, arguments = table_for(request, number), arguments_of_form(request, PlayOver)
    choosing.over(command_for(request), table, seating_id=seating_id, **arguments)
    return page_done(request, table)
