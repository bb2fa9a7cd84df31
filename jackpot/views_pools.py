"""The managers' page of a jackpot: its sum corrected, the seed taken back, the pool wound down, each signed by two."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from rest_framework.exceptions import ValidationError

from casino import clock
from casino.commands.methods import require_POST, require_safe
from casino.errors import Malformed, NotFound, Refusal
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.models import Player
from casino.people.standing import may_sign
from casino.rest import Body, read
from casino.rooms.selectors import open_day, room_of, rule_book_in_force
from jackpot.api_pools import (
    CorrectionRequest,
    CorrectSum,
    EndRequest,
    RecoverSeed,
    RecoveryRequest,
    WindDown,
    correct_by_two,
    recover_by_two,
    wind_down_by_two,
)
from jackpot.chart import ACCOUNTS
from jackpot.models import Pool
from jackpot.selectors import changes
from jackpot.selectors.pools import figures, jackpot_name
from jackpot.services import changing
from jackpot.words import CORRECTIONS
from tables.models import Seating


def _correction(pool: Pool, fields: dict[str, Any], at: datetime) -> changes.SumChange:
    return changes.corrected(pool, new_sum_cents=fields["new_sum_cents"], at=at)


def _recovery(pool: Pool, fields: dict[str, Any], at: datetime) -> changes.SumChange:
    return changes.recovered(pool, amount_cents=fields["amount_cents"], at=at)


def _end(pool: Pool, fields: dict[str, Any], at: datetime) -> changes.SumChange:
    shares = {share["player_id"]: share["amount_cents"] for share in fields["shares"]}
    return changes.wound_down(pool, moved_to=fields["moved_to"], shares=shares, at=at)


# What a form asks for, by its name, and what it would change.
_CHANGES: dict[str, tuple[type[Body], Callable[[Pool, dict[str, Any], datetime], changes.SumChange]]] = {
    "correct": (CorrectionRequest, _correction),
    "recover": (RecoveryRequest, _recovery),
    "end": (EndRequest, _end),
}


@page("page.jackpot_pools")
@never_cache
@require_safe
def pools_page(request: ActorRequest) -> HttpResponse:
    """List the jackpots with what they hold, those that have ended last."""
    room = room_of(actor_of(request).room_id)
    _version_id, book = rule_book_in_force(room.pk, at=clock.now())
    pools = sorted(Pool.objects.filter(room_id=room.pk).order_by("id"), key=lambda pool: pool.state != Pool.State.OPEN)
    rows = [(pool, jackpot_name(book, pool.code), figures(pool.pk)) for pool in pools]
    return render(request, "jackpot/pools.html", {"room": room, "rows": rows})


@page("page.jackpot_pools")
@never_cache
@require_safe
def pool_desk(request: ActorRequest, jackpot: str) -> HttpResponse:
    """Show what two managers can do to a jackpot. :raises NotFound: the room has none such."""
    by, at = actor_of(request), clock.now()
    pool, room = _pool(request, jackpot), room_of(by.room_id)
    held = figures(pool.pk)
    _version_id, book = rule_book_in_force(room.pk, at=at)
    codes = [each.code for each in book.jackpots]
    others = Pool.objects.filter(room_id=room.pk, state=Pool.State.OPEN, code__in=codes).exclude(pk=pool.pk)
    # Also those who have left: the tables of a jackpot that is paid out are closed before.
    sat = Seating.objects.filter(room_id=room.pk, opening__day=open_day(room.pk)).values("player_id")
    context = {
        "room": room,
        "pool": pool,
        "name": jackpot_name(book, pool.code),
        "sum_cents": held["sum"],
        "pending_cents": held["pending"],
        "seed_cents": -held["seed"],
        "recoverable": changes.recoverable(pool, at=at),
        "reasons": CORRECTIONS.items(),
        "others": [(other.code, jackpot_name(book, other.code)) for other in others.order_by("id")],
        "players": Player.objects.filter(id__in=sat, merged_into=None).order_by("nickname", "id"),
        "signers": may_sign(room.pk, needs=changing.NEEDS, without={by.staff_id}),
    }
    return render(request, "jackpot/pool_desk.html", context)


@page("page.jackpot_pools")
@never_cache
@require_safe
def change_view(request: ActorRequest, jackpot: str) -> HttpResponse:
    """Say what a form would change: the sum before and after, and the other account. Nothing is written."""
    pool, at = _pool(request, jackpot), clock.now()
    _version_id, book = rule_book_in_force(pool.room_id, at=at)
    context: dict[str, Any] = {"room": room_of(pool.room_id)}
    if request.GET.get("what") not in _CHANGES:
        raise Malformed(field="what")
    body, change = _CHANGES[request.GET["what"]]
    try:
        planned = change(pool, read(body, body.of_form(request.GET)), at)
    except ValidationError:
        # Nothing is typed yet, or half of it.
        return HttpResponse()
    except Refusal as wrong:
        context["lacks"] = wrong.text(context["room"].money_format, book=book)
    else:
        context |= {"change": planned, "account": ACCOUNTS[planned.account].words}
        context["to"] = jackpot_name(book, planned.to.code) if planned.to is not None else ""
    return render(request, "jackpot/pool_change.html", context)


def pools_tap(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view one of the taps on a pool, which another manager signs on the same screen."""
    return page("page.jackpot_pools")(require_POST(view))


@pools_tap
def correct_tap(request: ActorRequest, jackpot: str) -> HttpResponse:
    """Correct the sum."""
    correct_by_two(command_for(request), jackpot=jackpot, **arguments_of_form(request, CorrectSum))
    return _there(request, jackpot)


@pools_tap
def recover_tap(request: ActorRequest, jackpot: str) -> HttpResponse:
    """Take the house's seed back."""
    recover_by_two(command_for(request), jackpot=jackpot, **arguments_of_form(request, RecoverSeed))
    return _there(request, jackpot)


@pools_tap
def end_tap(request: ActorRequest, jackpot: str) -> HttpResponse:
    """Wind the jackpot down."""
    wind_down_by_two(command_for(request), jackpot=jackpot, **arguments_of_form(request, WindDown))
    return _there(request, jackpot)


def _there(request: ActorRequest, jackpot: str) -> HttpResponse:
    return done(request, to=reverse("jackpot_pool_desk", args=[jackpot]))


def _pool(request: HttpRequest, jackpot: str) -> Pool:
    """Return a pool of the room by its code. :raises NotFound: there is none."""
    pool = Pool.objects.filter(room_id=actor_of(request).room_id, code=jackpot).first()
    if pool is None:
        raise NotFound(what="jackpot")
    return pool
