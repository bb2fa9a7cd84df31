"""
Passwords and PINs that are tried under a name that nobody here has.

They are made to wait, and locked, as those of real names are: otherwise the difference would tell who works here. Tries
are counted in Redis, for twelve hours: strangers could fill a table or the log. While Redis is away none is counted,
and each is refused as wrong.
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
from django.db import transaction

from casino.commands.carrying_out import Command
from casino.people.errors import PinLocked, TooSoon, WrongPassword, WrongPin
from casino.people.secrets import pin_agrees
from casino.people.services.locks import lock_device
from casino.people.services.secrets_tried import WRONG_PINS_MAX, ask_to_wait, count_at_nobody, wait_seconds

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
    make_password(password)
    logger.warning("sign-in with an unknown name", extra={"room": room_id})
    raise WrongPassword


def turn_signer_away(command: Command, *, username: str, pin: str) -> NoReturn:
    """
    Refuse a signature under a name that nobody has, in the time and with the words of one that somebody has.

    :raises TooSoon: the device still waits; nothing is counted.
    :raises PinLocked: five wrong ones.
    :raises WrongPin: always, otherwise.
    """
    logger.warning(
        "a signature was asked under an unknown name",
        extra={"room": command.room_id, "staff": command.by.staff_id, "device": command.by.device_id},
    )
    wait: dict[str, int] = {}
    if command.by.device_id is None:
        tries = _try_nobodys(command.room_id, username, pin)
    else:
        # No command runs yet: the device's lock needs a transaction of its own.
        with transaction.atomic():
            device = lock_device(command, command.by.device_id)
            ask_to_wait(device.pin_not_before_at, command.at)
            tries = _try_nobodys(command.room_id, username, pin)
            wait = {"wait_seconds": count_at_nobody(device, command.at)}
    if tries == WRONG_PINS_MAX:
        raise PinLocked
    raise WrongPin(tries_left=WRONG_PINS_MAX - tries, **wait)


def _try_nobodys(room_id: int, username: str, pin: str) -> int:
    """Return how many PINs this makes at this name. :raises PinLocked: too many; nothing is tried."""
    tries = _counted_pin(room_id, username)
    if tries > WRONG_PINS_MAX:
        raise PinLocked
    # The same time as for a name that exists.
    pin_agrees(pin, "")
    return tries


def _counted_pin(room_id: int, username: str) -> int:
    """Count a PIN; return how many it makes at this name."""
    key = _key("signer", room_id, username)
    try:
        with _client(settings.REDIS_URL).pipeline() as pipe:
            pipe.incr(key)
            pipe.expire(key, KEPT_SECONDS)
            tries, _ = pipe.execute()
    except (redis.RedisError, OSError):
        # Redis is away: it is refused as a first wrong one.
        return 1
    return int(tries)


def _key(kind: str, room_id: int, username: str) -> str:
    name = hmac.new(settings.SECRET_KEY.encode(), username.lower().encode(), hashlib.sha256).hexdigest()
    return f"{settings.REDIS_PREFIX}:{kind}:{room_id}:{name}"


def _counted(room_id: int, username: str, now: int, free_tries: int) -> int:
    """Count a try; return until when (milliseconds) no try is taken, 0 when this one was."""
    key = _key("stranger", room_id, username)
    try:
        return int(_script(settings.REDIS_URL)(keys=[key], args=[now, free_tries, KEPT_SECONDS, *WAITS]))
    except (redis.RedisError, OSError):
        # Redis is away: it is refused as wrong, without a wait.
        return 0


@lru_cache(maxsize=1)
def _script(url: str) -> Callable[..., Any]:
    return cast(Callable[..., Any], _client(url).register_script(_TRY))


@lru_cache(maxsize=1)
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=0.25, socket_connect_timeout=0.25)
