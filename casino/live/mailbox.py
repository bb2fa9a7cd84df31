"""What one socket still has to be sent. Latest wins, so a slow client costs nobody anything."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from websockets import frames

from casino.live.audiences import Scope, Visitor

Send = Callable[[dict[str, Any]], Awaitable[None]]
# Writes the bytes of a frame if that needs no waiting; False means that nothing was written.
WriteNow = Callable[[bytes], bool]


class Frame:
    """One text frame for many sockets: the text, and the bytes of RFC 6455 that it is on each of their wires."""

    __slots__ = ("text", "wire")

    def __init__(self, text: str) -> None:
        self.text = text
        self.wire = frames.Frame(frames.Opcode.TEXT, text.encode()).serialize(mask=False)


@dataclass(frozen=True)
class Parting:
    """The last words to a socket: the frame that says why, and the close code of RFC 6455."""

    frame: str
    code: int


class Mailbox:
    """
    Hands frames to one socket: at once where it takes them, else from one slot per audience and one for the tick.

    A newer frame replaces the older one that still waits in its slot, so memory is bounded by the fragments of one
    screen, however slowly it reads. Event loop only.
    """

    __slots__ = ("_carrying", "_parting", "_send", "_slots", "_write_now")

    def __init__(self, send: Send, write_now: WriteNow | None = None) -> None:
        self._send, self._write_now = send, write_now
        self._slots: dict[str, str] = {}
        self._parting: Parting | None = None
        # A task only for as long as something waits: a thousand sockets that read are a plain loop over their writes.
        self._carrying: asyncio.Task[None] | None = None

    def put(self, slot: str, frame: Frame) -> None:
        """Send a frame, or leave it in place of the one that waits in this slot."""
        if self._carrying is None and self._write_now is not None and self._write_now(frame.wire):
            return
        self._slots[slot] = frame.text
        self._carry()

    def say_goodbye(self, parting: Parting) -> None:
        """Say goodbye: what waits is dropped, the parting frame is the last one."""
        self._parting = parting
        self._carry()

    def close(self) -> None:
        """Forget what waits: the socket is gone."""
        if self._carrying is not None:
            self._carrying.cancel()

    def _carry(self) -> None:
        if self._carrying is None:
            self._carrying = asyncio.create_task(self._send_all())

    async def _send_all(self) -> None:
        # The server raises an OSError when the client went away while it was being written to.
        with suppress(OSError):
            while self._slots and self._parting is None:
                # Taken only when its turn has come, for a newer one may replace it until then.
                text = self._slots.pop(next(iter(self._slots)))
                await self._send({"type": "websocket.send", "text": text})
            if self._parting is not None:
                await say_goodbye(self._send, self._parting)
                # Nothing more: the task stays, as the one that has had the last word.
                return
        self._carrying = None


async def say_goodbye(send: Send, parting: Parting) -> None:
    """Send the last words and close."""
    # So the server says that the socket is gone by now.
    with suppress(OSError):
        await send({"type": "websocket.send", "text": parting.frame})
        await send({"type": "websocket.close", "code": parting.code})


@dataclass(eq=False)
class Socket:
    """One open socket of this process: who is behind it, what it hears, in which language."""

    scope: Scope
    visitor: Visitor
    audiences: Sequence[str]
    language: str
    mailbox: Mailbox
    # In the event loop's time; see `Hub`.
    ask_again_at: float = 0.0
    # Which part of each second its tick comes in.
    turn: int = 0
