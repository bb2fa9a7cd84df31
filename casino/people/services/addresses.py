"""
Passwords tried from one address: a few wrong ones a minute, whatever the names, and then all from there wait.

Each name has a wait of its own; whoever tries another name each time meets this one. Counted in Redis; while Redis is
away what is left is that hashing waits its turn (casino/people/hashing.py). This machine's own address is not counted:
a house that it alone reaches has nobody to keep out, and behind a proxy that does not say who comes it would be
everybody's.
"""

import ipaddress
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any, cast

import redis
from django.conf import settings

from casino.people.errors import TooSoon
from casino.reach import is_this_machine

WRONG_MAX = 12
PER_SECONDS = 60
# Counted before it is tried, so that many at once are no more than one after another.
_TRY = """
local tries = redis.call('INCR', KEYS[1])
if tries == 1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
if tries <= tonumber(ARGV[1]) then return 0 end
redis.call('DECR', KEYS[1])
return math.max(redis.call('TTL', KEYS[1]), 1)
"""
# Not below nothing: the minute may have ended meanwhile.
_RIGHT = """
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end
"""

logger = logging.getLogger(__name__)


@contextmanager
def tried_from(address: str) -> Iterator[None]:
    """
    Count what is tried in this block, unless it goes well.

    :raises TooSoon: too much went wrong from this address in the last minute; nothing was tried.
    """
    key = _key(address)
    if wait := _counted(key):
        logger.warning("too many wrong passwords from one address")
        raise TooSoon(wait_seconds=wait)
    yield
    if key:
        with suppress(redis.RedisError, OSError):
            _script(settings.REDIS_URL, _RIGHT)(keys=[key])


def _key(address: str) -> str:
    """Return where tries of an address are counted, "" for those that are not; of IPv6, a network is one address."""
    if is_this_machine(address):
        return ""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return ""
    network = ipaddress.ip_network(f"{known}/64", strict=False) if known.version == 6 else known
    return f"{settings.REDIS_PREFIX}:tries:{network}"


def _counted(key: str) -> int:
    """Count a try; return how many seconds to wait, 0 when it may be made."""
    if not key:
        return 0
    try:
        return int(_script(settings.REDIS_URL, _TRY)(keys=[key], args=[WRONG_MAX, PER_SECONDS]))
    except (redis.RedisError, OSError):
        return 0


@lru_cache(maxsize=4)
def _script(url: str, text: str) -> Callable[..., Any]:
    client = redis.Redis.from_url(url, socket_timeout=0.25, socket_connect_timeout=0.25)
    return cast(Callable[..., Any], client.register_script(text))
