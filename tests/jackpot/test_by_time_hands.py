"""Hands and seats across a table's agreement to pay by the time: what was begun before it is not cut off (H7.18)."""

from datetime import timedelta

import pytest

from tables.errors import HandBeforeChange, HandToLogAgain
from tables.models import BoxDifference, Hand, Seating, ToDo
from tables.selectors.dealer import dealer_screen
from tables.services.corrections import correct_hand, undo_hand
from tables.services.disputes import set_pot_aside
from tables.services.moving import move_player, take_back_move
from tables.services.opening import close_table, open_table
from tables.services.seating import leave_seat, take_back_leaving
from tables.services.stakes import change_stakes
from tables.services.time_charges import take_back_time
from tests.jackpot.test_by_time import by_hand, by_time, sitting, take
from tests.jackpot.test_takings import SIX, sound
from tests.tables.conftest import House


def undo(house: House, hand: Hand) -> None:
    house.tap(undo_hand, house.cast.anna, table_id=house.table_id(), hand_id=hand.hand_id)


@pytest.mark.rule("H7.18", "L-P23")
def test_a_hand_that_was_undone_is_logged_again_before_the_table_goes_on_otherwise(house):
    house.open(1, **SIX)
    undone = house.settle(40_00)
    undo(house, undone)
    with pytest.raises(HandToLogAgain, match="Hand 1"):
        by_time(house)
    game = house.game("No limit hold'em 5/5")
    with pytest.raises(HandToLogAgain):
        house.tap(change_stakes, table_id=house.table_id(), game_id=game.pk, consents=sitting(house))
    again = house.settle(40_00, again_of=undone.hand_id)
    by_time(house)
    assert (again.taken("drop"), house.figures()["jackpot_box"]) == (1_00, 1_00)
    # The next hand may be undone as before, and then by hand again has to wait too.
    take_it = house.settle(40_00)
    take(house, 1)
    undo(house, take_it)
    with pytest.raises(HandToLogAgain):
        by_hand(house)


def test_the_hand_before_is_still_the_last_one_and_no_longer_the_tablet_s_to_undo(house):
    house.open(1, **SIX)
    hand = house.settle(40_00)
    by_time(house)

    last = dealer_screen(room_id=house.room_id, number=1).last
    assert last is not None
    assert (last.hand_id, last.can_undo, last.before) == (str(hand.hand_id), False, None)
    with pytest.raises(HandBeforeChange, match="The floor corrects it"):
        undo(house, hand)
    house.tap(set_pot_aside, house.cast.anna, table_id=house.table_id(), hand_id=hand.hand_id)
    assert house.figures()["set_aside"] == 37_00
    # Of another game it is not: that one's last hand is still to come.
    house.tap(
        change_stakes, table_id=house.table_id(), game_id=house.game("No limit hold'em 5/5").pk, consents=sitting(house)
    )
    assert dealer_screen(room_id=house.room_id, number=1).last is None


def test_a_leaving_and_a_move_are_taken_back_after_the_table_went_on_otherwise(house):
    house.open(1, **SIX)
    house.settle(40_00)
    house.tap(open_table, table_id=house.table_id(2), game_id=house.game().pk)
    left, moves = (Seating.objects.get(player=house.player(name), left_at=None) for name in ("Jo", "Pekka"))
    house.tap(leave_seat, table_id=house.table_id(), seating_id=left.pk, stack_cents=200_00)
    moved = house.tap(
        move_player, table_id=house.table_id(), seating_id=moves.pk, to_table_id=house.table_id(2), seat_number=1,
        stack_cents=200_00,
    )  # fmt: skip
    by_time(house)

    left.refresh_from_db()
    house.tap(take_back_leaving, table_id=house.table_id(), seating_id=left.pk, version=left.version)
    house.tap(take_back_move, table_id=house.table_id(2), seating_id=moved.data["to_seating"])

    assert set(sitting(house)) >= {left.pk, moves.pk}
    assert set(Seating.objects.filter(id__in=sitting(house)).values_list("opening", flat=True)) == {
        house.table().opening_id
    }
    assert house.settle(40_00).seats.count() == 6
    sound(house)


@pytest.mark.rule("H7.18")
def test_a_free_hand_that_is_logged_again_after_the_hour_is_free(house):
    house.open(1, **SIX)
    by_time(house)
    first = house.settle(40_00)
    row = take(house, 1)
    by_hand(house)
    house.at = first.dealt_at + timedelta(minutes=59, seconds=50)
    free = house.settle(40_00)
    house.at += timedelta(seconds=30)
    undo(house, free)
    undone = dealer_screen(room_id=house.room_id, number=1).undone
    again = house.settle(40_00, again_of=free.hand_id)

    assert undone is not None
    assert undone.dealt_at == free.dealt_at.isoformat()
    assert (again.dealt_at, again.opening_id, again.due("drop"), again.taken("drop")) == (
        free.dealt_at, free.opening_id, 0, 0,
    )  # fmt: skip
    assert house.settle(40_00).due("drop") == 1_00
    # Nor does it owe when the period is taken back and the hand put right: it was free when it was dealt.
    house.tap(take_back_time, table_id=house.table_id(), time_id=row.pk)
    new = house.logged(40_00, winners=(2,))
    house.tap(correct_hand, table_id=house.table_id(), hand_row_id=again.pk, hand=new, reason="wrong_winner")
    corrected = Hand.objects.get(hand_id=new.hand_id)
    assert (corrected.due("drop"), corrected.taken("drop"), corrected.free_of) == (0, 0, ["drop"])


def test_a_hand_logged_again_belongs_to_the_game_of_the_one_that_was_undone(house):
    house.open(1, **SIX)
    undone = house.settle(40_00)
    undo(house, undone)
    for each in sitting(house):
        house.tap(leave_seat, table_id=house.table_id(), seating_id=each, stack_cents=190_00)
    house.tap(close_table, table_id=house.table_id())
    house.tap(open_table, table_id=house.table_id(), game_id=house.game().pk)

    there = {"button": undone.button_seat, "small_blind": undone.small_blind_seat, "big_blind": undone.big_blind_seat}
    again = house.settle(40_00, again_of=undone.hand_id, dealt_in=tuple(SIX.values()), **there)

    assert (again.opening_id, again.dealt_at, again.taken("drop")) == (undone.opening_id, undone.dealt_at, 1_00)
    assert sum(BoxDifference.objects.values_list("cents", flat=True)) == 0
    assert list(ToDo.objects.filter(done_at=None).values_list("kind", flat=True)) == ["late_fact"]
