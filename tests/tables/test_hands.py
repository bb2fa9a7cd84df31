"""Hands as dealers log them: what they post, where button and blinds go, and what a dealer takes back."""

import uuid
from dataclasses import replace
from typing import Any

import pytest

from casino.commands.carrying_out import Answer
from casino.errors import Malformed
from casino.poker.rake import RakePolicy, rake_to_dict
from casino.poker.rake_ways import TierRake
from tables.errors import NoSuchSeat, NothingToUndo, NotYourHand
from tables.models import BoxDifference, Game, Hand, Seating, Table, ToDo
from tables.rules.logged import LoggedHand
from tables.selectors.dealer import dealer_screen
from tables.services.corrections import judge, supply_hand, undo_hand
from tables.services.hands import deal_hand, settle_hand, show_flop, skip_hand, void_hand
from tables.services.opening import button_here, record_draw
from tables.services.seating import hold_seat, leave_seat
from tests.cast import TONIGHT
from tests.support.owner import as_owner
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses

THREE = {"Lee": 1, "Kai": 2, "Timo": 3}
FIVE = {**THREE, "Mika": 4, "Pekka": 5}
SIX = {**FIVE, "Jo": 6}


def drawn(house: House, **seats: int) -> Table:
    """Open table 1 and seat players; the draw gives the first button to seat 1."""
    table = house.open(1, **seats)
    house.tap(record_draw, table_id=table.pk, winner_seat=1, seats=list(seats.values()))
    return table


def at_seat(house: House, number: int) -> Seating:
    return Seating.objects.get(table=house.table(), seat_number=number, left_at=None)


def anna(house: House, service: Any, **args: Any) -> Answer:
    """Let the dealer of table 1 tap."""
    return house.tap(service, house.cast.anna, table_id=house.table_id(), **args)


def unsettled() -> LoggedHand:
    """Return a hand of which nobody knows yet who wins it."""
    return LoggedHand(hand_id=uuid.uuid4(), winners=())


# What a settlement posts.


@pytest.mark.helsinki
@pytest.mark.rule("H1.85", "H1.88", "H4.6")
def test_a_settlement_stands_alone_and_pays_rake_and_drop_into_their_boxes(house: House) -> None:
    drawn(house, **SIX)

    hand = house.settle(86_00, winners=(2,))

    assert (hand.status, hand.number, hand.taken("rake"), hand.taken("drop")) == ("settled", 1, 4_00, 1_00)
    expected = {"rake_box": 4_00, "jackpot_box": 1_00, "in_play": 1195_00}
    assert house.figures() | expected == house.figures()
    assert house.positions() == (2, 3, 4)
    assert house.table().hand is None
    assert not ToDo.objects.exists()


@pytest.mark.helsinki
@pytest.mark.rule("H1.88")
def test_five_players_drop_nothing(house: House) -> None:
    house.open(1, **FIVE)

    assert house.settle(86_00).taken("drop") == 0


def test_a_held_seat_is_not_dealt_in(house: House) -> None:
    house.open(1, **SIX)
    anna(house, hold_seat, seating_id=at_seat(house, 6).pk, is_held=True)

    hand = house.settle(40_00)

    assert sorted(hand.seats.values_list("seat_number", flat=True)) == [1, 2, 3, 4, 5]


@pytest.mark.helsinki
@pytest.mark.rule("H1.88", "H1.89")
def test_the_drop_counts_who_was_dealt_in_not_who_sits_there_later(house: House) -> None:
    house.open(1, **SIX)
    dealt = unsettled()
    anna(house, deal_hand, hand=dealt)
    anna(house, leave_seat, seating_id=at_seat(house, 6).pk)

    anna(house, settle_hand, hand=replace(dealt, winners=((2,),), pots=(40_00,)))

    assert Hand.objects.get().taken("drop") == 1_00


@pytest.mark.rule("H1.90")
def test_a_hand_won_before_the_flop_pays_nothing(house: House) -> None:
    house.open(1, **SIX)

    hand = house.settle(winners=(3,))

    assert (hand.street, hand.due("rake"), hand.due("drop"), hand.transfer_id) == ("initial", 0, 0, None)
    assert (hand.taken("rake"), hand.taken("drop")) == (0, 0)
    assert house.figures()["rake_box"] == 0


@pytest.mark.rule("H1.90")
def test_a_pot_typed_says_that_there_was_a_flop(house: House) -> None:
    house.open(1, **FIVE)

    assert house.settle(20_00).beyond_initial_deal_at is not None


def rake_without_flop(house: House) -> None:
    policy = RakePolicy(TierRake(((0, 20_00), (1000_01, 30_00))), is_due_without_flop=True)
    with as_owner():
        Game.objects.filter(room=house.cast.room).update(
            charges={"rake": rake_to_dict(policy), "drop": house.game().charges["drop"]}
        )
    house.open(1, **SIX)


@pytest.mark.helsinki
@pytest.mark.rule("R-§28")
def test_a_rake_that_is_due_without_a_flop_is_taken_and_the_drop_is_not(house: House) -> None:
    rake_without_flop(house)

    bare = house.settle(1200_00, is_without_flop=True)
    flopped = house.settle(1150_00)

    assert (bare.street, bare.pot_cents, bare.due("rake"), bare.due("drop")) == ("initial", 1200_00, 30_00, 0)
    assert (flopped.street, flopped.due("rake"), flopped.due("drop")) == ("beyond", 30_00, 1_00)
    assert not ToDo.objects.exists()


@pytest.mark.helsinki
@pytest.mark.rule("R-§28")
def test_a_pot_that_nobody_typed_is_missed_where_it_is_raked_without_a_flop(house: House) -> None:
    rake_without_flop(house)

    house.settle()

    assert ToDo.objects.get().data["what"] == ["pot_missing_no_flop"]


@pytest.mark.helsinki
@pytest.mark.rule("H1.86", "H5.42", "U31")
def test_side_pots_are_kept_apart_with_their_winners_and_their_rake(house: House) -> None:
    house.open(1, **THREE)
    logged = replace(house.logged(18_00, 18_00, 18_00), winners=((1,), (2, 3), (3,)))

    anna(house, settle_hand, hand=logged)

    pots = [(pot.cents, pot.paid("rake"), pot.winner_seats) for pot in Hand.objects.get().pots.order_by("index")]
    assert pots == [(18_00, 1_00, [1]), (18_00, 1_00, [2, 3]), (18_00, 0, [3])]


@pytest.mark.parametrize("winners", [(), ((),)])
def test_a_hand_without_a_winner_cannot_be_read(house: House, winners: tuple[tuple[int, ...], ...]) -> None:
    house.open(1, Lee=1, Kai=2)

    with pytest.raises(Malformed):
        anna(house, settle_hand, hand=replace(house.logged(40_00), winners=winners))
    with pytest.raises(Malformed):
        anna(house, settle_hand, hand=replace(house.logged(), winners=winners))


def test_a_hand_won_in_a_seat_that_the_table_does_not_have_is_refused(house: House) -> None:
    house.open(1, Lee=1, Kai=2)

    with pytest.raises(NoSuchSeat):
        house.settle(40_00, winners=(11,))


@pytest.mark.parametrize(
    ("pots", "more"),
    [((10**9 + 1,), {}), ((10**9, 1), {}), ((20_00,), {"taken": {"rake": 10**9 + 1}})],
)
def test_pots_beyond_reason_are_a_slip_of_the_finger(house: House, pots: tuple[int, ...], more: dict[str, Any]) -> None:
    house.open(1, Lee=1, Kai=2)

    with pytest.raises(Malformed):
        house.settle(*pots, **more)

    assert house.settle(10**9).pot_cents == 10**9


# Deal and Flop are progress; the settlement needs neither.


@pytest.mark.helsinki
def test_the_settlement_finds_the_hand_that_was_dealt(house: House) -> None:
    house.open(1, **THREE)
    dealt = house.deal()
    anna(house, show_flop, hand_id=dealt.hand_id)

    anna(house, settle_hand, hand=replace(dealt, winners=((2,),), pots=(42_00,)))

    hand = Hand.objects.get()
    assert (hand.status, hand.taken("rake"), hand.number) == ("settled", 2_00, 1)
    assert hand.beyond_initial_deal_at is not None


def test_dealing_the_same_hand_twice_deals_it_once(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    hand = house.deal()

    again = anna(house, deal_hand, hand=hand)

    assert again.data["known"] is True
    assert Hand.objects.count() == 1


@pytest.mark.helsinki
def test_a_hand_settled_twice_is_settled_once_and_its_deal_and_flop_may_come_late(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    hand = house.logged(40_00)
    anna(house, settle_hand, hand=hand)

    anna(house, deal_hand, hand=hand)
    anna(house, show_flop, hand_id=hand.hand_id)
    again = anna(house, settle_hand, hand=hand)

    assert again.data["known"] is True
    assert Hand.objects.count() == 1
    assert house.table().hand is None
    assert house.figures()["rake_box"] == 2_00


# Button, blinds and newcomers.


@pytest.mark.rule("H4.26", "H4.27", "H4.28")
def test_button_and_blinds_go_round(house: House) -> None:
    house.open(1, Lee=1, Kai=4, Timo=7)

    first, second = house.settle(20_00), house.settle(20_00)

    assert (first.small_blind_seat, first.big_blind_seat) == (second.button_seat, second.small_blind_seat)


@pytest.mark.rule("H4.28", "H4.29")
def test_the_small_blind_is_dead_and_the_button_stays_where_the_big_blind_has_left(house: House) -> None:
    drawn(house, **FIVE)
    assert house.positions() == (1, 2, 3)
    house.settle()
    anna(house, leave_seat, seating_id=at_seat(house, 3).pk, stack_cents=90_00)

    assert house.positions() == (2, None, 4)
    house.settle()
    assert house.positions() == (2, 4, 5)
    house.settle()
    assert house.positions() == (4, 5, 1)


def test_the_button_is_where_the_dealer_says_for_one_hand(house: House) -> None:
    drawn(house, **FIVE)
    house.settle()

    anna(house, button_here, seat_number=4)

    assert house.positions() == (4, 5, 1)
    hand = house.settle(20_00)
    assert (hand.button_seat, hand.small_blind_seat, hand.big_blind_seat) == (4, 5, 1)
    opening = house.table().opening
    assert opening is not None
    assert opening.button_here is None
    assert house.positions() == (5, 1, 2)


@pytest.mark.rule("H4.31")
def test_a_newcomer_posts_a_big_blind_and_is_in(house: House) -> None:
    house.open(1, **THREE)
    house.settle(20_00)
    mika = house.seat("Mika", 5, post=True)

    hand = house.settle(20_00)

    mika.refresh_from_db()
    assert mika.entry == "in"
    # Button in 1 and blinds in 2 and 3: what is posted in 5 is no blind.
    post = hand.seats.get(seat_number=5)
    assert (post.post, post.live_cents) == ("new_player", 2_00)


@pytest.mark.rule("H4.30", "H4.31", "H1.1")
def test_a_player_who_sits_down_during_a_hand_plays_from_the_next_and_posts(house: House) -> None:
    house.open(1, **FIVE)
    first = house.deal()
    jo = house.seat("Jo", 6, post=True)
    anna(house, settle_hand, hand=replace(first, pots=(30_00,)))

    second = house.settle(30_00)

    dealt_in = Hand.objects.get(hand_id=first.hand_id).seats.values_list("seat_number", flat=True)
    assert set(dealt_in) == {1, 2, 3, 4, 5}
    assert second.seats.get(seat_number=6).post == "new_player"
    jo.refresh_from_db()
    assert jo.entry == "in"
    assert not ToDo.objects.exists()


@pytest.mark.rule("H4.9")
def test_blinds_are_written_where_the_felt_had_them(house: House) -> None:
    house.open(1, **THREE, Mika=4)

    hand = house.settle(40_00, button=2, small_blind=3, big_blind=4, dealt_in=(1, 2, 3, 4))

    posts = dict(hand.seats.exclude(post="").values_list("seat_number", "post"))
    assert posts == {3: "small_blind", 4: "big_blind"}


# What does not agree is recorded as it was and left to the floor.


def test_the_felt_wins_where_the_tablet_shows_other_positions_and_the_floor_is_told(house: House) -> None:
    drawn(house, **FIVE)

    hand = house.settle(40_00, button=3, small_blind=4, big_blind=5, dealt_in=(4, 5, 1, 2, 3))

    assert (hand.button_seat, hand.small_blind_seat, hand.big_blind_seat) == (3, 4, 5)
    todo = ToDo.objects.get()
    assert (todo.kind, todo.data) == ("hand_differs", {"hand": 1, "hand_row": hand.pk, "what": ["positions"]})
    assert house.positions() == (4, 5, 1)


@pytest.mark.helsinki
def test_what_differs_from_the_felt_is_recorded_and_left_to_the_floor(house: House) -> None:
    table = house.open(1, **THREE)
    assert house.positions() == (3, 1, 2)

    hand = house.settle(
        40_00, winners=(5,), button=3, small_blind=1, big_blind=2, dealt_in=(1, 2, 5), taken={"rake": 1_00}
    )

    assert (hand.button_seat, hand.due("rake"), hand.taken("rake")) == (3, 2_00, 1_00)
    todo = {row.kind: row for row in ToDo.objects.filter(done_at=None)}
    assert set(todo) == {"hand_differs", "rake_differs"}
    assert todo["hand_differs"].data["what"] == ["dealt_in", "empty_seat_dealt_in", "winner_not_dealt_in"]
    house.tap(judge, table_id=table.pk, todo_id=todo["hand_differs"].pk)
    assert ToDo.objects.get(done_at=None).kind == "rake_differs"


def test_a_flop_without_a_pot_is_recorded_and_left_to_the_floor(house: House) -> None:
    house.open(1, **FIVE)

    hand = house.settle(beyond_initial_deal_at=TONIGHT)

    assert (hand.status, hand.street, hand.pot_cents) == ("settled", "beyond", None)
    todo = ToDo.objects.get()
    assert (todo.kind, todo.data) == ("hand_differs", {"hand": 1, "hand_row": hand.pk, "what": ["pot_missing"]})


@pytest.mark.helsinki
def test_rake_taken_that_differs_from_what_is_due_is_posted_as_taken_and_judged_later(house: House) -> None:
    house.open(1, **FIVE)

    hand = house.settle(86_00, taken={"rake": 3_00})

    assert (hand.due("rake"), hand.taken("rake")) == (4_00, 3_00)
    assert house.figures()["rake_box"] == 3_00
    assert ToDo.objects.get().kind == "rake_differs"


def test_a_hand_dealt_over_another_leaves_that_one_to_be_supplied(house: House) -> None:
    drawn(house, **FIVE)
    abandoned = unsettled()
    anna(house, deal_hand, hand=abandoned)

    later = house.settle(40_00)

    row = Hand.objects.get(hand_id=abandoned.hand_id)
    assert (row.status, row.button_seat, later.number) == ("not_logged", 1, 2)
    assert (later.button_seat, later.small_blind_seat, later.big_blind_seat) == (2, 3, 4)
    assert ToDo.objects.get().kind == "hand_abandoned"


# Hands that are not logged.


@pytest.mark.helsinki
@pytest.mark.parametrize("pot", [None, 70_00])
def test_a_hand_that_was_not_logged_moves_the_blinds_and_is_supplied_later(house: House, pot: int | None) -> None:
    table = drawn(house, **SIX)
    skipped = unsettled()
    anna(house, skip_hand, hand=skipped)
    assert house.positions() == (2, 3, 4)
    row = Hand.objects.get(hand_id=skipped.hand_id)
    assert (row.status, ToDo.objects.get().kind) == ("not_logged", "hand_not_logged")
    house.settle(20_00)

    supplied: dict[str, Any] = {"taken": {"rake": 3_00, "drop": 1_00}, "pot_cents": pot}
    house.tap(supply_hand, table_id=table.pk, hand_row_id=row.pk, **supplied)

    row.refresh_from_db()
    assert (row.status, row.taken("rake"), row.pot_cents) == ("settled", 3_00, pot)
    assert house.figures() | {"rake_box": 4_00, "jackpot_box": 2_00} == house.figures()
    assert ToDo.objects.get().done_by_id == house.cast.frans.pk


def test_a_hand_that_is_logged_after_all_leaves_what_is_to_be_judged_of_it(house: House) -> None:
    drawn(house, **SIX)
    skipped = unsettled()
    anna(house, skip_hand, hand=skipped)

    anna(house, settle_hand, hand=replace(skipped, pots=(60_00,), winners=((9,),)))

    assert list(ToDo.objects.filter(done_at=None).values_list("kind", flat=True)) == ["hand_differs"]


def test_not_logged_said_by_mistake_is_undone_like_a_hand(house: House) -> None:
    house.open(1, **SIX)
    skipped = house.logged()
    anna(house, skip_hand, hand=skipped)
    screen = dealer_screen(room_id=house.room_id, number=1)
    assert screen.last is not None
    assert screen.last.can_undo

    anna(house, undo_hand, hand_id=skipped.hand_id)

    opening = house.table().opening
    assert opening is not None
    assert opening.last is None
    assert not ToDo.objects.filter(done_at=None).exists()
    assert not BoxDifference.objects.exists()
    assert house.settle(86_00).number == 1


def test_a_hand_that_another_dealer_dealt_is_taken_back_by_who_said_that_it_was_not_logged(house: House) -> None:
    table = house.open(1, **SIX)
    dealt = house.deal()
    house.tap(skip_hand, house.cast.dan, table_id=table.pk, hand=dealt)

    with pytest.raises(NotYourHand):
        anna(house, undo_hand, hand_id=dealt.hand_id)
    house.tap(undo_hand, house.cast.dan, table_id=table.pk, hand_id=dealt.hand_id)

    assert Hand.objects.get(hand_id=dealt.hand_id).status == "undone"


# Misdeal and undo.


@pytest.mark.rule("H3.19", "H3.25", "U38", "L-O5", "L-O22", "L-O24")
def test_a_misdeal_gives_back_button_blinds_and_what_newcomers_owed(house: House) -> None:
    house.open(1, **FIVE)
    house.settle(20_00)
    jo = house.seat("Jo", 6, post=True)
    before, figures = house.positions(), house.figures()
    dealt = unsettled()
    anna(house, deal_hand, hand=dealt)

    anna(house, void_hand, hand=dealt, reason="misdeal")

    # All bets go back: nothing is taken of it.
    assert house.figures() == figures

    jo.refresh_from_db()
    assert jo.entry == "posts"
    assert (house.table().hand_id, house.table().hand_number) == (None, 1)
    assert house.positions() == before
    again = house.settle(20_00)
    assert again.number == 2
    assert again.button_seat == Hand.objects.get(hand_id=dealt.hand_id).button_seat


@pytest.mark.helsinki
def test_undo_gives_back_everything_but_what_lies_in_the_box(house: House) -> None:
    house.open(1, **SIX)
    house.settle(20_00)
    sara = house.seat("Sara", 7, post=True)
    before, positions, figures = house.table().opening, house.positions(), house.figures()
    assert figures | {"rake_box": 1_00, "jackpot_box": 1_00} == figures
    hand = house.settle(86_00, winners=(2,))

    anna(house, undo_hand, hand_id=hand.hand_id)

    opening = house.table().opening
    sara.refresh_from_db()
    hand.refresh_from_db()
    assert opening is not None
    assert before is not None
    assert (opening.last, house.positions(), house.figures()) == (before.last, positions, figures)
    assert (sara.entry, hand.status, house.table().hand_number) == ("posts", "undone", 1)
    left = BoxDifference.objects.order_by("id").values_list("kind", "cents", "reason")
    assert list(left) == [("rake", 4_00, "undo"), ("drop", 1_00, "undo")]


@pytest.mark.helsinki
@pytest.mark.parametrize(("pot", "rake"), [(86_00, 4_00), (106_00, 5_00), (20_00, 1_00)], ids=["same", "more", "less"])
def test_a_hand_logged_again_takes_over_what_lies_in_the_boxes(house: House, pot: int, rake: int) -> None:
    house.open(1, **SIX)
    undone = house.settle(86_00, winners=(2,))
    anna(house, undo_hand, hand_id=undone.hand_id)

    again = house.settle(pot, winners=(3,), again_of=undone.hand_id)

    assert (again.number, again.taken("rake"), again.taken("drop")) == (1, rake, 1_00)
    boxes = house.boxes()
    assert boxes == {"rake": (rake, 0), "drop": (1_00, 0)}
    assert not ToDo.objects.filter(done_at=None).exists()


@pytest.mark.helsinki
def test_what_lies_there_is_taken_over_once_and_of_a_hand_that_was_undone(house: House) -> None:
    house.open(1, **SIX)
    stands = house.settle(40_00)
    undone = house.settle(86_00)
    anna(house, undo_hand, hand_id=undone.hand_id)

    house.settle(86_00, again_of=undone.hand_id)
    house.settle(86_00, again_of=undone.hand_id)
    house.settle(86_00, again_of=stands.hand_id)
    house.settle(86_00, again_of=uuid.uuid4())

    boxes = house.boxes()
    assert boxes == {"rake": (2_00 + 4 * 4_00, 0), "drop": (5_00, 0)}


@pytest.mark.helsinki
def test_the_second_undo_finds_in_the_boxes_what_the_second_log_said(house: House) -> None:
    house.open(1, **SIX)
    first = house.settle(86_00)
    anna(house, undo_hand, hand_id=first.hand_id)
    second = house.settle(106_00, again_of=first.hand_id)
    anna(house, undo_hand, hand_id=second.hand_id)

    undone = dealer_screen(room_id=house.room_id, number=1).undone
    third = house.settle(106_00, again_of=second.hand_id)

    assert undone is not None
    assert (undone.hand_id, undone.number, undone.logged.pots) == (str(second.hand_id), 1, (106_00,))
    assert dict(undone.logged.taken) == {"rake": 5_00, "drop": 1_00}
    boxes = house.boxes()
    assert (boxes, third.taken("rake")) == ({"rake": (5_00, 0), "drop": (1_00, 0)}, 5_00)
    assert dealer_screen(room_id=house.room_id, number=1).undone is None


@pytest.mark.helsinki
def test_of_an_undone_hand_nothing_is_judged_but_what_lies_in_the_box(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    hand = house.settle(40_00, taken={"rake": 1_00})
    assert ToDo.objects.get(done_at=None).kind == "rake_differs"

    anna(house, undo_hand, hand_id=hand.hand_id)

    left = ToDo.objects.get(done_at=None)
    assert (left.kind, left.data["beyond"]) == ("box_differs", {"rake": 1_00})


def test_undo_is_for_the_dealer_who_logged_the_newest_hand_until_the_next_deal(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    hand = house.settle(40_00)

    with pytest.raises(NotYourHand, match="Another dealer"):
        house.tap(undo_hand, house.cast.dan, table_id=table.pk, hand_id=hand.hand_id)
    anna(house, deal_hand, hand=unsettled())
    with pytest.raises(NothingToUndo, match="next hand has begun"):
        anna(house, undo_hand, hand_id=hand.hand_id)


def test_undo_ends_with_the_next_deal_even_where_that_hand_is_undone_too(house: House) -> None:
    house.open(1, **THREE)
    first = house.settle(40_00)
    second = house.settle(60_00)
    anna(house, undo_hand, hand_id=second.hand_id)

    with pytest.raises(NothingToUndo):
        anna(house, undo_hand, hand_id=first.hand_id)


def test_an_undo_that_comes_late_takes_back_no_other_hand_of_the_same_number(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    first = house.settle(40_00)
    anna(house, undo_hand, hand_id=first.hand_id)
    second = house.settle(60_00)

    with pytest.raises(NothingToUndo):
        anna(house, undo_hand, hand_id=first.hand_id)

    second.refresh_from_db()
    assert (first.number, second.number, second.status) == (1, 1, "settled")
