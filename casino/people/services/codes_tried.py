"""
Typed codes (a device's enrolment, a player's pass): wrong ones are counted per address and in all.

Nobody is known yet who types one, so there is no row to count in, and strangers must not fill the log: Redis counts,
for a quarter of an hour. Its memory is bounded by the count in all: beyond it one try a second is taken, from wherever.
While Redis is away no code is tried: 36 random bits would stand a while, but nobody would know for how long.
"""

import hashlib
import hmac
import ipaddress
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from typing import Any, cast

import redis
from django.conf import settings

from casino.errors import Busy, Refusal
from casino.people.errors import TooSoon
from casino.people.services.secrets_tried import WAIT_SECONDS_MAX

KEPT_SECONDS = 15 * 60
# How many wrong ones go without a wait, and how long that may grow: for one address, and for all together.
AT_ONE_ADDRESS = (20, WAIT_SECONDS_MAX)
IN_ALL = (200, 1)
# Look, count and set the waits in one step: many tries at once are no more than one after another.
_TRY = """
local now, kept, longest = tonumber(ARGV[1]), ARGV[2], 0
for i, key in ipairs(KEYS) do
  local ahead = tonumber(redis.call('HGET', key, 'open_at') or '0') - now
  -- Further ahead than any wait: the clock was set back since.
  if ahead <= 1000 * ARGV[3] then longest = math.max(longest, ahead) end
end
if longest > 0 then return longest end
for i, key in ipairs(KEYS) do
  local late = redis.call('HINCRBY', key, 'tries', 1) - ARGV[2 + 2 * i]
  if late > 0 then
    local wait = math.min(ARGV[3 + 2 * i], 2 ^ math.min(late - 1, 10))
    redis.call('HSET', key, 'open_at', now + 1000 * wait)
  end
  redis.call('EXPIRE', key, kept)
end
return 0
"""
# A right one was no try at all. It takes no other's wait away: while there is one, nothing is tried.
_TAKE_BACK = """
for i, key in ipairs(KEYS) do
  redis.call('HINCRBY', key, 'tries', -1)
  redis.call('HDEL', key, 'open_at')
end
return 0
"""


@contextmanager
def counted(kind: str, *, address: str, at: datetime) -> Iterator[None]:
    """
    Let a code of this kind ("enrolment", "pass") be tried inside: it is a wrong one if that ends with a refusal.

    :raises TooSoon: after wrong ones the next one waits, at that address or in all.
    :raises Busy: nothing can be counted now.
    """
    keys = [key_of(kind, ""), key_of(kind, _network(address))]
    now = int(at.timestamp() * 1000)
    limits = (WAIT_SECONDS_MAX, *IN_ALL, *AT_ONE_ADDRESS)
    if ahead := _run(_TRY, keys, [now, KEPT_SECONDS, *limits]):
        raise TooSoon(wait_seconds=-(-ahead // 1000))
    try:
        yield
    except Refusal:
        raise
    except BaseException:
        # Not the code's fault.
        _run(_TAKE_BACK, keys, [])
        raise
    _run(_TAKE_BACK, keys, [])


def key_of(kind: str, network: str) -> str:
    """Return under which key tries are counted, "" for all addresses together. An address is kept hashed."""
    named = hmac.new(settings.SECRET_KEY.encode(), network.encode(), hashlib.sha256).hexdigest() if network else "all"
    return f"{settings.REDIS_PREFIX}:code:{kind}:{named}"


def _network(address: str) -> str:
    """Return what counts as one address: of IPv6 the first half, of which anybody has the second for the asking."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv6Address):
        found = found.ipv4_mapped or ipaddress.ip_address(int(found) >> 64 << 64)
    return str(found)


def _run(script: str, keys: list[str], arguments: list[int]) -> int:
    try:
        return int(_scripts(settings.REDIS_URL)(script)(keys=keys, args=arguments))
    except (redis.RedisError, OSError):
        raise Busy from None


@lru_cache(maxsize=1)
def _scripts(url: str) -> Callable[[str], Callable[..., Any]]:
    client = redis.Redis.from_url(url, socket_timeout=0.25, socket_connect_timeout=0.25)
    return lru_cache(maxsize=2)(lambda text: cast(Callable[..., Any], client.register_script(text)))
