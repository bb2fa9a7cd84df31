"""One socket's mailbox: at once where it can be, the latest where it cannot, and never more than one of each."""

import asyncio
from typing import Any

from casino.live.mailbox import Frame, Mailbox, Parting


class Wire:
    """A socket that takes bytes while `is_open_for_more`, and else has the sender wait until it is read."""

    def __init__(self) -> None:
        self.is_open_for_more = True
        self.read = asyncio.Event()
        self.written: list[bytes] = []
        self.sent: list[dict[str, Any]] = []

    def write_now(self, frame: bytes) -> bool:
        if self.is_open_for_more:
            self.written.append(frame)
        return self.is_open_for_more

    async def send(self, message: dict[str, Any]) -> None:
        await self.read.wait()
        self.sent.append(message)

    @property
    def texts(self) -> list[str]:
        return [message["text"] for message in self.sent if "text" in message]


async def settled() -> None:
    """Let whatever can go on go on."""
    for _ in range(5):
        await asyncio.sleep(0)


def test_a_frame_is_the_bytes_of_rfc_6455_whatever_its_length():
    assert Frame("é").wire == b"\x81\x02\xc3\xa9"
    assert Frame("x" * 126).wire == b"\x81\x7e\x00\x7e" + b"x" * 126
    assert Frame("x" * 65_536).wire == b"\x81\x7f" + (65_536).to_bytes(8, "big") + b"x" * 65_536


def test_a_socket_that_reads_is_written_to_at_once_and_needs_no_task():
    async def play() -> None:
        wire = Wire()
        box = Mailbox(wire.send, wire.write_now)
        before = asyncio.all_tasks()

        box.put("lobby", Frame("one"))
        box.put("lobby", Frame("two"))

        assert wire.written == [Frame("one").wire, Frame("two").wire]
        assert asyncio.all_tasks() == before

    asyncio.run(play())


def test_whoever_is_behind_gets_the_latest_of_each_and_then_is_written_to_again():
    async def play() -> None:
        wire = Wire()
        box = Mailbox(wire.send, wire.write_now)
        wire.is_open_for_more = False
        for number in range(100):
            box.put("lobby", Frame(f"lobby {number}"))
            box.put("tick", Frame(f"tick {number}"))
            await settled()
        # What is on its way stays; a socket that takes more meanwhile is not overtaken by what is newer.
        wire.is_open_for_more = True
        box.put("lobby", Frame("the last"))

        wire.read.set()
        await settled()

        assert wire.written == []
        assert wire.texts == ["lobby 0", "tick 99", "the last"]
        box.put("lobby", Frame("at once"))
        assert wire.written == [Frame("at once").wire]

    asyncio.run(play())


def test_under_a_server_that_cannot_write_at_once_frames_go_the_way_of_asgi():
    async def play() -> None:
        wire = Wire()
        wire.read.set()
        box = Mailbox(wire.send)

        box.put("lobby", Frame("one"))
        await settled()
        box.put("lobby", Frame("two"))
        await settled()

        assert wire.texts == ["one", "two"]

    asyncio.run(play())


def test_the_parting_is_the_last_word():
    async def play() -> None:
        wire = Wire()
        box = Mailbox(wire.send, wire.write_now)
        wire.is_open_for_more = False
        box.put("lobby", Frame("on its way"))
        await settled()
        box.put("floor", Frame("never sent"))

        box.say_goodbye(Parting("go", 4401))
        wire.is_open_for_more = True
        wire.read.set()
        await settled()
        box.put("lobby", Frame("after it"))
        await settled()

        assert wire.sent[1:] == [{"type": "websocket.send", "text": "go"}, {"type": "websocket.close", "code": 4401}]
        assert wire.texts == ["on its way", "go"]
        assert wire.written == []

    asyncio.run(play())


def test_a_mailbox_whose_socket_is_gone_leaves_no_task_behind():
    async def play() -> None:
        wire = Wire()
        box = Mailbox(wire.send, wire.write_now)
        wire.is_open_for_more = False
        before = asyncio.all_tasks()
        box.put("lobby", Frame("nobody reads this"))
        await settled()

        box.close()
        await settled()

        assert asyncio.all_tasks() == before

    asyncio.run(play())
