"""The office's page of the tips: a gaming day's counts, each dealer's part, and handing it to payroll."""

from datetime import date

import segno
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.commands.methods import require_POST, require_safe
from casino.errors import NotFound
from casino.people.http import ActorRequest, actor_of, command_for, done, page, printed_paper, queried_day
from casino.people.inputs import arguments_of_form
from casino.people.standing import may_sign
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day, room_of, rule_book_in_force
from casino.rulebooks.dealers import Tips
from tables.api.tips import (
    CloseTips,
    HandTipsOn,
    TakeClosedTips,
    TakeTips,
    hand_on_by_two,
    receipt_at,
    take_by_two,
    take_closed_by_two,
)
from tables.models import ClosedTips
from tables.selectors.tip_receipts import Receipt
from tables.selectors.tips import days_with_tips, tips_of
from tables.services.tip_boxes import close_tips, take_back_closed_tips
from tables.services.tips import NEEDS_PAYROLL, note_tip_receipt
from tables.views.floor import table_for
from tables.views.floor_taps import floor_tap, page_done


@page("page.tips")
@never_cache
@require_safe
def tips_page(request: ActorRequest) -> HttpResponse:
    """Show the tips of a gaming day, the newest one that has some without a date. :raises NotFound: no such day."""
    by = actor_of(request)
    days = days_with_tips(by.room_id)
    day: GamingDay | None = days[0] if days else None
    if request.GET.get("day"):
        on = queried_day(request, "day", date.min)
        day = GamingDay.objects.filter(room_id=by.room_id, date=on).order_by("-id").first()
        if day is None:
            raise NotFound(what="day")
    context = {
        "room": room_of(by.room_id),
        "days": days,
        "tips": tips_of(day, at=clock.now()) if day else None,
        "is_day_open": open_day(by.room_id) is not None,
        "are_pooled": rule_book_in_force(by.room_id, at=clock.now())[1].dealers.tips == Tips.POOLED,
        "signers": may_sign(by.room_id, needs=NEEDS_PAYROLL, without={by.staff_id}),
    }
    return render(request, "tables/tips.html", context)


@page("tables.hand_tips_on")
@require_POST
def payroll_tap(request: ActorRequest) -> HttpResponse:
    """Hand a day's tips to payroll, by two on the same screen."""
    arguments = arguments_of_form(request, HandTipsOn)
    hand_on_by_two(command_for(request), **arguments)
    return done(request, to=f"{reverse('tips')}?day={arguments['day']}")


@page("page.tips")
@never_cache
@require_safe
def receipt_page(request: ActorRequest, number: int) -> HttpResponse:
    """Show a dealer's receipt as it is printed. :raises NotFound: there is none of this number."""
    return _receipt(request, receipt_at(actor_of(request).room_id, number), back=reverse("tips"))


@page("page.own_downs")
@never_cache
@require_safe
def own_receipt_page(request: ActorRequest, number: int) -> HttpResponse:
    """Show a dealer a receipt of their own. :raises NotFound: it is none of theirs."""
    by = actor_of(request)
    return _receipt(request, receipt_at(by.room_id, number, dealer_id=by.staff_id or 0), back=reverse("own_downs"))


@page("tables.note_tip_receipt")
@require_POST
def receipt_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Note that a receipt is printed; it comes back as it is to be printed, a copy marked as one."""
    answer = note_tip_receipt(command_for(request), number=number)
    receipt = receipt_at(actor_of(request).room_id, number)
    paper = _paper(request, receipt) | {"is_copy": answer.data["prints"] > 1}
    return done(request, content=printed_paper(request, "tables/tip_receipt_paper.html", paper))


def _receipt(request: ActorRequest, receipt: Receipt, *, back: str) -> HttpResponse:
    return render(request, "tables/tip_receipt.html", {**_paper(request, receipt), "back": back})


def _paper(request: ActorRequest, receipt: Receipt) -> dict[str, object]:
    """Return what a receipt's paper shows."""
    qr = segno.make(request.build_absolute_uri(reverse("tip_receipt", args=[receipt.number])), error="m", micro=False)
    return {
        "room": room_of(actor_of(request).room_id),
        "receipt": receipt,
        "is_copy": receipt.prints > 0,
        "qr": qr.svg_data_uri(border=0),
    }


@floor_tap
def close_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Say that a dealer has taken their tip box along."""
    table, arguments = table_for(request, number), arguments_of_form(request, CloseTips)
    close_tips(command_for(request), table_id=table.pk, **arguments)
    return page_done(request, table)


@floor_tap
def take_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Count a tip box by two and empty it."""
    table, arguments = table_for(request, number), arguments_of_form(request, TakeTips)
    take_by_two(command_for(request), table_id=table.pk, **arguments)
    return page_done(request, table)


@floor_tap
def take_closed_tap(request: ActorRequest, number: int, closed_id: int) -> HttpResponse:
    """Count a tip box by two that a dealer had taken along."""
    table, arguments = table_for(request, number), arguments_of_form(request, TakeClosedTips)
    take_closed_by_two(command_for(request), table_id=table.pk, closed_id=closed_id, **arguments)
    return page_done(request, table)


@floor_tap
def back_tap(request: ActorRequest, number: int, closed_id: int) -> HttpResponse:
    """Take back that a tip box was taken along."""
    table = table_for(request, number)
    take_back_closed_tips(command_for(request), table_id=table.pk, closed_id=closed_id)
    return page_done(request, table)


@page("page.own_downs")
@require_POST
def own_back_tap(request: ActorRequest, closed_id: int) -> HttpResponse:
    """Take back what one said oneself of a tip box. :raises NotFound: the room has no such box."""
    closed = ClosedTips.objects.filter(room_id=actor_of(request).room_id, id=closed_id).first()
    if closed is None:
        raise NotFound(what="closed_tips")
    take_back_closed_tips(command_for(request), table_id=closed.table_id, closed_id=closed_id)
    return done(request, to=reverse("own_downs"))
