"""Fill slips: asked for, authorised, given to a runner, counted by two. A slip is named by its id."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.cage.api.bodies import DRAWER_NUMBER_MAX, VALUES_MAX, Pairs, PieceBody, SecondPerson, pieces_of_form
from casino.cage.api.common import api
from casino.cage.models_fills import FillSlip
from casino.cage.services import (
    authorise_fill,
    deliver_fill,
    judge_fill,
    note_fill_print,
    refuse_fill,
    request_fill,
    return_fill,
    verify_fill,
)
from casino.cage.services.fill_moves import NEEDS_TO_CARRY, NEEDS_TO_COUNT, carry_signs, count_signs
from casino.errors import NotFound
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import REQUIRED, Body, Page, TextAlone, Whole, read_query, typed, versioned

_SECOND = {"username": "dan", "pin": "3434"}
_PIECES = {"cash": [{"value_cents": 50_00, "count": 40}], "chips": []}
_FILL_EXAMPLE = {
    "fill_id": 12, "number": 12, "kind": "fill", "status": "authorised", "place_kind": "drawer", "place_number": 1,
    "cash_cents": 2_000_00, "chips_cents": 0,
}  # fmt: skip
_BLIND = {name: value for name, value in _FILL_EXAMPLE.items() if not name.endswith("_cents")}

deliver_by_two = by_two(
    deliver_fill,
    needs=NEEDS_TO_CARRY,
    signs=lambda *, fill_id, cash, chips, version: carry_signs(fill_id, cash=cash, chips=chips),
)
verify_by_two = by_two(
    verify_fill,
    needs=NEEDS_TO_COUNT,
    signs=lambda *, fill_id, cash, chips, version: count_signs(fill_id, cash=cash, chips=chips),
)
return_by_two = by_two(
    return_fill,
    needs=NEEDS_TO_COUNT,
    signs=lambda *, fill_id, reason, cash, chips, version: count_signs(fill_id, cash=cash, chips=chips),
)


class _PiecesBody(Body):
    cash = serializers.ListField(child=PieceBody(), max_length=VALUES_MAX, default=list)
    chips = serializers.ListField(child=PieceBody(), max_length=VALUES_MAX, default=list)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the pieces as the page says them: `cash_<cents>` and `chips_<cents>`."""
        return {**super().of_form(form), **{name: pieces_of_form(form, name) for name in ("cash", "chips")}}


class AskForFillBody(_PiecesBody):
    """Which way, to or from where ("drawer", "table"), and the pieces that are wished; nothing of what is not."""

    kind = serializers.ChoiceField(FillSlip.Kind.choices)
    place_kind = TextAlone(max_length=20)
    place_number = Whole(min_value=1, max_value=DRAWER_NUMBER_MAX)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return what a form says, which names the place in one ("drawer.1")."""
        # Any that there may be, and not those alone that are open: a form that is sent again gets its first answer.
        kind, _dot, number = form.get("place", "").partition(".")
        return {**super().of_form(form), "place_kind": kind, "place_number": typed(number, Whole())}


class ReasonBody(Body):
    """Why it is called off."""

    reason = serializers.ChoiceField(FillSlip.Reason.choices)


class DeliverBody(_PiecesBody):
    """The pieces that are given, and the runner, who signs for them."""

    second = SecondPerson()


class VerifyBody(_PiecesBody):
    """The pieces that two have counted, blind: what was sent is in the answer. `second` counted too."""

    second = SecondPerson()


class ReturnBody(VerifyBody):
    """The pieces that two have counted where they came from, and why they are back."""

    reason = serializers.ChoiceField(FillSlip.Reason.choices)


class FillsPage(Page):
    """Which fill slips: newest first."""

    status = serializers.ChoiceField(FillSlip.Status.choices, required=False)


class FillAnswer(serializers.ModelSerializer[FillSlip]):
    """
    A fill slip; `version` is what If-Match names. Pieces are [value in cents, how many].

    What the runner was given (`sent_…`) is null until it was counted, and what was wished (`wished_…`) while it is on
    its way: counts are blind.
    """

    wished_cash = Pairs(allow_null=True)
    wished_cash_cents = serializers.IntegerField(allow_null=True)
    wished_chips = Pairs(allow_null=True)
    wished_chips_cents = serializers.IntegerField(allow_null=True)
    sent_cash = Pairs(allow_null=True)
    sent_chips = Pairs(allow_null=True)
    got_cash = Pairs(allow_null=True)
    got_chips = Pairs(allow_null=True)

    class Meta:
        model = FillSlip
        fields = [
            "id", "number", "kind", "status", "place_kind", "place_number", "version", "prints", "requested_at",
            "requested_by_id", "wished_cash", "wished_cash_cents", "wished_chips", "wished_chips_cents",
            "authorised_at", "authorised_by_id", "sent_at", "sent_by_id", "runner_id", "sent_cash", "sent_cash_cents",
            "sent_chips", "sent_chips_cents", "ended_at", "ended_by_id", "ended_with_id", "reason", "got_cash",
            "got_cash_cents", "got_chips", "got_chips_cents", "unjudged", "judged_at", "judged_by_id",
        ]  # fmt: skip

    def to_representation(self, instance: FillSlip) -> dict[str, Any]:
        """Return it without what a count is still to find."""
        fields = super().to_representation(instance)
        hidden = [*(["sent"] if not instance.is_counted else []), *(["wished"] if instance.is_blind else [])]
        for name in hidden:
            for what in ("cash", "cash_cents", "chips", "chips_cents"):
                fields[f"{name}_{what}"] = None
        return fields


class FillSlips(APIView):
    """The fill slips; ask for another one."""

    needs = {"GET": "read.fills", "POST": "cage.request_fill"}

    @api.reading("fills.list", "Fill slips, newest first", answer=FillAnswer(many=True), query=FillsPage)
    def get(self, request: Request) -> Response:
        query = read_query(FillsPage, request)
        slips = FillSlip.objects.filter(room_id=api_actor(request).room_id)
        if "status" in query:
            slips = slips.filter(status=query["status"])
        first = query["offset"]
        return Response(FillAnswer(slips.order_by("-number")[first : first + query["limit"]], many=True).data)

    @api.command(
        "cage.request_fill",
        "Ask for a fill or a credit",
        body=AskForFillBody,
        example={"kind": "fill", "place_kind": "drawer", "place_number": 1, **_PIECES},
        answer={**_FILL_EXAMPLE, "status": "requested"},
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, request_fill, **arguments_of_call(request))


class OneFill(APIView):
    """One fill slip."""

    needs = "read.fills"

    @api.reading("fills.get", "One fill slip", answer=FillAnswer, is_one=True)
    def get(self, request: Request, fill_id: int) -> Response:
        slip = FillSlip.objects.filter(room_id=api_actor(request).room_id, id=fill_id).first()
        if slip is None:
            raise NotFound(what="slip")
        return versioned(FillAnswer(slip).data, slip.version)


class AuthoriseFill(APIView):
    """Let what was asked for be carried; never by who asked."""

    needs = "cage.authorise_fill"

    @api.command("cage.authorise_fill", "Authorise a fill slip", if_match=REQUIRED, answer=_FILL_EXAMPLE)
    def post(self, request: Request, fill_id: int) -> Response:
        return carried_out(request, authorise_fill, fill_id=fill_id, **arguments_of_call(request))


class RefuseFill(APIView):
    """Refuse it or call it off, while nothing is on its way."""

    needs = "cage.refuse_fill"

    @api.command(
        "cage.refuse_fill",
        "Call a fill slip off",
        body=ReasonBody,
        if_match=REQUIRED,
        example={"reason": "not_needed"},
        answer={**_FILL_EXAMPLE, "status": "refused"},
    )
    def post(self, request: Request, fill_id: int) -> Response:
        return carried_out(request, refuse_fill, fill_id=fill_id, **arguments_of_call(request))


class DeliverFill(APIView):
    """Give what was authorised to a runner, who signs for it as `second`."""

    needs = "cage.deliver_fill"
    steps = ("people.sign_second",)

    @api.command(
        "cage.deliver_fill",
        "Give a fill to a runner",
        body=DeliverBody,
        if_match=REQUIRED,
        example={**_PIECES, "second": _SECOND},
        answer={**_BLIND, "status": "delivered"},
    )
    def post(self, request: Request, fill_id: int) -> Response:
        return carried_out(request, deliver_by_two, fill_id=fill_id, **arguments_of_call(request))


class VerifyFill(APIView):
    """Count what a runner brought, where it goes, blind and by two. A fact."""

    needs = "cage.verify_fill"
    steps = ("people.sign_second",)

    @api.command(
        "cage.verify_fill",
        "Count a fill where it goes",
        body=VerifyBody,
        if_match=REQUIRED,
        example={**_PIECES, "second": {"username": "frans", "pin": "2468"}},
        answer={**_FILL_EXAMPLE, "status": "verified", "got_cash_cents": 1_950_00, "cash_difference_cents": -50_00},
    )
    def post(self, request: Request, fill_id: int) -> Response:
        return carried_out(request, verify_by_two, fill_id=fill_id, **arguments_of_call(request))


class ReturnFill(APIView):
    """Count what a runner could not deliver, where it came from, blind and by two."""

    needs = "cage.return_fill"
    steps = ("people.sign_second",)

    @api.command(
        "cage.return_fill",
        "Count a fill back",
        body=ReturnBody,
        if_match=REQUIRED,
        example={**_PIECES, "reason": "closed", "second": {"username": "frans", "pin": "2468"}},
        answer={**_FILL_EXAMPLE, "status": "returned", "got_cash_cents": 2_000_00, "cash_difference_cents": 0},
    )
    def post(self, request: Request, fill_id: int) -> Response:
        return carried_out(request, return_by_two, fill_id=fill_id, **arguments_of_call(request))


class JudgeFill(APIView):
    """The floor has looked at what differs."""

    needs = "cage.judge_fill"

    @api.command("cage.judge_fill", "Take a fill that differs off the to-do", answer=_FILL_EXAMPLE)
    def post(self, request: Request, fill_id: int) -> Response:
        return carried_out(request, judge_fill, fill_id=fill_id)


class PrintedFill(APIView):
    """Note that a fill slip was printed; from the second time on it says "copy"."""

    needs = "cage.note_fill_print"

    @api.command("cage.note_fill_print", "A fill slip was printed", answer={"fill_id": 12, "prints": 1})
    def post(self, request: Request, fill_id: int) -> Response:
        return carried_out(request, note_fill_print, fill_id=fill_id)
