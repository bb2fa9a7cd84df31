"""A claim from the dealer's tap to the floor's word: the table waits, the cards are judged, everything is kept."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from casino import clock
from casino.errors import NotFound, Refusal, Stale
from casino.people.errors import NeedsSecondSignature
from jackpot.errors_claims import (
    CardsNotEntered,
    ChecklistOpen,
    ClaimFails,
    ClaimIsOver,
    ClaimIsVerified,
    HandIsClaimed,
    HandNotSettled,
    NeedsManager,
    NoJackpotHere,
    OwnWitness,
    SeatNotDealtIn,
    SeatTwice,
)
from jackpot.models import Claim, ClaimCheck
from jackpot.rules.claims import Role
from jackpot.selectors.judging import EnteredHand, SeatCards, found_of
from jackpot.services import claims
from tables.errors_hands import TableHeld
from tables.models import Game, Hand, ToDo
from tables.services.corrections import correct_hand, undo_hand
from tables.services.hands import void_hand
from tests.jackpot.beats import BEAT, BOARD, NO_BEAT, Beats
from tests.support.owner import as_owner
from tests.tables.conftest import House, house
from tests.taps import at_desktop, tap

__all__ = ["house"]
pytestmark = pytest.mark.two_houses


@pytest.fixture
def beats(house: House) -> Beats:
    beats = Beats(house)
    beats.open()
    return beats


@pytest.mark.rule("H7.10", "L-P39")
def test_a_called_bad_beat_keeps_the_table_from_dealing_until_it_is_withdrawn(beats: Beats):
    claim = beats.called()

    with pytest.raises(TableHeld):
        beats.house.deal()
    beats.step(claims.withdraw_claim, claim)
    beats.house.deal()

    claim.refresh_from_db()
    assert (claim.status, claim.reason) == ("withdrawn", "mistapped")


def test_a_hand_that_is_played_all_the_same_is_a_fact_and_the_floor_s_to_judge(beats: Beats):
    beats.called()

    hand = beats.house.settle(20_00)

    assert hand.status == Hand.Status.SETTLED
    todo = ToDo.objects.get(kind=ToDo.Kind.HAND_DIFFERS, data__hand_row=hand.pk)
    assert "while_held" in todo.data["what"]


def test_the_hand_in_progress_is_called_settled_and_then_nothing_follows(beats: Beats):
    logged = beats.house.deal(dealt_in=(1, 2, 3, 4, 5, 6, 7))
    hand = Hand.objects.get(hand_id=logged.hand_id)
    claim = beats.entered(beats.called(hand=hand))
    beats.walked(claim)

    with pytest.raises(HandNotSettled):
        beats.step(claims.verify_claim, claim)


def test_the_same_tap_twice_is_one_claim_and_another_hand_waits(beats: Beats):
    first, claim = beats.played(), beats.called(hand=beats.played())

    assert beats.called(hand=claim.hand).pk == claim.pk
    with pytest.raises(HandIsClaimed):
        beats.called(hand=first)
    with pytest.raises(NotFound):
        beats.house.tap(
            claims.call_bad_beat,
            beats.house.cast.anna,
            table_id=beats.house.table_id(2),
            hand_id=claim.hand.hand_id,
        )


def test_a_game_without_a_jackpot_has_no_claims(beats: Beats):
    hand = beats.played()
    with as_owner():
        Game.objects.filter(pk=hand.opening.game_id).update(charges={})

    with pytest.raises(NoJackpotHere):
        beats.called(hand=hand)


@pytest.mark.rule("H7.11", "H7.22", "L-P34")
def test_entered_cards_are_judged_by_who_was_dealt_in_and_present(beats: Beats):
    claim = beats.entered()

    assert (claim.status, claim.verdict, claim.category) == ("entered", "qualifies", 1)
    roles = found_of(claim).roles
    assert roles == {1: Role.LOSER, 2: Role.WINNER, **dict.fromkeys((3, 4, 5, 6, 7), Role.OTHER)}

    # Four of the seven were not at their seats: three are too few (H7.3, H7.4).
    away = EnteredHand(board=BOARD, hands=BEAT.hands, away_seats=(4, 5, 6, 7))
    assert beats.entered(claim, away).verdict == "fails"
    assert beats.entered(claim, NO_BEAT).verdict == "fails"


@pytest.mark.parametrize(
    ("hand", "refusal"),
    [
        (EnteredHand(board=BOARD, hands=(SeatCards(8, "Ac Kc"), SeatCards(2, "7h 7s"))), SeatNotDealtIn),
        (EnteredHand(board=BOARD, hands=BEAT.hands, away_seats=(9,)), SeatNotDealtIn),
        (EnteredHand(board=BOARD, hands=(*BEAT.hands[:1], SeatCards(1, BEAT.hands[1].cards))), SeatTwice),
        (EnteredHand(board=BOARD, hands=BEAT.hands, away_seats=(2,)), SeatTwice),
        (EnteredHand(board=BOARD, hands=(SeatCards(1, "As Kc"), SeatCards(2, "7h 7s"))), Refusal),
        (EnteredHand(board="As Ah", hands=BEAT.hands), Refusal),
    ],
)
def test_cards_that_cannot_be_are_refused_and_nothing_is_kept_of_them(
    beats: Beats, hand: EnteredHand, refusal: type[Refusal]
):
    claim = beats.called()

    with pytest.raises(refusal):
        beats.entered(claim, hand)

    claim.refresh_from_db()
    assert (claim.status, claim.entered) == ("called", {})


@pytest.mark.rule("H7.14")
def test_a_claim_is_hit_when_the_later_of_both_hands_is_seen_to_the_second(beats: Beats):
    claim = beats.called()
    at = claim.called_at.replace(microsecond=0)

    shown: dict[str, Any] = {
        "winning_shown_at": at - timedelta(seconds=50),
        "losing_shown_at": at - timedelta(seconds=35),
    }
    claim = beats.entered(claim, last_card_at=at - timedelta(seconds=90), **shown)
    assert claim.hit_at == at - timedelta(seconds=35)
    # Shown before, all-in: the river decides.
    claim = beats.entered(claim, last_card_at=at - timedelta(seconds=20), **shown)
    assert claim.hit_at == at - timedelta(seconds=20)
    # E-H7.14a: at a showdown nobody looks when the river came, and the tap comes after all of it.
    claim = beats.entered(claim, **shown)
    assert claim.hit_at == at - timedelta(seconds=35)
    with clock.frozen(beats.house.at):
        page = at_desktop(beats.house.cast.frans).get(f"/jackpot/claims/{claim.pk}/").content.decode()
    losing = f"{(at - timedelta(seconds=35)).astimezone(ZoneInfo(beats.house.cast.room.time_zone)):%H:%M:%S}"
    assert f'name="losing_shown_at_clock" inputmode="numeric" maxlength="8" value="{losing}"' in page
    assert 'name="last_card_at_clock" inputmode="numeric" maxlength="8" value=""' in page
    assert beats.entered(claim).hit_at == at, "where nobody knows any, it is the dealer's tap"


@pytest.mark.rule("H7.14")
def test_a_page_names_when_hands_were_shown_by_the_rooms_clock(beats: Beats):
    claim, floor = beats.called(), at_desktop(beats.house.cast.frans)
    shown_at = claim.called_at.replace(microsecond=0) - timedelta(seconds=35)
    by_clock = f"{shown_at.astimezone(ZoneInfo(beats.house.cast.room.time_zone)):%H:%M:%S}"
    fields: dict[str, Any] = {"board": BOARD, "cards_1": "Ac Kc", "cards_2": "7h 7s", "version": claim.version}

    answers = [
        tap(floor, f"/jackpot/claims/{claim.pk}/hands/", **fields, losing_shown_at_clock=text)
        for text in ("25:00", by_clock)
    ]

    assert [answer.status_code for answer in answers] == [400, 200]
    claim.refresh_from_db()
    assert claim.hit_at == shown_at


@pytest.mark.rule("H7.10", "L-P39")
def test_the_checklist_is_walked_whole_before_the_floor_verifies(beats: Beats):
    claim = beats.entered()

    frans = beats.house.cast.frans.pk
    with pytest.raises(OwnWitness):
        beats.house.tap(claims.tick_check, claim_id=claim.pk, item="witnesses", witness_id=frans)
    for item in ClaimCheck.Item.values:
        with pytest.raises(ChecklistOpen):
            beats.step(claims.verify_claim, claim)
        beats.tick(claim, item)
    beats.tick(claim, "deck")
    claim = beats.step(claims.verify_claim, claim)

    assert (claim.status, claim.verified_by) == ("verified", beats.house.cast.frans)
    assert ClaimCheck.objects.filter(claim=claim).count() == 5, "the same twice is once"
    beats.house.deal()
    with pytest.raises(ClaimIsVerified):
        beats.entered(claim)
    with pytest.raises(ClaimIsVerified):
        beats.step(claims.verify_claim, claim)


def test_what_fails_is_not_verified_and_the_floor_refuses_it_alone(beats: Beats):
    claim = beats.called()
    with pytest.raises(CardsNotEntered):
        beats.step(claims.refuse_claim, claim, reason="talk")
    claim = beats.walked(beats.entered(claim, NO_BEAT))
    with pytest.raises(ClaimFails):
        beats.step(claims.verify_claim, claim)

    claim = beats.step(claims.refuse_claim, claim, reason="does_not_qualify")

    assert (claim.status, claim.reason) == ("refused", "does_not_qualify")
    assert claim.entered["board"], "a refused claim keeps its cards"
    assert claim.checks.count() == 5
    beats.house.deal()
    with pytest.raises(ClaimIsOver):
        beats.entered(claim)


@pytest.mark.rule("L-P45")
def test_what_could_be_paid_is_refused_by_a_manager_s_signature_alone(beats: Beats):
    cast = beats.house.cast
    hand = EnteredHand(board=BOARD, hands=BEAT.hands, told=True)
    claim = beats.entered(hand=hand)
    assert claim.verdict == "decide"

    refusal: dict[str, Any] = {"claim_id": claim.pk, "version": claim.version, "reason": "talk"}
    with pytest.raises(NeedsManager):
        beats.house.tap(claims.refuse_claim, **refusal)
    signing = beats.signed(cast.frans, cast.mari, signs=claims.refusal_signs(claim.pk, reason="deck"))
    with pytest.raises(NeedsSecondSignature):
        claims.refuse_claim(signing, **refusal, approved_by_id=cast.mari.pk)
    signing = beats.signed(cast.frans, cast.mari, signs=claims.refusal_signs(claim.pk, reason="talk"))
    claims.refuse_claim(signing, **refusal, approved_by_id=cast.mari.pk)

    claim.refresh_from_db()
    assert (claim.status, claim.reason, claim.approved_by) == ("refused", "talk", cast.mari)


def test_a_disputed_claim_keeps_everything_and_the_table_deals_on(beats: Beats):
    claim = beats.step(claims.dispute_claim, beats.entered(), reason="cards")

    assert claim.is_disputed
    assert (claim.status, claim.disputed) == ("entered", "cards")
    # The next one holds the table again, and what becomes of the first lets nobody deal.
    second = beats.called()
    beats.step(claims.refuse_claim, beats.entered(claim, NO_BEAT), reason="does_not_qualify")
    with pytest.raises(TableHeld):
        beats.house.deal()
    beats.step(claims.withdraw_claim, second)
    beats.house.deal()


def test_a_claim_that_changed_since_the_screen_showed_it_is_stale(beats: Beats):
    claim = beats.called()
    beats.entered(claim)

    with pytest.raises(Stale):
        beats.house.tap(claims.withdraw_claim, claim_id=claim.pk, version=claim.version)
    claim.refresh_from_db()
    with pytest.raises(ClaimIsVerified):
        beats.step(claims.withdraw_claim, claim)


def test_a_hand_logged_again_is_judged_by_who_was_in_it_then(beats: Beats):
    hand = beats.played()
    claim = beats.called(hand=hand)
    beats.house.tap(undo_hand, beats.house.cast.anna, table_id=hand.table_id, hand_id=hand.hand_id)
    again = beats.house.settle(120_00, winners=(2,), dealt_in=(1, 2, 3), again_of=hand.hand_id)

    assert again.number == hand.number
    assert beats.entered(claim).verdict == "fails", "three were in it as it was logged again"
    assert Claim.objects.count() == 1


def test_a_claim_can_be_read_and_goes_on_whatever_its_hand_was_corrected_to(beats: Beats):
    house, claim = beats.house, beats.entered()
    without = house.logged(120_00, winners=(2,), dealt_in=(2, 3, 4, 5, 6, 7))
    house.tap(correct_hand, table_id=claim.table_id, hand_row_id=claim.hand_id, hand=without, reason="wrong_pot")

    with clock.frozen(house.at):
        client = at_desktop(house.cast.frans)
        page = client.get(f"/jackpot/claims/{claim.pk}/")
        call = client.get(f"/api/v1/jackpot/claims/{claim.pk}")

    assert (page.status_code, call.status_code) == (200, 200)
    assert "Seat 1 was not in this hand." in page.content.decode()
    assert call.json()["points"] == []
    with pytest.raises(SeatNotDealtIn):
        beats.step(claims.verify_claim, beats.walked(claim))
    beats.entered(claim, EnteredHand(board=BOARD, hands=(SeatCards(2, "7h 7s"), SeatCards(3, "Ac Kc"))))
    assert beats.step(claims.verify_claim, claim).status == "verified"


def test_a_void_hand_wins_nothing_by_the_hand_that_has_its_number(beats: Beats):
    house = beats.house
    logged = house.deal(dealt_in=(1, 2, 3, 4, 5, 6, 7))
    claim = beats.called(hand=Hand.objects.get(hand_id=logged.hand_id))
    house.tap(void_hand, house.cast.anna, table_id=claim.table_id, hand=logged, reason="void")
    again = house.settle(120_00, winners=(2,), dealt_in=(1, 2, 3, 4, 5, 6, 7))

    assert again.number == claim.hand.number
    with pytest.raises(HandNotSettled):
        beats.verified(beats.entered(claim))


def test_cards_of_a_verified_claim_are_entered_anew_once_it_is_disputed(beats: Beats):
    house, claim = beats.house, beats.verified()
    other = beats.called()
    claim = beats.step(claims.dispute_claim, claim, reason="cards")
    with clock.frozen(house.at):
        page = at_desktop(house.cast.frans).get(f"/jackpot/claims/{claim.pk}/").content.decode()

    claim = beats.entered(claim, EnteredHand(board=BOARD, hands=(SeatCards(3, "Ac Kc"), SeatCards(2, "7h 7s"))))

    assert 'name="cards_3"' in page
    assert (claim.status, found_of(claim).roles[3]) == ("entered", Role.LOSER)
    assert beats.step(claims.verify_claim, claim).status == "verified"
    with pytest.raises(TableHeld):
        house.deal()
    assert claims.holding(house.table()) == other
