"""The room's rule book over REST: what holds, and the next one from its first edit to the second signature."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino import clock
from casino.cage.api.bodies import SecondPerson
from casino.commands.carrying_out import Answer, Command
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import REQUIRED, Body, Id, Moment, TextAlone
from tables.api.common import api
from tables.selectors.books import book_page
from tables.services import books

_NEXT = {"next_book": 3, "status": "requested", "digest": "535b7b22…", "holds_from": "2026-11-21T04:00:00+00:00"}


_by_two = by_two(books.approve_book, needs=books.NEEDS, signs=books.signs)


def approve_by_two(command: Command, *, second: Mapping[str, Any] | None, next_book_id: int, version: int) -> Answer:
    """Sign the next rule book, by one's own sign-in or by `second`, another manager at the asker's screen."""
    if second is not None:
        books.check_waits_to_be_signed(command, next_book_id=next_book_id)
    return _by_two(command, second=second, next_book_id=next_book_id, version=version)


class BookText(TextAlone):
    """A rule book's text, TOML, as it stands in a file."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": books.TEXT_LENGTH_MAX, "trim_whitespace": False} | options)


class EditBody(Body):
    """The next rule book's text, whole."""

    text = BookText()

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the text as it was typed: forms send line ends of their own."""
        return {"text": form.get("text", "").replace("\r\n", "\n")}


# Rules: L-P23.
class AskBody(Body):
    """From which moment it is to hold; it is still to come."""

    holds_from = Moment()


class ApproveBody(Body):
    """Which book, and who signs: the asker of the call by their own sign-in, or a second manager by name and PIN."""

    next_book_id = Id()
    second = SecondPerson(allow_null=True, default=None)


class RuleBookAnswer(serializers.Serializer[Any]):
    """The rule book in force, and the next one where one is on its way; `version` is what If-Match names."""

    number = serializers.IntegerField()
    digest = serializers.CharField()
    holds_from = serializers.DateTimeField()
    text = serializers.CharField()
    next_id = serializers.IntegerField(allow_null=True)
    next_status = serializers.CharField(allow_null=True)
    next_holds_from = serializers.DateTimeField(allow_null=True)
    next_text = serializers.CharField(allow_null=True)
    version = serializers.IntegerField()


class RuleBook(APIView):
    """What holds, and what is to hold."""

    needs = "read.books"

    @api.reading("rule_book.read", "The rule book in force and the next one", answer=RuleBookAnswer())
    def get(self, request: Request) -> Response:
        page = book_page(api_actor(request).room_id, at=clock.now())
        in_force, next_book = page.in_force, page.next
        answer = {
            "number": in_force.number,
            "digest": in_force.digest,
            "holds_from": in_force.holds_from,
            "text": in_force.text,
            "next_id": next_book.pk if next_book else None,
            "next_status": next_book.status if next_book else None,
            "next_holds_from": next_book.holds_from if next_book else None,
            "next_text": next_book.text if next_book else None,
            "version": next_book.version if next_book else 0,
        }
        return Response(RuleBookAnswer(answer).data)


class EditBook(APIView):
    """A manager saves the next rule book; `If-Match: "0"` begins one."""

    needs = "tables.edit_book"

    @api.command(
        "tables.edit_book", "Save the next rule book", body=EditBody, if_match=REQUIRED, example={"text": "[house]\n…"}
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, books.edit_book, **arguments_of_call(request))


class DiscardBook(APIView):
    """A manager throws the next rule book away."""

    needs = "tables.discard_book"

    @api.command("tables.discard_book", "Throw the next rule book away", if_match=REQUIRED)
    def post(self, request: Request) -> Response:
        return carried_out(request, books.discard_book, **arguments_of_call(request))


class AskForBook(APIView):
    """A manager asks that the next rule book hold from a moment on."""

    needs = "tables.ask_for_book"

    @api.command(
        "tables.ask_for_book",
        "Ask for the next rule book",
        body=AskBody,
        if_match=REQUIRED,
        example={"holds_from": "2026-11-21T04:00:00+00:00"},
        answer=_NEXT,
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, books.ask_for_book, **arguments_of_call(request))


class ApproveBook(APIView):
    """A second manager signs the next rule book."""

    needs = "tables.approve_book"
    steps = ("people.sign_second",)

    @api.command(
        "tables.approve_book",
        "Sign the next rule book",
        body=ApproveBody,
        if_match=REQUIRED,
        example={"next_book_id": 3, "second": {"username": "petra", "pin": "2468"}},
        answer={**_NEXT, "status": "approved"},
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, approve_by_two, **arguments_of_call(request))


class RefuseBook(APIView):
    """A second manager does not sign the next rule book."""

    needs = "tables.refuse_book"

    @api.command("tables.refuse_book", "Do not sign the next rule book", if_match=REQUIRED)
    def post(self, request: Request) -> Response:
        return carried_out(request, books.refuse_book, **arguments_of_call(request))


class WithdrawBook(APIView):
    """A manager takes back what was asked for or signed."""

    needs = "tables.withdraw_book"

    @api.command("tables.withdraw_book", "Withdraw the next rule book", if_match=REQUIRED)
    def post(self, request: Request) -> Response:
        return carried_out(request, books.withdraw_book, **arguments_of_call(request))
