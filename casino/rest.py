"""
What every REST view shares: fields that refuse what the database would choke on, and the words of the OpenAPI page.

A view declares `needs` (a name of `casino.people.permissions`), reads its body through a serializer that
never saves, calls one service, and answers. See `docs/api.md`.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any, ClassVar, TypeVar, cast

from django.conf import settings
from django.http import QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.fields import empty
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response

from casino.errors import PROBLEM_TYPE, UnseenCharacters, problem_document
from casino.money import cents_from_text
from casino.rulebooks.units import CENTS_MAX as CENTS_MAX
from casino.text import is_seen, tidy

ID_MAX = 2**63 - 1
# As many as the largest id has; Python refuses to read thousands.
DIGITS_MAX = 20
# Argon2 reads all of it: a text without end would keep a process busy.
PASSWORD_LENGTH_MAX = 200
_EARLIEST, _LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)

F = TypeVar("F", bound=Callable[..., Any])
Fields = dict[str, serializers.Field[Any, Any, Any, Any]]


class PlainJSONParser(JSONParser):
    """JSON, and a refusal for what nests deeper than Python can follow (DRF would answer 500)."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError from error


class Whole(serializers.IntegerField):
    """A whole number written as one: no text, no fraction, no true or false."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


class Id(Whole):
    """The id of a row."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": ID_MAX} | options)


class Cents(Whole):
    """An amount in minor units of the room's currency, never negative."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": CENTS_MAX} | options)


class Moment(serializers.DateTimeField):
    """A moment in ISO 8601 with its time zone, of this century."""

    def to_internal_value(self, value: Any) -> datetime:
        if not isinstance(value, str):
            self.fail("invalid", format="ISO 8601")
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.fail("invalid", format="ISO 8601")
        if moment.tzinfo is None or not _EARLIEST <= moment <= _LATEST:
            self.fail("invalid", format="ISO 8601")
        return moment


class CalendarDay(serializers.DateField):
    """A day, as services take it: ISO 8601, "" for none."""

    def run_validation(self, data: Any = empty) -> Any:
        day = super().run_validation(data)
        return day.isoformat() if day else ""


class TextAlone(serializers.CharField):
    """A text as it is said; a number is no text."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Text(TextAlone):
    """A text of one line, tidied (`casino.text`). :raises UnseenCharacters: not all is seen."""

    def to_internal_value(self, data: Any) -> str:
        text = tidy(super().to_internal_value(data))
        if not is_seen(text):
            raise UnseenCharacters(field=self.field_name)
        return text

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Judge the length of what will be kept: composing can lengthen a text."""
        return super().run_validation(tidy(data) if isinstance(data, str) else data)


@extend_schema_field({"type": "string", "format": "password", "pattern": "^[0-9]{4,8}$"})
class Pin(TextAlone, serializers.RegexField):
    """A PIN: it comes in and never goes out."""

    def __init__(self, **options: Any) -> None:
        super().__init__(r"^[0-9]{4,8}\Z", **{"write_only": True} | options)


@extend_schema_field({"type": "string", "format": "password", "maxLength": PASSWORD_LENGTH_MAX})
class Password(TextAlone):
    """A password, with every space in it: it comes in and never goes out."""

    def __init__(self, **options: Any) -> None:
        fixed = {"write_only": True, "trim_whitespace": False, "max_length": PASSWORD_LENGTH_MAX}
        super().__init__(**fixed | options)


class Body(serializers.Serializer[Any]):
    """
    What a command is told: as JSON by a call, by the fields of a form on a page. It checks shape and never saves.

    `in_forms` names the fields that a form calls otherwise than `named_in_forms` does.
    """

    in_forms: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """
        Return what a form says as a call would say it; what is not to be read stays text, and is refused by its field.

        What is left empty is left out, where it may be. An amount is as people type it ("12,50") under its name
        without `_cents`, a box that is not ticked is false, a list is a repeated field, and another body's fields
        lie among the rest.
        """
        filled = {}
        for name, each in cls().fields.items():
            value = _of_form(form, cls.in_forms.get(name, named_in_forms(name, each)), each)
            if value is not empty:
                filled[name] = value
        return filled


def named_in_forms(name: str, field: serializers.Field[Any, Any, Any, Any]) -> str:
    """Return what a form calls a field, where the body says nothing else: an amount is typed, and not in cents."""
    return name.removesuffix("_cents") if isinstance(field, Cents) else name


def _of_form(form: QueryDict, name: str, field: serializers.Field[Any, Any, Any, Any]) -> Any:
    """Return one field of a form as JSON would carry it, `empty` where it is left out."""
    if isinstance(field, Body):
        return _of_fields(form, field)
    if isinstance(field, serializers.BooleanField):
        # "yes" is what screens say that were left open since before `again` was read as a box.
        return form.get(name, "") in {"on", "1", "true", "yes"}
    if isinstance(field, serializers.ListField):
        return [typed(text, field.child) for text in form.getlist(name)]
    text = form.get(name)
    if text is None or (not text.strip() and not field.required):
        return empty
    return typed(text, field)


def _of_fields(form: QueryDict, body: Body) -> Any:
    filled = body.of_form(form)
    return filled if body.required or any(filled.values()) else empty


def typed(text: str, field: Any) -> Any:
    """Return what was typed as JSON would carry it; text where it cannot be read, which the field then refuses."""
    if isinstance(field, Cents):
        with suppress(ValueError):
            return cents_from_text(text)
    elif isinstance(field, Whole):
        digits = text.strip()
        if digits.removeprefix("-").isdecimal() and len(digits) <= DIGITS_MAX:
            return int(digits)
    return text


class Nothing(Body):
    """A call that needs no body."""


def read(form: type[serializers.Serializer[Any]], given: Any) -> dict[str, Any]:
    """Return what a call says, by field. :raises ValidationError: it cannot be read (400 `malformed`)."""
    return dict(_form(form).run_validation(given))


@cache
def _form(form: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """Return a form, made once: making its fields takes ten times as long as reading by them, and they hold nothing."""
    made = form()
    _compose_messages(made)
    return made


def _compose_messages(field: serializers.Field[Any, Any, Any, Any]) -> None:
    """Put a field's messages together: DRF does it when one is first said, where two threads at once would meet."""
    for validator in field.validators:
        str(getattr(validator, "message", ""))
    for inner in (*getattr(field, "fields", {}).values(), *filter(None, [getattr(field, "child", None)])):
        _compose_messages(inner)


def read_query(form: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """Return what the address says behind its question mark, by field. :raises ValidationError: as `read`."""
    # A plain dict: DRF takes an empty value of a form of the web for one that was left out.
    return read(form, request.query_params.dict())


class Page(Body):
    """Which part of a list is asked for."""

    limit = serializers.IntegerField(min_value=1, max_value=200, default=50)
    offset = serializers.IntegerField(min_value=0, max_value=10**9, default=0)


class Problem(serializers.Serializer[Any]):
    """A refusal (RFC 9457). `detail` is fit to read aloud, in the language asked for; `code` is for machines."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    data = serializers.DictField()  # type: ignore[assignment]  # a field of that name hides nothing that is used
    clause = serializers.CharField(allow_null=True, help_text="The clause of the rule book that refuses.")


class CommandAnswer(serializers.Serializer[Any]):
    """What became of a command. The same Idempotency-Key gets the same answer, with `is_replay`."""

    data = serializers.DictField(help_text="Ids, codes and amounts.")  # type: ignore[assignment]  # as above
    version = serializers.IntegerField(allow_null=True, help_text="The version of what the command changed.")
    is_replay = serializers.BooleanField()


def answered(*, data: Mapping[str, Any], version: int | None, is_replay: bool) -> Response:
    """Return the 200 of a command that was carried out."""
    return Response({"data": data, "version": version, "is_replay": is_replay})


def versioned(data: Mapping[str, Any], version: int) -> Response:
    """Return one thing as it is now; its ETag is what a request about it sends back as If-Match."""
    return Response(data, headers={"ETag": f'"{version}"'})


REQUIRED, OPTIONAL, NONE = "required", "optional", ""


@dataclass(frozen=True)
class Input:
    """
    What a command takes, whichever way it comes: its body, and whether it names the version it decides on.

    `version`: REQUIRED, OPTIONAL or NONE. A call names it in If-Match, a form in its field `version`.
    """

    command: str
    body: type[Body] = Nothing
    version: str = NONE


def input_of(view: Any, method: str = "post") -> Input:
    """Return what a call's command takes, as its `Api.command` declares it; `view` is an API view or its class."""
    declared: Input = getattr(view, method).input
    return declared


_WORDS = {
    400: "It cannot be read: `malformed` names the field.",
    401: "No token, or one that opens nothing; or nobody is signed in on the device.",
    403: "Whoever asks may not, or stands at another place.",
    404: "No such thing in this room.",
    409: "What was there has changed (`stale`), or something stands against it.",
    413: "The body is more than this house takes at once.",
    422: "A rule refuses, with its clause; or the command id was used for something else.",
    428: "If-Match is missing: say which version this decides on.",
    429: "Too many wrong tries: try again after Retry-After.",
    503: "Busy: nothing was done, try again after Retry-After.",
}
# In examples: each house numbers its clauses as it likes, and none of them is quoted here.
CLAUSE_EXAMPLE = "§ 12"
_EXAMPLES: dict[int, tuple[str, str, dict[str, Any], str | None]] = {
    400: ("malformed", "“Amount” is missing or cannot be read.", {"field": "amount_cents"}, None),
    401: ("not_signed_in", "Nobody is signed in here. Sign in first.", {}, None),
    403: ("not_permitted", "Your role does not allow this. Ask the floor.", {}, None),
    404: ("not_found", "That does not exist here, or not any more.", {"what": "table"}, None),
    409: ("stale", "This has changed since your screen showed it. Look again and repeat.", {"version": 18}, None),
    413: ("too_large", "That is more than this house takes at once.", {}, None),
    422: (
        "buy_in_over_maximum",
        f"{CLAUSE_EXAMPLE}: The most that may be bought now is 400 €; 500 € is too much.",
        {"maximum_cents": 400_00, "asked_cents": 500_00},
        CLAUSE_EXAMPLE,
    ),
    428: ("precondition_missing", "Say with If-Match which version this decides on.", {}, None),
    429: ("too_soon", "Too many wrong tries. Try again in 8 s.", {"wait_seconds": 8}, None),
    503: ("busy", "The room is busy at this very moment. Nothing was done; try again.", {}, None),
}


def _problem(status: int) -> OpenApiResponse:
    code, detail, data, clause = _EXAMPLES[status]
    value = problem_document(code, status, detail, data, clause)
    example = OpenApiExample(code, value=value, response_only=True, status_codes=[str(status)], media_type=PROBLEM_TYPE)
    return OpenApiResponse(Problem, description=_WORDS[status], examples=[example])


def _problems(statuses: Sequence[int]) -> dict[Any, Any]:
    return {(status, PROBLEM_TYPE): _problem(status) for status in statuses}


_LANGUAGES = [code for code, _name in settings.LANGUAGES]
_LANGUAGE = OpenApiParameter(
    "Accept-Language",
    str,
    OpenApiParameter.HEADER,
    description=f"The language of sentences: {', '.join(_LANGUAGES[:-1])} or {_LANGUAGES[-1]}.",
)
_COMMAND_HEADERS = (
    OpenApiParameter(
        "Idempotency-Key",
        OpenApiTypes.UUID,
        OpenApiParameter.HEADER,
        required=True,
        description="The command id, made by the caller. Sent again, the same command gets its first answer again.",
    ),
    OpenApiParameter(
        "X-Tapped-At",
        OpenApiTypes.DATETIME,
        OpenApiParameter.HEADER,
        description="When it was tapped, where that is not now: a tap that waited for its connection.",
    ),
    _LANGUAGE,
)


def _if_match(kind: str) -> OpenApiParameter:
    return OpenApiParameter(
        "If-Match",
        str,
        OpenApiParameter.HEADER,
        required=kind == REQUIRED,
        description='The version this decides on, as `"17"`. When it has passed: 409 `stale`.',
    )


@dataclass(frozen=True)
class Api:
    """What the calls of one app have in common on the OpenAPI page: their tag."""

    tag: str
    shared: Sequence[Any] = field(default=())

    def command(
        self,
        name: str,
        summary: str,
        *,
        body: type[Body] = Nothing,
        if_match: str = NONE,
        example: Mapping[str, Any] | None = None,
        answer: Mapping[str, Any] | None = None,
        is_waited: bool = False,
        is_open: bool = False,
        file: str = "",
    ) -> Callable[[F], F]:
        """
        Declare a call that carries out the command `name`: its `Input`, which pages read by too, and its description.

        `example` and `answer` are the two bodies.

        `is_waited`: wrong tries make the next one wait (429). `is_open`: it needs neither token nor cookie. `file` is
        the type of what it answers with, where that is no JSON.
        """
        statuses = [400, 401, 403, 404, 409, 413, 422, *([428] if if_match == REQUIRED else [])]
        statuses += [*([429] if is_waited else []), 503]
        examples = []
        if example is not None:
            examples.append(OpenApiExample("request", value=example, request_only=True))
        if answer is not None:
            whole = {"data": answer, "version": 18, "is_replay": False}
            examples.append(OpenApiExample("done", value=whole, response_only=True, status_codes=["200"]))
        done: dict[Any, Any] = {(200, file): OpenApiTypes.BINARY} if file else {200: CommandAnswer}
        headers = [*_COMMAND_HEADERS, *([_if_match(if_match)] if if_match else []), *self.shared]
        describe = extend_schema(
            operation_id=name.replace(".", "_"),
            summary=summary,
            tags=[self.tag],
            parameters=headers,
            request=None if body is Nothing else body,
            responses={**done, **_problems(statuses)},
            examples=examples,
            auth=[] if is_open else None,
        )

        def declare(post: F) -> F:
            described = cast(Any, describe(post))
            described.input = Input(name, body, if_match)
            return cast(F, described)

        return declare

    def reading(
        self,
        name: str,
        summary: str,
        *,
        answer: Any,
        query: type[serializers.Serializer[Any]] | None = None,
        is_one: bool = False,
    ) -> Callable[[F], F]:
        """Describe a call that only reads; `is_one`: one thing, which may not exist."""
        # 400 whether or not anything is asked: a NUL behind a question mark, or a tap's moment that is none.
        statuses = [400, 401, 403, *([404] if is_one else []), 503]
        return cast(
            Callable[[F], F],
            extend_schema(
                operation_id=name.replace(".", "_"),
                summary=summary,
                tags=[self.tag],
                parameters=[_LANGUAGE, *self.shared, *([query] if query else [])],
                responses={200: answer, **_problems(statuses)},
            ),
        )
