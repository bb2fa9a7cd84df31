"""
Which HTTP methods an address takes: said before anything else, and to everybody alike.

The API's description names every address anyway; who may use one is not told by it.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators import http

from casino.commands.middleware import refused
from casino.commands.problems import NotAllowedHere

AnyView = TypeVar("AnyView", bound=Callable[..., Any])


def require_http_methods(methods: list[str]) -> Callable[[AnyView], AnyView]:
    """Let a page take these methods alone, and have it say so: as Django's own, whose list nobody can read."""

    def wrap(view: AnyView) -> AnyView:
        checked = http.require_http_methods(methods)(view)
        cast(Any, checked).methods = methods
        return checked

    return wrap


def require_safe(view: AnyView) -> AnyView:
    """Let a page only be read."""
    return require_http_methods(["GET", "HEAD"])(view)


def require_POST(view: AnyView) -> AnyView:  # as Django names it
    """Let a page only be tapped."""
    return require_http_methods(["POST"])(view)


class MethodMiddleware:
    """
    Answers 405 with `Allow` where an address does not take the request's method.

    Before the CSRF check and the doors, which would call a wrong method an old form, or nobody's right.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: object, kwargs: object) -> HttpResponse | None:
        methods = _methods_of(view)
        if not methods or request.method in methods:
            return None
        allowed = ", ".join(methods)
        why = _("This address is not used like that. It takes only %(methods)s.") % {"methods": allowed}
        answer = refused(request, NotAllowedHere(why=why))
        answer["Allow"] = allowed
        return answer


def _methods_of(view: Any) -> list[str]:
    """Return what a page or a call takes, nothing for a view that is not ours."""
    call = getattr(view, "cls", None)
    if call is None:
        return list(getattr(view, "methods", []))
    # Django answers HEAD by a call's GET.
    names = [name for name in call.http_method_names if hasattr(call, "get" if name == "head" else name)]
    return [name.upper() for name in names]
