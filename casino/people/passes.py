"""Players' passes: who stands behind one, and what their phone may do."""

from django.conf import settings
from django.db.models import Q
from django.http import HttpResponse

from casino.commands.frame import Actor
from casino.people.models import PlayerPass
from casino.people.permissions import Role, may_of
from casino.people.secrets import code_digest, digest

PASS_COOKIE = "brush_pass"  # noqa: S105  # a cookie's name, no secret
# Longer than any gaming day; the pass ends with its day.
_COOKIE_SECONDS = 36 * 3600
_LIVE = PlayerPass.objects.select_related("player", "room").filter(revoked_at=None, day__closed_at=None)


def pass_by_key(key: str) -> PlayerPass | None:
    """
    Return the pass that a link's token or a typed code opens, with its player and room, while it holds. One query.

    A cookie keeps whichever of the two was used. A code has 36 random bits and lives for an evening.
    """
    if not key or not settings.PHONE_URL:
        return None
    return _LIVE.filter(Q(token_hash=digest(key)) | Q(code_hash=code_digest(key))).first()


def pass_of_player(room_id: int, player_id: int) -> PlayerPass | None:
    """Return the pass that a player has now, or None. One query."""
    return _LIVE.filter(room_id=room_id, player_id=player_id).first()


def phones_of_day(day_id: int) -> tuple[str, ...]:
    """Return the audiences of the phones whose pass ends with this day. One query."""
    found = PlayerPass.objects.filter(day_id=day_id, revoked_at=None).order_by("id")
    return tuple(held.audience for held in found)


def actor_of_pass(found: PlayerPass) -> Actor:
    """Return the actor for a player's phone: it stands at its pass and acts for that alone."""
    return Actor(room_id=found.room_id, staff_id=None, may=may_of({Role.GUEST}), place=("pass", found.pk))


def set_pass_cookie(response: HttpResponse, key: str) -> None:
    """Let a phone keep its pass: out of reach of scripts, and never sent from another site's form."""
    response.set_cookie(
        PASS_COOKIE,
        key,
        max_age=_COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
