"""The fills' page: what goes its way, who carries it, and each slip with its next step and its paper."""

from typing import Any

import segno
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from casino import clock
from casino.cage import fill_places, rules, services
from casino.cage.api.fills import (
    AuthoriseFill,
    DeliverFill,
    FillSlips,
    RefuseFill,
    ReturnFill,
    VerifyFill,
    deliver_by_two,
    return_by_two,
    verify_by_two,
)
from casino.cage.labels import FILL_REASONS
from casino.cage.models_fills import FillSlip
from casino.cage.selectors.drawers import Values, values_counted
from casino.cage.selectors.fills import Shown, carrying, fills, fills_under_way, last_fills, refused_now
from casino.cage.selectors.vault_counts import counted_first_since
from casino.cage.services.fill_moves import NEEDS_TO_CARRY, NEEDS_TO_COUNT
from casino.commands.carrying_out import Actor
from casino.commands.methods import require_POST, require_safe
from casino.commands.refusals import room_of_reader
from casino.people.http import ActorRequest, actor_of, command_for, done, done_there, page, printed_paper
from casino.people.inputs import arguments_of_form
from casino.people.standing import may_sign
from casino.rooms.selectors import open_day

# A slip's next step, by how it stands.
_STEPS = {"requested": "authorise", "authorised": "deliver", "delivered": "verify"}


@page("page.fills")
@require_safe
@never_cache
def fills_page(request: ActorRequest) -> HttpResponse:
    """What goes its way and who carries it, what has ended, and the form that asks for another. A few queries."""
    by = actor_of(request)
    under_way, values = fills_under_way(by.room_id), values_counted(by.room_id, at=clock.now())
    places = fill_places.to_choose(by.room_id)
    chosen, is_credit = request.GET.get("place", ""), request.GET.get("kind") == "credit"
    at = [(kind, number) for kind, number, _label in places if is_credit and f"{kind}.{number}" == chosen]
    own = None if by.place is None else f"{fill_places.DRAWER}.{by.place[1]}" if by.place[0] == "cage" else None
    context = {
        "day": open_day(by.room_id),
        "gives_nothing": counted_first_since(by.room_id, at=clock.now()) is not None,
        "under_way": under_way,
        "carrying": carrying(under_way),
        "ended": last_fills(by.room_id),
        "places": [(f"{kind}.{number}", label) for kind, number, label in places],
        "chosen": chosen or own or "",
        "is_credit": is_credit,
        "wished": _counted_there(by, *at[0], values) if at else None,
        "note_values": values.cash,
        "chip_values": values.chips,
    }
    return render(request, "cage/fills.html", context)


def _counted_there(by: Actor, kind: str, number: int, values: Values) -> dict[str, dict[int, int | str]]:
    """Return how many of each value this reader knows to lie at a place, "" for none. A few queries."""
    place = fill_places.of(kind)
    counted = place.lies_as_counted(place.id_of(by.room_id, number), by)
    parts = ((rules.CASH, values.cash, counted.cash), (rules.CHIPS, values.chips, counted.chips))
    return {
        what: dict.fromkeys(of, "") | {value: count for value, count in there if count} for what, of, there in parts
    }


@page("page.fills")
@require_safe
@never_cache
def fill_page(request: ActorRequest, fill_id: int) -> HttpResponse:
    """
    One slip: its paper, and the next step, or what is to be done before it. Who counts it is shown neither what was
    wished nor what was sent.
    """
    by, now = actor_of(request), clock.now()
    slip = _fill(request, fill_id)
    refused = refused_now([slip], staff_id=by.staff_id, at=now)[slip.pk]
    step = _STEPS.get(slip.status, "")
    needs = NEEDS_TO_CARRY if step == "deliver" else NEEDS_TO_COUNT
    without = {by.staff_id} if step == "deliver" else {by.staff_id, slip.runner_id}
    values = values_counted(by.room_id, at=now)
    context: dict[str, Any] = {
        **_paper(request, slip),
        "step": step,
        "why_not": refused.forth and refused.forth.text(**room_of_reader(request, refused.forth)),
        "why_not_back": refused.back and refused.back.text(**room_of_reader(request, refused.back)),
        "is_own": slip.requested_by_id == by.staff_id,
        "is_judge": by.staff_id not in slip.handled_by,
        "reasons": FILL_REASONS.items(),
        "signers": may_sign(by.room_id, needs=needs, without=without) if step in ("deliver", "verify") else [],
        **_fields(slip, values),
    }
    return render(request, "cage/fill.html", context)


@page("cage.request_fill")
@require_POST
def ask(request: ActorRequest) -> HttpResponse:
    """Ask for a fill or a credit."""
    answer = services.request_fill(command_for(request), **arguments_of_form(request, FillSlips))
    return _to(request, answer.data["fill_id"])


@page("cage.authorise_fill")
@require_POST
def authorise(request: ActorRequest, fill_id: int) -> HttpResponse:
    """Authorise a fill slip, so that it may be carried."""
    services.authorise_fill(command_for(request), fill_id=fill_id, **arguments_of_form(request, AuthoriseFill))
    return _to(request, fill_id)


@page("cage.refuse_fill")
@require_POST
def refuse(request: ActorRequest, fill_id: int) -> HttpResponse:
    """Refuse it or call it off."""
    services.refuse_fill(command_for(request), fill_id=fill_id, **arguments_of_form(request, RefuseFill))
    return _to(request, fill_id)


@page("cage.deliver_fill")
@require_POST
def deliver(request: ActorRequest, fill_id: int) -> HttpResponse:
    """Give it to a runner, who signs on the same screen."""
    deliver_by_two(command_for(request), fill_id=fill_id, **arguments_of_form(request, DeliverFill))
    return _to(request, fill_id)


@page("cage.verify_fill")
@require_POST
def verify(request: ActorRequest, fill_id: int) -> HttpResponse:
    """Count it where it goes, by two on the same screen."""
    verify_by_two(command_for(request), fill_id=fill_id, **arguments_of_form(request, VerifyFill))
    return _to(request, fill_id)


@page("cage.return_fill")
@require_POST
def bring_back(request: ActorRequest, fill_id: int) -> HttpResponse:
    """Count it where it came from, by two on the same screen."""
    return_by_two(command_for(request), fill_id=fill_id, **arguments_of_form(request, ReturnFill))
    return _to(request, fill_id)


@page("cage.judge_fill")
@require_POST
def judge(request: ActorRequest, fill_id: int) -> HttpResponse:
    """Take what differs off the floor's to-do."""
    services.judge_fill(command_for(request), fill_id=fill_id)
    return done_there(request) if request.headers.get("X-Shown-On") else _to(request, fill_id)


@page("cage.note_fill_print")
@require_POST
def printed(request: ActorRequest, fill_id: int) -> HttpResponse:
    """Note that it is printed; it comes back as it is to be printed, a copy marked as one."""
    answer = services.note_fill_print(command_for(request), fill_id=fill_id)
    paper = _paper(request, _fill(request, fill_id)) | {"is_copy": answer.data["prints"] > 1}
    return done(request, content=printed_paper(request, "cage/fill_paper.html", paper))


def _fill(request: ActorRequest, fill_id: int) -> FillSlip:
    slip = fills(actor_of(request).room_id).filter(id=fill_id).first()
    if slip is None:
        raise Http404
    return slip


def _paper(request: ActorRequest, slip: FillSlip) -> dict[str, Any]:
    """Return what a slip's paper shows."""
    url = request.build_absolute_uri(reverse("cage_fill", args=[slip.pk]))
    return {
        "shown": Shown.read(slip),
        "fill": slip,
        "is_copy": slip.prints > 0,
        "parts": _parts(slip),
        "differences": [
            (name, cents)
            for name, cents in zip((_("Cash differs"), _("Chips differ")), slip.differences_cents, strict=True)
            if cents
        ],
        "qr": segno.make(url, error="m", micro=False).svg_data_uri(border=0),
    }


def _to(request: ActorRequest, fill_id: int) -> HttpResponse:
    return done(request, to=reverse("cage_fill", args=[fill_id]))


def _fields(slip: FillSlip, values: Values) -> dict[str, Any]:
    """Return the fields of the next count: of what was asked for, by the values that there are."""
    is_wished = {rules.CASH: slip.wished_cash_cents > 0, rules.CHIPS: slip.wished_chips_cents > 0}
    return {
        "note_values": values.cash if is_wished[rules.CASH] else (),
        "chip_values": values.chips if is_wished[rules.CHIPS] else (),
    }


def _parts(slip: FillSlip) -> list[tuple[str, list[tuple[int, list[int | None]]], list[int | None]]]:
    """
    Return cash and chips as (what, rows, sums), a column for each of asked for, given and counted that may be known.

    On its way none of them may: the paper goes with the runner, and the screen to who counts.
    """
    if slip.is_blind:
        return []
    known = ["wished", *(["sent", "got"] if slip.is_counted else [])]
    parts = []
    for what in (rules.CASH, rules.CHIPS):
        columns = [dict(getattr(slip, f"{name}_{what}") or []) for name in known]
        rows = [(value, [column.get(value) for column in columns]) for value in sorted(set().union(*columns))[::-1]]
        if rows:
            parts.append((what, rows, [getattr(slip, f"{name}_{what}_cents") for name in known]))
    return parts
