"""The floor's sheets: what a tap on a seat, a hand or a to-do opens. They read; `floor_taps` writes."""

import uuid
from contextlib import suppress
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from casino import clock
from casino.cage.about import AtSeat
from casino.cage.models import Slip
from casino.cage.selectors.carriers import open_banks, sellers
from casino.cage.selectors.drawers import values_counted
from casino.cage.selectors.money import money_of, words
from casino.errors import NotFound
from casino.live.areas import SITS
from casino.people.http import ActorRequest, actor_of
from casino.people.selectors import staff_names
from casino.people.standing import may_sign
from casino.poker.positions import Entry
from casino.rooms.models import Room
from casino.rulebooks.dealers import Tips
from casino.rulebooks.units import SEATS_MAX
from tables.claims import claims
from tables.errors_moves import StackNotCounted
from tables.models import Game, Hand, Seating, Table, ToDo
from tables.owners import table_figures
from tables.selectors.absences import away_of
from tables.selectors.counts import gone_on, stack_known
from tables.selectors.floor_table import departures, with_names
from tables.selectors.next_hand import seated
from tables.selectors.played_over import chooses_way_back
from tables.selectors.regulars import Candidate, candidates
from tables.selectors.running import tables_of
from tables.selectors.tip_boxes import TipBoxes, boxes_apart, emptied, tip_boxes, tips_at
from tables.selectors.tips import dealers_there
from tables.selectors.todo_judging import todo_words
from tables.selectors.todo_taps import dealer_then
from tables.services.stack_brought_back import brings_back, right_used
from tables.services.tips import NEEDS as SIGNS_TIPS
from tables.terms import dealers_at
from tables.views.floor import of_hands, on_the_floor, shown_on, table_for
from tables.views.floor_words import CORRECTION_REASONS, VOID_REASONS
from tables.views.moves import targets
from tables.views.seats import free_seats

# The main pot and two side pots stand open; more of them are opened by whoever needs them.
LINES_SHOWN = 3


def _sheet(request: ActorRequest, template: str, table: Table, **context: Any) -> HttpResponse:
    room = Room.objects.get(id=table.room_id)
    return render(
        request, f"tables/{template}", {"table": table, "room": room, "on": shown_on(request, table), **context}
    )


@on_the_floor
def open_sheet(request: ActorRequest, number: int) -> HttpResponse:
    """Offer the games with which a table can be opened."""
    table = table_for(request, number)
    games = Game.objects.filter(room_id=table.room_id, is_offered=True).order_by("big_blind_cents", "name")
    running = [each for each in tables_of(table.room_id) if each.opening is not None]
    offers = [
        (game, [each for each in running if each.opening and each.opening.game.is_same_game(game)]) for game in games
    ]
    may_sell = dealers_at(table, at=clock.now()).rack.sells
    return _sheet(request, "floor_sheet_open.html", table, offers=offers, may_sell=may_sell)


@on_the_floor
def draw_sheet(request: ActorRequest, number: int) -> HttpResponse:
    """Ask who took part in the button draw, who won it, or where the button lies."""
    table = table_for(request, number)
    return _sheet(request, "floor_sheet_draw.html", table, seatings=_sitting(table))


@on_the_floor
def tips_sheet(request: ActorRequest, number: int) -> HttpResponse:
    """Ask what was found in the tip box, or in one that a dealer took along. What was expected is not known."""
    table = table_for(request, number)
    now = clock.now()
    are_pooled = tips_at(table, emptied(table), at=now) == Tips.POOLED
    boxes = TipBoxes((), (), boxes_apart(table.room_id, table)) if are_pooled else tip_boxes(table, at=now)
    box = next((each for each in boxes.apart if str(each.closed.pk) == request.GET.get("box")), None)
    context: dict[str, Any] = {
        "boxes": boxes,
        "box": box,
        "in_play_cents": table_figures(table.pk).get("in_play", 0),
        "chip_values": values_counted(table.room_id, at=now).chips,
        "signers": may_sign(table.room_id, needs=SIGNS_TIPS, without={actor_of(request).staff_id}),
        "dealers": [] if are_pooled and box is None else dealers_there(table, box),
    }
    return _sheet(request, "floor_sheet_tips.html", table, **context)


@on_the_floor
def seat_sheet(request: ActorRequest, number: int, seat_number: int) -> HttpResponse:
    """
    Show an empty seat with who could sit down, or a player's seat with what can be done there.

    Who was called to an empty seat and sits at another table moves over, and who plays over at this one changes seats:
    the sheet for that opens (H2.8, A40).
    """
    table = table_for(request, number)
    if table.opening is None:
        return open_sheet(request, number)
    seating = next((each for each in seated(table.pk) if each.seat_number == seat_number), None)
    game, terms = table.opening.game, table.opening.terms
    context: dict[str, Any] = {"seat_number": seat_number, "game": game, "has_begun": _has_begun(table)}
    if seating is None and table.opening.is_closing:
        return _sheet(request, "floor_sheet_closing.html", table, seat_number=seat_number)
    if seating is None:
        choices = candidates(table.room_id, table, "")
        # Whoever was called to this seat comes first, and is the one who is meant.
        promise = claims().promises_at(table.pk).get(seat_number)
        called = promise.player if promise is not None else None
        if called is not None and (sits := _sitting_of(called.pk)) is not None:
            return HttpResponseRedirect(_move_address(request, table, sits, seat_number))
        if called is not None:
            choices = [Candidate(called, None), *(each for each in choices if each.player.pk != called.pk)]
        context["has_right"] = called is not None and right_used(table.opening, called.pk) is not None
        context |= {"candidates": choices, "text": "", "called": called, "ways": terms.ways_in()}
        return _sheet(request, "floor_sheet_free.html", table, **context)
    slips = Slip.objects.filter(
        AtSeat.of_seating(seating.pk), room_id=table.room_id, status=Slip.Status.REQUESTED, destination="seat"
    )
    ways = [] if seating.entry == Entry.IN else terms.ways_in(seating.missed)
    if (holder := seating.holder) is not None:
        missed = chooses_way_back(holder, seating)
        context["holder_ways"] = [] if missed is None else terms.ways_in(missed)
    requested = list(slips.select_related("money__staff"))
    # A runner's bank sells what is asked for; where nobody asks, it is not looked whether there is one.
    banks = open_banks(table.room_id) if requested else []
    context["slips"] = [
        (slip, (money := money_of(slip)), words(money), sellers(money, banks, shown_to=actor_of(request).staff_id))
        for slip in requested
    ]
    context |= {"away": away_of(holder or seating, table.opening), "minutes": terms.absence.floor_minutes}
    if not seating.chips_in_cents:
        # What is not known yet is asked for when chips are.
        with suppress(StackNotCounted):
            context["brings"] = brings_back(
                table.opening, seating.player_id, at=clock.now(), right_from=seating.right_from
            )
    context["of_player"] = SITS.gather(player_id=seating.player_id)
    context["in_play_cents"] = table_figures(table.pk).get("in_play", 0)
    if seating.barred_since is None:
        context |= {
            "here": free_seats(table, table.opening, seated(table.pk), seating),
            "wanted_here": seating.change_to,
            "there": targets(table, seating),
            "stack_cents": stack_known(seating),
        }
    return _sheet(request, "floor_sheet_seat.html", table, seating=seating, ways=ways, **context)


@on_the_floor
def players_found(request: ActorRequest, number: int) -> HttpResponse:
    """Return players for an empty seat while a nickname is being typed."""
    table = table_for(request, number)
    text = request.GET.get("q", "").strip()[:30]
    choices = candidates(table.room_id, table, text)
    context = {"candidates": choices, "text": text, "table": table, "seat_number": request.GET.get("seat", "")[:2]}
    return render(request, "tables/floor_candidates.html", {**context, "on": shown_on(request, table)})


@on_the_floor
def departures_sheet(request: ActorRequest, number: int) -> HttpResponse:
    """Show who has left the table on its day, the last one first: to count, to put right, to take back."""
    table = table_for(request, number)
    return _sheet(request, "floor_sheet_departures.html", table, departures=departures(table))


@on_the_floor
def departure_sheet(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Ask for the stack of a player who left uncounted, for the right one, or whether the player has left at all."""
    table = table_for(request, number)
    seatings = Seating.objects.select_related("player").filter(table=table, left_at__isnull=False)
    seating = seatings.filter(id=seating_id).first()
    if seating is None:
        raise NotFound(what="seating")
    # What was counted already lies with the player, and comes back into play with the correction.
    in_play_cents = table_figures(table.pk).get("in_play", 0) + (seating.left_stack_cents or 0)
    context = {"seating": seating, "gone_on": gone_on(seating), "in_play_cents": in_play_cents}
    return _sheet(request, "floor_sheet_departure.html", table, **context)


@of_hands
def hand_sheet(request: ActorRequest, number: int, hand_row_id: int) -> HttpResponse:
    """Show one hand with what can be put right about it."""
    table = table_for(request, number)
    hand = Hand.objects.filter(table=table, id=hand_row_id).select_related("opening__game", "day").first()
    if hand is None:
        raise NotFound(what="hand")
    return _hand_sheet(request, table, hand)


@on_the_floor
def todo_sheet(request: ActorRequest, number: int, todo_id: int) -> HttpResponse:
    """Show something to be judged, with the hand that it is about."""
    table = table_for(request, number)
    todo = ToDo.objects.filter(table=table, id=todo_id, done_at=None).first()
    if todo is None:
        return _sheet(request, "floor_sheet_done.html", table)
    hands = Hand.objects.filter(table=table).select_related("opening__game", "day")
    hand = hands.filter(id=todo.data.get("hand_row") or 0).first()
    text, reason = todo_words(Room.objects.get(id=table.room_id), todo)
    if todo.kind == ToDo.Kind.KEPT_APART and table.opening is not None:
        reason = table.opening.book.leads("players_kept_apart", reason)
    is_rack = todo.kind in (ToDo.Kind.RACK_DIFFERS, ToDo.Kind.RACK_NOT_COUNTED)
    counts_rack = is_rack and "page.racks" in actor_of(request).may
    context = {"todo": todo, "todo_text": text, "todo_reason": reason, "counts_rack": counts_rack}
    if todo.kind == ToDo.Kind.TAP_KEPT and "more" not in todo.data:
        dealer_id = dealer_then(todo) if "hand" in todo.data["arguments"] else None
        names = staff_names([todo.data["staff"] or 0, dealer_id or 0])
        context |= {
            "tapped_at": datetime.fromisoformat(todo.data["tapped_at"]),
            "tapped_by": names.get(todo.data["staff"], ""),
            "dealt_by": names.get(dealer_id or 0, ""),
        }
    if hand is None:
        return _sheet(request, "floor_sheet_todo.html", table, **context)
    return _hand_sheet(request, table, hand, **context)


def _sitting_of(player_id: int) -> Seating | None:
    return Seating.objects.filter(player_id=player_id, left_at=None).select_related("table").first()


def _move_address(request: ActorRequest, table: Table, sits: Seating, seat_number: int) -> str:
    """Return where the sheet is with which a player comes to a seat of this table; also one who plays over there."""
    if sits.table_id == table.pk:
        query = urlencode({"on": shown_on(request, table)})
        return f"{reverse('floor_change_sheet', args=[table.number, sits.pk])}?{query}"
    query = urlencode({"on": shown_on(request, table), "to": f"{table.number}/{seat_number}"})
    return f"{reverse('floor_move_sheet', args=[sits.table.number, sits.pk])}?{query}"


def _hand_sheet(request: ActorRequest, table: Table, hand: Hand, **more: Any) -> HttpResponse:
    (row,) = with_names([hand])
    seats = list(hand.seats.select_related("player").order_by("seat_number"))
    pots = list(hand.pots.order_by("index"))
    # When there was a flop, should the correction say so of a hand without one: nobody noted the very moment.
    beyond_at = hand.beyond_initial_deal_at or hand.settled_at
    context = {
        "row": row,
        "hand": hand,
        "seats": seats,
        "pots": pots,
        "main_pot_cents": pots[0].cents if pots else None,
        "more_pots": range(max(len(pots), 1), LINES_SHOWN),
        # No pot has fewer than two to win it, so players in plenty need no more lines.
        "rest_pots": range(max(len(pots), LINES_SHOWN), min(len(seats), SEATS_MAX)),
        "new_hand_id": uuid.uuid4(),
        "beyond_at": beyond_at.isoformat() if beyond_at else "",
        "won_by": [seat for pot in pots[:1] for seat in pot.winner_seats],
        "correction_reasons": CORRECTION_REASONS.items(),
        "void_reasons": VOID_REASONS.items(),
        "is_of_open_day": hand.day.closed_at is None,
    }
    return _sheet(request, "floor_sheet_hand.html", table, **context, **more)


def _sitting(table: Table) -> list[Seating]:
    return seated(table.pk)


def _has_begun(table: Table) -> bool:
    return table.hand_id is not None or (table.opening is not None and table.opening.last is not None)
