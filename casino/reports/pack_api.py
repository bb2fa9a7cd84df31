"""The auditor's pack over REST: the answer is the file."""

import asyncio
from collections.abc import AsyncIterator
from tempfile import TemporaryFile
from typing import IO

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.views import APIView

from casino.commands.carrying_out import Command
from casino.people.api_auth import api_command
from casino.people.inputs import arguments_of_call
from casino.reports.services import pack_of_days
from casino.rest import Api, Body, CalendarDay

api = Api("reports")
_CHUNK_BYTES = 1 << 18


class OfDays(Body):
    """The first and the last date of the gaming days, at most 31 of them; all are closed."""

    first_date = CalendarDay()
    last_date = CalendarDay()


class MakePack(APIView):
    """The pack as a zip; the log keeps its digest, which the header `X-Pack-Digest` has too."""

    needs = "reports.make_pack"

    @api.command(
        "reports.make_pack",
        "Make the auditor's pack of closed gaming days",
        body=OfDays,
        example={"first_date": "2026-11-01", "last_date": "2026-11-30"},
        file="application/zip",
    )
    def post(self, request: Request) -> HttpResponseBase:
        days = arguments_of_call(request)
        return pack_file(request._request, api_command(request), days["first_date"], days["last_date"])


def pack_file(request: HttpRequest, command: Command, first_date: str, last_date: str) -> HttpResponseBase:
    """
    Make a pack, and answer with it. It lies in a file without a name until it is sent, and is logged by then.

    :raises PackTooLong, PackOfNoDay, PackOfOpenDay, PackOfOwnDrawer: as `pack_of_days`.
    """
    file = TemporaryFile()  # noqa: SIM115 - it is closed when it is sent
    try:
        made = pack_of_days(command, first_date=first_date, last_date=last_date, file=file)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    response: HttpResponseBase
    if isinstance(request, ASGIRequest):
        response = StreamingHttpResponse(_FromFile(file), content_type="application/zip")
    else:
        # Brush serves by ASGI; whatever else calls this waits for all of it anyway.
        with file:
            response = HttpResponse(file.read(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="pack-{first_date}-{last_date}.zip"'
    response["Content-Length"] = str(made.size_bytes)
    response["X-Pack-Digest"] = made.digest
    response["Cache-Control"] = "no-store"
    return response


class _FromFile:
    """A file's content for a server with a loop, which carries every socket and so reads no file itself."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while chunk := await asyncio.to_thread(self._file.read, _CHUNK_BYTES):
            yield chunk

    def close(self) -> None:
        """Let go of the file: Django does, also of one that nobody waited for."""
        self._file.close()
