"""Reading a socket in a test."""

import json
import time
from typing import Any

from websockets.sync.client import ClientConnection


def frames(socket: ClientConnection, *, seconds: float) -> list[dict[str, Any]]:
    """Return every frame that arrives within so many seconds."""
    found, deadline = [], time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        try:
            found.append(json.loads(socket.recv(timeout=left)))
        except TimeoutError:
            break
    return found


def fragments_until(socket: ClientConnection, text: str, *, seconds: float = 5.0) -> list[dict[str, Any]]:
    """Return the fragments that arrive, up to and with the first one that holds this text."""
    found: list[dict[str, Any]] = []
    deadline = time.monotonic() + seconds
    while True:
        frame = json.loads(socket.recv(timeout=max(0.0, deadline - time.monotonic())))
        if frame["t"] == "fragment":
            found.append(frame)
            if text in frame["html"]:
                return found


def fragment_with(socket: ClientConnection, text: str, *, seconds: float = 5.0) -> dict[str, Any]:
    """Return the first fragment that holds this text."""
    return fragments_until(socket, text, seconds=seconds)[-1]
