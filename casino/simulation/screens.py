"""
Screens: sockets that hear what tablets and televisions hear, and keep what each audience was shown last.

A fragment whose stamp is not greater than the one on the screen is dropped, as `static/` does it. A screen whose
connection is gone connects again.
"""

import contextlib
import json
import threading
import time
from typing import Any

from casino.simulation.broken import Broken
from casino.simulation.front_door import Device
from casino.simulation.staff import Staff

RECONNECT_SECONDS = 0.2
# What everybody sees is looked at in both, the screens of the tables in turn.
LANGUAGES = ("en", "fi")


class Screen:
    """One page with its socket: the address of the page, and what it hears."""

    def __init__(
        self, *, url: str, page: str, audiences: tuple[str, ...], cookies: dict[str, str], language: str = "en"
    ) -> None:
        self.page = page
        self.language = language
        self.audiences = audiences
        self.frames = 0
        self.connections = 0
        self.refused: str = ""
        # What the server last said of itself: whether it hears late what happens.
        self.is_behind = False
        # How fast the house has read this page when it was fastest, 0 for never yet.
        self.page_seconds_min = 0.0
        self._url = url
        self._cookies = cookies
        self._shown: dict[str, tuple[tuple[int, ...], str]] = {}
        self._changed = threading.Condition()
        self._is_closed = False
        self._socket: Any = None
        self._thread = threading.Thread(target=self._listen, name=f"screen {page}", daemon=True)

    def __str__(self) -> str:
        heard = f"{self.frames} fragments over {self.connections} connections"
        return f"{self.page} in {self.language} ({self.refused or heard})"

    def open(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def close(self) -> None:
        """Close the page."""
        self._is_closed = True
        with contextlib.suppress(Exception):
            self._socket.close()
        self._thread.join(timeout=5)

    def shown(self, audience: str) -> str:
        """Return the HTML that this audience was shown last, "" before the first."""
        with self._changed:
            return self._shown.get(audience, ((), ""))[1]

    def wait(self, seconds: float) -> None:
        """Wait until something new is shown, or so long."""
        with self._changed:
            self._changed.wait(seconds)

    def _listen(self) -> None:
        connect = sockets()
        query = "&".join([*(f"audience={audience}" for audience in self.audiences), f"language={self.language}"])
        address = f"{self._url.replace('http', 'ws', 1)}/live/?{query}"
        while not self._is_closed:
            cookie = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
            with (
                contextlib.suppress(Exception),
                connect(
                    address, origin=self._url, additional_headers={"Cookie": cookie}, compression=None, open_timeout=5
                ) as self._socket,
            ):
                self.connections += 1
                for text in self._socket:
                    self._hear(json.loads(text))
            time.sleep(RECONNECT_SECONDS)

    def _hear(self, frame: dict[str, Any]) -> None:
        if frame["t"] == "refused":
            self.refused = frame["code"]
        if frame["t"] == "tick":
            self.is_behind = frame["behind"]
        if frame["t"] != "fragment":
            return
        self.refused = ""
        stamp = tuple(frame["s"])
        with self._changed:
            self.frames += 1
            if stamp > self._shown.get(frame["a"], ((), ""))[0]:
                self._shown[frame["a"]] = (stamp, frame["html"])
            self._changed.notify_all()


def open_screens(staff: Staff, url: str) -> list[tuple[Screen, Device]]:
    """Open every screen of the room; return each with the device that reads its page."""
    pages = [
        (page, audiences, device, language)
        for page, audiences, device in (
            ("/floor/", ("floor",), staff.floor),
            ("/lobby/", ("lobby",), staff.lobby),
            ("/cage/1/", ("cage", "cage.1"), staff.cage),
        )
        for language in LANGUAGES
    ]
    for number, tablet in staff.tablets.items():
        one, other = LANGUAGES[number % 2], LANGUAGES[(number + 1) % 2]
        pages.append((f"/tables/{number}/", (f"table.{number}.dealer",), tablet, one))
        pages.append((f"/floor/tables/{number}/", (f"table.{number}.floor",), staff.floor, other))
    screens = []
    for page, audiences, device, language in pages:
        reader = staff.reader(device, language)
        screens.append(
            (Screen(url=url, page=page, audiences=audiences, cookies=reader.cookies, language=language), reader)
        )
        screens[-1][0].open()
    return screens


def sockets() -> Any:
    """Return the client of sockets. :raises Broken: it is not installed."""
    try:
        from websockets.sync.client import connect
    except ImportError:
        raise Broken("screens", "the package websockets is missing, which uvicorn[standard] brings along") from None
    return connect
