"""Slips on the screen and on paper, printed again, and reversed by two."""

import re
from collections.abc import Callable
from http import HTTPStatus

import segno
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.cage import deliveries, rules, services
from casino.cage.api.slips import NeverSold, ReverseSlip, never_sold_by_two, reverse_by_two
from casino.cage.labels import KINDS, REASONS, REFUSED_FOR, UNNAMED, how_paid, signature_line
from casino.cage.models import Slip
from casino.cage.notes import cash_values
from casino.cage.selectors.chips import chips_of
from casino.cage.selectors.chips import words as chip_words
from casino.cage.selectors.drawers import drawer_id
from casino.cage.selectors.money import money_of, words
from casino.cage.selectors.paid_on import day_of
from casino.cage.selectors.slips import slip_numbered, slip_of, sold_by_racks
from casino.cage.services.voiding import NEEDS, NEVER_SOLD_FOR, lines_back, lines_of_never_sold
from casino.cage.views.foreign import notes_in_words
from casino.commands.methods import require_POST, require_safe
from casino.commands.middleware import refusal_context
from casino.errors import Refusal
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.standing import may_sign
from casino.rooms.selectors import open_day, rule_book_in_force

# Neither cancelled nor taken back: its paper is one to sign.
_STANDS = (Slip.Status.REQUESTED, Slip.Status.PAID)
# As it stands on paper, and as it is typed: the drawer's number and the slip's.
_NUMBER = re.compile(r"\s*([0-9]{1,9})\s*[-–/ ]\s*([0-9]{1,9})\s*")


@page("page.slips")
@require_safe
@never_cache
def slips_page(request: ActorRequest) -> HttpResponse:
    """Lead to the slip whose number was typed; and what racks sold on the open day, which stands at no window."""
    room_id, typed = actor_of(request).room_id, request.GET.get("number", "")[:40].strip()
    named = _NUMBER.fullmatch(typed)
    slip_id = slip_numbered(room_id, int(named[1]), int(named[2])) if named else None
    if slip_id is not None:
        return HttpResponseRedirect(reverse("cage_slip", args=[slip_id]))
    day = open_day(room_id)
    sold = sold_by_racks(day) if day else ()
    status = HTTPStatus.NOT_FOUND if typed else HTTPStatus.OK
    return render(request, "cage/slips.html", {"typed": typed, "sold": sold}, status=status)


@page("page.slips")
@require_safe
@never_cache
def slip_page(request: ActorRequest, slip_id: int) -> HttpResponse:
    """One slip, as it is printed; what a rack sold stands at no window, and is taken back from here."""
    slip = _slip(request, slip_id)
    is_racks = slip.status == Slip.Status.PAID and slip.drawer is not None and slip.drawer.is_rack
    may_take_back = is_racks and "cage.reverse_slip" in actor_of(request).may
    taken_back = {**_taking_back(request, slip), **_never_sold(request, slip)} if may_take_back else {}
    return render(request, "cage/slip.html", {**_paper(request, slip), **taken_back})


@page("page.cage")
@require_safe
@never_cache
def slip_panel(request: ActorRequest, slip_id: int) -> HttpResponse:
    """One slip beside the window, with what can be done with it."""
    return HttpResponse(panel(request, slip_id))


@page("page.cage")
@require_POST
def printed(request: ActorRequest, slip_id: int) -> HttpResponse:
    """Note that it is printed; it comes back as it is to be printed, a copy marked as one."""
    answer = services.note_print(command_for(request), slip_id=slip_id)
    return done(request, content=_paper_now(request, slip_id, is_copy=answer.data["prints"] > 1))


@page("page.cage")
@require_POST
def signature(request: ActorRequest, slip_id: int) -> HttpResponse:
    """Note that the player signed the printed slip."""
    services.note_signature(command_for(request), slip_id=slip_id)
    return done(request, content=_paper_now(request, slip_id))


@page("page.cage")
@require_POST
def reverse_slip(request: ActorRequest, slip_id: int) -> HttpResponse:
    """Take a paid slip back, signed by a second person with their own PIN."""
    reverse_by_two(command_for(request), slip_id=slip_id, **arguments_of_form(request, ReverseSlip))
    slip = _slip(request, slip_id)
    assert slip.drawer is not None
    if slip.drawer.is_rack:
        return done(request, to=reverse("cage_slip", args=[slip_id]))
    return done(request, audience=f"cage.{slip.drawer.number}", content=panel(request, slip_id))


@page("page.slips")
@require_POST
def never_sold(request: ActorRequest, slip_id: int) -> HttpResponse:
    """Take back a sale out of a rack that never was, signed by a second person with their own PIN."""
    never_sold_by_two(command_for(request), slip_id=slip_id, **arguments_of_form(request, NeverSold))
    return done(request, to=reverse("cage_slip", args=[slip_id]))


def drawer_id_of(request: ActorRequest, number: int) -> int:
    """Return the id of the room's drawer of this number. One query. :raises NotFound: there is none."""
    return drawer_id(actor_of(request).room_id, number)


def panel(request: ActorRequest, slip_id: int, *, is_new: bool = False) -> str:
    """Return the slip as it stands beside the window; `is_new` when money has just moved."""
    slip = _slip(request, slip_id)
    gives_chips = slip.kind == Slip.Kind.BUY_IN
    gives_cash = slip.kind in rules.PAYOUTS and slip.method == rules.CASH
    book = rule_book_in_force(slip.room_id, at=clock.now())[1]
    values = book.chips_cents if gives_chips else cash_values(book.house.currency) if gives_cash else ()
    # What was sold before Brush knew of it has been handed over.
    is_to_give = is_new and not deliveries.of(slip).was_paid
    context = {
        **_paper(request, slip),
        "is_new": is_new,
        "gives_chips": gives_chips,
        "pieces": rules.hand_over(slip.amount_cents, values) if is_to_give else [],
        **(_taking_back(request, slip) if slip.status == Slip.Status.PAID else {}),
    }
    return render_to_string("cage/slip_panel.html", context, request=request)


def _paper_now(request: ActorRequest, slip_id: int, **context: object) -> str:
    return render_to_string("cage/slip_paper.html", {**_paper(request, _slip(request, slip_id)), **context}, request)


def _taking_back(request: ActorRequest, slip: Slip) -> dict[str, object]:
    """Return what takes a paid slip back, and why what cannot be done now cannot: "" where it can."""
    signers = may_sign(slip.room_id, needs=NEEDS, without={actor_of(request).staff_id, slip.paid_by_id})
    return {
        "reasons": REASONS.items(),
        "approvers": signers,
        "not_reversed": _why_not(request, lambda: lines_back(slip)),
    }


def _never_sold(request: ActorRequest, slip: Slip) -> dict[str, object]:
    """Return what says that a rack's sale never was, and why that cannot be said now: "" where it can."""
    return {
        "never_sold_for": [(each.value, REASONS[each]) for each in NEVER_SOLD_FOR],
        "not_never_sold": _why_not(request, lambda: lines_of_never_sold(slip)),
    }


def _why_not(request: ActorRequest, asks: Callable[[], object]) -> str:
    try:
        asks()
    except Refusal as refusal:
        return str(refusal_context(request, refusal.for_reader(actor_of(request).may))["sentence"])
    return ""


def _slip(request: ActorRequest, slip_id: int) -> Slip:
    slip = slip_of(actor_of(request).room_id, slip_id)
    if slip is None:
        raise Http404
    return slip


def _paper(request: ActorRequest, slip: Slip) -> dict[str, object]:
    url = request.build_absolute_uri(reverse("cage_slip", args=[slip.pk]))
    assert request.room is not None
    notes, chips, voucher = getattr(slip, "notes", None), chips_of(slip), getattr(slip, "voucher", None)
    paid_by = (
        {**notes_in_words(notes, request.room), "change_cents": notes.value_cents - slip.amount_cents} if notes else {}
    )
    return {
        **paid_by,
        "slip": slip,
        "is_copy": slip.prints > 0,
        "day": day_of(slip),
        "kind": KINDS[slip.kind],
        "method": how_paid(slip.method, voucher.number if voucher else None),
        "voucher": voucher,
        "reason": REASONS.get(slip.void_reason, ""),
        "signature_line": signature_line(slip.kind, slip.method) if slip.status in _STANDS else "",
        "signed": getattr(slip, "signed", None),
        "may_be_signed": slip.moves_deposit and slip.status == Slip.Status.PAID,
        "unnamed": UNNAMED.get(slip.unnamed, ""),
        "refused_for": REFUSED_FOR[slip.refused.reason] if hasattr(slip, "refused") else "",
        "money_words": words(money_of(slip)),
        "chips": chips,
        "chips_words": chip_words(chips, str(chips.staff)) if chips else "",
        "place_label": deliveries.of(slip).label(slip) if slip.kind in deliveries.HAVE_A_SAY else "",
        "qr": segno.make(url, error="m", micro=False).svg_data_uri(border=0),
    }
