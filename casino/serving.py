"""
What stands between the web server and the house: no service without a secret, none to others by secrets that everybody
may read, no body beyond reason.
"""

import asyncio
import gc
import logging
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import lru_cache, partial
from typing import IO, Any, TypeVar, cast

from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.db import DatabaseError, InterfaceError, close_old_connections, connections
from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch, get_resolver, set_script_prefix
from psycopg_pool import PoolTimeout

from casino import grants
from casino.commands.problems import OnlyThisMachine, TooLarge, problem_of
from casino.errors import Refusal
from casino.people.published import why_not_to_open
from casino.reach import is_this_machine
from casino.secret_key import why_not_to_serve

T = TypeVar("T")
Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# As Python has it, but for how many new objects make it look through the newest: a tap and its screens make about a
# thousand that stay a moment, which are looked through for nothing.
COLLECT_AFTER = 10_000

# A request that had no turn for so long goes on without one, and the pool tells it that the house is busy; with what it
# waits there, before its screen gives up.
TURN_SECONDS_MAX = 1
# What takes no turn: whoever asks how the process is, and strangers' sign-ins, which wait for each other
# (`casino/people/hashing.py`) and would keep all threads from those who tap.
WITHOUT_TURN = ("/healthz", "/readyz", "/sign-in/", "/api/v1/sign-in")
# Made as they are needed.
THREADS_BESIDE_MAX = 1000

# How long an answer holds to the question whether others may be served.
OPENNESS_SECONDS = 10
AS_ROOT = (
    "This process runs as root, which must not face other machines: run Brush as an ordinary user "
    "(deploy/README.md), or for this machine alone."
)

_log = logging.getLogger(__name__)


class Http(ASGIHandler):
    """
    Django's handler, with a request's signals, middleware, view, rendering and end in one go in a thread.

    None of ours is asynchronous. Django's own goes back to the event loop before and after each step of them that might
    be, seven times for a tap, makes three tasks and two threads for each request, and waits for the interpreter each
    time. Whoever hangs up is not listened for: what they tapped is carried out, and the answer is for nobody.

    There are as many threads as connections to the database, and a request waits for one of them rather than in it for
    a connection, which costs each a sixth more of the processor.
    """

    def __init__(self) -> None:
        super().__init__()
        connections_most = settings.DATABASES["default"]["OPTIONS"]["pool"]["max_size"]
        self._threads = ThreadPoolExecutor(connections_most, thread_name_prefix="request")
        self._others = ThreadPoolExecutor(THREADS_BESIDE_MAX, thread_name_prefix="request-beside")

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        response = await self.in_thread(self.respond, scope, body, has_turn=scope["path"] not in WITHOUT_TURN)
        try:
            await self.send_response(response, send)
        finally:
            if response.streaming:
                await self.in_thread(response.close, has_turn=False)

    def load_middleware(self, is_async: bool = False) -> None:  # as Django names it
        super().load_middleware(is_async=False)

    async def in_thread(self, work: Callable[..., T], *given: Any, has_turn: bool = True) -> T:
        """
        Return what some work returns, done in a thread; what it sets for its own context ends with it.

        It waits for its turn, but not for ever: a database that hangs keeps all threads, which is to be answered, too.
        """
        loop, run = asyncio.get_running_loop(), partial(copy_context().run, work, *given)
        if has_turn:
            job = self._threads.submit(run)
            # Has no effect on what has begun.
            patience = loop.call_later(TURN_SECONDS_MAX, job.cancel)
            try:
                return await asyncio.wrap_future(job)
            except asyncio.CancelledError:
                if _is_cancelled():
                    raise
            finally:
                patience.cancel()
        return await loop.run_in_executor(self._others, run)

    def resolve_request(self, request: HttpRequest) -> ResolverMatch:
        """Return which view answers, which Django looks up among all addresses for each tap."""
        request.resolver_match = match = _resolved(request.path_info)
        return match

    def respond(self, scope: Scope, body: IO[bytes]) -> HttpResponseBase:
        """Return the answer to a request. It is over with it, unless the answer is still to be read."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=self.__class__, scope=scope)
        request, unreadable = self.create_request(scope, body)
        if request is None:
            body.close()
        response: Any = unreadable if request is None else self.get_response(request)
        response._handler_class = self.__class__
        if isinstance(response, FileResponse):
            # As Django has it: each piece is a message.
            response.block_size = self.chunk_size
        if response.streaming:
            # This thread's, which may not be the one that sees the end of it.
            close_old_connections()
        else:
            response.close()
        return cast(HttpResponseBase, response)


@lru_cache(maxsize=1024)
def _resolved(path: str) -> ResolverMatch:
    return get_resolver().resolve(path)


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class _Overrun(Exception):
    """A body went on beyond what is taken."""


async def lifespan(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer the server that asks whether it may begin (ASGI's lifespan)."""
    await receive()
    reason = why_not_to_serve()
    if not reason and settings.OPEN_BY and (why := await asyncio.to_thread(why_not_to_others)):
        reason = f"{settings.OPEN_BY} opens this house to other machines. {why}"
    if reason:
        await send({"type": "lifespan.startup.failed", "message": reason})
        return
    warm_up()
    grants.say_if_unguarded()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})


def warm_up() -> None:
    """
    Load what the first tap would have to load, and have the collector of garbage pass over all of it from now on.

    What a process is made of stays as long as it does. To look through it all takes a tenth of a second, in which
    no screen is told anything.
    """
    assert get_resolver().url_patterns, "the addresses of the house, and with them its views"
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER, *gc.get_threshold()[1:])


def why_not_to_others() -> str:
    """
    Return why nobody beyond this machine must be served, in sentences for whoever runs the house; "" when all is well.

    Asks the database, in a thread of its own; what it does not tell is a reason, too.
    """
    reasons = [AS_ROOT] if os.geteuid() == 0 else []
    try:
        reasons.append(why_not_to_open())
    except (DatabaseError, InterfaceError, PoolTimeout) as problem:
        reasons.append(f"The database does not tell whether its people's passwords and PINs are published: {problem}")
    finally:
        connections.close_all()
    return " ".join(filter(None, reasons))


class _Openness:
    """What `why_not_to_others` says, asked anew every few seconds; nobody but the first waits for the answer."""

    def __init__(self) -> None:
        self._why: str | None = None
        self._due_at = 0.0
        self._asking: asyncio.Task[None] | None = None

    async def why_not(self) -> str:
        """Return the last answer."""
        if time.monotonic() >= self._due_at and (self._asking is None or self._asking.done()):
            self._asking = asyncio.create_task(self._ask())
        if self._why is None and self._asking is not None:
            # Others wait for the same question: whoever hangs up does not end it for them.
            await asyncio.shield(self._asking)
        return self._why or ""

    async def _ask(self) -> None:
        why = await asyncio.to_thread(why_not_to_others)
        if why and why != self._why:
            _log.error("other machines are turned away: %s", why)
        self._why, self._due_at = why, time.monotonic() + OPENNESS_SECONDS


def kept_home(application: Application) -> Application:
    """
    Serve whoever comes over an address of this machine alone; over any other only a house that may face others.

    By its settings a process cannot know where its server listens (`uvicorn --host 0.0.0.0`): a connection tells.
    """
    openness = _Openness()

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        server = scope.get("server")
        if server is None or is_this_machine(server[0]) or not await openness.why_not():
            await application(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await _refuse(send, OnlyThisMachine())

    return serve


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

        # Whoever says so is answered without a byte of it being read; whoever says less than comes is counted.
        if _announced(scope) > most:
            await _refuse_body(send)
            return
        try:
            await application(scope, counted, send)
        except _Overrun:
            await _refuse_body(send)

    return serve


def _announced(scope: Scope) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length) if length.isdigit() else 0


async def _refuse_body(send: Send) -> None:
    _log.warning("a body beyond what is taken")
    await _refuse(send, TooLarge())


async def _refuse(send: Send, refusal: Refusal) -> None:
    answer = problem_of(refusal)
    headers = [(b"content-type", answer["Content-Type"].encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content})
