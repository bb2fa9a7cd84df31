"""What arrives on the wire of a running process: too much, malformed, or meant for somebody else."""

import json
import resource
import socket
import uuid
from typing import Any

import httpx
import pytest

from casino.people.models import Staff
from tests.cast import make_cast
from tests.hostile.planted import by_token
from tests.support.patience import PATIENCE_SECONDS
from tests.support.room import BrushServer

MEGABYTE = 1_000_000


@pytest.fixture
def room(brush_server: BrushServer, settings: Any) -> BrushServer:
    settings.SECRET_KEY = brush_server.env["BRUSH_SECRET_KEY"]
    make_cast()
    return brush_server


def memory_mb(server: BrushServer) -> int:
    assert server.process is not None
    with open(f"/proc/{server.process.pid}/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize() // MEGABYTE


def raw(server: BrushServer, head: bytes, *, endless: bytes = b"", most: int = 0) -> tuple[bytes, int]:
    """Send bytes, then `endless` again and again up to `most`; return the first line answered and how much went out."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS) as wire:
        sent = 0
        try:
            wire.sendall(head)
            while sent < most:
                wire.sendall(endless)
                sent += len(endless)
        except OSError:
            pass  # The server hung up: that is the answer.
        try:
            return wire.recv(65536).split(b"\r\n")[0], sent
        except OSError:
            return b"", sent


def test_addresses_and_headers_without_end_are_cut_off(room: BrushServer):
    before, most = memory_mb(room), 40 * MEGABYTE

    for head, endless in (
        (b"GET /", b"a" * 65536),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: a=", b"b" * 65536),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"X-Many: x\r\n" * 6000),
    ):
        line, sent = raw(room, head, endless=endless, most=most)
        assert sent < most, (head[:20], line)
        assert b" 500 " not in line

    assert memory_mb(room) - before < 30
    assert httpx.get(f"{room.url}/healthz").status_code == 200


def test_requests_that_two_servers_could_read_differently_are_refused(room: BrushServer):
    host = b"Host: 127.0.0.1:%d\r\n" % room.port
    signed = b"Authorization: " + by_token(Staff.objects.get(username="mari"))["Authorization"].encode() + b"\r\n"
    ask = b"GET /api/v1/tables HTTP/1.1\r\n"
    post = b"POST /api/v1/people/players HTTP/1.1\r\n" + host + signed + b"Content-Type: application/json\r\n"
    key = b"Idempotency-Key: %s\r\n" % str(uuid.uuid4()).encode()
    body = json.dumps({"nickname": "Twice"}).encode()
    refused = {
        "two hosts": ask + host + b"Host: evil.example\r\n" + signed + b"\r\n",
        "another host": ask + b"Host: evil.example\r\n" + signed + b"\r\n",
        "two tokens": ask + host + signed + b"Authorization: Bearer x\r\n\r\n",
        "two lengths": post + key + b"Content-Length: 2\r\nContent-Length: %d\r\n\r\n" % len(body) + body,
        "length and chunks": post + key + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "two command ids": post + key + key + b"Content-Length: %d\r\n\r\n" % len(body) + body,
        "a space before the colon": ask + host + b"Authorization : x\r\n\r\n",
        "a NUL in a header": ask + host + b"X-Request-ID: a\x00b\r\n" + signed + b"\r\n",
        "no method": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        "a line alone": ask + host + b"X-Injected\r\n" + signed + b"\r\n",
    }

    lines = {name: raw(room, head)[0] for name, head in refused.items()}

    assert {name: line for name, line in lines.items() if line[9:10] != b"4"} == {}
    assert raw(room, ask + host + signed + b"\r\n")[0] == b"HTTP/1.1 200 OK"


def test_nothing_that_is_typed_ends_up_in_a_header(room: BrushServer):
    names = ("\r\nSet-Cookie: brush_device=planted", "%0d%0aSet-Cookie:%20a=b", "/people/\r\nX-Injected: 1")
    for name in names:
        answers = [
            httpx.get(f"{room.url}/floor/", params={"next": name}),
            httpx.get(f"{room.url}/sign-in/", params={"next": name}),
        ]
        for answer in answers:
            assert answer.status_code < 500
            assert "x-injected" not in answer.headers
            assert "brush_device" not in answer.headers.get("Set-Cookie", "")
