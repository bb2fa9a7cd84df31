"""The REST interface described: the OpenAPI document, a page to read and try it, and every refusal by its code."""

import re

from django.shortcuts import render
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.errors import NotFound, all_refusals
from casino.people.api_auth import DeviceTokenAuthentication, DoorAuthentication, MayCall

_PLACEHOLDER = re.compile(r"%\((\w+)\)s")


class Schema(SpectacularAPIView):  # type: ignore[misc]  # drf-spectacular has no types
    """The OpenAPI document. It names no person and no amount: whoever reaches the house may read it."""

    needs = "read.api_docs"
    permission_classes = [MayCall]
    authentication_classes = [DeviceTokenAuthentication, DoorAuthentication]


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
        refusals = [
            {
                "code": code,
                "status": refusal.status,
                "clause": refusal.clause,
                "sentence": _PLACEHOLDER.sub(r"[\1]", str(refusal.sentence)),
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
