"""
A verified claim is approved by two: its shares leave the sum at that moment, and wait at the cage for who won them.

Claims of one jackpot are paid in the order in which they were hit: the later one from the base that the earlier left,
what the house put in included (A-H7.7).
"""

from collections.abc import Mapping

from casino.cage.audiences import EVERY_WINDOW
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound
from casino.people.services.signatures import check_signed
from casino.rooms.selectors import lock_open_day
from jackpot.errors_claims import (
    ClaimFails,
    EarlierClaimWaits,
    HandNotSettled,
    HouseDecides,
    NotVerified,
    SameMomentWaits,
    SameVerifier,
    ShareIsPaid,
    SumChanged,
)
from jackpot.models import Claim, ClaimShare
from jackpot.prizes import wait_for
from jackpot.push import CLAIMS, sum_news
from jackpot.rules.claims import Role, Verdict
from jackpot.rules.payout import Base, Payout
from jackpot.selectors.judging import JudgedClaim, judge_entered, seats_of, standing_hand
from jackpot.selectors.pools import payable
from jackpot.services.claims import NEEDS, changed, lock_claim, look_at_claim, save_claim
from jackpot.services.pool import lock_pool, reserve_for_claim, top_up_to_seed
from tables.models import Hand


def approval_signs(claim_id: int, *, version: int, sum_cents: int) -> str:
    """Return what the manager signs: which claim, as it stands, of which sum."""
    return f"approve_claim.{claim_id}.{version}.{sum_cents}"


@service("jackpot.approve_claim")
def approve_claim(
    command: Command,
    *,
    claim_id: int,
    version: int,
    sum_cents: int,
    approved_by_id: int,
    is_decided: bool = False,
    is_first: bool = False,
) -> Outcome:
    """
    Approve a verified claim: its shares leave the sum, and the new sum is what is left, or the seed if that is more.

    `sum_cents` is the sum that was shown to who signs, as it was when the claim was hit (`selectors.payable`).
    `approved_by_id` is a manager who neither asks nor verified, and has signed `approval_signs` with their own PIN
    (`people.services.second_person`, before this command). `is_decided`: the manager confirms what the rules leave to
    the house; `is_first`: that of two hit in one second this is the first.

    :raises NotFound, Stale, ClaimIsOver: as they say.
    :raises NotVerified: the floor verifies it first.
    :raises NeedsSecondSignature, SameVerifier: nobody signed it, or not this, or who verified it.
    :raises EarlierClaimWaits, SameMomentWaits: another claim is decided first, or may have to be.
    :raises HandNotSettled: its hand was taken back since.
    :raises ClaimFails, SeatNotDealtIn: the hand was put right since, and wins nothing any more, or lacks a seat.
    :raises HouseDecides: the rules leave it to the house, and nobody has confirmed it.
    :raises NoOpenDay, NoPool, PoolNotOpen: nothing is paid now, or not from this jackpot.
    :raises SumChanged: the sum is another one than was shown.
    Rules: H7.5, H7.10, H7.31-H7.33, L-P35, L-P39, L-P42, L-P43.
    """
    signs = approval_signs(claim_id, version=version, sum_cents=sum_cents)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    day = lock_open_day(command.room_id)
    table, claim = lock_claim(command, claim_id, version=version)
    if claim.status != Claim.Status.VERIFIED:
        raise NotVerified
    if claim.verified_by_id == approved_by_id:
        raise SameVerifier
    # Under the pool's lock: of two that race, the second one finds what the first left.
    pool = lock_pool(command.room_id, claim.code)
    _check_order(claim, is_first=is_first)
    judged_claim = _judged_now(claim)
    of = payable(pool, claim)
    if of.sum_cents != sum_cents:
        raise SumChanged
    payout, base = _pays(judged_claim, sum_cents, is_decided=is_decided)

    claim.pool, claim.approved_by_id = pool, approved_by_id
    _save_approved(command, claim, payout, base, sum_cents=sum_cents)
    _share_out(command, claim, judged_claim, payout)
    # Of a few cents every share may come to nothing.
    if payout.paid_cents:
        reserve_for_claim(
            command,
            pool,
            day_id=day.pk,
            cents=payout.paid_cents,
            claim_id=claim.pk,
            approved_by_id=approved_by_id,
            rule_book_version_id=claim.rule_book_version_id,
        )
    # What joined since lies on top of the guarantee (A-H7.15).
    seed_cents = judged_claim.jackpot.seed_cents + of.joined_cents
    top_up_to_seed(command, pool, day_id=day.pk, seed_cents=seed_cents, claim_id=claim.pk)

    data = {
        "approved_by_id": approved_by_id,
        "opening": claim.hand.opening_id,
        "sum_cents": sum_cents,
        "paid_cents": payout.paid_cents,
        "base_cents": base.base_cents,
        "house_cents": base.house_cents,
        **({"is_decided": True} if is_decided else {}),
    }
    return changed(table, claim, data, audiences=(*sum_news(command.room_id, {pool.pk}, at=command.at), EVERY_WINDOW))


def _pays(judged_claim: JudgedClaim, sum_cents: int, *, is_decided: bool) -> tuple[Payout, Base]:
    """:raises ClaimFails, HouseDecides: it wins nothing any more; the rules leave it to the house."""
    paid = judged_claim.pays(sum_cents)
    if paid is None:
        raise ClaimFails
    if judged_claim.judged.verdict is Verdict.DECIDE and not is_decided:
        raise HouseDecides
    return paid


def _save_approved(command: Command, claim: Claim, payout: Payout, base: Base, *, sum_cents: int) -> None:
    claim.status, claim.decided_at, claim.decided_by_id = Claim.Status.APPROVED, command.at, command.staff_id
    claim.sum_cents, claim.paid_cents = sum_cents, payout.paid_cents
    claim.base_cents, claim.house_cents = base.base_cents, base.house_cents
    save_claim(
        claim, "pool", "status", "decided_at", "decided_by", "approved_by", "sum_cents", "paid_cents", "base_cents",
        "house_cents",
    )  # fmt: skip


def _judged_now(claim: Claim) -> JudgedClaim:
    """Return what is made of a claim by its hand as the log has it now. :raises HandNotSettled: it was taken back."""
    row = standing_hand(claim)
    if row.status != Hand.Status.SETTLED:
        raise HandNotSettled(hand_number=row.number)
    return judge_entered(claim, claim.entered, seats_of(row))


def _check_order(claim: Claim, *, is_first: bool) -> None:
    """
    Let a claim pass that no other open one of its jackpot comes before; whose cards are not entered may. One query.

    :raises EarlierClaimWaits, SameMomentWaits: another one does, or was hit in the same second.
    """
    others = Claim.objects.filter(room_id=claim.room_id, code=claim.code, status__in=Claim.OPEN).exclude(pk=claim.pk)
    assert claim.hit_at is not None, "a verified claim has its moment"
    for other in others.select_related("table").order_by("called_at", "id"):
        if other.hit_at is None or other.hit_at < claim.hit_at:
            raise EarlierClaimWaits(table_number=other.table.number)
        if other.hit_at == claim.hit_at and not is_first:
            raise SameMomentWaits(table_number=other.table.number)


def _share_out(command: Command, claim: Claim, judged_claim: JudgedClaim, payout: Payout) -> None:
    """Make the share of each who took part, with the slip that waits for it at the cage."""
    cents: Mapping[Role, int] = {
        Role.LOSER: payout.loser_cents,
        Role.WINNER: payout.winner_cents,
        Role.OTHER: payout.other_cents,
    }
    for seat in judged_claim.seats:
        role = judged_claim.roles[seat.seat_number]
        if not cents[role]:
            continue
        share = ClaimShare.objects.create(
            claim=claim, player_id=seat.player_id, seat_number=seat.seat_number, role=role.value, cents=cents[role]
        )
        slip = wait_for(share, seat.player, command)
        ClaimShare.objects.filter(pk=share.pk).update(slip_id=slip.pk)


@service("jackpot.dispute_share")
def dispute_share(command: Command, *, share_id: int, is_disputed: bool) -> Outcome:
    """
    Note that a share is disputed, so that the cage pays it to nobody, or that it is no more.

    :raises NotFound: the room has no such share.
    :raises ShareIsPaid: it has been paid.
    """
    seen = ClaimShare.objects.filter(claim__room_id=command.room_id, id=share_id).first()
    if seen is None:
        raise NotFound(what="share")
    share = ClaimShare.objects.select_for_update(no_key=True, of=("self",)).get(id=share_id)
    if share.paid_at is not None:
        raise ShareIsPaid
    share.is_disputed = is_disputed
    share.save(update_fields=["is_disputed"])
    claim = look_at_claim(command.room_id, share.claim_id)
    data = {"claim": claim.pk, "share": share.pk, "player_id": share.player_id, "is_disputed": is_disputed}
    return Outcome(chain=f"claim.{claim.pk}", data=data, audiences=(CLAIMS,))
