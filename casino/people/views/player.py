"""One player's page: what keeps them from playing, their own limits, who is kept apart from them, and the merge."""

from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from casino import clock
from casino.commands.methods import require_POST, require_safe
from casino.errors import NotPermitted
from casino.money import format_cents
from casino.people import services
from casino.people.api_protection import Apart, Ban, Lift, Merge, OwnWish, lift_by_two, merge_by_two
from casino.people.api_protection import Limit as LimitCall
from casino.people.elsewhere import everywhere
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.identity import others_with_document
from casino.people.inputs import arguments_of_form, form_choice
from casino.people.models import Exclusion, OwnLimit, Player
from casino.people.rules.limits import Limit
from casino.people.selectors import find_players
from casino.people.services.exclusions import NEEDS_TO_LIFT
from casino.people.services.giving_data import NEEDS_TO_GIVE
from casino.people.services.merging import NEEDS_TO_MERGE
from casino.people.standing import kept_record_of, may_sign, player_card, player_of
from casino.people.views.kept import giving_shown
from casino.rest import Id, typed
from casino.rooms.models import Room
from casino.rooms.selectors import rule_book_in_force

OTHERS_SHOWN = 8


def player_for(request: ActorRequest, player_id: int) -> Player:
    """:raises NotFound: the room knows no such player, or no longer."""
    return player_of(actor_of(request).room_id, player_id)


@page("page.people")
@never_cache
@require_safe
def player_page(request: ActorRequest, player_id: int) -> HttpResponse:
    """Show everything that stands about one player."""
    return render(request, "people/player.html", _shown(request, player_for(request, player_id)))


@page("page.people")
@never_cache
@require_safe
def others_found(request: ActorRequest, player_id: int) -> HttpResponse:
    """Return other players while a nickname is being typed: to keep apart, or to merge."""
    player = player_for(request, player_id)
    text = request.GET.get("q", "").strip()[:30]
    # One more than is shown: the player may be among them.
    matching = find_players(player.room_id, text, limit=OTHERS_SHOWN + 1) if text else []
    others = [other for other in matching if other.pk != player.pk][:OTHERS_SHOWN]
    return render(request, "people/player_others.html", {"others": others, "text": text})


def _shown(request: ActorRequest, player: Player) -> dict[str, Any]:
    actor, room = actor_of(request), request.room
    assert room is not None, "whoever may see this page belongs to a room"
    zone = ZoneInfo(room.time_zone)
    card = player_card(player, zone=zone, at=clock.now(), reads_reasons="read.reasons" in actor.may)
    may_lift = "people.lift_exclusion" in actor.may and any(row.may_be_lifted for row in card.exclusions)
    signing = {
        "lifters": may_sign(room.pk, needs=NEEDS_TO_LIFT, without={actor.staff_id}) if may_lift else [],
        "mergers": may_sign(room.pk, needs=NEEDS_TO_MERGE, without={actor.staff_id})
        if "people.merge_players" in actor.may
        else [],
        "givers": may_sign(room.pk, needs=NEEDS_TO_GIVE, without={actor.staff_id})
        if "people.give_data" in actor.may
        else [],
        **giving_shown(),
    }
    return {
        "tab": "players",
        "card": card,
        "player": player,
        "was_given": "given" in request.GET,
        "known_today": [line for app in everywhere() for line in app.known_today(room, player, may=actor.may)],
        "limits": [_limit_shown(room, kind, card.limits.get(kind, Limit())) for kind in OwnLimit.Kind.values],
        "same_document": others_with_document(room.pk, player.pk),
        "identity_wish_days": rule_book_in_force(room.pk, at=clock.now())[1].peoples_data.document_wish_days,
        "today": clock.now().astimezone(zone).date().isoformat(),
        **signing,
    }


def _limit_shown(room: Room, kind: str, limit: Limit) -> dict[str, Any]:
    is_money = kind == OwnLimit.Kind.BUY_IN
    return {
        "kind": kind,
        "is_money": is_money,
        "now": _written(room, kind, limit.amount),
        "coming": _written(room, kind, limit.coming.amount) if limit.coming else "",
        "is_set": limit.wished is not None,
    }


def _written(room: Room, kind: str, amount: int | None) -> str:
    if amount is None:
        return _("no limit")
    if kind == OwnLimit.Kind.BUY_IN:
        return format_cents(amount, currency=room.currency, locale=room.locale)
    return _("%(hours)s h %(minutes)s min") % {"hours": amount // 60, "minutes": f"{amount % 60:02d}"}


def _fresh(request: ActorRequest, player_id: int) -> HttpResponse:
    """
    Answer with the player's card as it is now.

    Whoever's record is gone when a tap is sent again is led on: to that which theirs was joined to, or to the players.
    """
    player = kept_record_of(actor_of(request).room_id, player_id)
    if player is None:
        return done(request, to=reverse("players"))
    if player.pk != player_id:
        return done(request, to=reverse("player", args=[player.pk]))
    return done(request, content=render_to_string("people/player_card.html", _shown(request, player), request))


@page("page.people")
@require_POST
def exclude_view(request: ActorRequest, player_id: int) -> HttpResponse:
    """Ban a player, or keep one out who asks for it."""
    if form_choice(request, "kind", Exclusion.Kind.values) == Exclusion.Kind.BAN:
        arguments = arguments_of_form(request, Ban)
        services.ban_player(command_for(request), player_id=player_id, **arguments)
    else:
        arguments = arguments_of_form(request, OwnWish)
        services.exclude_by_own_wish(command_for(request), player_id=player_id, **arguments)
    return _fresh(request, player_id)


@page("page.people")
@sensitive_post_parameters("pin")
@require_POST
def lift_view(request: ActorRequest, exclusion_id: int) -> HttpResponse:
    """Lift an exclusion, signed by a second person with their own PIN."""
    _check_may(request, "people.lift_exclusion")
    answer = lift_by_two(command_for(request), exclusion_id=exclusion_id, **arguments_of_form(request, Lift))
    return _fresh(request, answer.data["player_id"])


@page("page.people")
@require_POST
def limit_view(request: ActorRequest, player_id: int) -> HttpResponse:
    """Write down a limit that a player asks for; an empty field takes it away."""
    services.set_own_limit(command_for(request), player_id=player_id, **arguments_of_form(request, LimitCall))
    return _fresh(request, player_id)


def _check_may(request: ActorRequest, name: str) -> None:
    """:raises NotPermitted: before anybody else's PIN is tried for a command that this person may not give."""
    if name not in actor_of(request).may:
        raise NotPermitted


@page("page.people")
@require_POST
def apart_view(request: ActorRequest, player_id: int) -> HttpResponse:
    """Keep a player and another one apart."""
    other = typed(request.POST.get("other_id", ""), Id())
    services.keep_apart(command_for(request), **arguments_of_form(request, Apart, player_ids=[player_id, other]))
    return _fresh(request, player_id)


@page("page.people")
@require_POST
def end_apart_view(request: ActorRequest, player_id: int, apart_id: int) -> HttpResponse:
    """Let two players sit at one table again."""
    services.end_keeping_apart(command_for(request), apart_id=apart_id)
    return _fresh(request, player_id)


@page("page.people")
@sensitive_post_parameters("pin")
@require_POST
def merge_view(request: ActorRequest, player_id: int) -> HttpResponse:
    """Join another record to this one, signed by a second manager with their own PIN."""
    _check_may(request, "people.merge_players")
    merge_by_two(command_for(request), player_id=player_id, **arguments_of_form(request, Merge))
    return _fresh(request, player_id)


@page("page.people")
@require_POST
def erase_view(request: ActorRequest, player_id: int) -> HttpResponse:
    """Forget who a player is, as the player asked; there is no page of theirs any more."""
    _check_may(request, "people.erase_player")
    services.erase_player(command_for(request), player_id=player_id)
    return done(request, to=reverse("players"))
