"""What stands between the web server and the house: no service without a secret, no body beyond reason."""

import gc
import logging
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings
from django.urls import get_resolver

from casino import grants
from casino.commands.problems import TooLarge, problem_of
from casino.secret_key import why_not_to_serve

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# A tap waits for the interpreter after each of its statements, while a screen is being rendered: not for five
# milliseconds each time, as Python has it. Shorter still would cost an overloaded house too many commands a second.
SWITCH_SECONDS = 0.0005

_log = logging.getLogger(__name__)


class _Overrun(Exception):
    """A body went on beyond what is taken."""


async def lifespan(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer the server that asks whether it may begin (ASGI's lifespan)."""
    await receive()
    if reason := why_not_to_serve():
        await send({"type": "lifespan.startup.failed", "message": reason})
        return
    settle_down()
    grants.say_if_unguarded()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})


def settle_down() -> None:
    """
    Load what the first tap would have to load, have the collector of garbage pass over all of it from now on, and
    have threads take turns sooner.

    What a process is made of stays as long as it does. To look through it all takes a tenth of a second, in which
    no screen is told anything.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    assert get_resolver().url_patterns, "the addresses of the house, and with them its views"
    gc.collect()
    gc.freeze()


def limited(application: Application) -> Application:
    """
    Serve requests whose body is no larger than a form of ours, and answer 413 to others.

    Django stores a whole body before it looks, and its own limit goes by the length that was announced.
    """

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        most: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > most:
                raise _Overrun
            return message

        if _announced(scope) > most:
            await _refuse(send)
            return
        try:
            await application(scope, counted, send)
        except _Overrun:
            await _refuse(send)

    return serve


def _announced(scope: Scope) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length) if length.isdigit() else 0


async def _refuse(send: Send) -> None:
    _log.warning("a body beyond what is taken")
    answer = problem_of(TooLarge())
    headers = [(b"content-type", answer["Content-Type"].encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content})
