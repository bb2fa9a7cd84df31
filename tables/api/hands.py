"""Hands as the dealer's tablet logs them, and as the floor puts them right."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people.inputs import arguments_of_call
from tables.api.bodies import (
    CorrectedBody,
    HandIdBody,
    PositionsBody,
    SettledBody,
    SuppliedBody,
    VoidHandBody,
    VoidSettledBody,
    logged,
    supplied,
)
from tables.api.common import api, at_table
from tables.services.corrections import correct_hand, supply_hand, undo_hand, void_settled_hand
from tables.services.hands import deal_hand, settle_hand, show_flop, skip_hand, void_hand

_HAND = "0b9c6c9e-6a0a-4c6e-9d43-0d4b1f2f8a55"
_POSITIONS = {
    "hand_id": _HAND,
    "opening_id": 31,
    "dealt_in": [1, 2, 5, 7],
    "button": 1,
    "small_blind": 2,
    "big_blind": 5,
}
_WHOLE = {**_POSITIONS, "winners": [[2]], "pots": [86_00]}
_KNOWN = {"table": 4, "hand": _HAND, "number": 214}


class DealHand(APIView):
    """Progress: a hand was dealt."""

    needs = "tables.deal_hand"

    @api.command("tables.deal_hand", "A hand was dealt", body=PositionsBody, example=_POSITIONS, answer=_KNOWN)
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, deal_hand, hand=logged(arguments_of_call(request)))


class ShowFlop(APIView):
    """Progress: the hand went beyond the initial deal."""

    needs = "tables.show_flop"

    @api.command("tables.show_flop", "The flop was dealt", body=HandIdBody, example={"hand_id": _HAND})
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, show_flop, **arguments_of_call(request))


class SettleHand(APIView):
    """The whole hand, which stands alone. A fact: it is never refused."""

    needs = "tables.settle_hand"

    @api.command(
        "tables.settle_hand",
        "A hand was settled",
        body=SettledBody,
        example=_WHOLE,
        answer={
            **_KNOWN,
            "rake_cents": 4_00,
            "drop_cents": 1_00,
            "rake_due_cents": 4_00,
            "drop_due_cents": 1_00,
            "push_cents": [81_00],
            "shares": [[{"seat_number": 2, "cents": 81_00}]],
        },
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, settle_hand, hand=logged(arguments_of_call(request)))


class SkipHand(APIView):
    """A hand was played and not logged."""

    needs = "tables.skip_hand"

    @api.command("tables.skip_hand", "A hand was not logged", body=PositionsBody, example=_POSITIONS, answer=_KNOWN)
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, skip_hand, hand=logged(arguments_of_call(request)))


class VoidHand(APIView):
    """A misdeal, or a void hand: it is dealt again."""

    needs = "tables.void_hand"

    @api.command(
        "tables.void_hand",
        "A hand was void before it was settled",
        body=VoidHandBody,
        example={**_POSITIONS, "reason": "misdeal"},
        answer={**_KNOWN, "reason": "misdeal"},
    )
    def post(self, request: Request, number: int) -> Response:
        body = arguments_of_call(request)
        return at_table(request, number, void_hand, hand=logged(body), reason=body["reason"])


class UndoHand(APIView):
    """The dealer takes the newest hand back, until the next deal."""

    needs = "tables.undo_hand"

    @api.command("tables.undo_hand", "Undo the newest hand", body=HandIdBody, example={"hand_id": _HAND}, answer=_KNOWN)
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, undo_hand, **arguments_of_call(request))


class CorrectHand(APIView):
    """The floor replaces a hand of the open day by what really happened."""

    needs = "tables.correct_hand"

    @api.command(
        "tables.correct_hand",
        "Correct a settled hand",
        body=CorrectedBody,
        example={"hand_id": _HAND, "winners": [[5]], "pots": [96_00], "reason": "wrong_pot"},
    )
    def post(self, request: Request, number: int, hand_row_id: int) -> Response:
        body = arguments_of_call(request)
        return at_table(
            request, number, correct_hand, hand_row_id=hand_row_id, hand=logged(body), reason=body["reason"]
        )


class VoidSettledHand(APIView):
    """The floor voids a hand of the open day after it was settled."""

    needs = "tables.void_settled_hand"

    @api.command(
        "tables.void_settled_hand", "Void a settled hand", body=VoidSettledBody, example={"reason": "logged_twice"}
    )
    def post(self, request: Request, number: int, hand_row_id: int) -> Response:
        return at_table(request, number, void_settled_hand, hand_row_id=hand_row_id, **arguments_of_call(request))


class SupplyHand(APIView):
    """The floor supplies rake and drop of a hand that was not logged."""

    needs = "tables.supply_hand"

    @api.command(
        "tables.supply_hand",
        "Supply a hand that was not logged",
        body=SuppliedBody,
        example={"rake_taken_cents": 4_00, "drop_taken_cents": 1_00, "pot_cents": None},
    )
    def post(self, request: Request, number: int, hand_row_id: int) -> Response:
        return at_table(request, number, supply_hand, hand_row_id=hand_row_id, **supplied(arguments_of_call(request)))
