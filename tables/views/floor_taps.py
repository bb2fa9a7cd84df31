"""The floor's taps: each reads its form by what the API's call takes, gives the command, and answers with the page."""

from collections.abc import Callable

from django.http import HttpResponse

from casino.cage.about import AtSeat
from casino.cage.api.slips import CancelSlip
from casino.cage.models import Slip
from casino.cage.services import cancel_slip
from casino.commands.methods import require_POST
from casino.errors import NotFound
from casino.people.http import ActorRequest, command_for, done, page
from casino.people.inputs import arguments_of_form
from tables.api.floor import (
    BringChips,
    ButtonHere,
    BuyInForSeat,
    ChooseEntry,
    CloseTable,
    CountStack,
    CountTipBox,
    HoldSeat,
    LeaveSeat,
    OpenTable,
    RecordDraw,
    SeatPlayer,
    SetStraddle,
    TakeBackLeaving,
)
from tables.models import Table
from tables.services import chips, choosing, opening, seating, stacks
from tables.services.seat_buy_ins import ask_for_seat
from tables.views.floor import shown_on, table_for


def floor_tap(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view one of the floor's taps."""
    return page("page.table_floor")(require_POST(view))


def page_done(request: ActorRequest, table: Table) -> HttpResponse:
    """Answer with the page that the sheet lay on; one that nobody pushes to, as a table's hands, is loaded anew."""
    if request.headers.get("X-Shown-On") != "":
        return done(request, audience=shown_on(request, table))
    response = done(request)
    response["HX-Refresh"] = "true"
    return response


@floor_tap
def open_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Open a table with a game."""
    table, arguments = table_for(request, number), arguments_of_form(request, OpenTable)
    feeds = arguments.pop("feeds")
    arguments["feeds_table_id"] = table_for(request, feeds).pk if feeds else None
    opening.open_table(command_for(request), table_id=table.pk, **arguments)
    return page_done(request, table)


@floor_tap
def close_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Close a table."""
    table, arguments = table_for(request, number), arguments_of_form(request, CloseTable)
    opening.close_table(command_for(request), table_id=table.pk, **arguments)
    return page_done(request, table)


@floor_tap
def draw_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Record the button draw."""
    table, arguments = table_for(request, number), arguments_of_form(request, RecordDraw)
    opening.record_draw(command_for(request), table_id=table.pk, **arguments)
    return page_done(request, table)


@floor_tap
def button_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Take somebody's word for where the button lies."""
    table, arguments = table_for(request, number), arguments_of_form(request, ButtonHere)
    opening.button_here(command_for(request), table_id=table.pk, **arguments)
    return page_done(request, table)


@floor_tap
def tips_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Post what was counted in the tip box."""
    table, arguments = table_for(request, number), arguments_of_form(request, CountTipBox)
    chips.count_tip_box(command_for(request), table_id=table.pk, **arguments)
    return page_done(request, table)


@floor_tap
def seat_tap(request: ActorRequest, number: int, seat_number: int) -> HttpResponse:
    """Sit a player down: one who is known, or a new one by two fields; with chips brought, or asked from the cage."""
    table, arguments = table_for(request, number), arguments_of_form(request, SeatPlayer)
    choosing.seat(command_for(request), table, seat_number, **arguments)
    return page_done(request, table)


@floor_tap
def entry_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Let a player who is new, or has missed blinds, wait for the big blind, post or straddle."""
    table, arguments = table_for(request, number), arguments_of_form(request, ChooseEntry)
    seating.choose_entry(command_for(request), table_id=table.pk, seating_id=seating_id, **arguments)
    return page_done(request, table)


@floor_tap
def hold_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Hold a seat, or deal it in again, as its player chose to come in."""
    table, arguments = table_for(request, number), arguments_of_form(request, HoldSeat)
    seating.hold_seat(command_for(request), table_id=table.pk, seating_id=seating_id, **arguments)
    return page_done(request, table)


@floor_tap
def straddle_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Have a player straddle from now on, or no more."""
    table, arguments = table_for(request, number), arguments_of_form(request, SetStraddle)
    seating.set_straddle(command_for(request), table_id=table.pk, seating_id=seating_id, **arguments)
    return page_done(request, table)


@floor_tap
def leave_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Let a player leave: with the stack as counted, or not counted."""
    table, arguments = table_for(request, number), arguments_of_form(request, LeaveSeat)
    seating.leave_seat(command_for(request), table_id=table.pk, seating_id=seating_id, **arguments)
    return page_done(request, table)


@floor_tap
def count_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Supply the stack of somebody who left uncounted; with the seat's version, put a wrong count right."""
    table, arguments = table_for(request, number), arguments_of_form(request, CountStack)
    stacks.count_stack(command_for(request), table_id=table.pk, seating_id=seating_id, **arguments)
    return page_done(request, table)


@floor_tap
def take_back_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Take back that a player left."""
    table, arguments = table_for(request, number), arguments_of_form(request, TakeBackLeaving)
    seating.take_back_leaving(command_for(request), table_id=table.pk, seating_id=seating_id, **arguments)
    return page_done(request, table)


@floor_tap
def buy_in_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Ask the cage for chips for a seat."""
    table, arguments = table_for(request, number), arguments_of_form(request, BuyInForSeat)
    ask_for_seat(command_for(request), table=table, seating_id=seating_id, **arguments)
    return page_done(request, table)


@floor_tap
def chips_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Note chips that a player brought to the table."""
    table, arguments = table_for(request, number), arguments_of_form(request, BringChips)
    chips.bring_chips(command_for(request), table_id=table.pk, seating_id=seating_id, **arguments)
    return page_done(request, table)


@floor_tap
def cancel_tap(request: ActorRequest, number: int, slip_id: int) -> HttpResponse:
    """Take back what was asked from the cage. :raises NotFound: not for a seat of this table."""
    table, arguments = table_for(request, number), arguments_of_form(request, CancelSlip)
    if not Slip.objects.filter(AtSeat.of_table(table.pk), id=slip_id, room_id=table.room_id).exists():
        raise NotFound(what="slip")
    cancel_slip(command_for(request), slip_id=slip_id, **arguments)
    return page_done(request, table)
