"""
The screen's socket: authenticate, join, forward. Commands arrive by HTTP, never here.

A bare ASGI application instead of Channels' consumer class, which cleans up database connections in a
thread for every message: measured at a fifth of what this does.
"""

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.utils.translation import get_supported_language_variant

from casino.live import admission
from casino.live.audiences import Scope, Visitor
from casino.live.hub import hub
from casino.live.mailbox import Mailbox, Send, Socket, say_goodbye
from casino.live.protocol import EXTENSION
from casino.live.wire import NOBODY, NOT_PERMITTED

Receive = Callable[[], Awaitable[dict[str, Any]]]
logger = logging.getLogger(__name__)


async def screen(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one screen's socket until it closes; the frames are described in `casino.live.wire`."""
    await receive()
    if scope["path"] != "/live/" or not admission.origin_is_ours(scope):
        logger.warning("socket refused", extra={"reason": "origin or path"})
        await send({"type": "websocket.close", "code": NOT_PERMITTED.code})
        return
    query = parse_qs(scope.get("query_string", b"").decode("latin1"))
    audiences = list(dict.fromkeys(query.get("audience", [])))
    visitor = await admission.visitor(scope)
    # A browser tells a page nothing about a refused handshake, so the refusal is said on an open socket.
    await send({"type": "websocket.accept"})
    if visitor is None:
        await say_goodbye(send, NOBODY)
    elif not admission.may_hear(visitor, audiences):
        logger.info("socket refused", extra={"audiences": audiences, "device": visitor.device_id})
        await say_goodbye(send, NOT_PERMITTED)
    else:
        language = _language(query.get("language", [""])[0], visitor)
        mailbox = Mailbox(send, scope.get("extensions", {}).get(EXTENSION, {}).get("write"))
        await _serve(Socket(scope, visitor, audiences, language, mailbox), receive)


async def _serve(socket: Socket, receive: Receive) -> None:
    here = hub()
    await here.join(socket)
    try:
        await _until_gone(receive)
    finally:
        here.leave(socket)
        socket.mailbox.close()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "websocket.disconnect":
        pass


def _language(page_language: str, visitor: Visitor) -> str:
    """Return the language the page was rendered in, else the visitor's, else the house's."""
    for code in (page_language, visitor.language):
        with suppress(LookupError):
            if code:
                return get_supported_language_variant(code)
    return settings.LANGUAGE_CODE
