"""
What strangers try from one address: typed codes (a device's enrolment, a player's pass), and passwords.

Who types one is not known yet, so there is no row to count in, and strangers must not fill the log: Redis counts.

Of codes the wrong ones are counted for a quarter of an hour, per address and in all. That memory is bounded by the
count in all: beyond it one try a second is taken, from wherever. While Redis is away no code is tried: 36 random bits
would stand a while, but nobody would know for how long. What those try whom the house knows (the letters of a voucher)
is counted by who they are, and goes on uncounted while Redis is away: the cage sells chips without it.

Of passwords a few wrong ones a minute go, whatever the names, and then all from there wait; each name has a wait of its
own, and whoever tries another name each time meets this one. While Redis is away what is left is that hashing waits its
turn (casino/people/hashing.py). This machine's own address is not counted for them: a house that it alone reaches has
nobody to keep out, and behind a proxy that does not say who comes it would be everybody's.
"""

import hashlib
import hmac
import ipaddress
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import lru_cache
from typing import Any, cast

import redis
from django.conf import settings

from casino.errors import Busy, Refusal
from casino.people.errors import TooSoon
from casino.people.services.secrets_tried import WAIT_SECONDS_MAX
from casino.reach import is_this_machine

CODES_KEPT_SECONDS = 15 * 60
# How many wrong codes go without a wait, and how long that may grow: for one address, and for all together.
CODES_AT_ONE_ADDRESS = (20, WAIT_SECONDS_MAX)
CODES_IN_ALL = (200, 1)
WRONG_PASSWORDS_MAX = 12
PASSWORDS_PER_SECONDS = 60
# Look, count and set the waits in one step: many tries at once are no more than one after another.
_TRY_CODE = """
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
_CODE_WAS_NO_TRY = """
for i, key in ipairs(KEYS) do
  redis.call('HINCRBY', key, 'tries', -1)
  redis.call('HDEL', key, 'open_at')
end
return 0
"""
# Counted before it is tried, so that many at once are no more than one after another.
_TRY_ONE_OF_FEW = """
local tries = redis.call('INCR', KEYS[1])
if tries == 1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
if tries <= tonumber(ARGV[1]) then return 0 end
redis.call('DECR', KEYS[1])
return math.max(redis.call('TTL', KEYS[1]), 1)
"""
# Not below nothing: the minute may have ended meanwhile.
_NOT_WRONG = """
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end
"""
_UNKNOWN = "unknown"

logger = logging.getLogger(__name__)


@contextmanager
def code_tried(kind: str, *, address: str = "", by: str = "", at: datetime) -> Iterator[None]:
    """
    Let a code of this kind ("enrolment", "pass", "voucher") be tried inside, from an address, or `by` somebody whom the
    house knows ("staff.17"): it is a wrong one if that ends with a refusal.

    :raises TooSoon: after wrong ones the next one waits, at that address, of theirs or in all.
    :raises Busy: nothing can be counted now, and it comes from an address.
    """
    keys, is_known = [key_of_codes(kind, ""), key_of_codes(kind, by or _network(address))], bool(by)
    now = int(at.timestamp() * 1000)
    limits = (WAIT_SECONDS_MAX, *CODES_IN_ALL, *CODES_AT_ONE_ADDRESS)
    if ahead := _count_code(_TRY_CODE, keys, [now, CODES_KEPT_SECONDS, *limits], is_known=is_known):
        raise TooSoon(wait_seconds=-(-ahead // 1000))
    try:
        yield
    # A wrong code: it stays counted.
    except Refusal:
        raise
    except BaseException:
        # Not the code's fault.
        _count_code(_CODE_WAS_NO_TRY, keys, is_known=is_known)
        raise
    _count_code(_CODE_WAS_NO_TRY, keys, is_known=is_known)


@contextmanager
def password_tried(address: str) -> Iterator[None]:
    """
    Count what is tried in this block, unless it goes well, or there was no place to try it (`Busy`).

    :raises TooSoon: too much went wrong from this address in the last minute; nothing was tried.
    """
    network = _network(address)
    if is_this_machine(address) or network == _UNKNOWN:
        yield
        return
    keys, wait = [f"{settings.REDIS_PREFIX}:tries:{network}"], 0
    with suppress(redis.RedisError, OSError):
        wait = _run(_TRY_ONE_OF_FEW, keys, [WRONG_PASSWORDS_MAX, PASSWORDS_PER_SECONDS])
    if wait:
        logger.warning("too many wrong passwords from one address")
        raise TooSoon(wait_seconds=wait)
    try:
        yield
    except Busy:
        _was_no_wrong_one(keys)
        raise
    _was_no_wrong_one(keys)


def _was_no_wrong_one(keys: list[str]) -> None:
    with suppress(redis.RedisError, OSError):
        _run(_NOT_WRONG, keys)


def key_of_codes(kind: str, whose: str) -> str:
    """Return under which key codes are counted, "" for all together. An address is kept hashed."""
    named = hmac.new(settings.SECRET_KEY.encode(), whose.encode(), hashlib.sha256).hexdigest() if whose else "all"
    return f"{settings.REDIS_PREFIX}:code:{kind}:{named}"


def _network(address: str) -> str:
    """Return what counts as one address: of IPv6 the first half, of which anybody has the second for the asking."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return _UNKNOWN
    if isinstance(parsed, ipaddress.IPv6Address):
        parsed = parsed.ipv4_mapped or ipaddress.ip_address(int(parsed) >> 64 << 64)
    return str(parsed)


def _count_code(script: str, keys: list[str], arguments: Sequence[int] = (), *, is_known: bool) -> int:
    try:
        return _run(script, keys, arguments)
    # Whom the house knows goes on without it: the cage sells chips while Redis is away.
    except (redis.RedisError, OSError):
        if is_known:
            return 0
        raise Busy from None


def _run(script: str, keys: list[str], arguments: Sequence[int] = ()) -> int:
    return int(_script(settings.REDIS_URL, script)(keys=keys, args=arguments) or 0)


@lru_cache(maxsize=8)
def _script(url: str, text: str) -> Callable[..., Any]:
    return cast(Callable[..., Any], _client(url).register_script(text))


@lru_cache(maxsize=1)
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=0.25, socket_connect_timeout=0.25)
