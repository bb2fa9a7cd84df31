"""
A crowd of sockets in a process of its own: it reads frames, and notes when the last socket had the news.

Raw sockets in one event loop and no parser beyond a frame's first bytes, so that the listeners are never what is
measured. It is told what to do by lines of JSON on its standard input, and answers on its standard output.
"""

import asyncio
import base64
import json
import os
import resource
import socket
import sys
import time
from typing import Any, cast

import uvloop

_FRAGMENT = b'{"t":"fragment"'
_HTML = b',"html":'
OPENED_AT_ONCE = 50
# Whoever waits for longer than this waits for something that will not come.
SECONDS_MAX = 30.0


class Crowd:
    """All sockets of this process, and what is being waited for."""

    def __init__(self) -> None:
        self.ears: list[Ear] = []
        self.frames = 0
        self.after = -1
        self.missing: set[tuple[Ear, str]] = set()
        self._heads: dict[bytes, tuple[str, list[int]]] = {}
        self._late: asyncio.Handle = asyncio.get_running_loop().call_soon(lambda: None)

    def heard(self, ear: "Ear", payload: memoryview) -> None:
        """Take one whole text frame."""
        moment = time.perf_counter()
        if payload[: len(_FRAGMENT)] != _FRAGMENT:
            return
        self.frames += ear.is_counted
        if not self.missing:
            return
        audience, stamp = self._head(bytes(payload[:160]))
        # Newer than what was there before the tap, and with no transaction of the tap's still open.
        if self.after < 0 or (stamp[2] > self.after and stamp[3] == 0):
            self.missing.discard((ear, audience))
            if not self.missing:
                say({"last": moment})

    def await_news(self, after: int) -> None:
        """Wait until every socket has every fragment that it hears, from a snapshot after this transaction."""
        self.after = after
        self.missing = {(ear, audience) for ear in self.ears if not ear.is_stalled for audience in ear.audiences}
        self._late.cancel()
        self._late = asyncio.get_running_loop().call_later(SECONDS_MAX, self._give_up)

    def _give_up(self) -> None:
        if self.missing:
            say({"lost": f"{len(self.missing)} fragments, such as {next(iter(self.missing))[1]}"})

    def _head(self, start: bytes) -> tuple[str, list[int]]:
        """Return audience and stamp; a thousand sockets get the same bytes, which are parsed once."""
        if start not in self._heads:
            if len(self._heads) > 100:
                self._heads.clear()
            head = json.loads(start.partition(_HTML)[0] + b"}")
            self._heads[start] = (head["a"], head["s"])
        return self._heads[start]


class Ear(asyncio.Protocol):
    """One screen's socket, reduced to what RFC 6455 asks of a client that only listens."""

    def __init__(self, crowd: Crowd, *, request: bytes, audiences: list[str]) -> None:
        self.crowd, self.audiences = crowd, audiences
        self.is_stalled = False
        # Whoever has stalled once reads what has waited later on, and that is nobody's rate.
        self.is_counted = True
        self.transport: asyncio.Transport | None = None
        self.is_open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._request = request
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the socket."""
        # uvloop's transports are none of asyncio's classes.
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self._request)

    def connection_lost(self, problem: Exception | None) -> None:
        """A socket that is lost while others are measured would be missing in the figures."""
        if not self.is_open.done():
            self.is_open.set_exception(problem or ConnectionError("closed before it was open"))
        elif not self.is_stalled:
            say({"lost": repr(problem)})

    def data_received(self, data: bytes) -> None:
        """Take whole frames out of what has arrived."""
        self._buffer = self._buffer + data if self._buffer else data
        if not self.is_open.done():
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self.is_open.set_exception(ConnectionError(head.decode()))
                return
            self.is_open.set_result(None)
            self._buffer = rest
        at = self._frames(memoryview(self._buffer))
        self._buffer = self._buffer[at:]

    def _frames(self, view: memoryview) -> int:
        at, end = 0, len(view)
        while end - at >= 2:
            size, start = view[at + 1], at + 2
            if size >= 126:
                wide = 2 if size == 126 else 8
                size, start = int.from_bytes(view[start : start + wide], "big"), start + wide
            if end < start + size:
                break
            self._frame(view[at] & 0x0F, view[start : start + size])
            at = start + size
        return at

    def _frame(self, opcode: int, payload: memoryview) -> None:
        if opcode == 1:
            self.crowd.heard(self, payload)
        elif opcode == 9:
            assert self.transport is not None
            # A mask of zeros leaves the payload as it is.
            self.transport.write(bytes([0x8A, 0x80 | len(payload)]) + bytes(4) + bytes(payload))


async def _open(crowd: Crowd, order: dict[str, Any]) -> None:
    """Open a group of sockets that hear the same, and wait until each has its first fragments."""
    host, port = order["address"]
    lines = [
        f"GET {order['path']} HTTP/1.1",
        f"Host: {host}:{port}",
        f"Origin: http://{host}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        f"Cookie: {order['cookie']}",
    ]
    request = ("\r\n".join(lines) + "\r\n\r\n").encode()
    turns = asyncio.Semaphore(OPENED_AT_ONCE)
    loop = asyncio.get_running_loop()

    async def one() -> None:
        async with turns:
            plain = socket.socket()
            plain.setblocking(False)
            if order["window"]:
                plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, order["window"])
            await loop.sock_connect(plain, (host, port))
            _, ear = await loop.create_connection(
                lambda: Ear(crowd, request=request, audiences=order["audiences"]), sock=plain
            )
            crowd.ears.append(ear)
            await ear.is_open

    async with asyncio.timeout(SECONDS_MAX):
        await asyncio.gather(*(one() for _ in range(order["count"])))


def _stall(crowd: Crowd, count: int) -> None:
    """Have so many sockets read nothing, and the others read again."""
    for number, ear in enumerate(crowd.ears):
        assert ear.transport is not None
        if number < count:
            ear.transport.pause_reading()
            ear.is_counted = False
        elif ear.is_stalled:
            ear.transport.resume_reading()
        ear.is_stalled = number < count


def say(what: dict[str, Any]) -> None:
    """Answer whoever started this process."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


async def listen() -> None:
    """Do what the lines on standard input say, until they end."""
    crowd, lines = Crowd(), asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        order = json.loads(line)
        match order["do"]:
            case "open":
                await _open(crowd, order)
            case "news":
                crowd.await_news(order["after"])
            case "stall":
                _stall(crowd, order["count"])
        say({"frames": crowd.frames, "at": time.perf_counter(), "cpu": time.process_time()})


if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    uvloop.run(listen())
