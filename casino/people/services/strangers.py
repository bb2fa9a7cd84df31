"""
Passwords tried at a name that nobody here has: they wait like all others, or the wait would tell who works here.

Counted in Redis and not in a row or the log, which strangers could fill, and forgotten after an evening. While Redis
is away such a try is only wrong.
"""

import hashlib
import hmac
import logging
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any, NoReturn, cast

import redis
from django.conf import settings
from django.contrib.auth.hashers import make_password

from casino.people.errors import TooSoon, WrongPassword
from casino.people.hashing import among_passwords
from casino.people.services.secrets_tried import wait_seconds

KEPT_SECONDS = 12 * 3600
WAITS = [wait_seconds(late) for late in range(1, 9)]
# Read, count and set the wait in one step: many tries at once are no more than one after another.
_TRY = """
local open_at = tonumber(redis.call('HGET', KEYS[1], 'open_at') or '0')
local ahead = open_at - ARGV[1]
-- Further ahead than any wait: the clock was set back since.
if ahead > 0 and ahead <= 1000 * ARGV[#ARGV] then return open_at end
local late = redis.call('HINCRBY', KEYS[1], 'tries', 1) - tonumber(ARGV[2])
if late > 0 then
  redis.call('HSET', KEYS[1], 'open_at', ARGV[1] + 1000 * ARGV[3 + math.min(late, #ARGV - 3)])
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 0
"""

logger = logging.getLogger(__name__)


def turn_away(*, room_id: int, username: str, password: str, free_tries: int, at: datetime) -> NoReturn:
    """
    Refuse a password for a name that nobody has, in the time and with the words of one that somebody has.

    :raises TooSoon: after wrong tries the next one waits.
    :raises WrongPassword: always, otherwise.
    """
    now = int(at.timestamp() * 1000)
    open_at = _counted(room_id, username, now, free_tries)
    if open_at > now:
        raise TooSoon(wait_seconds=-((now - open_at) // 1000))
    # The same time as for a name that exists.
    with among_passwords():
        make_password(password)
    logger.warning("sign-in with an unknown name", extra={"room": room_id})
    raise WrongPassword


def _counted(room_id: int, username: str, now: int, free_tries: int) -> int:
    """Count a try; return until when (milliseconds) no try is taken, 0 when this one was."""
    name = hmac.new(settings.SECRET_KEY.encode(), username.lower().encode(), hashlib.sha256).hexdigest()
    key = f"{settings.REDIS_PREFIX}:stranger:{room_id}:{name}"
    try:
        return int(_script(settings.REDIS_URL)(keys=[key], args=[now, free_tries, KEPT_SECONDS, *WAITS]))
    except (redis.RedisError, OSError):
        return 0


@lru_cache(maxsize=1)
def _script(url: str) -> Callable[..., Any]:
    client = redis.Redis.from_url(url, socket_timeout=0.25, socket_connect_timeout=0.25)
    return cast(Callable[..., Any], client.register_script(_TRY))
