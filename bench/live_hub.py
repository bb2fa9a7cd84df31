"""Brush's web process with one audience more, "bench": a kilobyte that needs no rows. Everything else is as it is."""

import secrets

from casino.asgi import application
from casino.live import audiences
from casino.live.audiences import Audience, Scope, Visitor

__all__ = ["PAYLOAD_BYTES", "application"]

PAYLOAD_BYTES = 1_000
ROOM_ID = 1


def render(*, room_id: int) -> str:
    """Return a kilobyte, another one each time."""
    return secrets.token_hex(PAYLOAD_BYTES // 2)


async def authenticator(scope: Scope) -> Visitor:
    """Let everybody in: how long the door takes is not what is measured."""
    return Visitor(room_id=ROOM_ID, may=frozenset({"audience.bench"}))


audiences.register(Audience(name="bench", pattern="bench", render=render))
audiences.set_authenticator(authenticator)
