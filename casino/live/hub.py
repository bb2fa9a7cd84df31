"""
One hub per web process: hears notices, renders once, hands the same bytes to every socket.

    notice (Redis) ─┐
    outbox (log)  ──┼─> watch (room, audience, language) ──> one render in a thread ──> mailboxes ──> sockets
    first socket  ──┘

Of what is rendered whatever arrives meanwhile causes one render more, so a burst of changes collapses
(`casino.live.watch`). Notices only make things faster: every second the hub reads the log for what it has
not heard of, and after every gap in Redis it renders all it watches.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from casino.live import admission, notices
from casino.live.audiences import Visitor
from casino.live.listener import listen
from casino.live.mailbox import Socket
from casino.live.outbox import Newest, Outbox, Since
from casino.live.watch import Renderer, Watch, alone
from casino.live.wire import REVOKED, tick_frame

# Rooms that one process shows wait for each other's renders no longer than for the interpreter.
RENDER_THREADS = 4
ASK_AGAIN_SECONDS = 30.0
# A second's ticks are spread over it: a tap never waits until all of two thousand sockets had theirs.
TURNS = 20
# The log is read each second; not having been able to for longer than this is being behind.
LOG_UNREAD_SECONDS_MAX = 2.0

# A tap waits for the interpreter after each of its statements, while a screen is being rendered: not for five
# milliseconds each time, as Python has it. A process that never had a screen keeps Python's: each thread that waits
# looks that often whether it is its turn, which costs a house that is tapped at all tables at once commands a second.
SWITCH_SECONDS = 0.0005

logger = logging.getLogger(__name__)
_reader: tuple[Newest, Since] | None = None
_hub: "Hub | None" = None


def set_outbox(*, newest: Newest, since: Since) -> None:
    """Set how the hub reads the log of commands; see `casino.live.outbox`."""
    global _reader
    _reader = (newest, since)


def hub() -> "Hub":
    """Return this process's hub, started in the running event loop by whoever asks first."""
    global _hub
    loop = asyncio.get_running_loop()
    if _hub is None or _hub.loop is not loop:
        _hub = Hub(loop)
        _hub.start()
    return _hub


class Hub:
    """The sockets of one process, and what they watch. Use `hub()`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._sockets: set[Socket] = set()
        self._by_turn: list[set[Socket]] = [set() for _ in range(TURNS)]
        self._turn = 0
        self._watches: dict[tuple[int, str], dict[str, Watch]] = {}
        self._renderers: dict[int, Renderer] = {}
        self._threads = ThreadPoolExecutor(RENDER_THREADS, thread_name_prefix="render")
        # The outbox and new sockets never wait behind a slow render.
        self._side_thread = ThreadPoolExecutor(1, thread_name_prefix="hub")
        self._listening = asyncio.Event()
        self._log_read_at = loop.time()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to listen, to read the log, to tick and to look again at who may hear; threads take turns sooner."""
        sys.setswitchinterval(SWITCH_SECONDS)
        listening = listen(heard=self._heard, joined=self._after_gap, lost=self._listening.clear)
        self._tasks = [asyncio.create_task(listening)]
        for work in (self._read_outbox(), self._ask_again):
            self._tasks.append(asyncio.create_task(_for_ever(work, every=1.0)))
        self._tasks.append(asyncio.create_task(_for_ever(self._tick, every=1.0 / TURNS)))

    async def join(self, socket: Socket) -> None:
        """
        Let a socket in, and give it the present state of all it hears.

        The first one waits a moment until Redis is heard, so that nothing falls between.
        """
        # Without Redis too a screen is shown what is; its tick says that the server is behind.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._listening.wait(), 1.0)
        socket.ask_again_at = self.loop.time() + ASK_AGAIN_SECONDS
        self._sockets.add(socket)
        socket.turn = min(range(TURNS), key=lambda turn: len(self._by_turn[turn]))
        self._by_turn[socket.turn].add(socket)
        for audience in socket.audiences:
            watch = self._watch(socket.visitor.room_id, audience, socket.language)
            watch.sockets.add(socket)
            if watch.frame is None:
                watch.show()
            else:
                socket.mailbox.put(audience, watch.frame)
        socket.mailbox.put("tick", tick_frame(is_behind=self._is_behind()))

    def leave(self, socket: Socket) -> None:
        """Forget a socket; what nobody looks at any more is not rendered any more."""
        self._sockets.discard(socket)
        self._by_turn[socket.turn].discard(socket)
        for audience in socket.audiences:
            key = (socket.visitor.room_id, audience)
            watch = self._watches.get(key, {}).get(socket.language)
            if watch is None:
                continue
            watch.sockets.discard(socket)
            if not watch.sockets:
                del self._watches[key][socket.language]
            if not self._watches[key]:
                del self._watches[key]

    def _watch(self, room_id: int, audience: str, language: str) -> Watch:
        by_language = self._watches.setdefault((room_id, audience), {})
        if language not in by_language:
            renderer = self._renderers.setdefault(room_id, Renderer(room_id, self._threads))
            by_language[language] = Watch(audience, language, renderer)
        return by_language[language]

    def _watching(self, room_id: int, audience: str) -> Iterator[Watch]:
        yield from self._watches.get((room_id, audience), {}).values()

    def _heard(self, name: str, text: str) -> None:
        if name == notices.REVOKED:
            self._show_out(text)
        elif (room_id := notices.room_named(name)) is not None:
            for audience in text.split():
                for watch in self._watching(room_id, audience):
                    watch.stir()

    def _after_gap(self) -> None:
        self._listening.set()
        for by_language in self._watches.values():
            for watch in by_language.values():
                watch.stir()
        for socket in self._sockets:
            # That somebody was shown out may have been said in the gap.
            socket.ask_again_at = 0.0

    def _show_out(self, who: str) -> None:
        for socket in self._sockets:
            if who in (f"device.{socket.visitor.device_id}", f"staff.{socket.visitor.staff_id}"):
                socket.mailbox.say_goodbye(REVOKED)

    def _is_behind(self) -> bool:
        """Say whether screens may show what was: Redis brings no notices, or the database no log."""
        return not self._listening.is_set() or self.loop.time() - self._log_read_at > LOG_UNREAD_SECONDS_MAX

    async def _tick(self) -> None:
        frame = tick_frame(is_behind=self._is_behind())
        self._turn = (self._turn + 1) % TURNS
        for socket in self._by_turn[self._turn]:
            socket.mailbox.put("tick", frame)

    def _read_outbox(self) -> Callable[[], Any]:
        outbox = Outbox(*_reader) if _reader else None

        async def read() -> None:
            events = await self.loop.run_in_executor(self._side_thread, alone, outbox.read) if outbox else []
            self._log_read_at = self.loop.time()
            for event in events:
                for audience in event.audiences:
                    for watch in self._watching(event.room_id, audience):
                        watch.stir_for(event.transaction_id)

        return read

    async def _ask_again(self) -> None:
        now = self.loop.time()
        # Those who show the same cookies are the same: a lobby full of phones shows nothing and is asked once.
        known: dict[tuple[bytes, ...], Visitor | None] = {}
        # Listed first: sockets come and go while one of them is asked about.
        for socket in [socket for socket in self._sockets if socket.ask_again_at <= now]:
            socket.ask_again_at = now + ASK_AGAIN_SECONDS
            shown = admission.shown(socket.scope)
            if shown not in known:
                known[shown] = await admission.visitor(socket.scope, thread=self._side_thread)
            visitor = known[shown]
            if visitor is None or not admission.may_hear(visitor, socket.audiences):
                socket.mailbox.say_goodbye(REVOKED)


async def _for_ever(work: Callable[[], Any], *, every: float) -> None:
    """Do something every so many seconds for ever; what fails is logged once and tried again."""
    failing = False
    while True:
        try:
            await work()
            failing = False
        except Exception:
            if not failing:
                logger.exception("the hub could not do its round")
            failing = True
        await asyncio.sleep(every)
