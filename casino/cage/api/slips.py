"""Slips: asked for, cancelled, paid, printed, reversed by two. A slip is named by its id."""

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.cage.api.answers import DoubtAnswer, SlipAnswer
from casino.cage.api.bodies import (
    DoubtsPage,
    MoneyBody,
    NeverSoldBody,
    RefuseRequestBody,
    RequestBody,
    ReverseBody,
    SlipsPage,
    TakeMoneyBody,
    WhereChipsBody,
)
from casino.cage.api.common import PAID, api, drawer_id_of, named_voucher
from casino.cage.deliveries import HANDS, SEAT
from casino.cage.models import Doubt, Drawer, Slip
from casino.cage.selectors.slips import slip_of
from casino.cage.services import (
    cancel_slip,
    judge_doubt,
    note_chips,
    note_money,
    note_print,
    note_refusal_seen,
    note_signature,
    refuse_request,
    request_buy_in,
    reverse_slip,
    take_money,
    void_rack_sale,
)
from casino.cage.services.chips import carry_chips_signs
from casino.cage.services.money import NEEDS_TO_CARRY, carry_money_signs
from casino.cage.services.paying import NEEDS as NEEDS_TO_PAY
from casino.cage.services.paying import payout_signs
from casino.cage.services.voiding import NEEDS, never_sold_signs, reversal_signs
from casino.commands.carrying_out import Answer, Command
from casino.errors import NotFound
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import REQUIRED, read_query, versioned

# Who reads a day's sums reads what was sold out of racks, too.
SEES_RACK_SALES = "read.days"

note_money_by_two = by_two(
    note_money, needs=NEEDS_TO_CARRY, signs=lambda *, slip_id, money_with: carry_money_signs(slip_id)
)

note_chips_by_two = by_two(
    note_chips, needs=NEEDS_TO_CARRY, signs=lambda *, slip_id, chips_with: carry_chips_signs(slip_id)
)

never_sold_by_two = by_two(void_rack_sale, needs=NEEDS, signs=lambda *, slip_id, reason: never_sold_signs(slip_id))
reverse_by_two = by_two(reverse_slip, needs=NEEDS, signs=lambda *, slip_id, reason, version: reversal_signs(slip_id))


def take_money_by_two(
    command: Command, *, second: Mapping[str, Any] | None, slip_id: int, drawer_id: int, **arguments: Any
) -> Answer:
    """Take the money for a slip, or pay it, signed by `second` where they are named. :raises NotFound: no such slip."""
    if second is None:
        return take_money(command, slip_id=slip_id, drawer_id=drawer_id, **arguments)
    slip = slip_of(command.room_id, slip_id)
    if slip is None:
        raise NotFound(what="slip")
    signs = payout_signs(drawer_id=drawer_id, player_id=slip.player_id, amount_cents=slip.amount_cents)
    work = by_two(take_money, needs=NEEDS_TO_PAY, signs=lambda **_: signs)
    return work(command, second=second, slip_id=slip_id, drawer_id=drawer_id, **arguments)


class Requests(APIView):
    """Ask for chips to a player's hands. (Chips to a seat are asked for at the seat's own address.)"""

    needs = "cage.request_buy_in"

    @api.command(
        "cage.request_buy_in",
        "Ask for chips",
        body=RequestBody,
        example={"amount_cents": 200_00, "player_id": 17},
        answer={"slip_id": 31, "status": "requested", "amount_cents": 200_00, "destination": HANDS},
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, request_buy_in, **arguments_of_call(request))


class Slips(APIView):
    """The slips; those that wait for money are `?status=requested`. What racks sold is listed for the books alone."""

    needs = "read.cage"

    @api.reading("slips.list", "Slips, newest first", answer=SlipAnswer(many=True), query=SlipsPage)
    def get(self, request: Request) -> Response:
        query, by = read_query(SlipsPage, request), api_actor(request)
        slips = Slip.objects.filter(room_id=by.room_id).select_related(
            "drawer", "refused", "signed", "money", "chips", "notes__rate", "voucher"
        )
        if SEES_RACK_SALES not in by.may:
            # What was sold says what should lie there, and a cashier signs that count.
            slips = slips.exclude(drawer__in=Drawer.objects.filter(room_id=by.room_id).exclude(place_kind=""))
        columns = {"status": "status", "drawer_number": "drawer__number", "player_id": "player_id"}
        slips = slips.filter(**{column: query[name] for name, column in columns.items() if name in query})
        first = query["offset"]
        return Response(SlipAnswer(slips.order_by("-id")[first : first + query["limit"]], many=True).data)


class OneSlip(APIView):
    """One slip."""

    needs = "read.cage"

    @api.reading("slips.get", "One slip", answer=SlipAnswer, is_one=True)
    def get(self, request: Request, slip_id: int) -> Response:
        slip = (
            Slip.objects.select_related("drawer", "refused", "signed", "money", "chips", "notes__rate", "voucher")
            .filter(room_id=api_actor(request).room_id, id=slip_id)
            .first()
        )
        if slip is None:
            raise NotFound(what="slip")
        return versioned(SlipAnswer(slip).data, slip.version)


class CancelSlip(APIView):
    """Take a waiting slip away."""

    needs = "cage.cancel_slip"

    @api.command("cage.cancel_slip", "Cancel a waiting slip", if_match=REQUIRED)
    def post(self, request: Request, slip_id: int) -> Response:
        return carried_out(request, cancel_slip, slip_id=slip_id, **arguments_of_call(request))


class RefuseRequest(APIView):
    """Say no at the cage to chips that were asked for; the floor is told why."""

    needs = "cage.refuse_request"

    @api.command(
        "cage.refuse_request",
        "Refuse chips that were asked for",
        body=RefuseRequestBody,
        if_match=REQUIRED,
        example={"reason": "card_declined"},
        answer={"slip_id": 31, "status": "cancelled", "refused_for": "card_declined"},
    )
    def post(self, request: Request, slip_id: int) -> Response:
        return carried_out(request, refuse_request, slip_id=slip_id, **arguments_of_call(request))


class RefusalSeen(APIView):
    """The floor knows that the cage refused a request."""

    needs = "cage.note_refusal_seen"

    @api.command("cage.note_refusal_seen", "The floor has seen a refusal of the cage", answer={"slip_id": 31})
    def post(self, request: Request, slip_id: int) -> Response:
        return carried_out(request, note_refusal_seen, slip_id=slip_id)


class MoneyOfRequest(APIView):
    """The money of a request changes hands: who takes it says so."""

    needs = "cage.note_money"
    steps = ("people.sign_second",)

    @api.command(
        "cage.note_money",
        "Say who has the money of a request",
        body=MoneyBody,
        example={"money_with": "runner"},
        answer={"slip_id": 31, "amount_cents": 200_00, "money_with": "runner", "money_staff_id": 4},
    )
    def post(self, request: Request, slip_id: int) -> Response:
        return carried_out(request, note_money_by_two, slip_id=slip_id, **arguments_of_call(request))


class ChipsOfRequest(APIView):
    """The chips of a request that was paid are on their way to its seat, and come there."""

    needs = "cage.note_chips"
    steps = ("people.sign_second",)

    @api.command(
        "cage.note_chips",
        "Say where the paid chips of a seat are",
        body=WhereChipsBody,
        example={"chips_with": "player"},
        answer={"slip_id": 31, "amount_cents": 200_00, "chips_with": "cage", "chips_staff_id": 4, "is_delivered": True},
    )
    def post(self, request: Request, slip_id: int) -> Response:
        return carried_out(request, note_chips_by_two, slip_id=slip_id, **arguments_of_call(request))


class TakeMoney(APIView):
    """Take the money for a waiting slip; its chips go where it says."""

    needs = "cage.take_money"
    steps = ("people.sign_second",)

    @api.command(
        "cage.take_money",
        "Take money for a slip",
        body=TakeMoneyBody,
        if_match=REQUIRED,
        example={"drawer_number": 1, "method": "cash"},
        answer=PAID,
    )
    def post(self, request: Request, slip_id: int) -> Response:
        body = named_voucher(api_actor(request), arguments_of_call(request))
        drawer_id = drawer_id_of(request, body.pop("drawer_number"))
        return carried_out(request, take_money_by_two, drawer_id=drawer_id, slip_id=slip_id, **body)


class ReverseSlip(APIView):
    """Take a paid slip back, signed by two."""

    needs = "cage.reverse_slip"
    steps = ("people.sign_second",)

    @api.command(
        "cage.reverse_slip",
        "Reverse a paid slip",
        body=ReverseBody,
        if_match=REQUIRED,
        example={"reason": "wrong_amount", "second": {"username": "frans", "pin": "2468"}},
        answer={**PAID, "status": "void", "reason": "wrong_amount"},
    )
    def post(self, request: Request, slip_id: int) -> Response:
        return carried_out(request, reverse_by_two, slip_id=slip_id, **arguments_of_call(request))


class NeverSold(APIView):
    """
    Say by two that a sale out of a rack never was, once a count of its chips and its cash has seen it: that count's
    difference is explained. Before such a count the slip is reversed.
    """

    needs = "cage.void_rack_sale"
    steps = ("people.sign_second",)

    @api.command(
        "cage.void_rack_sale",
        "A sale out of a rack never was",
        body=NeverSoldBody,
        example={"reason": "wrong_player", "second": {"username": "mari", "pin": "1357"}},
        answer={**PAID, "drawer_id": 7, "destination": SEAT, "status": "void", "reason": "wrong_player"},
    )
    def post(self, request: Request, slip_id: int) -> Response:
        return carried_out(request, never_sold_by_two, slip_id=slip_id, **arguments_of_call(request))


class PrintedSlip(APIView):
    """Note that a slip was printed; from the second time on it says "copy"."""

    needs = "cage.note_print"

    @api.command("cage.note_print", "A slip was printed", answer={"slip_id": 31, "prints": 1})
    def post(self, request: Request, slip_id: int) -> Response:
        return carried_out(request, note_print, slip_id=slip_id)


class SignatureOfSlip(APIView):
    """Note that a player signed the printed slip that moves their deposit."""

    needs = "cage.note_signature"

    @api.command("cage.note_signature", "A player signed a slip", answer={"slip_id": 31})
    def post(self, request: Request, slip_id: int) -> Response:
        return carried_out(request, note_signature, slip_id=slip_id)


class Doubts(APIView):
    """What cannot be so: more chips came back than were sold, a drawer gave more than ever lay in it."""

    needs = "read.doubts"

    @api.reading(
        "doubts.list", "What the cage has done that cannot be so", answer=DoubtAnswer(many=True), query=DoubtsPage
    )
    def get(self, request: Request) -> Response:
        query = read_query(DoubtsPage, request)
        doubts = Doubt.objects.filter(room_id=api_actor(request).room_id, judged_at__isnull=query["is_open"])
        page = doubts.select_related("drawer").order_by("raised_at", "id")[query["offset"] :][: query["limit"]]
        return Response(DoubtAnswer(page, many=True).data)


class JudgeDoubt(APIView):
    """The floor has looked at it."""

    needs = "cage.judge_doubt"

    @api.command("cage.judge_doubt", "Take a doubt off the to-do", answer={"doubt": 3})
    def post(self, request: Request, doubt_id: int) -> Response:
        return carried_out(request, judge_doubt, doubt_id=doubt_id)
