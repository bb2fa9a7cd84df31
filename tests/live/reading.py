"""Reading a socket in a test."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from tests.support.patience import PATIENCE_SECONDS

Frame = dict[str, Any]


def frames_until(socket: ClientConnection, is_it: Callable[[Frame], bool]) -> list[Frame]:
    """
    Return the frames that arrive, up to and with the first one that is it.

    :raises TimeoutError: it never came.
    """
    found: list[Frame] = []
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not found or not is_it(found[-1]):
        found.append(json.loads(socket.recv(timeout=max(0.0, deadline - time.monotonic()))))
    return found


def frames_so_far(socket: ClientConnection) -> list[Frame]:
    """
    Return the frames that the server has sent by now.

    It is asked for a pong: whatever it had written to this socket before arrives before that.
    """
    found: list[Frame] = []
    pong = socket.ping()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not pong.is_set():
        assert time.monotonic() < deadline, "no pong"
        with suppress(TimeoutError):
            found.append(json.loads(socket.recv(timeout=0.02)))
    with suppress(TimeoutError):
        while True:
            found.append(json.loads(socket.recv(timeout=0)))
    return found


def frames_until_closed(socket: ClientConnection) -> list[Frame]:
    """Return the frames that arrive until the server closes the socket; ticks alone do not keep anybody waiting."""
    found: list[Frame] = []
    deadline = time.monotonic() + PATIENCE_SECONDS
    with suppress(ConnectionClosed):
        while True:
            found.append(json.loads(socket.recv(timeout=max(0.0, deadline - time.monotonic()))))
    return found


def fragments(found: list[Frame]) -> list[Frame]:
    """Return those of the frames that are fragments."""
    return [frame for frame in found if frame["t"] == "fragment"]


def fragments_until(socket: ClientConnection, text: str) -> list[Frame]:
    """Return the fragments that arrive, up to and with the first one that holds this text."""
    return fragments(frames_until(socket, lambda frame: frame["t"] == "fragment" and text in frame["html"]))


def fragment_with(socket: ClientConnection, text: str) -> Frame:
    """Return the first fragment that holds this text."""
    return fragments_until(socket, text)[-1]


def tick_that(socket: ClientConnection, *, is_behind: bool) -> Frame:
    """Return the first tick that says so."""
    return frames_until(socket, lambda frame: frame["t"] == "tick" and frame["behind"] is is_behind)[-1]
