"""The page of a table's rack: counted, filled and emptied, or the way to the slips that do; and what checks found."""

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from casino import clock
from casino.cage.api.slips import NeverSold, never_sold_by_two
from casino.cage.labels import REASONS
from casino.cage.selectors.drawers import values_counted
from casino.cage.services import voiding
from casino.commands.carrying_out import Actor
from casino.commands.methods import require_safe
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.standing import may_sign
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day, room_of, rule_book_in_force
from casino.rulebooks.dealers import Rack
from tables.api.racks import (
    ClearRack,
    CloseRack,
    CountRack,
    FillRack,
    SellFromRack,
    clear_by_two,
    close_by_two,
    fill_by_two,
)
from tables.chart import OWNER
from tables.models import RackCheck, Table
from tables.selectors.racks import check_rows, counts_drawn_on, fill_rows, lies_as_counted, sold_slips
from tables.services import racks
from tables.services.rack_never_sold import maybe_never_sold
from tables.services.rack_pushes import cash_lies_there, is_counted_since_play, is_taken_over, lies_there
from tables.services.rack_sales import sell_from_rack
from tables.terms import dealers_at
from tables.views.floor import table_for
from tables.views.floor_taps import floor_tap, page_done

KINDS = {
    RackCheck.Kind.OPENING.value: _("before the table begins"),
    RackCheck.Kind.PUSH.value: _("at a push"),
    RackCheck.Kind.UNANNOUNCED.value: _("unannounced, at a push"),
    RackCheck.Kind.FLOOR.value: _("by the floor"),
    RackCheck.Kind.AT_CLOSING.value: _("closing"),
    RackCheck.Kind.CLOSING.value: _("closing, to the vault"),
}


@page("page.racks")
@never_cache
@require_safe
def rack_page(request: ActorRequest, number: int) -> HttpResponse:
    """Show the checks of a table's rack and the forms of its counts. What lies there is shown to managers alone."""
    by, table = actor_of(request), table_for(request, number)
    terms = dealers_at(table, at=clock.now()).rack
    day = open_day(by.room_id)
    rows = check_rows(table)
    values, cash_lies = values_counted(by.room_id, at=clock.now()), cash_lies_there(table)
    context = {
        "room": room_of(by.room_id),
        "table": table,
        "terms": terms,
        "day": day,
        "checks": [(row, KINDS[row.check.kind]) for row in rows],
        "fills": fill_rows(table),
        "counts_drawn": counts_drawn_on(table, day),
        "chip_values": values.chips,
        "may_be_left": is_counted_since_play(table) and not is_taken_over(table),
        "note_values": values.cash if terms.sells or cash_lies else (),
        **_slips_of(by, table, day, terms, cash_lies=cash_lies),
        "signers": may_sign(by.room_id, needs=racks.NEEDS, without={by.staff_id}),
        "shows_sums": "read.racks" in by.may,
        # What was sold says what should lie there.
        "sold": sold_slips(table) if "read.racks" in by.may else [],
        **(_never_sold(by, table, day) if day and "cage.void_rack_sale" in by.may else {}),
    }
    return render(request, "tables/rack.html", context)


@floor_tap
def count_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Count a rack; what differs is shown afterwards."""
    table, arguments = table_for(request, number), arguments_of_form(request, CountRack)
    racks.count_rack(command_for(request), table_id=table.pk, **arguments)
    return _back(request, table)


@floor_tap
def fill_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Fill a rack from the vault, by two on the same screen."""
    table, arguments = table_for(request, number), arguments_of_form(request, FillRack)
    fill_by_two(command_for(request), table_id=table.pk, **arguments)
    return _back(request, table)


@floor_tap
def close_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Count a rack by two at its closing."""
    table, arguments = table_for(request, number), arguments_of_form(request, CloseRack)
    close_by_two(command_for(request), table_id=table.pk, **arguments)
    return _back(request, table)


@floor_tap
def clear_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Count a rack by two and bring it to the vault."""
    table, arguments = table_for(request, number), arguments_of_form(request, ClearRack)
    clear_by_two(command_for(request), table_id=table.pk, **arguments)
    return _back(request, table)


@floor_tap
def never_sold_tap(request: ActorRequest, number: int, slip_id: int) -> HttpResponse:
    """Take back a sale that never was, by two on the same screen."""
    table = table_for(request, number)
    never_sold_by_two(command_for(request), slip_id=slip_id, **arguments_of_form(request, NeverSold))
    return _back(request, table)


@floor_tap
def sell_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Sell a seat chips out of the rack, for cash."""
    table, arguments = table_for(request, number), arguments_of_form(request, SellFromRack)
    sell_from_rack(command_for(request), table_id=table.pk, seating_id=seating_id, **arguments)
    return page_done(request, table)


def _slips_of(by: Actor, table: Table, day: GamingDay | None, terms: Rack, *, cash_lies: bool) -> dict[str, object]:
    """
    Return whether the rule book lets two bring something between vault and rack in one step, and where a fill slip and
    a credit are asked for, "" for nowhere. `is_closed`: what its closing counted lies there still; then, or where cash
    lies there, the credit `is_next`.
    """
    is_one_step = rule_book_in_force(by.room_id, at=clock.now())[1].cage.fills_in_one_step
    may_ask = day is not None and {"page.fills", "cage.request_fill"} <= by.may
    check = None if is_one_step else lies_as_counted(table.pk)
    is_closed = check is not None and check.kind == RackCheck.Kind.AT_CLOSING
    lies = cash_lies or (not is_one_step and lies_there(table))
    return {
        "is_one_step": is_one_step,
        "is_closed": is_closed,
        "is_next": cash_lies or is_closed,
        "fill": _request_url(table, "fill") if may_ask and terms.is_kept and not is_one_step else "",
        "credit": _request_url(table, "credit") if may_ask and lies else "",
    }


def _request_url(table: Table, kind: str) -> str:
    """Return where a fill slip, or a credit, is asked for a table's rack."""
    return f"{reverse('cage_fills')}?{urlencode({'kind': kind, 'place': f'{OWNER}.{table.number}'})}"


def _never_sold(by: Actor, table: Table, day: GamingDay) -> dict[str, object]:
    """
    Return what may be said to have been never sold, by what counts have found; without sums: beside what a count
    differs by they would say what the next one is to find.
    """
    return {
        "never_sold": maybe_never_sold(table, day),
        "never_sold_for": [(each.value, REASONS[each]) for each in voiding.NEVER_SOLD_FOR],
        "voiders": may_sign(by.room_id, needs=voiding.NEEDS, without={by.staff_id}),
    }


def _back(request: ActorRequest, table: Table) -> HttpResponse:
    return done(request, to=reverse("floor_rack", args=[table.number]))
