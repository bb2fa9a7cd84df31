"""
The web server's end of a request, with one thing added to it: a head that never ends is cut off.

uvicorn's parser keeps the address and the headers in memory for as long as they go on coming. uvicorn is told of this
class by `--http`; it imports nothing of Django, which is not set up yet when the server looks for it.
"""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# Cookies, a long address and the rest come to a few kilobytes; proxies and browsers stop at about this, too.
HEAD_BYTES_MAX = 65_536


class BoundedHeads(HttpToolsProtocol):
    """uvicorn's protocol, which answers 400 to an address and headers beyond what any page of ours sends."""

    _is_in_head = False
    _head_bytes = 0

    def data_received(self, data: bytes) -> None:
        """Hand what came to the parser, unless the head that it continues is too long already."""
        if self._is_in_head:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES_MAX:
                self.send_400_response("The head of this request does not end.")
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Begin to count: a first chunk may hold the whole request, body and all."""
        self._is_in_head, self._head_bytes = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Stop counting: what follows is the body, which has a limit of its own."""
        self._is_in_head = False
        super().on_headers_complete()
