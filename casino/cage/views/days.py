"""The manager's page of the gaming day, and each day's own: what is counted of it, what was carried over its end."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.cache import never_cache

from casino import clock
from casino.audit.selectors import printed_seal
from casino.cage import day_counts, open_items
from casino.cage.api.days import CloseCounts, CloseDay, close_counts_by_two, day_of
from casino.cage.day_ends import warnings_before
from casino.cage.labels import CARRY_REASONS, Text
from casino.cage.selectors.carried_over import COUNTED, Carried, carried_from, carried_of
from casino.cage.selectors.carriers import carriers
from casino.cage.selectors.counts import closed_sessions
from casino.cage.selectors.days import closed_today, days_that_wait
from casino.cage.selectors.drawers import drawers
from casino.cage.selectors.vault_counts import last_counted
from casino.cage.services import close_day, open_day
from casino.cage.services.days import NEEDS
from casino.commands.carrying_out import Actor
from casino.commands.methods import require_POST, require_safe
from casino.ledger.selectors.accounts import house_figures, is_vault_new
from casino.ledger.services import NEEDS as NEEDS_TO_STOCK
from casino.live.areas import BESIDE_DAY
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.selectors import prepared_signatures, staff_names
from casino.people.standing import may_sign
from casino.reading import reading_once
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day as day_that_is_open
from casino.rooms.selectors import room_of


@page("page.day")
@require_safe
@never_cache
def day_page(request: ActorRequest) -> HttpResponse:
    """The gaming day: open it, stock the vault, close it; and the days whose counts wait."""
    by = actor_of(request)
    room_id, is_new = by.room_id, is_vault_new(by.room_id)
    day = day_that_is_open(room_id)
    context = {
        "day": day,
        "stocks_alone": is_new,
        "approvers": () if is_new else may_sign(room_id, needs=NEEDS_TO_STOCK, without={by.staff_id}),
        "drawers": drawers(room_id),
        "carriers": carriers(room_id, may=by.may, shown_to=by.staff_id),
        "closed": closed_sessions(room_id),
        "checks": _checks(by, day) if day else [],
        "days_that_wait": days_that_wait(room_id),
        "ends": warnings_before(room_id, may=by.may),
        "has_been": None if day else closed_today(room_id, at=clock.now()),
        "house": house_figures(room_id),
        "vault_counted_at": last_counted(room_id),
        "prepared_signatures": prepared_signatures(room_id),
        "seal": printed_seal(room_id),
        "beside": BESIDE_DAY.gather(room_id=room_id),
        "printed_at": clock.now(),
    }
    return render(request, "cage/day.html", context)


@page("page.day")
@require_POST
def day_open(request: ActorRequest) -> HttpResponse:
    """Open the gaming day."""
    open_day(command_for(request))
    return done(request, to=reverse("cage_day"))


@page("page.day")
@require_POST
def day_close(request: ActorRequest) -> HttpResponse:
    """Close the gaming day for operations."""
    close_day(command_for(request), **arguments_of_form(request, CloseDay))
    return done(request, to=reverse("cage_day"))


@page("page.day")
@require_safe
@never_cache
def one_day(request: ActorRequest, day_id: int) -> HttpResponse:
    """One gaming day: how far it has closed, what is counted and what was carried of it, its second close."""
    by = actor_of(request)
    day = day_of(by.room_id, day_id)
    counts, names = day_counts.counts_of(day), _names_of(day)
    waits = [each for each in counts if not each.counts]
    own = day_counts.own_of(waits, by.staff_id or 0)
    counted = [*(each for each in counts if each.counts), *day_counts.found_besides(day)]
    context: dict[str, Any] = {
        "room": room_of(by.room_id),
        "day": day,
        "version": day_counts.version_of(counts),
        "counted": counted,
        "differ": sum(each.differs for each in counted),
        "drop_first": [each for each in waits if not each.may_wait],
        "waits": [
            (each, each in own, _reasons([day_counts.GONE] if each in own else day_counts.REASONS))
            for each in waits
            if each.may_wait
        ],
        "carried": [(each, _address(each, by, counts)) for each in carried_of(day, counts)],
        "closed_by": names.get(day.closed_by_id or 0, ""),
        "counted_by": names.get(day.counted_by_id or 0, ""),
        "counted_with": names.get(day.counted_with_id or 0, ""),
        "may_close": day.stage == GamingDay.Stage.OPERATIONS and "cage.close_counts" in by.may,
        "signers": may_sign(by.room_id, needs=NEEDS, without={by.staff_id}),
        "printed_at": clock.now(),
    }
    return render(request, "cage/one_day.html", context)


@page("cage.close_counts")
@require_POST
def counts_close(request: ActorRequest, day_id: int) -> HttpResponse:
    """Close a day as counted, by two on the same screen."""
    close_counts_by_two(command_for(request), day_id=day_id, **arguments_of_form(request, CloseCounts))
    return done(request, to=reverse("cage_one_day", args=[day_id]))


def _checks(by: Actor, day: GamingDay) -> list[dict[str, Any]]:
    """
    Return the lines of the checklist: what each is about, what of it is to be finished, and what may be carried, with
    where whoever looks may do something of it, its amount, and the day from which it was; without a reason to choose
    where they may not carry it.
    """
    with reading_once():
        checks, lines = [], open_items.checklist(by.room_id)
    may_not = open_items.own_of([each for check in lines for each in check.carried], by.room_id, by.staff_id or 0)
    own = {each.word for each in may_not}
    since = carried_from(by.room_id, [each for check in lines for each in check.carried])
    for check in lines:
        numbers = [*check.first, *(each.number for each in check.carried)]
        labels = open_items.labels(check.kind, numbers)
        addresses = open_items.addresses(check.kind, numbers, room_id=by.room_id, may=by.may)
        cents = open_items.open_cents_of(check.kind, [row for each in check.carried for row in each.rows], day.pk)
        carried = [
            (
                each.word,
                labels[each.number],
                addresses.get(each.number, ""),
                [] if each.word in own else _reasons(each.reasons),
                sum(cents.get(row, 0) for row in each.rows),
                since.get(each.word),
            )
            for each in check.carried
        ]
        first = [_link(labels[number], addresses.get(number, "")) for number in check.first]
        checks.append({"title": check.title, "first": first, "carried": carried})
    return checks


def _link(label: str, address: str) -> str:
    return format_html('<a href="{}">{}</a>', address, label) if address else label


def _address(carried: Carried, by: Actor, counts: Iterable[day_counts.ToCount]) -> str:
    """Return where something can be done of what was carried and is still open, "" where it is not, or not by them."""
    kind, number = carried.item.kind, carried.item.number
    if not carried.is_open:
        return ""
    if carried.item.stage == COUNTED:
        return next((each.address for each in counts if (each.kind, each.id) == (kind, number)), "")
    return open_items.addresses(kind, [number], room_id=by.room_id, may=by.may).get(number, "")


def _reasons(codes: Any) -> list[tuple[str, Text]]:
    return [(str(code), CARRY_REASONS[code]) for code in codes]


def _names_of(day: GamingDay) -> dict[int, str]:
    return staff_names(who for who in (day.closed_by_id, day.counted_by_id, day.counted_with_id) if who is not None)
