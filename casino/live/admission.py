"""Whether a socket may be opened: from which page, by whom, and what they may hear."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from inspect import isawaitable, iscoroutinefunction
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connections
from django.http.request import split_domain_port, validate_host

from casino.live.audiences import Authenticator, Scope, Visitor, authenticator, may_join

# A screen hears a handful; a list as long as this comes from no page of ours.
MOST_AUDIENCES = 16


def origin_is_ours(scope: Scope) -> bool:
    """
    Say whether the page that opens this socket came from this house.

    Its origin must be the very host that was asked for, or one that CSRF protection trusts too (behind a
    proxy that ends TLS and does not hand the host on). Browsers always send an origin; who sends none is refused.
    """
    headers = dict(scope.get("headers", ()))
    origin = headers.get(b"origin", b"").decode("latin1").lower()
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    try:
        parts = urlsplit(origin)
    # Half a bracket, say ("http://["): no browser's, so nobody's.
    except ValueError:
        return False
    if parts.scheme not in (("https",) if settings.HTTPS else ("http", "https")):
        return False
    host = headers.get(b"host", b"").decode("latin1").lower()
    domain, _ = split_domain_port(host)
    return validate_host(domain, settings.ALLOWED_HOSTS) and _same_host(parts.netloc, host, parts.scheme)


def _same_host(origin_host: str, host: str, scheme: str) -> bool:
    ending = ":443" if scheme == "https" else ":80"
    return origin_host.removesuffix(ending) == host.removesuffix(ending)


def shown(scope: Scope) -> tuple[bytes, ...]:
    """Return by what a visitor is known: the cookies as they were sent, nothing else is looked at."""
    return tuple(value for name, value in scope.get("headers", ()) if name == b"cookie")


async def visitor(scope: Scope, *, thread: Executor | None = None) -> Visitor | None:
    """Return who is behind a socket, None for nobody we know. An authenticator without await runs in a thread."""
    keeper = authenticator()
    if keeper is None:
        return None
    if iscoroutinefunction(keeper):
        seen = await keeper(scope)
    else:
        seen = await asyncio.get_running_loop().run_in_executor(thread, _ask, keeper, scope)
    assert seen is None or isinstance(seen, Visitor)
    return seen


def _ask(keeper: Authenticator, scope: Scope) -> Visitor | None:
    try:
        seen = keeper(scope)
        assert not isawaitable(seen), "an authenticator is a plain function or a coroutine function"
        return seen
    finally:
        # Back to the pool: an executor's thread ends no request that would give it back.
        connections.close_all()


def may_hear(who: Visitor, audiences: Sequence[str]) -> bool:
    """Say whether a visitor may hear all of these; none at all, or too many, is asked by no page of ours."""
    return 0 < len(audiences) <= MOST_AUDIENCES and all(may_join(who, audience) for audience in audiences)
