"""Hands that are put right: a claim follows its own hand, and drops are taken back from the pool that got them."""

from typing import Any

import pytest
from django.db import connection

from casino.ledger.proof import problems
from casino.rooms.selectors import lock_open_day, rule_book_in_force
from jackpot.errors_claims import HandIsClaimed, HandNotSettled
from jackpot.models import Claim, ClaimShare, Collection, Pool
from jackpot.selectors.judging import standing_hand
from jackpot.selectors.pools import figures, proof_of
from jackpot.selectors.takings import pending_by_pool
from jackpot.services import claims
from tables.models import Hand, Seating
from tables.services.corrections import correct_hand, undo_hand, void_settled_hand
from tables.services.moving import move_player
from tests.jackpot.beats import SEVEN, Beats, base_sum
from tests.jackpot.books import AT_ONCE, TWO, put_in_force, second_pool
from tests.jackpot.test_takings import end_day, minute
from tests.support.owner import as_owner
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses


@pytest.fixture
def beats(house: House) -> Beats:
    return Beats(house)


def undo(beats: Beats, hand: Hand) -> None:
    beats.house.tap(undo_hand, beats.house.cast.anna, table_id=hand.table_id, hand_id=hand.hand_id)


def void(beats: Beats, hand: Hand) -> None:
    beats.house.tap(void_settled_hand, table_id=hand.table_id, hand_row_id=hand.pk, reason="void")


def sound(beats: Beats) -> None:
    assert [problem for problem in problems(beats.house.room_id) if problem.what != "event"] == []
    for pool in Pool.objects.all():
        assert proof_of(pool).agrees


def test_a_claim_does_not_follow_another_hand_that_got_its_undone_hands_number(beats: Beats) -> None:
    beats.open()
    claim = beats.step(claims.dispute_claim, beats.entered(), reason="cards")
    undo(beats, claim.hand)
    other = beats.played()

    assert other.number == claim.hand.number
    assert standing_hand(claim) == claim.hand
    with pytest.raises(HandNotSettled):
        beats.verified(claim)
    # And that other hand may be a bad beat of its own.
    assert beats.called(hand=other).hand == other


def test_a_claim_follows_its_hand_through_undo_log_and_correction_whatever_number_it_gets(beats: Beats) -> None:
    beats.open()
    hand = beats.played()
    claim = beats.called(hand=hand)
    undo(beats, hand)
    again = beats.house.settle(120_00, winners=(2,), dealt_in=tuple(SEVEN.values()), again_of=hand.hand_id)
    right = beats.house.logged(130_00, winners=(2,), dealt_in=tuple(SEVEN.values()))
    beats.house.tap(correct_hand, table_id=hand.table_id, hand_row_id=again.pk, hand=right, reason="wrong_pot")
    # Called again under the id that the tablet has now: the same claim, and no second one.
    with pytest.raises(HandIsClaimed):
        beats.called(hand=again)
    assert standing_hand(claim).hand_id == right.hand_id
    beats.sum(12_345_67)
    approved = beats.approved(beats.verified(beats.entered(claim)))

    assert (approved.status, Claim.objects.count()) == ("approved", 1)
    with pytest.raises(HandIsClaimed):
        beats.called(hand=Hand.objects.get(pk=again.pk))


def test_a_late_claim_pays_who_was_in_the_hand_and_not_who_sits_there_by_then(beats: Beats) -> None:
    """Kai won it in seat 2 and was moved before anybody called; Noora took the seat."""
    house = beats.house
    beats.open()
    beats.open(2, seats={"Otto": 1})
    hand = beats.played()
    kai = Seating.objects.get(table=house.table(), seat_number=2, left_at=None)
    there: dict[str, Any] = {"to_table_id": house.table_id(2), "seat_number": 5, "stack_cents": 200_00}
    house.tap(move_player, table_id=house.table_id(), seating_id=kai.pk, **there)
    house.seat("Noora", 2)
    house.settle(20_00, dealt_in=tuple(SEVEN.values()))
    claim = beats.approved(beats.verified(beats.entered(beats.called(hand=hand))))
    won = ClaimShare.objects.get(claim=claim, role="winner")

    assert (won.player.nickname, won.seat_number) == ("Kai", 2)
    assert not ClaimShare.objects.filter(player=house.player("Noora")).exists()
    beats.pay(won)
    sound(beats)


@pytest.mark.helsinki
@pytest.mark.rule("H7.17", "H7.33")
def test_what_is_taken_back_of_a_pool_that_was_paid_out_is_covered_by_the_house_and_by_no_other_pool(
    beats: Beats,
) -> None:
    second_pool(beats.house)
    beats.open()
    hand, other = beats.played(), beats.played()
    beats.wound_down("small", shares={"Lee": 1_002_00})
    beats.played()
    for each in (hand, other):
        void(beats, each)
    sums = [base_sum(beats.house.room_id, code) for code in ("bad-beat", "small")]
    end_day(beats.house)
    ended = Pool.objects.get(code="small")

    assert sums == [1_000_00, 0]
    # What was dropped after the end feeds the other one, and nothing is taken from that.
    assert [base_sum(beats.house.room_id, code) for code in ("bad-beat", "small")] == [1_001_00, 0]
    assert (figures(ended.pk)["takings"], figures(ended.pk)["seed"]) == (0, -1_002_00)
    assert [(each.pool.code, each.cents) for each in Collection.objects.filter(puts_right=ended)] == [
        ("small", -1_00)
    ] * 2
    sound(beats)


@pytest.mark.slow
@pytest.mark.helsinki
@pytest.mark.rule("H7.17", "H7.33")
def test_what_is_taken_back_comes_first_from_where_it_went_and_only_the_rest_from_who_was_paid_out(
    beats: Beats,
) -> None:
    """
    Two hands dropped 1.00 each for the small jackpot, which was paid out. The first was corrected to 3.00: its 2.00
    more went to the bad beat jackpot, beside 1.00 of a hand of then. Both are voided: of 4.00 the bad beat jackpot
    gives its 2.00 back and keeps the 1.00, and the house covers the 2.00 that players of the small one got.
    """
    second_pool(beats.house, TWO.replace('takings_join = "day_end"', 'takings_join = "at_once"'))
    beats.open()
    hand, other = beats.played(), beats.played()
    beats.wound_down("small", shares={"Lee": 1_002_00})
    right = beats.house.logged(120_00, winners=(2,), dealt_in=tuple(SEVEN.values()), taken={"drop": 3_00})
    beats.house.tap(correct_hand, table_id=hand.table_id, hand_row_id=hand.pk, hand=right, reason="wrong_pot")
    beats.played()
    minute(beats.house)
    room_id, bad_beat, small = beats.house.room_id, Pool.objects.get(code="bad-beat"), Pool.objects.get(code="small")
    went = base_sum(room_id, "bad-beat")
    void(beats, other)
    _version_id, book = rule_book_in_force(room_id, at=beats.house.at)
    day_id = lock_open_day(room_id).pk
    one = pending_by_pool(room_id, day_id, book)
    void(beats, Hand.objects.get(hand_id=right.hand_id))
    both = pending_by_pool(room_id, day_id, book)
    minute(beats.house)

    assert (went, one, both) == (1_003_00, {small.pk: -1_00}, {small.pk: -2_00, bad_beat.pk: -2_00})
    # The displayed sum falls for it no more than for any drop that is taken back: later ones cover it.
    assert (base_sum(room_id, "bad-beat"), figures(bad_beat.pk)["takings"]) == (1_003_00, -2_00)
    assert (figures(small.pk)["takings"], figures(small.pk)["seed"]) == (0, -1_002_00)
    back = Collection.objects.filter(puts_right=small, cents__lt=0).order_by("id")
    assert [(each.pool.code, each.cents) for each in back] == [("bad-beat", -2_00), ("small", -1_00), ("small", -1_00)]
    for _ in range(3):
        beats.played()
    minute(beats.house)
    assert base_sum(room_id, "bad-beat") == 1_004_00
    sound(beats)


@pytest.mark.helsinki
def test_what_is_taken_back_of_a_pool_that_was_moved_is_taken_from_who_has_its_money(beats: Beats) -> None:
    second_pool(beats.house)
    beats.open()
    hand = beats.played()
    beats.wound_down("small", "bad-beat")
    beats.played()
    void(beats, hand)
    end_day(beats.house)

    assert base_sum(beats.house.room_id, "bad-beat") == 2_001_00
    assert Collection.objects.get(puts_right__code="small").pool.code == "bad-beat"
    sound(beats)


def test_what_was_collected_before_a_collection_named_its_hand_is_not_collected_again(beats: Beats) -> None:
    put_in_force(beats.house, AT_ONCE)
    beats.open()
    hand, other = beats.played(), beats.played()
    minute(beats.house)
    void(beats, hand)
    minute(beats.house)
    with as_owner(), connection.cursor() as cursor:
        # Before the upgrade one collection put right whatever had been put right until then.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE jackpot_collection DISABLE TRIGGER USER")
        cursor.execute("UPDATE jackpot_collection SET hand_id = NULL")
        cursor.execute("ALTER TABLE jackpot_collection ENABLE TRIGGER USER")
    minute(beats.house)
    void(beats, other)
    minute(beats.house)

    collected = [(each.cents, each.hand) for each in Collection.objects.order_by("id")]
    assert collected == [(2_00, None), (-1_00, None), (-1_00, other)]
    sound(beats)


@pytest.mark.slow
@pytest.mark.helsinki
@pytest.mark.parametrize("how", ["void", "correct", "again"])
def test_a_hand_is_put_right_in_the_pool_that_it_fed_whatever_its_game_feeds_since(beats: Beats, how: str) -> None:
    """The book named the bad beat jackpot first; now it has another one before it, which is also fed at once."""
    house = beats.house
    second_pool(house, AT_ONCE.replace("[[jackpots]]", _small(), 1))
    put_in_force(house, AT_ONCE)
    beats.open()
    hand = beats.played()
    minute(house)
    put_in_force(house, AT_ONCE.replace("[[jackpots]]", _small(), 1))
    if how == "correct":
        right = house.logged(120_00, winners=(2,), dealt_in=tuple(SEVEN.values()), taken={"drop": 0})
        house.tap(correct_hand, table_id=hand.table_id, hand_row_id=hand.pk, hand=right, reason="wrong_pot")
    else:
        (undo if how == "again" else void)(beats, hand)
    if how == "again":
        house.settle(120_00, winners=(2,), dealt_in=tuple(SEVEN.values()), again_of=hand.hand_id)
    beats.played()
    minute(house)
    fed, other = Pool.objects.get(code="bad-beat"), Pool.objects.get(code="first")

    assert base_sum(house.room_id, "bad-beat") == 1_001_00
    assert figures(fed.pk)["takings"] == (0 if how == "again" else -1_00)
    assert (base_sum(house.room_id, "first"), figures(other.pk)["takings"]) == (1_001_00, 0)
    sound(beats)


def _small() -> str:
    text = AT_ONCE[AT_ONCE.index("[[jackpots]]") : AT_ONCE.index("[[games]]")]
    return text.replace('"bad-beat"', '"first"').replace('"Bad beat jackpot"', '"First jackpot"') + "[[jackpots]]"
