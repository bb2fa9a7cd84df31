"""
A web process that kills itself between two statements, as a power cut would; tests alone run it.

`application` is Brush's own. A request with the header `X-Die-Before: 7` ends the process with SIGKILL
just before its seventh statement reaches PostgreSQL; savepoints count, COMMIT counts, and the answer is
the last to be counted. Without the header nothing dies, and the answer's `X-Statements` says how many there were.

    python -m tests.support.killing_asgi <port>

keeps the port and, for each line it reads, forks a uvicorn process that serves it until it dies: what a fresh
process costs is paid once. It prints the process's id, and its signal when it has ended.
"""

import os
import signal
import socket
import sys
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.urls import get_resolver

from casino.asgi import application as brush

NEVER = 0


@dataclass
class Counted:
    """The statements of one request."""

    die_before: int
    seen: list[str] = field(default_factory=list)

    def count(self, statement: str) -> None:
        if len(self.seen) + 1 == self.die_before:
            os.kill(os.getpid(), signal.SIGKILL)
        self.seen.append(statement)


_counted: ContextVar[Counted | None] = ContextVar("counted", default=None)


def _count(statement: str) -> None:
    counted = _counted.get()
    if counted is not None:
        counted.count(statement)


def _before_statement(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    _count(str(sql))
    return execute(sql, params, many, context)


def _watch(connection: BaseDatabaseWrapper, **_: Any) -> None:
    if _before_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(_before_statement)


_commit = BaseDatabaseWrapper._commit  # type: ignore[attr-defined]  # Django's own, and the one place before COMMIT


def _before_commit(connection: BaseDatabaseWrapper) -> Any:
    _count("COMMIT")
    return _commit(connection)


connection_created.connect(_watch)
BaseDatabaseWrapper._commit = _before_commit  # type: ignore[attr-defined]


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Serve as Brush does, counting."""
    if scope["type"] != "http":
        await brush(scope, receive, send)
        return
    counted = Counted(int(dict(scope["headers"]).get(b"x-die-before", b"0")))
    _counted.set(counted)

    async def answer(message: Any) -> None:
        if message["type"] == "http.response.start":
            statements = len(counted.seen)
            counted.count("the answer")
            message["headers"] = [*message["headers"], (b"x-statements", str(statements).encode())]
        await send(message)

    await brush(scope, receive, answer)


def _serve(listening: socket.socket) -> None:
    config = uvicorn.Config(application, access_log=False, log_config=None, timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listening])


def main(port: int) -> None:
    """Keep the port, and serve it with one process after the other."""
    # Django maps its addresses, and imports what stands behind them, at the first request.
    get_resolver().reverse_dict  # noqa: B018
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    listening.listen(64)
    for _line in sys.stdin:
        child = os.fork()
        if child == 0:
            _serve(listening)
            os._exit(0)
        print(child, flush=True)  # noqa: T201
        _, status = os.waitpid(child, 0)
        print(os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, flush=True)  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]))
