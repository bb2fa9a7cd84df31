"""What the dealer's screen knows of its table, and what its fragment shows."""

import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from casino.errors import NotFound
from casino.ledger.templatetags.money import money
from tables.models import Game, Table
from tables.selectors.dealer import HANDS_AHEAD, dealer_screen
from tables.selectors.dealer_shown import DealerScreen
from tables.services.corrections import undo_hand
from tables.services.hands import deal_hand, settle_hand, show_flop
from tables.services.opening import button_here, record_draw
from tables.services.seating import hold_seat
from tables.views.dealer import render_table
from tests.support.owner import as_owner
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses


def screen_of(house: House, number: int = 1) -> DealerScreen:
    return dealer_screen(room_id=house.room_id, number=number)


def seat_text(html: str, number: int) -> str:
    """Return what a seat of the fragment says."""
    found = re.search(rf'data-seat="{number}".*?</li>', html, re.DOTALL)
    assert found is not None
    return " ".join(re.sub(r"<[^>]+>", " ", found[0].split(">", 1)[1]).split())


def test_a_closed_table_has_nothing_to_deal(house: House) -> None:
    screen = screen_of(house)

    assert (screen.offer, screen.seats, screen.ahead, screen.hand) == (None, (), (), None)


def test_an_unknown_table_is_not_found(house: House) -> None:
    with pytest.raises(NotFound):
        screen_of(house, 99)


def test_the_screen_takes_few_queries_whatever_happens_at_the_table(house: House) -> None:
    house.open(**{name: seat for seat, name in enumerate(["Lee", "Kai", "Timo", "Mika", "Pekka", "Jo", "Sara"], 1)})
    house.settle(86_00, winners=(1, 2))
    house.deal()

    with CaptureQueriesContext(connection) as captured:
        screen = screen_of(house)

    assert len(captured) == 6
    assert screen.hand is not None
    assert screen.last is not None


@pytest.mark.rule("H4.22")
def test_before_the_first_hand_the_draw_is_due_and_nobody_holds_the_button(house: House) -> None:
    table = house.open(Lee=1, Kai=2, Timo=3)
    before = render_table(room_id=house.room_id, number=1)
    house.tap(record_draw, house.cast.anna, table_id=table.pk, winner_seat=2, seats=[1, 2, 3])

    assert "BTN" not in seat_text(before, 2)
    assert "BTN" not in seat_text(before, 3)
    assert not screen_of(house).is_draw_due
    assert seat_text(render_table(room_id=house.room_id, number=1), 2) == "2 Kai BTN"


def test_the_ring_shows_the_hand_in_progress_and_what_comes_after_it(house: House) -> None:
    table = house.open(Lee=1, Kai=2, Timo=3)
    hand = house.deal()
    house.tap(show_flop, house.cast.anna, table_id=table.pk, hand_id=hand.hand_id)

    screen = screen_of(house)

    assert screen.hand is not None
    assert screen.hand.is_beyond
    assert screen.start == screen.hand.start
    assert (screen.hand.start.button, screen.hand.start.small_blind, screen.hand.start.big_blind) == (3, 1, 2)
    assert (screen.ahead[0].button, screen.ahead[0].small_blind, screen.ahead[0].big_blind) == (1, 2, 3)
    assert len(screen.ahead) == HANDS_AHEAD


def test_what_is_foreseen_while_a_hand_is_played_is_what_the_next_one_asks(house: House) -> None:
    house.open(Lee=1, Kai=2, Timo=3, Mika=5)
    house.settle(20_00)
    house.seat("Ville", 7, post=True)
    hand = house.deal()
    foreseen = screen_of(house).ahead

    house.tap(settle_hand, house.cast.anna, table_id=house.table_id(), hand=hand)

    assert screen_of(house).ahead == foreseen


@pytest.mark.rule("H4.30", "H4.31")
def test_newcomers_wait_or_post(house: House) -> None:
    house.open(Lee=1, Kai=2, Timo=3)
    house.settle(20_00)
    house.seat("Ville", 7, post=True)
    house.seat("Aino", 9)

    html = render_table(room_id=house.room_id, number=1)

    assert seat_text(html, 7) == f"7 Ville posts {money(2_00, house.cast.room)}".replace("\xa0", " ")
    assert seat_text(html, 9).startswith("9 Aino waits for BB")


def test_held_seats_and_seats_without_chips_say_so(house: House) -> None:
    table = house.open(Lee=1, Kai=2, Timo=3)
    seating = house.seat("Ville", 7)
    house.seat("Aino", 9, chips=0)
    house.tap(hold_seat, house.cast.anna, table_id=table.pk, seating_id=seating.pk, is_held=True)

    html = render_table(room_id=house.room_id, number=1)

    assert seat_text(html, 7) == "7 Ville away 20:00"
    assert seat_text(html, 9) == "9 Aino no chips"
    assert seat_text(html, 4) == "4 free"


def test_the_fragment_speaks_its_language_and_tells_no_pot_before_the_end(house: House) -> None:
    house.open(Lee=1, Kai=2, Timo=3)
    house.settle(86_00, winners=(2,))
    house.deal()

    with translation.override("fi"):
        html = render_table(room_id=house.room_id, number=1)

    data = json.loads(re.search(r"<script[^>]*>(.*?)</script>", html, re.DOTALL)[1])  # type: ignore[index]
    assert data["hand"]["number"] == 2
    assert "pot" not in data["hand"]
    assert (data["last"]["pot"], data["last"]["winners"]) == (86_00, ["Kai"])
    # Nicknames only: no stack, no sum, nobody's full name.
    assert not {"chips_in_cents", "full_name", "player_id"} & set(data["seats"][0])
    assert len(html) < 12_000


def test_the_last_hand_may_be_undone_until_the_next_deal(house: House) -> None:
    table = house.open(Lee=1, Kai=2, Timo=3)
    house.settle(20_00)
    second = house.settle(30_00)
    newest = screen_of(house).last
    house.tap(undo_hand, house.cast.anna, table_id=table.pk, hand_id=second.hand_id)
    older = screen_of(house).last

    assert newest is not None
    assert older is not None
    assert (newest.number, newest.can_undo, newest.dealer_id) == (2, True, house.cast.anna.pk)
    assert (older.number, older.can_undo) == (1, False)


def test_the_felt_says_where_the_button_is(house: House) -> None:
    table = house.open(Lee=1, Kai=2, Timo=3, Mika=5)
    house.settle(20_00)
    house.tap(button_here, house.cast.anna, table_id=table.pk, seat_number=5)

    assert screen_of(house).ahead[0].button == 5


def test_a_room_sees_only_its_own_tables(house: House) -> None:
    assert Table.objects.filter(number=1).count() == 1
    with pytest.raises(NotFound):
        dealer_screen(room_id=house.room_id + 1, number=1)


def test_a_game_without_a_rake_takes_nothing(house: House) -> None:
    house.open(Lee=1, Kai=2)
    with as_owner():
        Game.objects.filter(pk=house.table().opening.game_id).update(charges={})  # type: ignore[union-attr]

    offer = screen_of(house).offer

    assert offer is not None
    assert [charge.by for charge in offer.charges] == [(), ()]


def test_dealing_is_known_by_its_hand_id(house: House) -> None:
    table = house.open(Lee=1, Kai=2, Timo=3)
    hand = house.logged()
    house.tap(deal_hand, house.cast.anna, table_id=table.pk, hand=hand)

    screen = screen_of(house)

    assert screen.hand is not None
    assert screen.hand.hand_id == str(hand.hand_id)
