"""
The limit of every figure about screens: a bare ASGI application that broadcasts ready bytes from memory.

It has no room, no database, no Redis and no mailbox. What a socket hears is named by its query string alone.
"""

import asyncio
import json
from collections import defaultdict
from typing import Any

from casino.live.consumers import Receive
from casino.live.mailbox import Send

_sockets: defaultdict[str, list[Send]] = defaultdict(list)
_frames: dict[str, str] = {}
_floods: set[asyncio.Task[None]] = set()


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Serve sockets; take the frames with PUT, hand them out with POST."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
    elif scope["type"] == "websocket":
        await _socket(scope["query_string"].decode(), receive, send)
    else:
        await _http(scope, receive, send)


async def _socket(heard: str, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    _sockets[heard].append(send)
    if heard in _frames:
        await send({"type": "websocket.send", "text": _frames[heard]})
    while (await receive())["type"] != "websocket.disconnect":
        pass
    _sockets[heard].remove(send)


async def _http(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    body = await _body(receive)
    if scope["method"] == "PUT":
        _frames.update(json.loads(body))
    elif scope["path"] == "/broadcast":
        await _broadcast()
    elif scope["path"] == "/flood":
        flood = asyncio.create_task(_flood(json.loads(body)["seconds"]))
        _floods.add(flood)
        flood.add_done_callback(_floods.discard)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


async def _broadcast() -> None:
    for heard, sockets in _sockets.items():
        message = {"type": "websocket.send", "text": _frames[heard]}
        for send in sockets:
            await send(message)


async def _flood(seconds: float) -> None:
    """Broadcast without a pause, as fast as the sockets take it."""
    clock = asyncio.get_running_loop().time
    until = clock() + seconds
    while clock() < until:
        await _broadcast()
        # Reads, pings and requests have their turn between two rounds.
        await asyncio.sleep(0)


async def _body(receive: Receive) -> bytes:
    body = b""
    while True:
        message = await receive()
        body += bytes(message.get("body", b""))
        if not message.get("more_body"):
            return body
