"""The floor corrects a hand of the open day: by reversal, and what lies in the boxes stays there."""

import uuid

import pytest

from casino.errors import Malformed, Refusal
from tables.errors import NoSuchSeat
from tables.models import BoxDifference, Hand, ToDo
from tables.rules.logged import LoggedHand
from tables.rules.reasons import CORRECTION_REASONS, VOID_REASONS
from tables.services.corrections import correct_hand, void_settled_hand
from tables.views import floor_words
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses

SIX = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 4, "Pekka": 5, "Jo": 6}


@pytest.mark.rule("L-O6", "L-O23", "L-O47")
@pytest.mark.helsinki
@pytest.mark.parametrize(("typed", "dropped"), [(40_00, 2_00), (860_00, 10_00)])
def test_a_correction_computes_anew_keeps_what_lies_in_the_box_and_touches_no_later_hand(
    house: House, typed: int, dropped: int
) -> None:
    table = house.open(1, **SIX)
    old = house.settle(typed, winners=(1,))
    house.settle(20_00)
    positions = house.positions()

    house.tap(
        correct_hand, table_id=table.pk, hand_row_id=old.pk, hand=house.logged(80_00, winners=(2,)), reason="wrong_pot"
    )

    new = Hand.objects.get(corrects=old)
    old.refresh_from_db()
    assert (old.status, new.status, new.number, new.dealer_id) == ("corrected", "settled", 1, house.cast.anna.pk)
    # The box holds what was dropped; what was due is another thing.
    assert (new.due("rake"), new.taken("rake")) == (4_00, dropped)
    assert new.settled_at == old.settled_at
    assert new.seats.count() == 6
    assert house.positions() == positions
    assert house.figures()["rake_box"] == dropped + 1_00
    assert not BoxDifference.objects.exists()


def test_a_correction_that_says_what_lies_in_the_box_leaves_no_difference_there(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    old = house.settle(80_00)

    corrected = house.logged(40_00, taken={"rake": 2_00})
    house.tap(correct_hand, table_id=table.pk, hand_row_id=old.pk, hand=corrected, reason="wrong_taken")

    assert house.figures()["rake_box"] == 2_00
    assert not BoxDifference.objects.exists()


def test_a_corrected_hand_that_is_voided_leaves_what_the_correction_found_in_the_box(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    old = house.settle(80_00)
    corrected = house.logged(40_00, taken={"rake": 2_00})
    house.tap(correct_hand, table_id=table.pk, hand_row_id=old.pk, hand=corrected, reason="wrong_taken")
    new = Hand.objects.get(corrects=old)

    house.tap(void_settled_hand, table_id=table.pk, hand_row_id=new.pk, reason="void")

    assert house.figures() | {"rake_box": 0, "in_play": 400_00} == house.figures()
    assert BoxDifference.objects.get().cents == 2_00


@pytest.mark.helsinki
@pytest.mark.rule("H1.88")
def test_a_correction_may_say_who_was_dealt_in_and_where_the_blinds_were(house: House) -> None:
    table = house.open(1, **SIX)
    old = house.settle(40_00, dealt_in=(1, 2, 3, 4, 5))
    assert old.due("drop") == 0

    corrected = house.logged(40_00, dealt_in=(1, 2, 3, 4, 5, 6), button=1, small_blind=2, big_blind=3)
    house.tap(correct_hand, table_id=table.pk, hand_row_id=old.pk, hand=corrected, reason="wrong_taken")

    new = Hand.objects.get(corrects=old)
    assert sorted(new.seats.values_list("seat_number", flat=True)) == [1, 2, 3, 4, 5, 6]
    assert (new.button_seat, new.big_blind_seat, new.due("drop")) == (1, 3, 1_00)
    assert old.seats.count() == 5


@pytest.mark.helsinki
def test_a_correction_that_cannot_be_read_is_refused_and_changes_nothing(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    old = house.settle(40_00)
    unreadable: list[tuple[LoggedHand, str, type[Refusal]]] = [
        (LoggedHand(uuid.uuid4(), winners=()), "wrong_pot", Malformed),
        (house.logged(40_00, winners=(12,)), "wrong_pot", NoSuchSeat),
        (LoggedHand(old.hand_id, winners=((1,),), pots=(20_00,)), "wrong_pot", Malformed),
        (house.logged(20_00), "somebody_was_drunk", Malformed),
    ]

    for hand, reason, refusal in unreadable:
        with pytest.raises(refusal):
            house.tap(correct_hand, table_id=table.pk, hand_row_id=old.pk, hand=hand, reason=reason)

    old.refresh_from_db()
    assert old.status == "settled"
    assert house.figures()["rake_box"] == 2_00


def test_the_words_of_the_floor_are_those_of_the_rules() -> None:
    assert set(floor_words.CORRECTION_REASONS) == CORRECTION_REASONS
    assert set(floor_words.VOID_REASONS) == VOID_REASONS


def test_a_correction_settles_what_was_to_be_judged_about_the_hand(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    old = house.settle(40_00, taken={"rake": 1_00})

    corrected = house.logged(20_00, taken={"rake": 1_00})
    house.tap(correct_hand, table_id=table.pk, hand_row_id=old.pk, hand=corrected, reason="wrong_pot")

    assert not ToDo.objects.filter(done_at=None).exists()


@pytest.mark.helsinki
@pytest.mark.rule("H1.90")
def test_a_correction_to_no_flop_keeps_a_pot_only_where_it_is_raked(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    hand = house.settle(86_00)

    house.tap(
        correct_hand,
        table_id=house.table_id(),
        hand_row_id=hand.pk,
        hand=house.logged(86_00, is_without_flop=True, taken={"rake": 0}),
        reason="wrong_pot",
    )

    new = Hand.objects.get(corrects=hand)
    assert (new.street, new.pot_cents, new.due("rake"), new.beyond_initial_deal_at) == ("initial", None, 0, None)


@pytest.mark.helsinki
def test_a_voided_hand_leaves_the_later_ones_alone(house: House) -> None:
    table = house.open(1, **SIX)
    first = house.settle(40_00)
    second = house.settle(40_00)
    button = house.table().opening.last  # type: ignore[union-attr]  # the table is open

    house.tap(void_settled_hand, table_id=table.pk, hand_row_id=first.pk, reason="void")

    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == ("void", "settled")
    assert house.table().opening.last == button  # type: ignore[union-attr]  # the table is open
    assert house.figures() | {"rake_box": 2_00, "jackpot_box": 1_00} == house.figures()
    left = BoxDifference.objects.order_by("id").values_list("kind", "cents")
    assert list(left) == [("rake", 2_00), ("drop", 1_00)]


@pytest.mark.parametrize("reason", ["logged_twice", "wrong_table"])
def test_nothing_lies_in_the_box_for_a_hand_that_this_table_never_played(house: House, reason: str) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    hand = house.settle(86_00)

    house.tap(void_settled_hand, table_id=house.table_id(), hand_row_id=hand.pk, reason=reason)

    assert house.figures()["rake_box"] == 0
    assert not BoxDifference.objects.exists()
