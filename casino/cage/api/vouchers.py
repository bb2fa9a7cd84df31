"""Vouchers: issued and void by two, and read. Taken they are by whoever sells chips for them."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.cage.api.answers import VoucherAnswer
from casino.cage.api.bodies import VoidVoucherBody, VoucherBody
from casino.cage.api.common import api
from casino.cage.selectors.vouchers import vouchers_of
from casino.cage.services.vouchers import (
    NEEDS,
    issue_signs,
    issue_voucher,
    note_voucher_print,
    void_signs,
    void_voucher,
)
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import Page, read_query

issue_by_two = by_two(issue_voucher, needs=NEEDS, signs=issue_signs)
void_by_two = by_two(void_voucher, needs=NEEDS, signs=void_signs)
_SECOND = {"username": "frans", "pin": "2468"}


class Vouchers(APIView):
    """The room's vouchers."""

    needs = "read.vouchers"

    @api.reading("vouchers.list", "Vouchers, newest first", query=Page, answer=VoucherAnswer(many=True))
    def get(self, request: Request) -> Response:
        query = read_query(Page, request)
        vouchers = vouchers_of(api_actor(request).room_id, offset=query["offset"], most=query["limit"])
        return Response(VoucherAnswer(vouchers, many=True).data)


class IssueVoucher(APIView):
    """Issue a voucher, signed by two."""

    needs = "cage.issue_voucher"
    steps = ("people.sign_second",)

    @api.command(
        "cage.issue_voucher",
        "Issue a voucher",
        body=VoucherBody,
        example={"amount_cents": 50_00, "origin": "promotion", "last_date": "2027-02-28", "second": _SECOND},
        answer={"voucher_id": 3, "voucher_number": 12, "amount_cents": 50_00, "date": "2027-02-28"},
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, issue_by_two, **arguments_of_call(request))


class VoidVoucher(APIView):
    """Make a voucher void, signed by two."""

    needs = "cage.void_voucher"
    steps = ("people.sign_second",)

    @api.command(
        "cage.void_voucher",
        "Make a voucher void",
        body=VoidVoucherBody,
        example={"reason": "lost", "second": _SECOND},
        answer={"voucher_id": 3, "voucher_number": 12, "amount_cents": 50_00, "reason": "lost"},
    )
    def post(self, request: Request, voucher_id: int) -> Response:
        return carried_out(request, void_by_two, voucher_id=voucher_id, **arguments_of_call(request))


class PrintedVoucher(APIView):
    """Note that a voucher's paper is printed: from the second time on it is a copy, numbered from 1."""

    needs = "cage.note_voucher_print"

    @api.command(
        "cage.note_voucher_print",
        "A voucher is printed",
        answer={"voucher_id": 3, "voucher_number": 12, "prints": 2, "copy": 1},
    )
    def post(self, request: Request, voucher_id: int) -> Response:
        return carried_out(request, note_voucher_print, voucher_id=voucher_id)
