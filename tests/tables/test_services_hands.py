"""Hands as dealers log them, and what they post."""

import uuid
from typing import Any

import pytest

from casino.errors import Malformed
from casino.poker.rake import RakePolicy, rake_to_dict
from casino.poker.rake_ways import TierRake
from tables.errors import NoSuchSeat, NothingToUndo, NotYourHand
from tables.models import BoxDifference, Game, Hand, Seating, ToDo
from tables.rules.logged import LoggedHand
from tables.selectors.dealer import dealer_screen
from tables.services.corrections import correct_hand, judge, supply_hand, undo_hand, void_settled_hand
from tables.services.hands import deal_hand, settle_hand, show_flop, skip_hand, void_hand
from tables.services.opening import close_table
from tables.services.seating import leave_seat
from tests.tables.conftest import House

SIX = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 4, "Pekka": 5, "Jo": 6}


@pytest.mark.rule("H1.85", "H1.88")
def test_rake_and_drop_of_a_settled_hand_land_in_their_boxes(house: House) -> None:
    house.open(1, **SIX)

    hand = house.settle(86_00, winners=(2,))

    assert (hand.rake_taken_cents, hand.drop_taken_cents, hand.number) == (4_00, 1_00, 1)
    expected = {"rake_box": 4_00, "jackpot_box": 1_00, "in_play": 1195_00}
    assert house.figures() | expected == house.figures()
    assert house.table().hand is None


@pytest.mark.rule("H1.88")
def test_five_players_drop_nothing(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=4, Pekka=5)

    assert house.settle(86_00).drop_taken_cents == 0


@pytest.mark.rule("H1.90")
def test_a_hand_won_before_the_flop_pays_nothing(house: House) -> None:
    house.open(1, **SIX)

    hand = house.settle(winners=(3,))

    assert (hand.street, hand.rake_due_cents, hand.drop_due_cents, hand.transfer_id) == ("initial", 0, 0, None)
    assert house.figures()["rake_box"] == 0


@pytest.mark.rule("H4.26", "H4.27", "H4.28")
def test_button_and_blinds_go_round(house: House) -> None:
    house.open(1, Lee=1, Kai=4, Timo=7)

    first, second = house.settle(20_00), house.settle(20_00)

    assert (first.small_blind_seat, first.big_blind_seat) == (second.button_seat, second.small_blind_seat)


@pytest.mark.rule("H1.86")
def test_each_pot_keeps_what_was_taken_from_it(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)

    hand = house.settle(18_00, 18_00, 18_00)

    assert list(hand.pots.order_by("index").values_list("cents", "rake_cents")) == [
        (18_00, 1_00),
        (18_00, 1_00),
        (18_00, 0),
    ]


def test_the_settlement_finds_the_hand_that_was_dealt(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    dealt = house.deal()
    house.tap(show_flop, house.cast.anna, table_id=table.pk, hand_id=dealt.hand_id)

    house.tap(
        settle_hand,
        house.cast.anna,
        table_id=table.pk,
        hand=LoggedHand(hand_id=dealt.hand_id, winners=((2,),), pots=(42_00,)),
    )

    hand = Hand.objects.get()
    assert (hand.status, hand.rake_taken_cents, hand.number) == ("settled", 2_00, 1)
    assert hand.beyond_initial_deal_at is not None


def test_a_hand_settled_twice_is_settled_once(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    hand = house.logged(40_00)

    house.tap(settle_hand, house.cast.anna, table_id=table.pk, hand=hand)
    again = house.tap(settle_hand, house.cast.anna, table_id=table.pk, hand=hand)

    assert again.data["known"] is True
    assert house.figures()["rake_box"] == 2_00


def test_a_hand_without_a_winner_cannot_be_read(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)

    with pytest.raises(Malformed):
        house.tap(settle_hand, table_id=table.pk, hand=LoggedHand(hand_id=uuid.uuid4(), winners=()))
    with pytest.raises(NoSuchSeat):
        house.settle(40_00, winners=(11,))


def test_what_differs_from_the_felt_is_recorded_and_left_to_the_floor(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)

    hand = house.settle(
        40_00, winners=(5,), button=3, small_blind=1, big_blind=2, dealt_in=(1, 2, 5), rake_taken_cents=1_00
    )

    assert (hand.button_seat, hand.rake_due_cents, hand.rake_taken_cents) == (3, 2_00, 1_00)
    todo = {row.kind: row for row in ToDo.objects.filter(done_at=None)}
    assert set(todo) == {"hand_differs", "rake_differs"}
    assert {"dealt_in", "empty_seat_dealt_in"} <= set(todo["hand_differs"].data["what"])
    house.tap(judge, table_id=table.pk, todo_id=todo["hand_differs"].pk)
    assert ToDo.objects.filter(done_at=None).count() == 1


@pytest.mark.rule("H3.19", "H3.25", "U38")
def test_a_misdeal_gives_back_button_and_newcomers(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(20_00)
    mika = house.seat("Mika", 4, post=True)
    dealt = house.deal()

    house.tap(void_hand, house.cast.anna, table_id=table.pk, hand=dealt, reason="misdeal")

    mika.refresh_from_db()
    assert mika.entry == "posts"
    assert (house.table().hand_id, house.table().hand_number) == (None, 1)
    again = house.settle(20_00)
    assert again.number == 2
    assert again.button_seat == Hand.objects.get(hand_id=dealt.hand_id).button_seat


@pytest.mark.rule("H4.31")
def test_a_newcomer_who_posted_is_in_the_blinds(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(20_00)
    # The winner of no draw has the highest seat; seat 5 posts behind the big blind.
    mika = house.seat("Mika", 5, post=True)

    hand = house.settle(20_00)

    mika.refresh_from_db()
    assert mika.entry == "in"
    post = hand.seats.get(seat_number=5)
    assert (post.post, post.live_cents) in {("new_player", 2_00), ("big_blind", 2_00)}
    assert table.number == 1


def test_undo_gives_back_everything_but_what_lies_in_the_box(house: House) -> None:
    table = house.open(1, **SIX)
    house.settle(20_00)
    ville = house.seat("Ville", 7, post=True)
    before = house.table().opening
    hand = house.settle(86_00, winners=(2,))

    house.tap(undo_hand, house.cast.anna, table_id=table.pk, hand_id=hand.hand_id)

    opening = house.table().opening
    ville.refresh_from_db()
    hand.refresh_from_db()
    assert opening is not None
    assert before is not None
    assert opening.last == before.last
    assert (ville.entry, hand.status, house.table().hand_number) == ("posts", "undone", 1)
    assert house.figures() | {"rake_box": 1_00, "jackpot_box": 1_00} == house.figures()
    left = BoxDifference.objects.get()
    assert (left.rake_cents, left.drop_cents, left.reason) == (4_00, 1_00, "undo")


def test_undo_is_for_the_dealer_who_logged_the_newest_hand(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    hand = house.settle(40_00)

    with pytest.raises(NotYourHand):
        house.tap(undo_hand, house.cast.dan, table_id=table.pk, hand_id=hand.hand_id)
    house.deal()
    with pytest.raises(NothingToUndo):
        house.tap(undo_hand, house.cast.anna, table_id=table.pk, hand_id=hand.hand_id)


def test_an_undo_that_comes_late_takes_back_no_other_hand_of_the_same_number(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    first = house.settle(40_00)
    house.tap(undo_hand, house.cast.anna, table_id=table.pk, hand_id=first.hand_id)
    second = house.settle(60_00)

    with pytest.raises(NothingToUndo):
        house.tap(undo_hand, house.cast.anna, table_id=table.pk, hand_id=first.hand_id)

    second.refresh_from_db()
    assert (first.number, second.number, second.status) == (1, 1, "settled")


@pytest.mark.parametrize(
    ("pots", "more"),
    [((10**9 + 1,), {}), ((10**9, 1), {}), ((20_00,), {"rake_taken_cents": 10**9 + 1})],
)
def test_pots_beyond_reason_are_a_slip_of_the_finger(house: House, pots: tuple[int, ...], more: dict[str, Any]) -> None:
    house.open(1, Lee=1, Kai=2)

    with pytest.raises(Malformed):
        house.settle(*pots, **more)

    assert house.settle(10**9).pot_cents == 10**9


def test_an_undone_hand_leaves_nothing_to_judge(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    hand = house.settle(40_00, rake_taken_cents=1_00)
    assert ToDo.objects.filter(done_at=None).exists()

    house.tap(undo_hand, house.cast.anna, table_id=table.pk, hand_id=hand.hand_id)

    assert not ToDo.objects.filter(done_at=None).exists()


def test_a_voided_hand_leaves_the_later_ones_alone(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    first = house.settle(40_00)
    second = house.settle(40_00)
    button = house.table().opening.last  # type: ignore[union-attr]  # the table is open

    house.tap(void_settled_hand, table_id=table.pk, hand_row_id=first.pk, reason="void")

    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == ("void", "settled")
    assert house.table().opening.last == button  # type: ignore[union-attr]  # the table is open
    assert house.figures()["rake_box"] == 2_00
    assert BoxDifference.objects.get().rake_cents == 2_00


def test_a_hand_that_was_not_logged_moves_on_and_is_supplied_later(house: House) -> None:
    table = house.open(1, **SIX)
    skipped = house.logged()
    house.tap(skip_hand, house.cast.anna, table_id=table.pk, hand=skipped)
    row = Hand.objects.get(hand_id=skipped.hand_id)
    assert (row.status, ToDo.objects.get().kind) == ("not_logged", "hand_not_logged")
    house.settle(20_00)

    house.tap(
        supply_hand,
        table_id=table.pk,
        hand_row_id=row.pk,
        rake_taken_cents=3_00,
        drop_taken_cents=1_00,
        pot_cents=70_00,
    )

    row.refresh_from_db()
    assert (row.status, row.rake_taken_cents, row.pot_cents) == ("settled", 3_00, 70_00)
    assert house.figures() | {"rake_box": 4_00, "jackpot_box": 2_00} == house.figures()
    assert ToDo.objects.get().done_by_id == house.cast.frans.pk


def test_a_hand_dealt_over_another_leaves_that_one_to_be_supplied(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    abandoned = house.deal()

    later = house.settle(40_00)

    row = Hand.objects.get(hand_id=abandoned.hand_id)
    assert (row.status, later.number) == ("not_logged", 2)
    assert later.button_seat != row.button_seat
    assert ToDo.objects.get().kind == "hand_abandoned"


def test_a_hand_that_comes_after_the_table_closed_is_recorded_and_left_to_the_floor(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    for seating in Seating.objects.filter(table=table):
        house.tap(leave_seat, table_id=table.pk, seating_id=seating.pk, stack_cents=200_00)
    house.tap(close_table, table_id=table.pk)

    late = LoggedHand(uuid.uuid4(), ((1,),), (40_00,), dealt_in=(1, 2), button=1, small_blind=1, big_blind=2)
    house.tap(settle_hand, house.cast.anna, table_id=table.pk, hand=late)

    assert house.figures()["rake_box"] == 2_00
    assert "late_fact" in set(ToDo.objects.values_list("kind", flat=True))
    assert house.table().opening is None


def test_dealing_the_same_hand_twice_deals_it_once(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    hand = house.deal()

    again = house.tap(deal_hand, house.cast.anna, table_id=table.pk, hand=hand)

    assert again.data["known"] is True
    assert Hand.objects.count() == 1


def test_undo_ends_with_the_next_deal_even_where_that_hand_is_undone_too(house: House) -> None:
    house.open(Lee=1, Kai=2, Timo=3)
    first = house.settle(40_00)
    second = house.settle(60_00)
    house.tap(undo_hand, house.cast.anna, table_id=first.table_id, hand_id=second.hand_id)

    with pytest.raises(NothingToUndo):
        house.tap(undo_hand, house.cast.anna, table_id=first.table_id, hand_id=first.hand_id)


@pytest.mark.rule("H4.9")
def test_blinds_are_written_where_the_felt_had_them(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=4)

    hand = house.settle(40_00, button=2, small_blind=3, big_blind=4, dealt_in=(1, 2, 3, 4))

    posts = dict(hand.seats.exclude(post="").values_list("seat_number", "post"))
    assert posts == {3: "small_blind", 4: "big_blind"}


def test_not_logged_said_by_mistake_is_undone_like_a_hand(house: House) -> None:
    table = house.open(1, **SIX)
    skipped = house.logged()
    house.tap(skip_hand, house.cast.anna, table_id=table.pk, hand=skipped)
    screen = dealer_screen(room_id=house.room_id, number=1)
    assert screen.last is not None
    assert screen.last.can_undo

    house.tap(undo_hand, house.cast.anna, table_id=table.pk, hand_id=skipped.hand_id)

    opening = house.table().opening
    assert opening is not None
    assert opening.last is None
    assert not ToDo.objects.filter(done_at=None).exists()
    assert not BoxDifference.objects.exists()
    assert house.settle(86_00).number == 1


def test_a_hand_that_another_dealer_dealt_is_taken_back_by_who_said_that_it_was_not_logged(house: House) -> None:
    table = house.open(1, **SIX)
    dealt = house.logged()
    house.tap(deal_hand, house.cast.anna, table_id=table.pk, hand=dealt)
    house.tap(skip_hand, house.cast.dan, table_id=table.pk, hand=dealt)

    with pytest.raises(NotYourHand):
        house.tap(undo_hand, house.cast.anna, table_id=table.pk, hand_id=dealt.hand_id)
    house.tap(undo_hand, house.cast.dan, table_id=table.pk, hand_id=dealt.hand_id)

    assert Hand.objects.get(hand_id=dealt.hand_id).status == "undone"


def rake_without_flop(house: House) -> None:
    policy = RakePolicy(TierRake(((0, 20_00), (1000_01, 30_00))), is_due_without_flop=True)
    Game.objects.filter(room=house.cast.room).update(rake=rake_to_dict(policy))
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=4, Pekka=5, Jo=6)


@pytest.mark.rule("R-§28")
def test_a_rake_that_is_due_without_a_flop_is_taken_and_the_drop_is_not(house: House) -> None:
    rake_without_flop(house)

    bare = house.settle(1200_00, is_without_flop=True)
    flopped = house.settle(1200_00)

    assert (bare.street, bare.pot_cents, bare.rake_due_cents, bare.drop_due_cents) == ("initial", 1200_00, 30_00, 0)
    assert (flopped.street, flopped.rake_due_cents, flopped.drop_due_cents) == ("beyond", 30_00, 1_00)
    assert not ToDo.objects.exists()


@pytest.mark.rule("R-§28")
def test_a_pot_that_nobody_typed_is_missed_where_it_is_raked_without_a_flop(house: House) -> None:
    rake_without_flop(house)

    house.settle()

    assert ToDo.objects.get().data["what"] == ["pot_missing_no_flop"]


@pytest.mark.rule("H1.90")
def test_a_correction_to_no_flop_keeps_a_pot_only_where_it_is_raked(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    hand = house.settle(86_00)

    house.tap(
        correct_hand,
        table_id=house.table_id(),
        hand_row_id=hand.pk,
        hand=house.logged(86_00, is_without_flop=True, rake_taken_cents=0),
        reason="wrong_pot",
    )

    new = Hand.objects.get(corrects=hand)
    assert (new.street, new.pot_cents, new.rake_due_cents, new.beyond_initial_deal_at) == ("initial", None, 0, None)
