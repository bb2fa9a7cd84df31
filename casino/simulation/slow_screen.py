"""A screen that does not read what it is sent."""

import contextlib
import json
import socket
import threading
import time
from typing import Any
from urllib.parse import urlsplit

from casino.simulation.screens import RECONNECT_SECONDS, Screen, sockets

# As little as the system allows: what the network holds for who does not read is not what is looked at here.
RECEIVED_BYTES_MAX = 4096


class SlowScreen(Screen):
    """A page with its socket, on which nothing is read until `read_again`. It shows nothing until then."""

    def __init__(self, *, url: str, page: str, listens_to: tuple[str, ...], cookies: dict[str, str]) -> None:
        super().__init__(url=url, page=page, audiences=listens_to, cookies=cookies)
        self._listens_to = listens_to
        self._may_read = threading.Event()
        # Nobody looks at what it shows.
        self.audiences = ()

    def read_again(self) -> None:
        """Read on: first what the network still holds, then what the house has now."""
        self.audiences = self._listens_to[:1]
        self._may_read.set()

    def close(self) -> None:
        self._may_read.set()
        super().close()

    def _listen(self) -> None:
        parts = urlsplit(self._url)
        address = f"ws://{parts.netloc}/live/?{'&'.join(f'audience={each}' for each in self._listens_to)}&language=en"
        cookie = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        while not self._is_closed:
            with contextlib.suppress(Exception), self._connect(address, cookie) as self._socket:
                self.connections += 1
                self._may_read.wait()
                for text in self._socket:
                    self._hear(json.loads(text))
            time.sleep(RECONNECT_SECONDS)

    def _connect(self, address: str, cookie: str) -> Any:
        parts = urlsplit(self._url)
        small = socket.socket()
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED_BYTES_MAX)
        small.connect((parts.hostname, parts.port))
        return sockets()(
            address, sock=small, origin=self._url, additional_headers={"Cookie": cookie}, compression=None,
            open_timeout=5, max_queue=1, ping_interval=None,
        )  # fmt: skip
