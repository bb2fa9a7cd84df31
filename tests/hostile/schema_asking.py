"""
Cases that schemathesis makes up, brought before the house, and what holds of every answer.

`in_process` asks the whole ASGI application inside the test's own transaction, so that each case finds the same
evening: what it did is rolled back. A session on a real server asks just so.
"""

import asyncio
import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from datetime import timedelta
from io import BytesIO
from typing import Any, cast
from urllib.parse import unquote, urlsplit

import requests
import schemathesis
from asgiref.sync import async_to_sync, sync_to_async
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.urls import Resolver404, resolve
from hypothesis import strategies as st
from requests.adapters import BaseAdapter
from schemathesis import Case, Response, checks
from urllib3 import HTTPHeaderDict, HTTPResponse

from casino.asgi import application
from casino.people.api_auth import needed
from casino.people.permissions import MAY, Role
from casino.serving import Http
from tests.hostile.schema_room import Evening, Visitor

AS_DECLARED = [
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
]

# The moment of a tap, and a NUL behind the question mark: looked at before anybody asks what they may.
READ_AT_THE_DOOR = {"X-Tapped-At", "?"}

HERE = "http://localhost"


class InThisThread(BaseAdapter):
    """Hands requests to the ASGI application in the thread that asks, where the test's transaction is open."""

    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> requests.Response:
        answer: dict[str, Any] = {"body": b""}
        parts = urlsplit(str(request.url))
        body = request.body.encode() if isinstance(request.body, str) else request.body or b""
        headers = {"host": parts.netloc} | dict(request.headers)
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": "http",
            "path": unquote(parts.path),
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "headers": [(name.lower().encode("latin-1"), _bytes(value)) for name, value in headers.items()],
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 80),
        }

        async def serve() -> None:
            events = iter([{"type": "http.request", "body": body, "more_body": False}])

            async def receive() -> dict[str, Any]:
                for message in events:
                    return message
                # Nobody hangs up: Django listens for that until it has answered.
                await asyncio.Event().wait()
                raise AssertionError

            async def send(message: Any) -> None:
                if message["type"] == "http.response.start":
                    answer.update(message)
                else:
                    answer["body"] = answer.get("body", b"") + message.get("body", b"")

            await application(scope, receive, send)

        with _connection_kept():
            async_to_sync(serve)()
        return _read(request, answer)


@contextmanager
def _connection_kept() -> Iterator[None]:
    """Keep a request in this thread, and Django from closing the connection: the test's transaction is there."""
    edges, in_thread = (request_started, request_finished), Http.in_thread

    async def here(_http: Http, work: Callable[..., Any], *given: Any, has_turn: bool = True) -> Any:
        return await sync_to_async(copy_context().run)(work, *given)

    for edge in edges:
        edge.disconnect(close_old_connections)
    Http.in_thread = here  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        Http.in_thread = in_thread  # type: ignore[method-assign]
        for edge in edges:
            edge.connect(close_old_connections)


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode("latin-1")


def _read(request: requests.PreparedRequest, answer: dict[str, Any]) -> requests.Response:
    headers = HTTPHeaderDict((name.decode("latin-1"), value.decode("latin-1")) for name, value in answer["headers"])
    raw = HTTPResponse(
        body=BytesIO(answer["body"]), headers=headers, status=answer["status"], preload_content=False, version=11
    )
    response = requests.adapters.HTTPAdapter().build_response(request, raw)
    response.elapsed = timedelta(0)
    return response


def in_process() -> requests.Session:
    """Return a session that asks the application in this process."""
    session = requests.Session()
    session.mount("http://", InThisThread())
    return session


def dressed(draw: Callable[[st.SearchStrategy[Any]], Any], case: Case[Any], evening: Evening) -> None:
    """Let a case name real things where it would mostly name none, so that it comes beyond "no such table"."""
    likely = st.integers(0, 9).map(bool)
    for name in case.path_parameters:
        if draw(likely):
            case.path_parameters[name] = draw(st.sampled_from(evening.real[name]))
    if isinstance(case.body, dict):
        for name in case.body:
            if name in evening.real and draw(likely):
                case.body[name] = draw(st.sampled_from(evening.real[name]))
    if "X-Tapped-At" in case.headers and draw(likely):
        # Most moments there are lie in centuries without poker rooms.
        case.headers["X-Tapped-At"] = draw(st.sampled_from(evening.real["dealt_at"]))
    if "If-Match" in case.headers and draw(likely):
        version = evening.version_of(case.path, case.path_parameters)
        if version is not None:
            case.headers["If-Match"] = f'"{version}"'


def send(
    case: Case[Any], visitor: Visitor, session: requests.Session, *, base_url: str = "http://localhost"
) -> Response:
    """Ask as this visitor. A command that says an id has a new one: the made-up ones are few."""
    if case.headers.get("Idempotency-Key") and case.meta and case.meta.generation.mode.is_positive:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    return case.call(base_url=base_url, session=session, headers=dict(visitor.headers), cookies=dict(visitor.cookies))


def permission_of(path: str, method: str) -> str | None:
    """Return the name in `MAY` under which the house answers there; None where no call has that address."""
    try:
        found = resolve(unquote(urlsplit(path).path))
    except Resolver404:
        return None
    view = cast(Any, found.func).cls
    return None if view.__name__ == "Nowhere" else needed(view, method)


def who_may(call: Any, evening: Evening) -> list[Visitor]:
    """Return the visitors who may make this call somewhere; everybody, where none of them may."""
    name = permission_of(re.sub(r"{\w+}", "1", call.path), call.method.upper())
    assert name is not None, call.label
    return [each for each in evening.visitors if name in each.may] or list(evening.visitors)


def judge(case: Case[Any], response: Response, visitor: Visitor) -> None:
    """
    Fail unless the answer is one that the OpenAPI document declares and `MAY` allows.

    Whoever may is never told that their role may not; whoever may not is told nothing else.
    """
    status, name = response.status_code, permission_of(case.formatted_path, case.method)
    problem = response.json() if status >= 400 else {}
    who = f"{visitor} asks {name} of {case.formatted_path}: {status} {problem}"
    assert status < 500 or problem["code"] in {"busy", "waits_for_day"}, who
    if problem.get("code") == "malformed" and problem["data"]["field"] in READ_AT_THE_DOOR:
        pass
    elif name is None:
        # A token that opens nothing opens nothing anywhere.
        assert status in {404, 405} or (not visitor.is_known and status == 401), who
    elif name not in visitor.may:
        # A device alone, or whoever has no sign-in, may be somebody who may; a person is not.
        assert status in ({401, 403} if visitor.cookies else {403 if visitor.is_known else 401}), who
    elif Role.ANYONE not in MAY[name]:
        assert status != 401, who
        assert problem.get("code") != "not_permitted" or visitor.cookies, who
    if name is not None:
        # A body beyond what is taken is refused unread, and so it says nothing of what was wrong with it.
        # What a query says beyond what is read is no mistake: links carry such things.
        says_more = case.method == "GET" and not {each.name for each in case.operation.query}.issuperset(
            case.query or {}
        )
        is_unread = status == 413 or says_more
        held = [check for check in AS_DECLARED if not is_unread or check is not checks.negative_data_rejection]
        case.validate_response(response, checks=held)


def calls(document: dict[str, Any]) -> list[Any]:
    """
    Return every call of the document, as something that schemathesis makes up requests for.

    Not who asks: that is the visitors' part, and a made-up token says nothing.
    """
    operations = [operation for methods in document["paths"].values() for operation in methods.values()]
    for operation in operations:
        operation.pop("security", None)
    found = schemathesis.openapi.from_dict(document).get_all_operations()
    return [cast(Any, each).ok() for each in found]
