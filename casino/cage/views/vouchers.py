"""The page of vouchers, their papers, and both taps by two."""

from datetime import timedelta

import segno
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.cage.api.vouchers import IssueVoucher, VoidVoucher, issue_by_two, void_by_two
from casino.cage.labels import VOUCHER_ORIGINS, VOUCHER_STATES, VOUCHER_VOID_REASONS
from casino.cage.models import Voucher, VoucherPrint
from casino.cage.selectors.vouchers import vouchers_of
from casino.cage.services.vouchers import NEEDS, note_voucher_print
from casino.commands.methods import require_POST, require_safe
from casino.people.http import ActorRequest, actor_of, command_for, done, page, printed_paper
from casino.people.inputs import arguments_of_form
from casino.people.standing import may_sign
from casino.rooms.selectors import open_day, rule_book_in_force


@page("page.vouchers")
@require_safe
@never_cache
def vouchers_page(request: ActorRequest) -> HttpResponse:
    """The newest vouchers, and the form for one more."""
    by = actor_of(request)
    day = open_day(by.room_id)
    book = rule_book_in_force(by.room_id, at=clock.now())[1]
    context = {
        "vouchers": [
            (each, VOUCHER_ORIGINS[each.origin], VOUCHER_STATES[each.state]) for each in vouchers_of(by.room_id)
        ],
        "day": day,
        "last_date": day.date + timedelta(days=book.cage.voucher_days) if day else None,
        "origins": VOUCHER_ORIGINS.items(),
        "approvers": may_sign(by.room_id, needs=NEEDS, without={by.staff_id}),
    }
    return render(request, "cage/vouchers.html", context)


@page("page.vouchers")
@require_safe
@never_cache
def voucher_page(request: ActorRequest, voucher_id: int) -> HttpResponse:
    """One voucher: its paper while it is open, what became of it, and the form that makes it void."""
    by, paper = actor_of(request), _paper(request, voucher_id)
    context = {
        **paper,
        "reasons": VOUCHER_VOID_REASONS.items(),
        "approvers": may_sign(by.room_id, needs=NEEDS, without={by.staff_id}),
    }
    return render(request, "cage/voucher.html", context)


@page("page.vouchers")
@require_POST
def printed(request: ActorRequest, voucher_id: int) -> HttpResponse:
    """Note that the paper is printed; it comes back as it is to be printed, a copy marked as one."""
    note_voucher_print(command_for(request), voucher_id=voucher_id)
    paper = _paper(request, voucher_id)
    return done(request, content=printed_paper(request, "cage/voucher_paper.html", paper | {"is_new": True}))


@page("page.vouchers")
@require_POST
def issue(request: ActorRequest) -> HttpResponse:
    """Issue a voucher by two; its paper is shown."""
    answer = issue_by_two(command_for(request), **arguments_of_form(request, IssueVoucher))
    return done(request, to=reverse("cage_voucher", args=[answer.data["voucher_id"]]))


@page("page.vouchers")
@require_POST
def void(request: ActorRequest, voucher_id: int) -> HttpResponse:
    """Make a voucher void by two."""
    void_by_two(command_for(request), voucher_id=voucher_id, **arguments_of_form(request, VoidVoucher))
    return done(request, to=reverse("cage_voucher", args=[voucher_id]))


def _paper(request: ActorRequest, voucher_id: int) -> dict[str, object]:
    """Return what a voucher's paper shows; `printing` is its newest one. Two queries."""
    vouchers = Voucher.objects.filter(room_id=actor_of(request).room_id, id=voucher_id)
    voucher = vouchers.select_related("issued_by", "approved_by", "taken_with__drawer", "void_approved_by").first()
    if voucher is None:
        raise Http404
    printings = VoucherPrint.objects.filter(voucher=voucher).select_related("printed_by")
    return {
        "voucher": voucher,
        "printing": printings.order_by("-number").first(),
        "state": VOUCHER_STATES[voucher.state],
        "origin": VOUCHER_ORIGINS[voucher.origin],
        "reason": VOUCHER_VOID_REASONS.get(voucher.void_reason, ""),
        "qr": segno.make(voucher.on_paper, error="m", micro=False).svg_data_uri(border=0),
    }
