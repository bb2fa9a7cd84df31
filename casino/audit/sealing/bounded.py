"""
A client of HTTP for a store that may be slow or hostile: each answer has an end in time and in bytes.

The timeout of a socket begins anew with each byte that comes, so that one who drips holds it for ever; here the socket
is shut when the time is over, whatever is being read.
"""

import http.client
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import urllib3

# The longest answer is a page of a list: a thousand objects, some 700 kB.
ANSWER_SECONDS_MAX = 20
ANSWER_BYTES_MAX = 4_000_000


class Bounded(urllib3.PoolManager):
    """What the store's client sends its requests through: a connection for each, and no redirect is followed."""

    # As the library's own, which differs from that of its base.
    def urlopen(  # type: ignore[override]
        self, method: str, url: str, redirect: bool = True, **more: Any
    ) -> urllib3.BaseHTTPResponse:
        """
        Return the whole answer to one request.

        :raises TimeoutError: it was not there in time.
        :raises OSError, http.client.HTTPException: it was none, or too long.
        """
        parts = urlsplit(url)
        connection: http.client.HTTPConnection
        if parts.scheme == "https":
            context = ssl.create_default_context()
            connection = http.client.HTTPSConnection(
                parts.hostname or "", parts.port, timeout=ANSWER_SECONDS_MAX, context=context
            )
        else:
            connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=ANSWER_SECONDS_MAX)
        with closing(connection):
            connection.connect()
            with _ended(connection.sock):
                connection.request(
                    method,
                    urlunsplit(("", "", parts.path or "/", parts.query, "")),
                    body=more.get("body"),
                    headers=dict(more.get("headers") or {}),
                )
                answer = connection.getresponse()
                with closing(answer):
                    body = answer.read(ANSWER_BYTES_MAX + 1)
        if len(body) > ANSWER_BYTES_MAX:
            raise OSError(f"an answer of more than {ANSWER_BYTES_MAX} bytes")
        if answer.length:
            raise http.client.IncompleteRead(b"", answer.length)
        headers = {name: value for name, value in answer.getheaders() if not name.lower().endswith("-encoding")}
        return urllib3.HTTPResponse(BytesIO(body), headers, answer.status, preload_content=False)


@contextmanager
def _ended(sock: socket.socket) -> Iterator[None]:
    """Shut a socket when its time is over. :raises TimeoutError: it was."""
    is_over = threading.Event()

    def end() -> None:
        is_over.set()
        with suppress(OSError):
            # The plain socket's own: that of TLS would let go of what the other thread is reading with.
            socket.socket.shutdown(sock, socket.SHUT_RDWR)

    timer = threading.Timer(ANSWER_SECONDS_MAX, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if is_over.is_set():
            raise TimeoutError(f"no whole answer within {ANSWER_SECONDS_MAX} s")
