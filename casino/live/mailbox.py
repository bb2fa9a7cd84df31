"""What one socket still has to be sent. Latest wins, so a slow client costs nobody anything."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from casino.live.audiences import Scope, Visitor


@dataclass(frozen=True)
class Parting:
    """The last words to a socket: the frame that says why, and the close code of RFC 6455."""

    frame: str
    code: int


class Mailbox:
    """
    One slot per audience and one for the tick; a newer frame replaces the older one that still waits.

    Memory is bounded by the fragments of one screen, however slowly it reads. Event loop only.
    """

    def __init__(self) -> None:
        self._slots: dict[str, str] = {}
        self._parting: Parting | None = None
        self._news = asyncio.Event()

    def put(self, slot: str, frame: str) -> None:
        """Leave a frame, in place of the one that waits in this slot."""
        self._slots[slot] = frame
        self._news.set()

    def part(self, parting: Parting) -> None:
        """Say goodbye: what waits is dropped, the parting frame is the last one."""
        self._parting = parting
        self._news.set()

    async def take(self) -> tuple[list[str], Parting | None]:
        """Wait for something to send; return the waiting frames, oldest slot first, or the parting."""
        await self._news.wait()
        self._news.clear()
        frames, self._slots = list(self._slots.values()), {}
        return ([], self._parting) if self._parting else (frames, None)


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
