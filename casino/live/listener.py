"""The process's ear: one subscription to Redis for all notices, taken up again whenever it breaks."""

import asyncio
import logging
from collections.abc import Callable

import redis
import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from casino.live import notices

PAUSE_SECONDS = 0.3
# A connection can be dead without saying so; Redis is asked for a sign of life now and then.
PING_SECONDS = 5.0

logger = logging.getLogger(__name__)


async def listen(*, heard: Callable[[str, str], None], joined: Callable[[], None], lost: Callable[[], None]) -> None:
    """
    Listen for ever, whatever is said. `heard(name, text)` for each notice; `joined()` each time the subscription holds
    (again: whatever was said in between is gone); `lost()` when it breaks.
    """
    is_known = False
    while True:
        try:
            await _listen_once(heard, joined)
        except (redis.RedisError, OSError) as problem:
            if not is_known:
                logger.warning("Redis is not heard", extra={"problem": str(problem)})
            is_known = True
        except Exception:
            # Whatever was said there: the ear stays open, and the screens are told that something was missed.
            logger.exception("a notice could not be heard")
        else:
            is_known = False
        lost()
        await asyncio.sleep(PAUSE_SECONDS)


async def _listen_once(heard: Callable[[str, str], None], joined: Callable[[], None]) -> None:
    client = redis.asyncio.Redis.from_url(
        settings.REDIS_URL,
        client_name=f"{settings.REDIS_PREFIX}:hub",
        decode_responses=True,
        socket_connect_timeout=2.0,
        # A connection that redis-py mended by itself would go on as if nothing had been published meanwhile; so it
        # is lost here, and what was missed is looked up.
        retry=Retry(NoBackoff(), 0),
    )
    pubsub = client.pubsub()
    try:
        await pubsub.psubscribe(_literal(notices.channel("")) + "*")
        await _hear(pubsub, heard, joined)
    finally:
        await pubsub.aclose()  # type: ignore[no-untyped-call]
        await client.aclose()


async def _hear(
    pubsub: "redis.asyncio.client.PubSub", heard: Callable[[str, str], None], joined: Callable[[], None]
) -> None:
    clock = asyncio.get_running_loop().time
    heard_at = pinged_at = clock()
    while True:
        # Not longer: a line that is dead without saying so brings nothing, and only what follows here finds it.
        message = await pubsub.get_message(timeout=1.0)
        if message is not None:
            heard_at = clock()
            # The client may also reconnect by itself: each confirmation means that there was a gap.
            if message["type"] == "psubscribe":
                joined()
            elif message["type"] == "pmessage":
                heard(notices.name_of(message["channel"]), message["data"])
        if clock() - heard_at > 2 * PING_SECONDS:
            raise redis.ConnectionError("no sign of life")
        if clock() - max(heard_at, pinged_at) > PING_SECONDS:
            pinged_at = clock()
            await pubsub.ping()


def _literal(text: str) -> str:
    """Quote what a Redis pattern would take for more than itself."""
    return "".join(f"\\{letter}" if letter in "*?[]\\^-" else letter for letter in text)
