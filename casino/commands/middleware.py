"""Refusals at the edge: the sentence where the tap was, a clear page, or problem details for machines."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from casino.commands.problems import problem_of
from casino.commands.refusals import as_refusal, room_of_reader, seconds_to_wait
from casino.errors import Refusal


class RefusalMiddleware:
    """Turns a refusal that a view raised into the answer that its asker can read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        refusal = as_refusal(exception)
        return refused(request, refusal) if refusal else None


def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Answer with a refusal: problem details under /api/, the partial for a tap, else a page of its own."""
    if request.path.startswith("/api/"):
        response: HttpResponse = problem_of(refusal)
    else:
        template = "refusal.html" if request.headers.get("HX-Request") else "refused.html"
        response = render(request, template, refusal_context(request, refusal), status=refusal.status)
    if (wait := seconds_to_wait(refusal)) is not None:
        response["Retry-After"] = str(wait)
    return response


def refusal_context(request: HttpRequest, refusal: Refusal) -> dict[str, object]:
    """Return what a template needs to say a refusal: the sentence in the room's money and the reader's language."""
    reader = room_of_reader(request, refusal)
    return {
        "refusal": refusal,
        "code": refusal.code,
        "clause": refusal.clause_at(reader["book"]),
        "sentence": refusal.text(**reader),
        "status": refusal.status,
    }
