"""A verified claim is approved by two and paid at the cage: from the right sum, in the right order, each share once."""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError

from casino.audit.models import Event
from casino.cage.errors import SlipNotWaiting
from casino.cage.open_items import still_open
from casino.cage.selectors.slips import prizes_of, waiting_slips
from casino.cage.selectors.todo import waiting_lines
from casino.cage.services import cancel_slip, reverse_slip
from casino.cage.services.signing import unsigned
from casino.cage.services.voiding import NEEDS as NEEDS_TO_VOID
from casino.errors import Stale
from casino.ledger.proof import problems
from casino.people.errors import NeedsSecondSignature
from casino.people.models import Player
from casino.people.services import add_player
from jackpot.errors_claims import (
    ClaimIsOver,
    EarlierClaimWaits,
    HandNotSettled,
    HouseDecides,
    NotVerified,
    SameMomentWaits,
    SameVerifier,
    ShareDisputed,
    ShareIsPaid,
    ShareStays,
    SumChanged,
)
from jackpot.models import Claim, ClaimShare, Pool
from jackpot.selectors.judging import EnteredHand
from jackpot.selectors.pools import figures
from jackpot.services import approving, claims
from tables.models import Table
from tables.services.corrections import void_settled_hand
from tests.cage.counting import signed
from tests.cast import command
from tests.jackpot.beats import BEAT, BOARD, Beats
from tests.support.locks import meet, without_lock
from tests.tables.conftest import House, house, make_house

__all__ = ["house"]
pytestmark = pytest.mark.two_houses
SIX_MORE = {"Ville": 1, "Riku": 2, "Aino": 3, "Olli": 4, "Elsa": 5, "Nils": 6}


@pytest.fixture
def beats(house: House) -> Beats:
    beats = Beats(house)

    def begun() -> None:
        beats.sum(12_345_67)
        beats.open()

    house.begins(("beats",), begun)
    return beats


def shares_of(claim: Claim) -> dict[int, int]:
    return dict(claim.shares.values_list("seat_number", "cents"))


def pool() -> dict[str, int]:
    return figures(Pool.objects.get().pk)


def proved(room_id: int) -> list[str]:
    """Return what the ledger does not prove, but for the pool's own opening here, which was no command."""
    return [problem.detail for problem in problems(room_id) if problem.what != "event"]


@pytest.mark.helsinki
@pytest.mark.rule("H7.31", "H7.33", "L-P35", "L-P42")
def test_an_approved_claim_leaves_the_sum_at_once_and_waits_at_the_cage_by_name(beats: Beats):
    claim = beats.verified()
    assert beats.sum() == 12_345_67, "verified is not approved"

    claim = beats.approved(claim)

    # 40 %, 20 %, and 4 % for each of five, rounded down (A-H7.10): 12,345.67 of seven players.
    assert shares_of(claim) == {1: 4_938_26, 2: 2_469_13, **dict.fromkeys((3, 4, 5, 6, 7), 493_82)}
    assert (claim.status, claim.paid_cents, claim.base_cents, claim.house_cents) == (
        "approved", 9_876_49, 2_469_18, 0,
    )  # fmt: skip
    assert beats.sum() == 2_469_18, "what rounding leaves stays in the pool"
    assert pool()["pending"] == 9_876_49
    waits = prizes_of(beats.house.room_id, beats.house.player("Kai").pk)
    assert [(slip.kind, slip.amount_cents) for slip in waits] == [("prize", 2_469_13)]
    assert waiting_slips(beats.house.room_id) == [], "a share waits on the card of who comes, not in the queue"
    assert list(waiting_lines(room_id=beats.house.room_id)) == [], "nor does the floor run after anybody"
    assert proved(beats.house.room_id) == []


@pytest.mark.helsinki
@pytest.mark.rule("H7.33", "L-P43")
def test_the_house_puts_in_what_the_next_sum_lacks_of_the_seed(beats: Beats):
    # E-H7.33a
    beats.sum(4_000_00)
    beats.house.open(2)

    claim = beats.approved(beats.verified())

    assert (claim.paid_cents, claim.base_cents, claim.house_cents) == (3_200_00, 1_000_00, 200_00)
    assert beats.sum() == 1_000_00
    assert "table.2.dealer" in Event.objects.latest("id").audiences, "other tables feed it too, and show it"


@pytest.mark.smoke
def test_shares_are_paid_once_from_what_is_pending_in_cash_or_onto_the_deposit(beats: Beats):
    claim = beats.approved(beats.verified())
    first, second, *_rest = claim.shares.order_by("-seat_number")

    slip = beats.pay(first)
    onto_deposit = beats.pay(second, method="deposit")

    assert list(unsigned(beats.house.room_id)) == [onto_deposit]
    assert (slip.status, slip.kind, slip.player, slip.amount_cents) == ("paid", "prize", first.player, first.cents)
    first.refresh_from_db()
    assert first.paid_at is not None
    assert pool()["paid"] == first.cents + second.cents
    assert pool()["pending"] == (claim.paid_cents or 0) - pool()["paid"]
    with pytest.raises(SlipNotWaiting):
        beats.pay(first)
    with pytest.raises(ShareIsPaid):
        beats.house.tap(approving.dispute_share, share_id=first.pk, is_disputed=True)
    assert proved(beats.house.room_id) == []


def test_a_disputed_share_is_paid_to_nobody_until_it_is_let_go(beats: Beats):
    share = beats.approved(beats.verified()).shares.latest("seat_number")
    beats.house.tap(approving.dispute_share, share_id=share.pk, is_disputed=True)

    with pytest.raises(ShareDisputed):
        beats.pay(share)
    with pytest.raises(ShareStays):
        beats.house.tap(cancel_slip, slip_id=share.slip_id)
    beats.house.tap(approving.dispute_share, share_id=share.pk, is_disputed=False)

    assert beats.pay(share).status == "paid"


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_share_that_is_just_being_disputed_is_not_paid(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool
):
    beats = Beats(make_house())
    beats.sum(12_345_67)
    beats.open()
    beats.approved(beats.verified())
    # One for which nobody is asked who they are.
    share = ClaimShare.objects.earliest("cents")
    if not is_locked:
        without_lock(monkeypatch, ClaimShare)

    def pays() -> None:
        # The constraint has the last word.
        last = pytest.raises(IntegrityError, match="claim_share_paid_by_a_slip")
        with pytest.raises(ShareDisputed) if is_locked else last:
            beats.pay(share)

    meet(partial(beats.house.tap, approving.dispute_share, share_id=share.pk, is_disputed=True), pays)

    share.refresh_from_db()
    assert (share.is_disputed, share.paid_at) == (True, None)


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_claim_changes_under_its_tables_lock(committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool):
    beats = Beats(make_house())
    beats.sum(12_345_67)
    beats.open()
    claim = beats.called()
    frans = beats.house.cast.frans
    arguments = {"claim_id": claim.pk, "version": claim.version}
    if not is_locked:
        without_lock(monkeypatch, Table)

    def disputes_too() -> None:
        with pytest.raises(Stale) if is_locked else nullcontext():
            claims.dispute_claim(command(frans, at=beats.house.at), **arguments, reason="players")

    meet(partial(claims.dispute_claim, command(frans, at=beats.house.at), **arguments, reason="cards"), disputes_too)

    claim.refresh_from_db()
    # What the one noted is gone, where the other came in between.
    assert claim.disputed == ("cards" if is_locked else "players")


def test_a_share_that_was_never_handed_over_waits_again(beats: Beats):
    share = beats.approved(beats.verified()).shares.latest("seat_number")
    slip, cast = beats.pay(share), beats.house.cast
    beats.house.at += timedelta(seconds=1)
    signing = signed(cast.carla, cast.frans, f"slip.{slip.pk}", needs=NEEDS_TO_VOID, at=beats.house.at)
    # Meanwhile the record was joined with another, under which the cage finds them.
    kept = beats.house.player("Timo")
    Player.objects.filter(pk=share.player_id).update(merged_into=kept, merged_at=beats.house.at)

    reverse_slip(signing, slip_id=slip.pk, reason="not_handed_over", approved_by_id=cast.frans.pk)

    share.refresh_from_db()
    assert share.paid_at is None
    assert share.slip_id != slip.pk
    assert pool()["paid"] == 0
    assert share.slip_id in {slip.slip_id for slip in prizes_of(beats.house.room_id, kept.pk)}
    assert beats.pay(share).status == "paid"
    assert proved(beats.house.room_id) == []


def test_shares_stay_pending_over_days(beats: Beats):
    share = beats.approved(beats.verified()).shares.latest("seat_number")

    assert ("request", share.slip_id) not in still_open(beats.house.room_id)


def test_nobody_approves_what_they_verified_or_ask_for_and_nobody_unsigned(beats: Beats):
    cast, claim = beats.house.cast, beats.entered()
    with pytest.raises(NotVerified):
        beats.approved(claim)
    beats.walked(claim)
    claim = beats.step(claims.verify_claim, claim, cast.mari)

    with pytest.raises(SameVerifier):
        beats.approved(claim)
    arguments: dict[str, Any] = {"claim_id": claim.pk, "version": claim.version, "sum_cents": 12_345_67}
    with pytest.raises(NeedsSecondSignature):
        beats.house.tap(approving.approve_claim, cast.frans, **arguments, approved_by_id=cast.mari.pk)
    with pytest.raises(NeedsSecondSignature):
        beats.house.tap(approving.approve_claim, cast.mari, **arguments, approved_by_id=cast.mari.pk)

    assert beats.sum() == 12_345_67


def test_a_sum_that_changed_since_it_was_shown_is_signed_anew(beats: Beats):
    claim = beats.verified()

    with pytest.raises(SumChanged):
        beats.approved(claim, sum_cents=12_345_66)

    assert not ClaimShare.objects.exists()


@pytest.mark.rule("L-P45")
def test_what_the_rules_leave_to_the_house_is_confirmed_by_the_manager(beats: Beats):
    claim = beats.verified(beats.entered(hand=EnteredHand(board=BOARD, hands=BEAT.hands, told=True)))

    with pytest.raises(HouseDecides):
        beats.approved(claim)

    assert beats.approved(claim, is_decided=True).status == "approved"


def two_claims(beats: Beats, *, later: timedelta) -> tuple[Claim, Claim]:
    """Return verified claims of tables 1 and 2; the second was hit `later` than the first."""
    for nickname in SIX_MORE:
        if nickname not in beats.house.cast.players:
            add_named(beats.house, nickname)
    beats.open(2, seats=SIX_MORE)
    first, second = beats.called(1), beats.called(2, hand=beats.played(2, dealt_in=tuple(SIX_MORE.values())))
    at = first.called_at
    beats.entered(first, winning_shown_at=at, losing_shown_at=at, last_card_at=at)
    then = at + later
    beats.entered(second, winning_shown_at=then, losing_shown_at=then, last_card_at=then)
    return beats.verified(first), beats.verified(second)


def add_named(house: House, nickname: str) -> None:
    answer = house.tap(add_player, nickname=nickname)
    house.cast.players[nickname] = Player.objects.get(id=answer.data["player_id"])


@pytest.mark.rule("H7.14")
def test_the_later_of_two_is_paid_from_the_base_that_the_earlier_left(beats: Beats):
    """A-H7.7."""
    second, first = two_claims(beats, later=timedelta(seconds=-5))
    with pytest.raises(EarlierClaimWaits):
        beats.approved(second)

    first, second = beats.approved(first), beats.approved(second)

    assert (first.sum_cents, second.sum_cents) == (12_345_67, first.base_cents)
    left = (second.sum_cents or 0) - (second.paid_cents or 0)
    assert second.house_cents == max(beats.jackpot.seed_cents - left, 0)
    assert beats.sum() == second.base_cents == left + second.house_cents


def test_a_claim_whose_cards_nobody_entered_may_come_before(beats: Beats):
    claim = beats.verified()
    other = beats.called()

    with pytest.raises(EarlierClaimWaits):
        beats.approved(claim)
    beats.step(claims.withdraw_claim, other)

    assert beats.approved(claim).status == "approved"


def test_of_two_in_one_second_the_manager_says_which_is_first(beats: Beats):
    first, second = two_claims(beats, later=timedelta(0))

    with pytest.raises(SameMomentWaits):
        beats.approved(second)

    second = beats.approved(second, is_first=True)
    assert second.sum_cents == 12_345_67
    assert beats.approved(first).sum_cents == second.base_cents


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_claims_racing_are_paid_once_each_from_the_right_sums(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool
):
    beats = Beats(make_house())
    beats.sum(12_345_67)
    beats.open()
    first, second = two_claims(beats, later=timedelta(seconds=5))
    cast = beats.house.cast

    def approves(claim: Claim, sum_cents: int) -> Callable[[], Any]:
        arguments: dict[str, Any] = {"version": claim.version, "sum_cents": sum_cents}
        signing = beats.signed(cast.frans, cast.mari, signs=approving.approval_signs(claim.pk, **arguments))
        return partial(approving.approve_claim, signing, claim_id=claim.pk, approved_by_id=cast.mari.pk, **arguments)

    both = approves(first, 12_345_67), approves(second, 12_345_67)
    if not is_locked:
        without_lock(monkeypatch, Pool)

    # Without the pool's lock the sum is still what it was, and only the order of claims keeps it from going twice.
    with pytest.raises(SumChanged if is_locked else EarlierClaimWaits):
        meet(*both, waits=is_locked)
    with pytest.raises(ClaimIsOver):
        meet(approves(second, 2_469_18), approves(second, 2_469_18))

    for claim in (first, second):
        claim.refresh_from_db()
    assert (first.status, second.status) == ("approved", "approved")
    assert second.sum_cents == first.base_cents == 2_469_18
    assert ClaimShare.objects.count() == 13
    assert proved(beats.house.room_id) == []


@pytest.mark.helsinki
@pytest.mark.rule("H7.17", "H7.33")
@pytest.mark.parametrize("clock_set_back", [0, 30])
def test_what_joins_the_sum_after_the_hit_is_not_paid_of_and_lies_on_the_guarantee(beats: Beats, clock_set_back: int):
    # E-H7.17a, A-H7.6, A-H7.15: the day closed between the hit and the signature.
    beats.sum(4_000_00)
    claim = beats.verified()
    beats.house.at -= timedelta(minutes=clock_set_back)
    joined = beats.joins(500_00)

    with pytest.raises(SumChanged):
        beats.approved(claim, sum_cents=4_500_00)
    claim = beats.approved(claim, sum_cents=4_000_00)

    assert (joined, claim.sum_cents, claim.paid_cents) == (4_500_00, 4_000_00, 3_200_00)
    assert (claim.base_cents, claim.house_cents, beats.sum()) == (1_000_00, 200_00, 1_500_00)
    assert proved(beats.house.room_id) == []


@pytest.mark.helsinki
@pytest.mark.rule("H7.17")
def test_what_had_joined_before_the_hit_is_paid_of_though_the_clock_was_set_back_between(beats: Beats):
    beats.sum(4_000_00)
    beats.house.at += timedelta(minutes=30)
    beats.joins(500_00)
    beats.house.at -= timedelta(minutes=30)

    claim = beats.approved(beats.verified(), sum_cents=4_500_00)

    assert (claim.sum_cents, beats.sum()) == (4_500_00, 1_000_00)


@pytest.mark.slow
@pytest.mark.helsinki
@pytest.mark.rule("H7.17")
@pytest.mark.parametrize("has_moments", [True, False])
def test_what_joined_before_the_call_is_paid_of_though_its_cards_are_entered_by_an_earlier_clock(
    beats: Beats, has_moments: bool
):
    beats.sum(4_000_00)
    beats.joins(500_00)
    beats.house.at += timedelta(minutes=1)
    claim = beats.called()
    hit = beats.house.at.replace(microsecond=0)
    beats.house.at -= timedelta(minutes=30)

    claim = beats.entered(claim, last_card_at=hit if has_moments else None)
    claim = beats.approved(beats.verified(claim), sum_cents=4_500_00)

    assert (claim.hit_at, claim.sum_cents) == (hit, 4_500_00)


@pytest.mark.helsinki
@pytest.mark.rule("H7.17")
def test_what_joined_between_the_hit_and_a_late_call_is_not_paid_of(beats: Beats):
    beats.sum(4_000_00)
    hit = beats.house.at.replace(microsecond=0)
    beats.house.at += timedelta(minutes=1)
    beats.joins(500_00)
    claim = beats.entered(beats.called(), last_card_at=hit)

    claim = beats.approved(beats.verified(claim), sum_cents=4_000_00)

    assert (claim.hit_at, claim.sum_cents) == (hit, 4_000_00)


def test_a_hand_that_was_voided_since_is_not_paid(beats: Beats):
    claim = beats.verified()
    beats.house.tap(void_settled_hand, table_id=claim.table_id, hand_row_id=claim.hand_id, reason="void")

    with pytest.raises(HandNotSettled):
        beats.approved(claim)

    assert beats.sum() == 12_345_67


def test_of_a_sum_too_small_to_share_nothing_is_paid_and_the_house_puts_in_its_seed(beats: Beats):
    beats.sum(1)
    seed = beats.jackpot.seed_cents

    claim = beats.approved(beats.verified())

    assert (claim.status, claim.paid_cents, claim.house_cents, beats.sum()) == ("approved", 0, seed - 1, seed)
    assert not claim.shares.exists()
