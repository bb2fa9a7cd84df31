# ruff: noqa: T201 - figures are printed for people.
"""
Fan-out: how many frames of a kilobyte a second reach N sockets, and how much memory a socket takes.

Ours is the hub as it runs: notices in Redis, a render in its snapshot, the same bytes for all. It is kept busy by more
notices than it can answer. The limit is a bare ASGI server that hands a frame from memory to all sockets, again and
again. Only what the sockets have read is counted; what a mailbox replaced by something newer was never delivered.
"""

import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from os import environ

import psutil
import redis

from bench.live_crowd import Ears, Web, heard, web
from bench.live_hub import PAYLOAD_BYTES, ROOM_ID
from bench.report import Row, show
from casino.live import notices
from casino.simulation.instance import fresh_database, machines

SIZES = (1_000, 2_000)
ROUNDS = 4
ROUND_SECONDS = 1.5
# Until a round's rate is an even one.
RUN_UP_SECONDS = 0.4
STALLED = 10
STALLED_ROUNDS = 4
STALLED_WINDOW_BYTES = 4_096
# Longer than the buffers of a socket that nobody reads take to fill.
FILL_SECONDS = 3.0
NOTICE_EVERY_SECONDS = 0.005

Flood = Callable[[float], None]


@dataclass(frozen=True)
class Rate:
    """
    Frames a second by the clock, frames for a second of the server's processor time, and how busy the listeners were.

    The second figure stays what it is when others use the machine too.
    """

    by_clock: float
    by_processor: float
    listeners_busy: float


class Side:
    """One of the two servers: its process, its crowd, and how it is made to send without a pause."""

    def __init__(self, web: Web, flood: Flood) -> None:
        self.ears = Ears(web.url)
        self._process = psutil.Process(web.pid)
        self._flood = flood

    def open(self, count: int) -> float:
        """Open sockets until there are so many; return the kilobytes of memory that each new one took."""
        before, more = self._process.memory_info().rss, count - self.ears.count
        if not self.ears.count:
            self.ears.open(STALLED, ["bench"], language="en", window=STALLED_WINDOW_BYTES)
        self.ears.open(count - self.ears.count, ["bench"], language="en")
        self.rate()
        return (self._process.memory_info().rss - before) / more / 1000

    def rate(self) -> Rate:
        """Return what arrived in a round."""
        self._flood(RUN_UP_SECONDS + ROUND_SECONDS + 0.2)
        time.sleep(RUN_UP_SECONDS)
        frames, at, busy = self.ears.frames()
        used = self._used()
        time.sleep(ROUND_SECONDS)
        more_frames, later, more_busy = self.ears.frames()
        arrived = more_frames - frames
        found = Rate(arrived / (later - at), arrived / (self._used() - used), (more_busy - busy) / (later - at))
        time.sleep(0.3)
        return found

    def rates_with_stalled(self) -> tuple[Rate, Rate, float]:
        """Return the rate, the rate while some sockets read nothing, and the bytes by which each of those grew."""
        free = self.rate()
        self.ears.stall(STALLED)
        self._flood(FILL_SECONDS)
        time.sleep(FILL_SECONDS)
        before = self._process.memory_info().rss
        held_up = self.rate()
        grown = (self._process.memory_info().rss - before) / STALLED
        self.ears.stall(0)
        return free, held_up, grown

    def _used(self) -> float:
        return float(sum(self._process.cpu_times()[:2]))


def notices_of(redis_url: str, prefix: str) -> Flood:
    """Return what keeps the hub busy: notices faster than it can answer them."""
    channel = f"{prefix}:live:{notices.name_of_room(ROOM_ID)}"

    def flood(seconds: float) -> None:
        def publish() -> None:
            until = time.monotonic() + seconds
            with redis.Redis.from_url(redis_url) as client:
                while time.monotonic() < until:
                    client.publish(channel, "bench")
                    time.sleep(NOTICE_EVERY_SECONDS)

        threading.Thread(target=publish, daemon=True).start()

    return flood


@contextmanager
def ours() -> Iterator[Side]:
    """Run the hub on servers and a database of its own."""
    prefix = f"bench-{secrets.token_hex(6)}"
    with machines() as servers, fresh_database(servers) as database:
        env = {name: value for name, value in environ.items() if not name.startswith("BRUSH_")} | {
            "DATABASE_URL": database.url,
            "REDIS_URL": servers.redis_url,
            "BRUSH_REDIS_PREFIX": prefix,
            "BRUSH_SECRET_KEY": secrets.token_urlsafe(40),
        }
        with web("bench.live_hub:application", env=env) as server:
            side = Side(server, notices_of(servers.redis_url, prefix))
            yield side
            side.ears.close()


@contextmanager
def bare() -> Iterator[Side]:
    """Run the bare server."""
    with web("bench.live_bare:application") as server:
        server.ask("PUT", "/frames", {heard(["bench"], "en"): frame()})
        side = Side(server, lambda seconds: server.ask("POST", "/flood", {"seconds": seconds}))
        yield side
        side.ears.close()


def frame() -> str:
    """Return a frame as long as those of the hub."""
    html = secrets.token_hex(PAYLOAD_BYTES // 2)
    return f'{{"t":"fragment","a":"bench","s":[1795000000,1,7301,0],"html":"{html}"}}'


def main() -> None:
    """Measure both sizes, the two servers in turn; then ours with sockets that stopped reading."""
    rows = []
    with ExitStack() as open_now:
        hub, limit = open_now.enter_context(ours()), open_now.enter_context(bare())
        for count in SIZES:
            memory = [hub.open(count)], [limit.open(count)]
            rates = [(hub.rate(), limit.rate()) for _ in range(ROUNDS)]
            rows += rate_rows(f"{count:,} sockets", [one for one, _ in rates], [one for _, one in rates])
            rows.append(Row(f"{count:,} sockets, memory of each", "kB", *memory, better="less"))
            if count == SIZES[0]:
                rows += stalled_rows(hub)
    show("Fan-out rate and memory", rows)


def rate_rows(name: str, ours: Sequence[Rate], limits: Sequence[Rate]) -> list[Row]:
    """Return the rows of one rate. A crowd that is busy all the time would be what is measured."""
    print(f"{name}: listeners busy {max(one.listeners_busy for one in [*ours, *limits]):.0%}", file=sys.stderr)
    clock = Row(name, "frames/s", [one.by_clock for one in ours], [one.by_clock for one in limits], goal=0.9)
    used = [one.by_processor for one in ours], [one.by_processor for one in limits]
    return [clock, Row(f"{name}, by processor time", "frames/s", *used, goal=0.9)]


def stalled_rows(hub: Side) -> list[Row]:
    """Return what sockets that stopped reading cost the others, and what they cost."""
    hub.ears.stall(STALLED)
    hub.ears.stall(0)
    rounds = [hub.rates_with_stalled() for _ in range(STALLED_ROUNDS)]
    free, held_up = [one[0] for one in rounds], [one[1] for one in rounds]
    sent = [rate.by_clock / (hub.ears.count - STALLED) * ROUND_SECONDS * PAYLOAD_BYTES for rate in held_up]
    return [
        *rate_rows(f"{STALLED} of them read nothing", held_up, free),
        Row(
            "what each of those grew by, of what it was sent",
            "kB",
            [grown / 1000 for _, _, grown in rounds],
            [one / 1000 for one in sent],
            better="less",
            goal=0.1,
        ),
    ]


if __name__ == "__main__":
    main()
