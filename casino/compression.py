"""
Pages travel compressed; nothing else that is made for one person does.

What an attacker can have reflected beside a secret tells the secret by its compressed length (BREACH). In a page of
ours the CSRF token is masked anew each time, the keys that open the door stay in cookies, and Django adds a random
number of bytes. Answers to taps and to programs are small and many: they stay as they are, and so do the sockets,
where one ready frame goes to all.
"""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class PageCompression(GZipMiddleware):
    """Compress whole pages of HTML, for browsers that say that they take it."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the page compressed, anything else as it is."""
        is_page = request.method == "GET" and response.get("Content-Type", "").startswith("text/html")
        if not is_page or "HX-Request" in request.headers:
            return response
        return super().process_response(request, response)
