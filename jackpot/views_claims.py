"""The floor's pages of claims, and their taps: the cards on the pad, the checklist, the floor's word."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from rest_framework.exceptions import ValidationError

from casino.commands.carrying_out import Answer
from casino.commands.methods import require_POST, require_safe
from casino.errors import Malformed, Refusal
from casino.hand_words import VARIANT_NAMES, hand_words
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.models import Staff
from casino.people.standing import may_sign
from casino.poker.variants import Variant, shape_of
from casino.rest import read
from casino.rooms.selectors import room_of, rule_book
from jackpot.api_claims import (
    ApproveClaim,
    DisputeClaim,
    DisputeShare,
    EnteredBody,
    EnterHands,
    RefuseClaim,
    TickCheck,
    VerifyClaim,
    WithdrawClaim,
    approve_by_two,
    refuse_by_two,
)
from jackpot.api_claims import entered as as_entered
from jackpot.models import Claim, ClaimCheck
from jackpot.news import CLAIMS_SHOWN
from jackpot.rules import claims as claims_rules
from jackpot.selectors.judging import JudgedClaim, as_kept, found_of, judge_entered, seats_of, standing_hand
from jackpot.selectors.pools import payable_of
from jackpot.services import approving, claims
from jackpot.views import deck, how, shown_payout
from jackpot.words import ROLES, VERDICTS, line_of, shown_card
from jackpot.words_claims import DISPUTES, ITEMS, REASONS, STATUSES
from tables.models import HandSeat


@dataclass(frozen=True)
class SeatRow:
    """A row of the form: one who was dealt in, and what was entered there."""

    seat: HandSeat
    cards: str = ""
    is_thrown_in: bool = False
    is_away: bool = False


@dataclass(frozen=True)
class ItemRow:
    """An item of the checklist; `check` is None while it is to be done."""

    item: str
    words: Any
    check: ClaimCheck | None


def claims_tap(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view one of the taps on a claim."""
    return page("page.jackpot_claim")(require_POST(view))


@page("page.jackpot_claim")
@never_cache
@require_safe
def claims_page(request: ActorRequest) -> HttpResponse:
    """List the claims, those that wait for somebody first."""
    room = room_of(actor_of(request).room_id)
    newest = Claim.objects.filter(room_id=room.pk).select_related("table", "hand").order_by("-id")[:CLAIMS_SHOWN]
    rows = [(claim, STATUSES[claim.status], REASONS.get(claim.reason, "")) for claim in newest]
    return render(
        request,
        "jackpot/claims.html",
        {
            "room": room,
            "rows": sorted(rows, key=lambda row: not row[0].is_open),
            "may_pools": "page.jackpot_pools" in actor_of(request).may,
        },
    )


@page("page.jackpot_claim")
@never_cache
@require_safe
def claim_page(request: ActorRequest, claim_id: int) -> HttpResponse:
    """Show one claim, with what is to be done next. :raises NotFound: the room has no such claim."""
    claim = claims.look_at_claim(actor_of(request).room_id, claim_id)
    context = {**_head(claim), **_work(request, claim), **_form(claim)}
    if claim.entered:
        context |= _judged(claim)
    return render(request, "jackpot/claim.html", context)


@page("page.jackpot_claim")
@never_cache
@require_safe
def look_view(request: ActorRequest, claim_id: int) -> HttpResponse:
    """Say what would become of the cards as they lie on the pad. Nothing is written."""
    claim = claims.look_at_claim(actor_of(request).room_id, claim_id)
    context = _head(claim)
    if any(request.GET.get(name, "").strip() for name in request.GET if name.startswith("cards_")):
        try:
            hand = as_entered(read(EnteredBody, EnteredBody.of_form(request.GET)))["hand"]
            entered = as_kept(hand, variant=claim.hand.opening.game.variant)
            context |= _shown(judge_entered(claim, entered, seats_of(standing_hand(claim))))
        except ValidationError as wrong:
            context["lacks"] = _sentence(claim, Malformed(field=next(iter(wrong.detail))))
        except Refusal as wrong:
            context["lacks"] = _sentence(claim, wrong)
    return render(request, "jackpot/result.html", context)


@claims_tap
def enter_tap(request: ActorRequest, claim_id: int) -> HttpResponse:
    """Enter the cards."""
    claim = claims.look_at_claim(actor_of(request).room_id, claim_id)
    arguments = arguments_of_form(request, EnterHands, near=claim.called_at)
    claims.enter_hands(command_for(request), claim_id=claim_id, **as_entered(arguments))
    return _there(request, claim_id)


def _tap(call: type[Any], service: Callable[..., Answer]) -> Callable[..., HttpResponse]:
    """Return the tap of one command about a claim, told as its call is."""

    def tap(request: ActorRequest, claim_id: int) -> HttpResponse:
        service(command_for(request), claim_id=claim_id, **arguments_of_form(request, call))
        return _there(request, claim_id)

    return claims_tap(tap)


check_tap = _tap(TickCheck, claims.tick_check)
verify_tap = _tap(VerifyClaim, claims.verify_claim)
dispute_tap = _tap(DisputeClaim, claims.dispute_claim)
withdraw_tap = _tap(WithdrawClaim, claims.withdraw_claim)


@claims_tap
def refuse_tap(request: ActorRequest, claim_id: int) -> HttpResponse:
    """Refuse the claim; a manager signs on the same screen where it could be paid."""
    refuse_by_two(command_for(request), claim_id=claim_id, **arguments_of_form(request, RefuseClaim))
    return _there(request, claim_id)


@claims_tap
def approve_tap(request: ActorRequest, claim_id: int) -> HttpResponse:
    """Approve the claim: a manager signs on this screen."""
    approve_by_two(command_for(request), claim_id=claim_id, **arguments_of_form(request, ApproveClaim))
    return _there(request, claim_id)


@claims_tap
def dispute_share_tap(request: ActorRequest, share_id: int) -> HttpResponse:
    """Note that a share is disputed, or no more."""
    answer = approving.dispute_share(
        command_for(request), share_id=share_id, **arguments_of_form(request, DisputeShare)
    )
    return _there(request, answer.data["claim"])


def _there(request: ActorRequest, claim_id: int) -> HttpResponse:
    return done(request, to=reverse("jackpot_claim", args=[claim_id]))


# ---- what the page shows


def _head(claim: Claim) -> dict[str, Any]:
    return {"claim": claim, "room": room_of(claim.room_id), "status": STATUSES[claim.status], "is_claim": True}


def _form(claim: Claim) -> dict[str, Any]:
    """Return the rows of who was dealt in, with what was entered; none once that stands."""
    if not claim.takes_cards:
        return {"rows": ()}
    entered = claim.entered or {"hands": [], "away_seats": [], "board": [], "told": False}
    hands = {hand["seat"]: hand for hand in entered["hands"]}
    rows = [
        SeatRow(
            seat,
            cards=_written(hands[seat.seat_number]["cards"]) if seat.seat_number in hands else "",
            is_thrown_in=seat.seat_number in hands and not hands[seat.seat_number]["is_shown"],
            is_away=seat.seat_number in entered["away_seats"],
        )
        for seat in seats_of(standing_hand(claim))
    ]
    return {
        "rows": rows,
        "board": _written(entered["board"]),
        "was_talked_about": entered["told"],
        "variant": entered.get("variant", claim.hand.opening.game.variant),
        "variants": [(each.value, VARIANT_NAMES[each], shape_of(each)) for each in Variant],
        "deck": deck(),
        "moments": {name: datetime.fromisoformat(text) for name, text in entered.get("moments", {}).items()},
    }


def _written(cards: Sequence[str]) -> str:
    read_cards = [shown_card(card) for card in cards]
    return " ".join(f"{card.rank}{card.suit}" for card in read_cards)


def _work(request: ActorRequest, claim: Claim) -> dict[str, Any]:
    """Return the checklist, who may sign, and the reasons that may be given."""
    by = actor_of(request)
    checks = {check.item: check for check in claim.checks.select_related("done_by", "witness")}
    on_shift = Staff.objects.filter(room_id=claim.room_id, is_active=True, is_on_shift=True)
    return {
        "items": [ItemRow(item, words, checks.get(item)) for item, words in ITEMS.items()],
        "is_walked": len(checks) == len(ITEMS),
        "staff_on_shift": on_shift.exclude(pk=by.staff_id or 0).order_by("display_name", "id"),
        "reasons": [(code, words) for code, words in REASONS.items() if code != Claim.Reason.MISTAPPED],
        "disputes": DISPUTES.items(),
        "dispute": DISPUTES.get(claim.disputed, ""),
        "why": REASONS.get(claim.reason, ""),
        "signers": may_sign(claim.room_id, needs=claims.NEEDS, without={by.staff_id}),
    }


def _judged(claim: Claim) -> dict[str, Any]:
    """Return what became of the entered cards; why they are none of its hand, where that was corrected since."""
    try:
        judged_claim = found_of(claim)
    except Refusal as wrong:
        return {"lacks": _sentence(claim, wrong)}
    return {**_shown(judged_claim), **_paid(claim, judged_claim)}


def _sentence(claim: Claim, refusal: Refusal) -> str:
    """Return why something cannot be, in the claim's room and by its book."""
    return refusal.text(room_of(claim.room_id).money_format, book=rule_book(claim.rule_book_version_id))


def _shown(judged_claim: JudgedClaim) -> dict[str, Any]:
    """Return the verdict, each criterion, and each hand with whose it is."""
    names = {seat.seat_number: seat.player for seat in judged_claim.seats}
    hands = [
        (
            number,
            ROLES[role] if judged_claim.judged.category else "",
            hand_words(hand.worth),
            [shown_card(card, is_own=card in hand.own) for card in hand.cards],
            names.get(number),
        )
        # Not strict: of a variant in which nothing can be won no hand is judged.
        for number, (hand, role) in zip(judged_claim.hand_seats, judged_claim.judged.hands, strict=False)
    ]
    return {
        "verdict": judged_claim.judged.verdict.value,
        "verdict_name": VERDICTS[judged_claim.judged.verdict],
        "category": judged_claim.judged.category,
        "lines": [
            (line_of(point, judged_claim.book), how(point, judged_claim.judged)) for point in judged_claim.judged.points
        ],
        "claim_hands": hands,
    }


def _paid(claim: Claim, judged_claim: JudgedClaim) -> dict[str, Any]:
    """Return what the claim pays of the sum, or has paid: what a manager signs, and what waits at the cage."""
    sum_cents = claim.sum_cents if claim.sum_cents is not None else payable_of(claim)
    paid = judged_claim.pays(sum_cents) if sum_cents is not None else None
    if paid is None or claim.status in {Claim.Status.REFUSED, Claim.Status.WITHDRAWN}:
        return {"sum_cents": sum_cents}
    shares = claim.shares.select_related("player").order_by("seat_number")
    others = Claim.objects.filter(room_id=claim.room_id, code=claim.code, status__in=Claim.OPEN).exclude(pk=claim.pk)
    return {
        "paid": shown_payout(judged_claim.jackpot, judged_claim.judged, paid),
        "sum_cents": sum_cents,
        "sum_text": f"{sum_cents // 100}.{sum_cents % 100:02d}" if sum_cents is not None else "",
        "shares": [(share, ROLES[claims_rules.Role(share.role)]) for share in shares],
        "same_moment": [other for other in others.select_related("table") if other.hit_at == claim.hit_at],
    }
