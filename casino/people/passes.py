"""Players' passes: who stands behind one, and what their phone may do."""

from datetime import datetime

from django.conf import settings
from django.core import signing
from django.db.models import Q
from django.http import HttpResponse

from casino.commands.carrying_out import Actor
from casino.people.errors import PassEnded
from casino.people.models import PlayerPass
from casino.people.permissions import Role, may_of
from casino.people.secrets import code_digest, digest
from casino.people.services.addresses import code_tried

PASS_COOKIE = "brush_pass"  # noqa: S105  # a cookie's name, no secret
# Longer than any gaming day; the pass ends with its day.
_COOKIE_SECONDS = 36 * 3600
_LIVE = PlayerPass.objects.select_related("player", "room").filter(revoked_at=None, day__closed_at=None)


def _signer() -> signing.Signer:
    # Made anew each time: one that the module keeps would have the secret of when it was imported.
    return signing.Signer(salt=PASS_COOKIE)


def pass_by_key(key: str) -> PlayerPass | None:
    """
    Return the pass that a link's token or a cookie opens, with its player and room, while it holds. One query.

    Both are beyond guessing, and neither is the code: where that is typed, tries are counted.
    """
    if not key or not settings.PHONE_URL:
        return None
    try:
        named = Q(pk=int(_signer().unsign(key)))
    except signing.BadSignature:
        named = Q(token_hash=digest(key))
    return _LIVE.filter(named).first()


def pass_by_code(code: str, *, address: str, at: datetime) -> PlayerPass:
    """
    Return the pass that a typed code opens, with its player and room. It has 36 random bits and lives for an evening.

    :raises PassEnded: no pass has it, or it has ended.
    :raises TooSoon: after wrong codes the next one waits, at that address or in all.
    """
    with code_tried("pass", address=address, at=at):
        held = _LIVE.filter(code_hash=code_digest(code)).first()
        if held is None:
            raise PassEnded
    return held


def cookie_of(held: PlayerPass) -> str:
    """Return what a phone keeps where a code was typed: the pass's number, signed."""
    return _signer().sign(str(held.pk))


def pass_of_player(room_id: int, player_id: int) -> PlayerPass | None:
    """Return the pass that a player has now, or None. One query."""
    return _LIVE.filter(room_id=room_id, player_id=player_id).first()


def phones_of_day(day_id: int) -> tuple[str, ...]:
    """Return the audiences of the phones whose pass ends with this day. One query."""
    passes = PlayerPass.objects.filter(day_id=day_id, revoked_at=None).order_by("id")
    return tuple(held.audience for held in passes)


def actor_of_pass(held: PlayerPass) -> Actor:
    """Return the actor for a player's phone: it stands at its pass and acts for that alone."""
    return Actor(room_id=held.room_id, staff_id=None, may=may_of({Role.GUEST}), place=("pass", held.pk))


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
