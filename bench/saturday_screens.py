"""The screens of a Saturday, in a process of their own: sockets that read what they are pushed, and count it."""

import asyncio
from dataclasses import dataclass
from multiprocessing.connection import Connection

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin


@dataclass(frozen=True)
class Watcher:
    """One screen: what it hears, and the cookies of its device."""

    audience: str
    cookies: dict[str, str]


def watch(url: str, watchers: list[Watcher], parent: Connection) -> None:
    """
    Open every socket, say "ready", and answer each word of the parent's with (fragments, bytes, lost sockets) so far.

    Ends when the parent closes its end.
    """
    asyncio.run(_watch(url, watchers, parent))


async def _watch(url: str, watchers: list[Watcher], parent: Connection) -> None:
    counted = {"fragments": 0, "bytes": 0, "lost": 0}
    ready = asyncio.Semaphore(0)
    # A few doors at a time: three hundred at once is a power cut, which is another question.
    door = asyncio.Semaphore(16)

    async def screen(watcher: Watcher) -> None:
        address = f"{url.replace('http', 'ws', 1)}/live/?audience={watcher.audience}&language=en"
        cookie = "; ".join(f"{name}={value}" for name, value in watcher.cookies.items())
        async with door:
            socket = await connect(
                address, origin=Origin(url), additional_headers={"Cookie": cookie}, compression=None, open_timeout=30
            )
        ready.release()
        try:
            async for text in socket:
                counted["fragments"] += '"fragment"' in text[:40]
                counted["bytes"] += len(text)
        except (WebSocketException, OSError):
            pass
        finally:
            counted["lost"] += 1

    screens = [asyncio.create_task(screen(watcher)) for watcher in watchers]
    for _ in watchers:
        await ready.acquire()
    parent.send("ready")
    try:
        while True:
            await asyncio.to_thread(parent.recv)
            parent.send(dict(counted))
    except EOFError:
        for each in screens:
            each.cancel()
        await asyncio.gather(*screens, return_exceptions=True)
