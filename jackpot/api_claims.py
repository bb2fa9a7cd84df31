"""Claims over REST: called, entered, checked, verified, refused."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.cage.api.bodies import SecondPerson
from casino.errors import Refusal
from casino.hand_words import hand_words
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.poker.variants import Variant
from casino.rest import REQUIRED, Api, Body, Cents, Id, Moment, Page, Text, Whole, read_query, versioned
from casino.rulebooks.units import SEATS_MAX
from jackpot.api import PointAnswer
from jackpot.models import Claim, ClaimCheck, ClaimShare
from jackpot.selectors.judging import EnteredHand, JudgedClaim, SeatCards, found_of
from jackpot.services import approving, claims
from jackpot.words import line_of
from tables.api.bodies import HandIdBody
from tables.api.common import at_table

api = Api("jackpot")
_CALLED = {"table": 4, "claim": 3, "hand_row_id": 1214}

# What a manager signs on the same screen; of a refusal only where the claim could be paid.
approve_by_two = by_two(
    approving.approve_claim,
    needs=claims.NEEDS,
    signs=lambda *, claim_id, version, sum_cents, **_arguments: approving.approval_signs(
        claim_id, version=version, sum_cents=sum_cents
    ),
)
refuse_by_two = by_two(
    claims.refuse_claim,
    needs=claims.NEEDS,
    signs=lambda *, claim_id, reason, **_arguments: claims.refusal_signs(claim_id, reason=reason),
)


class SeatCardsBody(Body):
    """The cards of one seat at the end of the hand."""

    seat_number = Whole(min_value=1, max_value=SEATS_MAX)
    cards = Text(max_length=40, help_text="As Kd, in any spelling.")
    is_shown = serializers.BooleanField(default=True)


class EnteredBody(Body):
    """A claim's hand. The moments tell when it was hit: the latest of them, without any the dealer's tap."""

    variant = serializers.ChoiceField([each.value for each in Variant], required=False, allow_blank=True, default="")
    board = Text(max_length=60, required=False, default="", allow_blank=True)
    hands = serializers.ListField(child=SeatCardsBody(), min_length=1, max_length=SEATS_MAX)
    away_seats = serializers.ListField(
        child=Whole(min_value=1, max_value=SEATS_MAX), max_length=SEATS_MAX, default=list
    )
    told = serializers.BooleanField(default=False, help_text="Somebody spoke of their cards in mid-hand.")
    winning_shown_at = Moment(required=False)
    losing_shown_at = Moment(required=False)
    last_card_at = Moment(required=False)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the hand as the page says it: `cards_<seat>` of those who have some, `thrown_in` with their seats."""
        fields = super().of_form(form)
        thrown_in = set(form.getlist("thrown_in"))
        seats = [str(number) for number in range(1, SEATS_MAX + 1)]
        fields["hands"] = [
            {"seat_number": int(seat), "cards": form[f"cards_{seat}"], "is_shown": seat not in thrown_in}
            for seat in seats
            if form.get(f"cards_{seat}", "").strip()
        ]
        return fields


class TickBody(Body):
    """An item of the checklist; the pictures have a reference, witnesses somebody from the staff."""

    item = serializers.ChoiceField(ClaimCheck.Item.values)
    reference = Text(max_length=60, required=False, default="", allow_blank=True)
    witness_id = Id(required=False, allow_null=True, default=None)


class DisputeBody(Body):
    """What is doubted."""

    reason = serializers.ChoiceField(Claim.Dispute.values)


class RefuseBody(Body):
    """Why; `second` is the manager who signs, where the claim could be paid."""

    reason = serializers.ChoiceField(sorted(set(Claim.Reason.values) - {Claim.Reason.MISTAPPED}))
    second = SecondPerson(allow_null=True, default=None)


class ApproveClaimBody(Body):
    """
    What a manager signs: the sum that was shown.

    `is_decided`: what the rules leave to the house is paid. `is_first`: of two hit in one second this is the first.
    """

    sum_cents = Cents()
    is_decided = serializers.BooleanField(default=False)
    is_first = serializers.BooleanField(default=False)
    second = SecondPerson()


class DisputeShareBody(Body):
    """Whether somebody else says that it is theirs."""

    is_disputed = serializers.BooleanField()


class ClaimShareAnswer(serializers.ModelSerializer[ClaimShare]):
    """What one player is paid; `paid_at` is null while it waits at the cage under its slip."""

    class Meta:
        model = ClaimShare
        fields = ("id", "player_id", "seat_number", "role", "cents", "is_disputed", "slip_id", "paid_at")


class ClaimsPage(Page):
    """Which claims are asked for; `is_open` left out: all of them."""

    is_open = serializers.BooleanField(required=False)


class ClaimAnswer(serializers.ModelSerializer[Claim]):
    """One claim; people by their ids."""

    jackpot = serializers.CharField(source="code")
    table_number = serializers.IntegerField(source="table.number")
    hand_number = serializers.IntegerField(source="hand.number")

    class Meta:
        model = Claim
        fields = (
            "id", "jackpot", "status", "version", "table_number", "hand_number", "called_at", "called_by_id", "entered",
            "hit_at", "verdict", "category", "disputed", "verified_at", "verified_by_id", "decided_at", "decided_by_id",
            "approved_by_id", "reason", "sum_cents", "paid_cents", "base_cents", "house_cents",
        )  # fmt: skip


class SeatAnswer(serializers.Serializer[Any]):
    """One who took part: whose seat, what they are paid as, what their hand is called, "" where none was entered."""

    seat_number = serializers.IntegerField()
    player_id = serializers.IntegerField()
    paid_as = serializers.CharField(help_text="winner, loser or other")
    hand = serializers.CharField(allow_blank=True)


class JudgedAnswer(serializers.Serializer[Any]):
    """
    A claim with why it qualifies or not; `points` and `seats` are empty until its cards are entered, and where they
    are none of its hand any more, which was corrected since.
    """

    claim = ClaimAnswer()
    points = PointAnswer(many=True)
    seats = SeatAnswer(many=True)
    still_to_do = serializers.ListField(child=serializers.CharField())
    shares = ClaimShareAnswer(many=True)


class Claims(APIView):
    """The claims, newest first."""

    needs = "read.jackpot_claims"

    @api.reading("jackpot.claims", "Claims, newest first", answer=ClaimAnswer(many=True), query=ClaimsPage)
    def get(self, request: Request) -> Response:
        query = read_query(ClaimsPage, request)
        rows = Claim.objects.filter(room_id=api_actor(request).room_id).select_related("table", "hand")
        if "is_open" in query:
            rows = rows.filter(status__in=Claim.OPEN) if query["is_open"] else rows.exclude(status__in=Claim.OPEN)
        first = query["offset"]
        return Response(ClaimAnswer(rows.order_by("-id")[first : first + query["limit"]], many=True).data)


class OneClaim(APIView):
    """One claim, judged."""

    needs = "read.jackpot_claims"

    @api.reading("jackpot.claim", "One claim, and why it qualifies or not", answer=JudgedAnswer, is_one=True)
    def get(self, request: Request, claim_id: int) -> Response:
        claim = claims.look_at_claim(api_actor(request).room_id, claim_id)
        return versioned(_judged(claim), claim.version)


def _judged(claim: Claim) -> dict[str, Any]:
    fields: dict[str, Any] = {"claim": ClaimAnswer(claim).data, "points": [], "seats": []}
    fields["still_to_do"] = claims.still_open(claim) if claim.is_open else []
    fields["shares"] = ClaimShareAnswer(claim.shares.order_by("seat_number"), many=True).data
    if claim.entered and (judged_claim := _found(claim)):
        names = dict(
            zip(
                judged_claim.hand_seats,
                (hand_words(hand.worth) for hand, _role in judged_claim.judged.hands),
                # Of a variant in which nothing can be won no hand is judged.
                strict=False,
            )
        )
        fields["points"] = [PointAnswer(line_of(point, judged_claim.book)).data for point in judged_claim.judged.points]
        fields["seats"] = [
            {
                "seat_number": seat.seat_number,
                "player_id": seat.player_id,
                "paid_as": judged_claim.roles[seat.seat_number].value,
                "hand": names.get(seat.seat_number, ""),
            }
            for seat in judged_claim.seats
        ]
    return fields


def _found(claim: Claim) -> JudgedClaim | None:
    """Return what became of it; None where its hand was corrected since, and these cards are none of it any more."""
    try:
        return found_of(claim)
    except Refusal:
        return None


class CallBadBeat(APIView):
    """A dealer calls a bad beat: nothing is dealt until the floor has looked. A fact."""

    needs = "jackpot.call_bad_beat"

    @api.command(
        "jackpot.call_bad_beat",
        "Call a bad beat",
        body=HandIdBody,
        example={"hand_id": "0b9c6c9e-6a0a-4c6e-9d43-0d4b1f2f8a55"},
        answer=_CALLED,
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, claims.call_bad_beat, **arguments_of_call(request))


class WithdrawClaim(APIView):
    """A claim that was tapped by mistake is taken back."""

    needs = "jackpot.withdraw_claim"

    @api.command("jackpot.withdraw_claim", "Take back a mistapped claim", if_match=REQUIRED)
    def post(self, request: Request, claim_id: int) -> Response:
        return carried_out(request, claims.withdraw_claim, claim_id=claim_id, **arguments_of_call(request))


class EnterHands(APIView):
    """The cards of a claim, judged at once."""

    needs = "jackpot.enter_hands"

    @api.command(
        "jackpot.enter_hands",
        "Enter the cards of a claim",
        body=EnteredBody,
        if_match=REQUIRED,
        example={
            "board": "As Ah Kd 7c 7d",
            "hands": [{"seat_number": 2, "cards": "AcKc"}, {"seat_number": 5, "cards": "7h7s"}],
        },
        answer={**_CALLED, "verdict": "qualifies", "category": 1},
    )
    def post(self, request: Request, claim_id: int) -> Response:
        return carried_out(request, claims.enter_hands, claim_id=claim_id, **entered(arguments_of_call(request)))


class TickCheck(APIView):
    """An item of the checklist is done."""

    needs = "jackpot.tick_check"

    @api.command(
        "jackpot.tick_check",
        "An item of a claim's checklist is done",
        body=TickBody,
        example={"item": "surveillance", "reference": "camera 4, 21:04:25"},
    )
    def post(self, request: Request, claim_id: int) -> Response:
        return carried_out(request, claims.tick_check, claim_id=claim_id, **arguments_of_call(request))


class DisputeClaim(APIView):
    """A claim is disputed: it waits, and the table deals on."""

    needs = "jackpot.dispute_claim"

    @api.command(
        "jackpot.dispute_claim", "A claim is disputed", body=DisputeBody, if_match=REQUIRED, example={"reason": "cards"}
    )
    def post(self, request: Request, claim_id: int) -> Response:
        return carried_out(request, claims.dispute_claim, claim_id=claim_id, **arguments_of_call(request))


class VerifyClaim(APIView):
    """The floor has inspected the hands and walked the checklist."""

    needs = "jackpot.verify_claim"

    @api.command("jackpot.verify_claim", "Verify a claim", if_match=REQUIRED)
    def post(self, request: Request, claim_id: int) -> Response:
        return carried_out(request, claims.verify_claim, claim_id=claim_id, **arguments_of_call(request))


class RefuseClaim(APIView):
    """A claim is refused, with a reason; by two where it could be paid."""

    needs = "jackpot.refuse_claim"
    steps = ("people.sign_second",)

    @api.command(
        "jackpot.refuse_claim",
        "Refuse a claim",
        body=RefuseBody,
        if_match=REQUIRED,
        example={"reason": "talk", "second": {"username": "mari", "pin": "2468"}},
    )
    def post(self, request: Request, claim_id: int) -> Response:
        return carried_out(request, refuse_by_two, claim_id=claim_id, **arguments_of_call(request))


class ApproveClaim(APIView):
    """A verified claim is approved, signed by a manager: its shares leave the sum and wait at the cage."""

    needs = "jackpot.approve_claim"
    steps = ("people.sign_second",)

    @api.command(
        "jackpot.approve_claim",
        "Approve a claim",
        body=ApproveClaimBody,
        if_match=REQUIRED,
        example={"sum_cents": 12_345_67, "second": {"username": "mari", "pin": "2468"}},
        answer={**_CALLED, "sum_cents": 12_345_67, "paid_cents": 9_876_53, "base_cents": 2_469_14, "house_cents": 0},
    )
    def post(self, request: Request, claim_id: int) -> Response:
        return carried_out(request, approve_by_two, claim_id=claim_id, **arguments_of_call(request))


class DisputeShare(APIView):
    """A share is disputed and paid to nobody, or is no more."""

    needs = "jackpot.dispute_share"

    @api.command("jackpot.dispute_share", "A share is disputed", body=DisputeShareBody, example={"is_disputed": True})
    def post(self, request: Request, share_id: int) -> Response:
        return carried_out(request, approving.dispute_share, share_id=share_id, **arguments_of_call(request))


def entered(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a call or a form says of a hand as `enter_hands` takes it."""
    rest = dict(fields)
    names = ("variant", "board", "hands", "away_seats", "told")
    hand = {name: rest.pop(name) for name in names}
    hand["hands"] = tuple(SeatCards(**each) for each in hand["hands"])
    hand["away_seats"] = tuple(hand["away_seats"])
    return {**rest, "hand": EnteredHand(**hand)}
