"""The floor's taps on hands that were logged: corrected, voided, supplied, and what they left to do judged."""

from django.http import HttpResponse

from casino.people.http import ActorRequest, command_for
from casino.people.inputs import arguments_of_form
from tables.api.bodies import logged, supplied
from tables.api.hands import CorrectHand, SupplyHand, VoidSettledHand
from tables.services import corrections, kept_taps
from tables.views.floor import table_for
from tables.views.floor_taps import floor_tap, page_done


@floor_tap
def correct_tap(request: ActorRequest, number: int, hand_row_id: int) -> HttpResponse:
    """Replace a hand by what really happened."""
    table, arguments = table_for(request, number), arguments_of_form(request, CorrectHand)
    reason = arguments.pop("reason")
    corrections.correct_hand(
        command_for(request), table_id=table.pk, hand_row_id=hand_row_id, hand=logged(arguments), reason=reason
    )
    return page_done(request, table)


@floor_tap
def void_tap(request: ActorRequest, number: int, hand_row_id: int) -> HttpResponse:
    """Void a hand that was settled."""
    table, arguments = table_for(request, number), arguments_of_form(request, VoidSettledHand)
    corrections.void_settled_hand(command_for(request), table_id=table.pk, hand_row_id=hand_row_id, **arguments)
    return page_done(request, table)


@floor_tap
def supply_tap(request: ActorRequest, number: int, hand_row_id: int) -> HttpResponse:
    """Supply what was dropped for a hand that was not logged."""
    table, arguments = table_for(request, number), supplied(arguments_of_form(request, SupplyHand))
    corrections.supply_hand(command_for(request), table_id=table.pk, hand_row_id=hand_row_id, **arguments)
    return page_done(request, table)


@floor_tap
def enter_tap(request: ActorRequest, number: int, todo_id: int) -> HttpResponse:
    """Enter a tap that was kept: it was so."""
    table = table_for(request, number)
    kept_taps.enter_tap(command_for(request), table_id=table.pk, todo_id=todo_id)
    return page_done(request, table)


@floor_tap
def judge_tap(request: ActorRequest, number: int, todo_id: int) -> HttpResponse:
    """Take something off the to-do, having looked at it."""
    table = table_for(request, number)
    corrections.judge(command_for(request), table_id=table.pk, todo_id=todo_id)
    return page_done(request, table)
