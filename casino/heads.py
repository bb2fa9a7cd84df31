"""
The web server's end of a request, with what it lacks: a request that never ends is cut off.

uvicorn's parser keeps the address and the headers in memory for as long as they go on coming, and waits for a head or a
body for ever. Here a head has a size, a request a time in which it has to be whole, and an address a number of requests
that are not: the oldest gives way to the next, so that whoever shares the address (behind a router, say) is served in
any case.

uvicorn is told of this class by `--http`; it imports nothing of Django, which is not set up yet when the server looks
for it.
"""

from asyncio import TimerHandle, Transport
from collections import OrderedDict, defaultdict

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# Cookies, a long address and the rest come to a few kilobytes; proxies and browsers stop at about this, too.
HEAD_BYTES_MAX = 65_536
# From the connection, or the first byte, to the end of the body: a form of ours, over a bad radio link.
REQUEST_SECONDS_MAX = 10
# A house's tablets behind one address have a few under way, for milliseconds.
UNFINISHED_MAX = 64

_unfinished: defaultdict[str, OrderedDict["BoundedHeads", None]] = defaultdict(OrderedDict)
_TIMED_OUT = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class BoundedHeads(HttpToolsProtocol):
    """
    uvicorn's protocol, which answers 400 to an address and headers beyond what any page of ours sends, and 408 to a
    request that does not become whole.
    """

    _is_in_head = False
    _head_bytes = 0
    _deadline: TimerHandle | None = None
    _address = ""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as uvicorn itself has it
        """Wait for the first request as for any other: a connection that says nothing is none."""
        super().connection_made(transport)
        self._begin_to_wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._is_whole()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Hand what came to the parser, unless the head that it continues is too long already."""
        if self._deadline is None:
            # Empty lines before a request are none yet, and end uvicorn's own patience.
            self._begin_to_wait()
        if self._is_in_head:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES_MAX:
                self.send_400_response("The head of this request does not end.")
                return
        super().data_received(data)

    def handle_websocket_upgrade(self) -> None:
        """Let go: a socket has nothing of a request any more."""
        self._is_whole()
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        """Begin to count: a first chunk may hold the whole request, body and all."""
        self._is_in_head, self._head_bytes = True, 0
        if self._deadline is None:
            self._begin_to_wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Stop counting: what follows is the body, which has a limit of its own. Only now is it known who sends it."""
        self._is_in_head = False
        if (address := self._sender()) != self._address:
            self._wait_for(address)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stop waiting."""
        self._is_whole()
        super().on_message_complete()

    def _begin_to_wait(self) -> None:
        self._deadline = self.loop.call_later(REQUEST_SECONDS_MAX, self._give_up)
        self._wait_for(self.client[0] if self.client else "")

    def _wait_for(self, address: str) -> None:
        """Count this among the address's requests that are not whole; one too many, and the oldest goes."""
        self._leave()
        self._address = address
        waiting = _unfinished[address]
        waiting[self] = None
        if len(waiting) > UNFINISHED_MAX:
            next(iter(waiting))._give_up()

    def _is_whole(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
            self._leave()

    def _leave(self) -> None:
        waiting = _unfinished.get(self._address)
        if waiting is not None:
            waiting.pop(self, None)
            if not waiting:
                del _unfinished[self._address]

    def _give_up(self) -> None:
        """Answer that the request did not come, if nothing else was answered yet, and hang up."""
        self._is_whole()
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(_TIMED_OUT)
        self.transport.close()

    def _sender(self) -> str:
        """Return who sends this request: the peer, or whom a trusted proxy names."""
        peer = self.client[0] if self.client else ""
        named = next((value for name, value in self.headers if name == b"x-forwarded-for"), b"")
        if named and isinstance(self.app, ProxyHeadersMiddleware) and peer in self.app.trusted_hosts:
            return self.app.trusted_hosts.get_trusted_client_address(named.decode("latin1"))[0]
        return peer
