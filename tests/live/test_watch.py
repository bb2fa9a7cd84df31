"""What is looked at is rendered together, fails alone, and lets taps come first while more of it waits."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from casino.live import watch
from casino.live.render import Fragment, Stamp
from casino.live.watch import ONE_SNAPSHOT_MAX, REST_SECONDS_MAX, SNAPSHOTS_AT_ONCE, Renderer, Watch


class Looker:
    def __init__(self, mailbox: SimpleNamespace) -> None:
        self.mailbox = mailbox


def test_where_what_is_read_for_several_fails_each_reads_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[Sequence[str]] = []
    failed: list[str] = []

    @contextmanager
    def one_snapshot(
        room_id: int, *, from_kept: bool, audiences: Sequence[str]
    ) -> Iterator[Callable[[str, str], Fragment]]:
        named.append(audiences)
        if len(audiences) > 1:
            raise ValueError("a row of table 2 cannot be read")
        yield shown_alone

    def shown_alone(audience: str, language: str) -> Fragment:
        if audience == "table.2.dealer":
            raise ValueError("a row of table 2 cannot be read")
        return Fragment(audience, "", Stamp(order=(1, 1, 1, 0), seen_below=1))

    monkeypatch.setattr(watch, "one_snapshot", one_snapshot)
    monkeypatch.setattr(Watch, "failed", lambda self, error: failed.append(self.audience))
    tablets = [f"table.{number}.dealer" for number in (1, 2, 3)]

    async def push() -> list[str]:
        shown: asyncio.Queue[str] = asyncio.Queue()
        mailbox = SimpleNamespace(put=lambda audience, frame: shown.put_nowait(audience))
        with ThreadPoolExecutor(1) as threads:
            renderer = Renderer(1, threads)
            for tablet in tablets:
                looked_at = Watch(tablet, "en", renderer)
                looked_at.sockets.add(Looker(mailbox))  # type: ignore[arg-type]
                looked_at.show()
            return [await asyncio.wait_for(shown.get(), timeout=20) for _ in range(2)]

    assert asyncio.run(push()) == ["table.1.dealer", "table.3.dealer"]
    assert failed == ["table.2.dealer"]
    assert named == [tablets, ["table.1.dealer"], ["table.3.dealer"]]


@pytest.mark.parametrize(("had", "rest"), [(0.01, 0.03), (2.0, REST_SECONDS_MAX)])
def test_while_more_waits_a_snapshot_is_rested_from(had: float, rest: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three times as long as its thread had the processor; then what waited is rendered, and nothing rests any more."""
    named: list[Sequence[str]] = []
    thread = threading.local()

    @contextmanager
    def one_snapshot(
        room_id: int, *, from_kept: bool, audiences: Sequence[str]
    ) -> Iterator[Callable[[str, str], Fragment]]:
        named.append(audiences)
        yield lambda audience, language: Fragment(audience, "", Stamp(order=(1, 1, 1, 0), seen_below=1))

    def thread_time() -> float:
        now: float = getattr(thread, "time", 0.0) + had
        thread.time = now
        return now

    monkeypatch.setattr(watch, "one_snapshot", one_snapshot)
    monkeypatch.setattr("casino.live.watch.time.thread_time", thread_time)
    at_once = SNAPSHOTS_AT_ONCE * ONE_SNAPSHOT_MAX
    tablets = [f"table.{number}.dealer" for number in range(1, at_once + 2)]

    async def push() -> list[float]:
        loop = asyncio.get_running_loop()
        shown: asyncio.Queue[str] = asyncio.Queue()
        rests: asyncio.Queue[tuple[float, Callable[[], None]]] = asyncio.Queue()
        mailbox = SimpleNamespace(put=lambda audience, frame: shown.put_nowait(audience))
        with ThreadPoolExecutor(SNAPSHOTS_AT_ONCE) as threads:
            renderer = Renderer(1, threads)
            renderer._loop = SimpleNamespace(  # type: ignore[assignment]
                call_soon=loop.call_soon,
                call_soon_threadsafe=loop.call_soon_threadsafe,
                call_later=lambda seconds, call: rests.put_nowait((seconds, call)),
            )
            for tablet in tablets:
                looked_at = Watch(tablet, "en", renderer)
                looked_at.sockets.add(Looker(mailbox))  # type: ignore[arg-type]
                looked_at.show()
            begun = [await asyncio.wait_for(rests.get(), timeout=20) for _ in range(SNAPSHOTS_AT_ONCE)]
            assert sorted(shown.get_nowait() for _ in range(shown.qsize())) == sorted(tablets[:at_once])

            for _seconds, rested in begun:
                rested()
            assert await asyncio.wait_for(shown.get(), timeout=20) == tablets[-1]
            assert rests.empty()
            return [seconds for seconds, _rested in begun]

    assert asyncio.run(push()) == [pytest.approx(rest)] * SNAPSHOTS_AT_ONCE
    assert sorted(map(len, named)) == [1, *[ONE_SNAPSHOT_MAX] * SNAPSHOTS_AT_ONCE]
