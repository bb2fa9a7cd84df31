"""A table closes: the last orbit, the draw, the right of whoever finds no seat, other stakes."""

from typing import Any

import pytest

from casino.audit.models import Event
from casino.chance import commitment, deck
from casino.ledger.proof import problems
from casino.people.errors import PlayerBanned
from casino.people.services import ban_player
from casino.poker.draw import draw_order
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.services.closing import wait_with_right
from casino.waiting.services.lists import join_list, reorder_list
from tables.errors import HandInProgress
from tables.errors_moves import NoDrawPrepared, NotClosing, StackToBring
from tables.models import Seating
from tables.selectors.closing import closing
from tables.selectors.dealer import dealer_screen
from tables.services.closing import announce_last_orbit, draw_seats, prepare_seat_draw, take_back_last_orbit
from tables.services.opening import close_table
from tables.services.setup import add_table
from tests.tables.conftest import House
from tests.tables.test_moving import move, sits

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


def announce(house: House, number: int = 1, **hands: Any) -> int:
    return int(house.tap(announce_last_orbit, table_id=house.table_id(number), **hands).data["hands"])


def waiting(house: House) -> list[tuple[str, bool]]:
    live = Waiting.objects.filter(status__in=Waiting.LIVE).select_related("player").order_by("place", "id")
    return [(entry.player.nickname, entry.right_from_id is not None) for entry in live]


def gets_in_line(house: House, nickname: str) -> None:
    seating = sits(house, nickname)
    house.tap(wait_with_right, table_id=seating.table_id, seating_id=seating.pk, stack_cents=200_00)


@pytest.mark.rule("H4.4", "H2.22")
def test_the_last_orbit_is_a_hand_for_each_player_and_hands_count_it_down(house):
    """A24."""
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(40_00)

    assert announce(house) == 3
    house.settle(40_00)

    table = house.table()
    assert table.opening.hands_left(table.hand_number) == 2
    screen = dealer_screen(room_id=house.room_id, number=1)
    assert (screen.last_hand_number, screen.hand_number) == (4, 2)
    for _ in range(3):
        # What is dealt beyond it has been dealt: a fact.
        house.settle(40_00)
    table = house.table()
    assert table.opening.hands_left(table.hand_number) == 0


@pytest.mark.rule("H2.22")
def test_a_chosen_number_of_hands_and_a_table_that_goes_on_after_all(house):
    house.open(1, Lee=1, Kai=2)

    assert announce(house, hands=5) == 5
    house.tap(take_back_last_orbit, table_id=house.table_id())

    assert not house.table().opening.is_closing
    with pytest.raises(NotClosing):
        house.tap(take_back_last_orbit, table_id=house.table_id())


@pytest.mark.rule("H2.10", "R-§3-5")
def test_the_house_is_bound_before_any_card_and_anyone_computes_the_draw_again(house):
    """A22, DX-R22."""
    house.open(1, Lee=1, Kai=2, Timo=5)
    announce(house, hands=0)

    bound = house.tap(prepare_seat_draw, table_id=house.table_id(), seats=[5, 1, 2]).data["commitment"]
    drawn = house.tap(draw_seats, table_id=house.table_id()).data

    assert commitment(drawn["seed"]) == bound == drawn["commitment"]
    cards = dict(zip([1, 2, 5], deck(drawn["seed"]), strict=False))
    assert drawn["cards"] == {str(seat): card for seat, card in cards.items()}
    assert drawn["order"] == list(draw_order(cards))
    assert drawn["seed"] not in Event.objects.get(name="tables.prepare_seat_draw").text
    with pytest.raises(NoDrawPrepared):
        house.tap(draw_seats, table_id=house.table_id())


@pytest.mark.helsinki
@pytest.mark.rule("H2.10")
def test_cards_are_drawn_where_seats_are_too_few_and_the_highest_goes_first(house):
    house.open(1, Lee=1, Kai=2, Timo=3)
    full = {name: seat for seat, name in enumerate(["Mika", "Pekka", "Jo", "Sara", "Riku", "Ville", "Aki", "Olli"], 1)}
    house.open(2, **{name: seat for name, seat in full.items() if name in house.cast.players})
    announce(house, hands=0)
    board = closing(house.table())
    free = board.same_game

    assert board.must_draw == (free < 3)
    house.tap(prepare_seat_draw, table_id=house.table_id(), seats=[1, 2, 3])
    order = house.tap(draw_seats, table_id=house.table_id()).data["order"]
    board = closing(house.table())
    assert [leaver.seating.seat_number for leaver in board.leavers] == order
    assert board.leavers[0].proposed == board.seats[0]
    assert not board.must_draw


@pytest.mark.rule("H2.11")
def test_whoever_finds_no_seat_waits_before_everybody_in_the_order_of_leaving(house):
    house.open(1, Lee=1, Kai=2, Timo=3)
    for nickname in ("Mika", "Kai", "Pekka"):
        house.tap(join_list, game_id=house.game().pk, player_id=house.player(nickname).pk)
    announce(house, hands=0)

    gets_in_line(house, "Timo")
    gets_in_line(house, "Kai")
    gets_in_line(house, "Lee")

    assert waiting(house) == [("Timo", True), ("Kai", True), ("Lee", True), ("Mika", False), ("Pekka", False)]
    house.tap(close_table, table_id=house.table_id())
    assert list(problems(house.room_id)) == []


@pytest.mark.rule("H2.11", "H1.64")
def test_who_waits_by_right_comes_back_with_the_stack(house):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    announce(house, hands=0)
    gets_in_line(house, "Kai")

    with pytest.raises(StackToBring):
        house.seat("Kai", 5, number=2, chips=100_00)
    house.seat("Kai", 5, number=2, chips=200_00)
    assert waiting(house) == []


def test_a_table_that_goes_on_gives_no_rights(house):
    house.open(1, Lee=1, Kai=2)

    with pytest.raises(NotClosing):
        gets_in_line(house, "Kai")
    with pytest.raises(NotClosing):
        house.tap(prepare_seat_draw, table_id=house.table_id(), seats=[1, 2])


@pytest.mark.rule("H2.11", "H2.12")
def test_a_table_closes_into_two_others(house):
    house.tap(add_table, house.cast.mari, number=3)
    house.open(1, Mika=1, Pekka=2)
    house.open(2, Jo=1)
    house.open(3, Lee=1, Kai=2, Timo=3)
    announce(house, 3, hands=0)

    for nickname in ("Lee", "Kai", "Timo"):
        leaver = next(each for each in closing(house.table(3)).leavers if each.seating == sits(house, nickname))
        assert leaver.proposed is not None
        move(house, nickname, leaver.proposed.seat_number, stack=200_00, to=leaver.proposed.table_number)
    house.tap(close_table, table_id=house.table_id(3))

    where = dict(Seating.objects.filter(left_at=None).values_list("player__nickname", "table__number"))
    # The shorter one first, and of equal ones that which was opened earlier.
    assert where == {"Mika": 1, "Pekka": 1, "Jo": 2, "Lee": 2, "Kai": 1, "Timo": 2}
    assert house.figures(3)["in_play"] == 0
    assert list(problems(house.room_id)) == []


def test_the_board_asks_seven_queries(house, django_assert_max_num_queries):
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.open(2, Mika=1)
    announce(house, hands=0)
    table = house.table()
    closing(table)

    with django_assert_max_num_queries(7):
        closing(table)


@pytest.mark.rule("H2.11")
def test_who_waits_by_right_waits_before_all_others_also_behind_one_who_lost_the_first_place(house):
    house.tap(add_table, house.cast.mari, number=3)
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1, Pekka=2)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Jo").pk)
    announce(house)
    gets_in_line(house, "Lee")
    version = WaitingList.objects.get(game=house.game()).version
    lee = Waiting.objects.get(player=house.player("Lee"))
    house.tap(reorder_list, waiting_id=lee.pk, before_id=None, reason="wrong_order", version=version)

    gets_in_line(house, "Kai")

    assert [nickname for nickname, _ in waiting(house)] == ["Kai", "Jo", "Lee"]


def test_whoever_may_not_play_waits_by_no_right(house):
    house.open(1, Lee=1, Kai=2)
    announce(house, hands=0)
    house.tap(ban_player, player_id=house.player("Kai").pk)

    with pytest.raises(PlayerBanned):
        gets_in_line(house, "Kai")

    assert waiting(house) == []
    assert sits(house, "Kai").left_at is None


@pytest.mark.rule("H1.1", "H2.11")
def test_nobody_gets_in_line_with_a_stack_that_is_in_a_hand(house):
    house.open(1, Lee=1, Kai=2, Timo=3)
    announce(house)
    house.deal()

    with pytest.raises(HandInProgress):
        gets_in_line(house, "Kai")
