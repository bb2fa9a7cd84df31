"""Logging hands: the settlement stands alone, facts are never refused, the blinds move by the book."""

import uuid
from dataclasses import replace

import pytest

from casino.cage.days import open_day
from casino.errors import Malformed
from casino.ledger.selectors import table_figures
from tables.models import BoxDifference, Game, Hand, Seating, Table, ToDo
from tables.rules.logged import LoggedHand
from tables.selectors.asked import asked_hand, seated
from tables.services.corrections import correct_hand, supply_hand, undo_hand, void_settled_hand
from tables.services.hands import deal_hand, settle_hand, show_flop, skip_hand, void_hand
from tables.services.opening import button_here, close_table, open_table, record_draw
from tables.services.seating import hold_seat, leave_seat, seat_player
from tables.services.setup import add_table, offer_games
from tests.cast import TONIGHT, command, make_cast

pytestmark = pytest.mark.django_db
NAMES = ["Lee", "Kai", "Timo", "Mika", "Pekka", "Jo", "Sara"]


class Floor:
    """A table with players at it, and the taps that a test makes there."""

    def __init__(self, players: int = 5):
        self.cast = make_cast()
        self.by(open_day, who=self.cast.mari)
        self.by(offer_games, who=self.cast.mari)
        self.by(add_table, who=self.cast.mari, number=4)
        self.game = Game.objects.filter(is_offered=True).order_by("id")[0]
        self.id = Table.objects.get(number=4).pk
        self.by(open_table, table_id=self.id, game_id=self.game.pk)
        for seat in range(1, players + 1):
            self.sit(seat, NAMES[seat - 1])
        self.by(record_draw, table_id=self.id, winner_seat=1, seats=list(range(1, players + 1)))

    def by(self, service, *, who=None, **kwargs):
        return service(command(who or self.cast.frans), **kwargs)

    def sit(self, seat, name, **kwargs):
        player = self.cast.players[name].pk
        chips = self.game.buy_in_min_cents
        return self.by(seat_player, table_id=self.id, seat_number=seat, player_id=player, chips_cents=chips, **kwargs)

    def anna(self, service, **kwargs):
        return self.by(service, who=self.cast.anna, table_id=self.id, **kwargs)

    def settle(self, *pots, winners=((2,),), **kwargs):
        hand = LoggedHand(hand_id=uuid.uuid4(), winners=tuple(winners), pots=pots, **kwargs)
        self.anna(settle_hand, hand=hand)
        return Hand.objects.get(hand_id=hand.hand_id)

    @property
    def table(self):
        return Table.objects.select_related("opening__game").get(id=self.id)

    def asked(self):
        table = self.table
        hand = asked_hand(table.opening, table.opening.game, seated(self.id))
        return hand and (hand.button, hand.small_blind, hand.big_blind)

    def seating(self, seat):
        return Seating.objects.get(table_id=self.id, seat_number=seat, left_at=None)

    def todos(self):
        return [(todo.kind, todo.data) for todo in ToDo.objects.order_by("id")]


@pytest.mark.rule("H1.85", "H1.88", "H4.6")
def test_a_settlement_stands_alone_and_pays_rake_and_drop_into_their_boxes():
    floor = Floor(players=6)

    hand = floor.settle(86_00)

    assert (hand.status, hand.number, hand.rake_taken_cents, hand.drop_taken_cents) == ("settled", 1, 4_00, 1_00)
    figures = table_figures(floor.id)
    assert (figures["rake_box"], figures["jackpot_box"]) == (4_00, 1_00)
    assert figures["in_play"] == 6 * floor.game.buy_in_min_cents - 5_00
    assert floor.asked() == (2, 3, 4)
    assert floor.todos() == []


@pytest.mark.rule("H1.90")
def test_a_hand_won_before_the_flop_pays_nothing():
    floor = Floor(players=6)

    hand = floor.settle()

    assert (hand.street, hand.rake_taken_cents, hand.drop_taken_cents, hand.transfer_id) == ("initial", 0, 0, None)


@pytest.mark.rule("H1.90")
def test_a_pot_typed_says_that_there_was_a_flop():
    assert Floor().settle(20_00).beyond_initial_deal_at is not None


@pytest.mark.rule("H1.88", "H1.89")
def test_the_drop_counts_who_was_dealt_in_not_who_sits_there_later():
    floor = Floor(players=6)
    hand = LoggedHand(hand_id=uuid.uuid4(), winners=((2,),), pots=(40_00,))
    floor.anna(deal_hand, hand=replace(hand, winners=(), pots=()))
    floor.anna(leave_seat, seating_id=floor.seating(6).pk)

    floor.anna(settle_hand, hand=hand)

    assert Hand.objects.get().drop_taken_cents == 1_00


@pytest.mark.rule("H4.28", "H4.29")
def test_the_dead_small_blind_and_the_staying_button_through_the_services():
    floor = Floor()
    assert floor.asked() == (1, 2, 3)
    floor.settle()
    floor.anna(leave_seat, seating_id=floor.seating(3).pk, stack_cents=90_00)

    assert floor.asked() == (2, None, 4)
    floor.settle()
    assert floor.asked() == (2, 4, 5)
    floor.settle()
    assert floor.asked() == (4, 5, 1)


@pytest.mark.rule("H4.30", "H4.31", "H1.1")
def test_a_player_who_sits_down_during_a_hand_plays_from_the_next_and_posts():
    floor = Floor()
    hand = LoggedHand(hand_id=uuid.uuid4(), winners=((2,),), pots=(30_00,))
    floor.anna(deal_hand, hand=hand)
    floor.sit(6, "Jo", entry="posts")
    floor.anna(settle_hand, hand=hand)

    dealt_in = set(Hand.objects.get(hand_id=hand.hand_id).seats.values_list("seat_number", flat=True))
    assert dealt_in == {1, 2, 3, 4, 5}
    posted = {seat.seat_number: seat.post for seat in floor.settle(30_00).seats.all()}
    assert posted[6] == "new_player"
    assert floor.seating(6).entry == "in"
    assert floor.todos() == []


@pytest.mark.rule("H3.19", "H3.25")
def test_a_misdeal_gives_back_button_blinds_and_what_newcomers_owed():
    floor = Floor()
    floor.settle()
    floor.sit(6, "Jo", entry="posts")
    before = floor.asked()
    hand = LoggedHand(hand_id=uuid.uuid4(), winners=())
    floor.anna(deal_hand, hand=hand)

    floor.anna(void_hand, hand=hand, reason="misdeal")

    assert floor.asked() == before
    assert floor.seating(6).entry == "posts"
    assert (floor.table.hand, floor.table.hand_number) == (None, 1)


def test_undo_restores_the_table_reverses_the_postings_and_leaves_the_box_as_it_is():
    floor = Floor(players=6)
    floor.settle()
    floor.sit(7, "Sara", entry="posts")
    before, in_play = floor.asked(), table_figures(floor.id)["in_play"]
    hand = floor.settle(86_00)

    floor.anna(undo_hand, hand_id=hand.hand_id)

    figures = table_figures(floor.id)
    assert (figures["in_play"], figures["rake_box"], figures["jackpot_box"]) == (in_play, 0, 0)
    assert floor.asked() == before
    assert floor.seating(7).entry == "posts"
    kept = BoxDifference.objects.get()
    assert (kept.rake_cents, kept.drop_cents, kept.reason) == (4_00, 1_00, "undo")


def test_undo_ends_with_the_next_deal_and_belongs_to_the_same_dealer():
    floor = Floor()
    hand = floor.settle(40_00)
    with pytest.raises(Exception, match="Another dealer"):
        floor.by(undo_hand, who=floor.cast.dan, table_id=floor.id, hand_id=hand.hand_id)
    floor.anna(deal_hand, hand=LoggedHand(hand_id=uuid.uuid4(), winners=()))

    with pytest.raises(Exception, match="next hand has begun"):
        floor.anna(undo_hand, hand_id=hand.hand_id)


def test_a_hand_after_an_undone_one_takes_its_number():
    floor = Floor()
    hand = floor.settle(40_00)
    floor.anna(undo_hand, hand_id=hand.hand_id)

    assert floor.settle(60_00).number == hand.number == 1


def test_a_hand_not_logged_moves_the_blinds_and_is_supplied_later():
    floor = Floor(players=6)
    hand = LoggedHand(hand_id=uuid.uuid4(), winners=())
    floor.anna(skip_hand, hand=hand)
    assert floor.asked() == (2, 3, 4)
    assert [kind for kind, _ in floor.todos()] == ["hand_not_logged"]
    row = Hand.objects.get()

    floor.by(supply_hand, table_id=floor.id, hand_row_id=row.pk, rake_taken_cents=3_00, drop_taken_cents=1_00)

    figures = table_figures(floor.id)
    assert (figures["rake_box"], figures["jackpot_box"]) == (3_00, 1_00)
    assert ToDo.objects.get().done_by_id == floor.cast.frans.pk


def test_a_deal_that_was_never_settled_is_left_to_the_floor_when_the_next_hand_comes():
    floor = Floor()
    floor.anna(deal_hand, hand=LoggedHand(hand_id=uuid.uuid4(), winners=()))

    second = floor.settle(40_00)

    assert second.number == 2
    assert [kind for kind, _ in floor.todos()] == ["hand_abandoned"]
    assert (second.button_seat, second.small_blind_seat, second.big_blind_seat) == (2, 3, 4)


def test_the_felt_wins_where_the_tablet_shows_other_positions_and_the_floor_is_told():
    floor = Floor()

    hand = floor.settle(40_00, button=3, small_blind=4, big_blind=5, dealt_in=(4, 5, 1, 2, 3))

    assert (hand.button_seat, hand.small_blind_seat, hand.big_blind_seat) == (3, 4, 5)
    assert floor.todos() == [("hand_differs", {"hand": 1, "hand_row": hand.pk, "what": ["positions"]})]
    assert floor.asked() == (4, 5, 1)


def test_a_flop_without_a_pot_is_recorded_and_left_to_the_floor():
    floor = Floor()

    floor.settle(beyond_initial_deal_at=TONIGHT)

    hand = Hand.objects.get()
    assert (hand.status, hand.street, hand.pot_cents) == ("settled", "beyond", None)
    assert floor.todos() == [("hand_differs", {"hand": 1, "hand_row": hand.pk, "what": ["pot_missing"]})]


def test_rake_taken_that_differs_from_what_is_due_is_posted_as_taken_and_judged_later():
    floor = Floor()

    hand = floor.settle(86_00, rake_taken_cents=3_00)

    assert (hand.rake_due_cents, hand.rake_taken_cents) == (4_00, 3_00)
    assert table_figures(floor.id)["rake_box"] == 3_00
    assert [kind for kind, _ in floor.todos()] == ["rake_differs"]


def test_flop_and_deal_are_progress_and_may_come_late_or_twice():
    floor = Floor()
    hand = LoggedHand(hand_id=uuid.uuid4(), winners=((1,),), pots=(25_00,))
    floor.anna(settle_hand, hand=hand)

    floor.anna(deal_hand, hand=hand)
    floor.anna(show_flop, hand_id=hand.hand_id)
    floor.anna(settle_hand, hand=hand)

    assert Hand.objects.count() == 1
    assert floor.table.hand is None


@pytest.mark.rule("H1.86", "H5.42", "U31")
def test_side_pots_are_kept_apart_with_their_winners_and_their_rake():
    floor = Floor()

    hand = floor.settle(18_00, 18_00, 18_00, winners=((1,), (2, 3), (3,)))

    pots = [(pot.cents, pot.rake_cents, pot.winner_seats) for pot in hand.pots.order_by("index")]
    assert pots == [(18_00, 1_00, [1]), (18_00, 1_00, [2, 3]), (18_00, 0, [3])]


def test_the_button_is_where_the_dealer_says():
    floor = Floor()
    floor.settle()

    floor.anna(button_here, seat_number=4)

    assert floor.asked() == (4, 5, 1)
    floor.settle()
    assert floor.asked() == (5, 1, 2)


def test_a_held_seat_is_not_dealt_in():
    floor = Floor(players=6)
    floor.anna(hold_seat, seating_id=floor.seating(6).pk, is_held=True)

    hand = floor.settle(40_00)

    assert hand.seats.count() == 5
    assert hand.drop_taken_cents == 0


def test_a_correction_replaces_a_hand_by_reversal_and_touches_no_later_one():
    floor = Floor(players=6)
    wrong = floor.settle(860_00, winners=((3,),))
    floor.settle(40_00)
    asked = floor.asked()

    floor.by(
        correct_hand,
        table_id=floor.id,
        hand_row_id=wrong.pk,
        hand=LoggedHand(hand_id=uuid.uuid4(), winners=((2,),), pots=(86_00,)),
        reason="wrong_pot",
    )

    right = Hand.objects.get(corrects=wrong)
    wrong.refresh_from_db()
    assert (wrong.status, right.status, right.number) == ("corrected", "settled", wrong.number)
    # The box holds what was dropped; what was due is another thing.
    assert (right.rake_due_cents, right.rake_taken_cents) == (4_00, wrong.rake_taken_cents)
    assert floor.asked() == asked
    assert right.seats.count() == 6


def test_a_settled_hand_is_voided_by_the_floor_with_its_postings():
    floor = Floor(players=6)
    hand = floor.settle(86_00)

    floor.by(void_settled_hand, table_id=floor.id, hand_row_id=hand.pk, reason="void")

    assert table_figures(floor.id)["rake_box"] == 0
    assert BoxDifference.objects.get().rake_cents == 4_00


def test_a_hand_that_arrives_after_the_table_was_closed_is_kept_and_shown_to_the_floor():
    floor = Floor(players=2)
    for seat in (1, 2):
        floor.anna(leave_seat, seating_id=floor.seating(seat).pk, stack_cents=100_00)
    floor.by(close_table, table_id=floor.id)

    hand = floor.settle(40_00, button=1, small_blind=1, big_blind=2, dealt_in=(2, 1), winners=((1,),))

    assert hand.status == "settled"
    assert "late_fact" in [kind for kind, _ in floor.todos()]


@pytest.mark.parametrize("winners", [(), ((),)])
def test_a_settlement_that_names_no_winner_cannot_be_read(winners):
    with pytest.raises(Malformed):
        Floor().settle(40_00, winners=winners)
