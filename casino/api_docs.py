"""The REST interface described: the OpenAPI document, a page to read and try it, and every refusal by its code."""

import re
import threading
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import translation
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino import clock
from casino.errors import NotFound, all_refusals
from casino.people.api_auth import CookieAuthentication, DeviceTokenAuthentication, MayCall
from casino.rooms.selectors import rule_book_in_force

_PLACEHOLDER = re.compile(r"%\((\w+)\)s")


class Schema(SpectacularAPIView):  # type: ignore[misc]  # drf-spectacular has no types
    """
    The OpenAPI document. It names no person and no amount: whoever reaches the house may read it.

    It takes a second to make, never changes while a process lives and has one language: made once for each format.
    """

    needs = "read.api_docs"
    permission_classes = [MayCall]
    authentication_classes = [DeviceTokenAuthentication, CookieAuthentication]
    schema = None

    def get(self, request: Request) -> HttpResponse:
        """Return the document in the format that is accepted."""
        kind: Any = type(request.accepted_renderer)
        # Who asks while it is being made waits for it, and makes no other.
        with _one_at_a_time:
            body = _described(kind)
        return HttpResponse(body, content_type=f"{kind.media_type}; charset=utf-8")


_one_at_a_time = threading.Lock()


@cache
def _described(renderer: Any) -> Any:
    """Return the document as a renderer writes it."""
    with translation.override(settings.LANGUAGE_CODE):
        document = SpectacularAPIView.generator_class().get_schema(request=None, public=True)
        return renderer().render(document, renderer_context={})


class _Page(APIView):
    needs = "read.api_docs"
    schema = None


class Docs(_Page):
    """Swagger UI out of our own files. Its script stands in a file: our pages run none inline."""

    def get(self, request: Request) -> Response:
        return render(request._request, "api/docs.html")  # type: ignore[return-value]  # DRF passes responses on


class Problems(_Page):
    """Every refusal of the house: the page that a problem's `type` points to."""

    def get(self, request: Request) -> Response:
        room = getattr(request._request, "room", None)
        book = rule_book_in_force(room.pk, at=clock.now())[1] if room else None
        refusals = [
            {
                "code": code,
                "status": refusal.status,
                "clause": book.clauses.get(code, "") if book else "",
                "sentence": _PLACEHOLDER.sub(r"[\1]", " ".join(map(str, refusal.sentences()))),
            }
            for code, refusal in sorted(all_refusals().items())
        ]
        return render(request._request, "api/problems.html", {"refusals": refusals})  # type: ignore[return-value]


class Nowhere(APIView):
    """An address that the interface does not have, refused like everything else."""

    needs = "read.api_docs"

    schema = None

    def get(self, request: Request, rest: str) -> Response:
        raise NotFound(what="resource")

    post = put = patch = delete = get
