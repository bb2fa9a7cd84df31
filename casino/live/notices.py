"""
The names on the wire, and the small notices that say: look again.

A notice says which audiences of a room have news and nothing more; each web process that has
sockets for them renders the present state itself. Notices may be lost. The hub finds out within a second.
"""

import logging
import threading
import time
from collections.abc import Sequence

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

# A service waits for Redis at most this long, after its commit. A lost notice costs the screens a second.
TIMEOUT_SECONDS = 0.25
# After a failure nobody waits for Redis again for this long.
PAUSE_SECONDS = 1.0

logger = logging.getLogger(__name__)
_lock = threading.Lock()
_client: "redis.Redis | None" = None
_silent_until = 0.0


def name_of_room(room_id: int) -> str:
    """Return the name under which a room's news come: `room.1`."""
    return f"room.{room_id}"


def room_named(name: str) -> int | None:
    """Return the id of the room that `name_of_room` named so, None for any other name."""
    kind, _, room = name.partition(".")
    return int(room) if kind == "room" and room.isdecimal() else None


def channel(name: str) -> str:
    """Return the Redis channel for a name; rooms and houses in one Redis stay apart by the prefix."""
    return f"{settings.REDIS_PREFIX}:live:{name}"


def name_of(redis_channel: str) -> str:
    """Return the name that `channel` was given."""
    return redis_channel.removeprefix(channel(""))


# One channel for all rooms: whoever is shown out is shown out wherever their sockets are.
REVOKED = "revoked"


def publish(*, room_id: int, audiences: Sequence[str]) -> None:
    """
    Tell every web process that these audiences of the room have news. Called after commit.

    One message for all of them: what one tap stirs is heard at once, and so rendered from one snapshot. Waits a quarter
    of a second at most and never raises: what is not heard is found in the outbox.
    """
    _send([(channel(name_of_room(room_id)), " ".join(audiences))])


def revoke(*, device_id: int | None = None, staff_id: int | None = None) -> None:
    """Close the sockets of a device or a person in every process. Never raises; see `set_authenticator`."""
    sent = [f"{kind}.{number}" for kind, number in (("device", device_id), ("staff", staff_id)) if number is not None]
    _send([(channel(REVOKED), who) for who in sent])


def _send(messages: Sequence[tuple[str, str]]) -> None:
    global _silent_until
    if not messages or time.monotonic() < _silent_until:
        return
    try:
        for name, text in messages:
            _redis().publish(name, text)
    except (redis.RedisError, OSError) as problem:
        _silent_until = time.monotonic() + PAUSE_SECONDS
        logger.warning("notice lost", extra={"problem": str(problem), "channels": [name for name, _ in messages]})


def _redis() -> "redis.Redis":
    global _client
    with _lock:
        if _client is None:
            _client = redis.Redis.from_url(
                settings.REDIS_URL,
                socket_timeout=TIMEOUT_SECONDS,
                socket_connect_timeout=TIMEOUT_SECONDS,
                # Once more at once, for a connection that a restart of Redis left dead in the pool.
                retry=Retry(NoBackoff(), 1),
            )
        return _client
