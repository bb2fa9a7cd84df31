"""The floor's taps on hands that were logged: corrected, voided, supplied, and what they left to do judged."""

import uuid

from django.http import HttpResponse

from casino.errors import Malformed
from casino.people.http import (
    DoorRequest,
    command_for,
    form_cents,
    form_cents_or_none,
    form_choice,
    form_flag,
    form_ints,
)
from tables.rules.logged import LoggedHand
from tables.services import corrections, kept_taps
from tables.views.floor import table_for
from tables.views.floor_taps import floor_tap, page_done
from tables.views.floor_words import CORRECTION_REASONS, VOID_REASONS

POTS_ASKED = 3


@floor_tap
def correct_tap(request: DoorRequest, number: int, hand_row_id: int) -> HttpResponse:
    """Replace a hand by what really happened."""
    table = table_for(request, number)
    command = command_for(request)
    corrections.correct_hand(
        command,
        table_id=table.pk,
        hand_row_id=hand_row_id,
        hand=_hand(request, uuid.uuid5(command.id, "hand")),
        reason=form_choice(request, "reason", CORRECTION_REASONS),
    )
    return page_done(request, table)


def _hand(request: DoorRequest, hand_id: uuid.UUID) -> LoggedHand:
    """Return the hand that a correction's form tells. :raises Malformed: it names no winner."""
    pots: list[int] = []
    winners: list[tuple[int, ...]] = []
    for index in range(POTS_ASKED):
        cents, seats = form_cents_or_none(request, f"pot_{index}"), form_ints(request, f"winners_{index}")
        if index == 0 and not seats:
            raise Malformed(field="winners")
        if cents or index == 0:
            pots.append(cents or 0)
            winners.append(tuple(seats) or winners[0])
    return LoggedHand(
        hand_id=hand_id,
        winners=tuple(winners),
        pots=tuple(pots) if pots[0] else (),
        is_without_flop=form_flag(request, "no_flop"),
        rake_taken_cents=form_cents_or_none(request, "rake_taken"),
        drop_taken_cents=form_cents_or_none(request, "drop_taken"),
    )


@floor_tap
def void_tap(request: DoorRequest, number: int, hand_row_id: int) -> HttpResponse:
    """Void a hand that was settled."""
    table = table_for(request, number)
    reason = form_choice(request, "reason", VOID_REASONS)
    corrections.void_settled_hand(command_for(request), table_id=table.pk, hand_row_id=hand_row_id, reason=reason)
    return page_done(request, table)


@floor_tap
def supply_tap(request: DoorRequest, number: int, hand_row_id: int) -> HttpResponse:
    """Supply what was dropped for a hand that was not logged."""
    table = table_for(request, number)
    corrections.supply_hand(
        command_for(request),
        table_id=table.pk,
        hand_row_id=hand_row_id,
        rake_taken_cents=form_cents(request, "rake_taken"),
        drop_taken_cents=form_cents(request, "drop_taken"),
        pot_cents=form_cents_or_none(request, "pot"),
    )
    return page_done(request, table)


@floor_tap
def enter_tap(request: DoorRequest, number: int, todo_id: int) -> HttpResponse:
    """Enter a tap that was kept: it was so."""
    table = table_for(request, number)
    kept_taps.enter_tap(command_for(request), table_id=table.pk, todo_id=todo_id)
    return page_done(request, table)


@floor_tap
def judge_tap(request: DoorRequest, number: int, todo_id: int) -> HttpResponse:
    """Take something off the to-do, having looked at it."""
    table = table_for(request, number)
    corrections.judge(command_for(request), table_id=table.pk, todo_id=todo_id)
    return page_done(request, table)
