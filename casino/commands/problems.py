"""Problem details (RFC 9457) for machines: the same refusals as the screens get."""

from typing import Any

from django.http import JsonResponse
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from casino.commands.refusals import as_refusal, room_of_reader, seconds_to_wait
from casino.errors import PROBLEM_TYPE, Malformed, NotFound, NotPermitted, Refusal, problem_document
from casino.money import NO_ROOM, MoneyFormat
from casino.rulebooks import RuleBook


class TokenUnknown(Refusal):
    """No token, or one that opens nothing (any more)."""

    code = "token_unknown"
    status = 401
    sentence = _("This needs a token that is known here (Authorization: Bearer).")


class WentWrong(Refusal):
    """The code is wrong. Not a refusal of the house, and written like one so that machines read one form."""

    code = "went_wrong"
    status = 500
    sentence = _("Something broke at the server. Nothing was done, unless another screen shows that it was.")


class NotAllowedHere(Refusal):
    """The path knows no such method, or cannot read or write such a format."""

    code = "method_or_format"
    status = 405
    sentence = "%(why)s"


class TooLarge(Refusal):
    """More than any form or call of ours ever sends."""

    code = "too_large"
    status = 413
    sentence = _("That is more than this house takes at once.")


class OnlyThisMachine(Refusal):
    """Somebody comes from another machine to a house that is not fit to face them; why stands in its log alone."""

    code = "only_this_machine"
    status = 403
    sentence = _("This house is not open to other machines yet. Its log says what to do.")


def body_of(refusal: Refusal, *, money: MoneyFormat, book: RuleBook | None = None) -> dict[str, Any]:
    """Return the problem document of a refusal."""
    detail = refusal.text(money, book=book)
    return problem_document(refusal.code, refusal.status, detail, refusal.data, refusal.clause_at(book) or None)


def problem_of(refusal: Refusal) -> JsonResponse:
    """Return a problem as a plain Django response, for what is refused before DRF has the request."""
    return JsonResponse(body_of(refusal, money=NO_ROOM), status=refusal.status, content_type=PROBLEM_TYPE)


def problem_response(exception: Exception, context: dict[str, Any]) -> Response | None:
    """
    Answer whatever a REST view raised (DRF's exception handler). None: the code is wrong, and it is a 500.

    DRF's own refusals become ours: invalid input is `malformed` and names the field.
    """
    headers: dict[str, str] = {}
    refusal = as_refusal(exception)
    if isinstance(exception, exceptions.APIException):
        refusal = _ours(exception)
        if challenge := getattr(exception, "auth_header", None):
            headers["WWW-Authenticate"] = challenge
    if refusal is None:
        return None
    if (wait := seconds_to_wait(refusal)) is not None:
        headers["Retry-After"] = str(wait)
    reader = room_of_reader(context.get("request"), refusal)
    set_rollback()
    return Response(body_of(refusal, **reader), status=refusal.status, headers=headers, content_type=PROBLEM_TYPE)


def _ours(exception: exceptions.APIException) -> Refusal:
    if isinstance(exception, exceptions.ValidationError):
        return unreadable(exception)
    if isinstance(exception, exceptions.ParseError):
        return Malformed(field="body")
    if isinstance(exception, (exceptions.NotAuthenticated, exceptions.AuthenticationFailed)):
        return TokenUnknown()
    if isinstance(exception, exceptions.PermissionDenied):
        return NotPermitted()
    if isinstance(exception, exceptions.NotFound):
        return NotFound(what="resource")
    refusal = NotAllowedHere(why=str(exception.detail))
    refusal.status = exception.status_code  # type: ignore[misc]  # an instance's own, beside the class's default
    return refusal


def unreadable(exception: exceptions.ValidationError) -> Malformed:
    """Return the refusal of what a serializer cannot read: it names the first field."""
    return Malformed(field=_first_field(exception.detail))


def _first_field(detail: Any, path: str = "") -> str:
    """Return the path of the first field that DRF complains of: `pots.0.cents`."""
    if isinstance(detail, dict) and detail:
        name, inner = next(iter(detail.items()))
        if name == "non_field_errors":
            return path or "body"
        return _first_field(inner, f"{path}.{name}" if path else str(name))
    if isinstance(detail, list) and detail and isinstance(detail[0], dict):
        index, inner = next((index, each) for index, each in enumerate(detail) if each)
        return _first_field(inner, f"{path}.{index}")
    return path or "body"
