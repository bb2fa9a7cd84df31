"""
The web server's end of a screen's socket, with one thing added to it: a ready frame is written at once.

ASGI takes a text and makes a frame of it, socket by socket. A fragment is the same bytes on a thousand sockets, so
the hub makes them once and hands them to each connection. uvicorn is told of this class by `--ws`; under another
server, or where a client is behind, frames go the way of ASGI.
"""

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

EXTENSION = "brush.write_now"


class ScreenProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol, whose sockets offer `write_now` in `scope["extensions"]`."""

    def handle_connect(self, event: Request) -> None:
        """Offer it to the application, which begins after this. With compression each socket has bytes of its own."""
        super().handle_connect(event)
        if self.response.status_code == 101 and not self.conn.extensions:
            self.scope["extensions"][EXTENSION] = {"write": self.write_now}

    def write_now(self, frame: bytes) -> bool:
        """Write a whole frame, as it is on the wire; False where it would have to wait, or nobody is there."""
        if not self.writable.is_set() or self.close_sent or self.disconnected or self.conn.state is not State.OPEN:
            return False
        if self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True
