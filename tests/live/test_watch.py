"""What is looked at is rendered together, and fails alone."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from casino.live import watch
from casino.live.render import Fragment, Stamp
from casino.live.watch import Renderer, Watch


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
