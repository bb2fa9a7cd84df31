"""At the table: the winner's button, two buttons, and three players that become two and three again."""

import pytest

from casino.poker.positions import ButtonRule
from tables.models import Game, Hand
from tables.rules.logged import LoggedHand
from tables.selectors.dealer import dealer_screen
from tables.selectors.dealer_shown import DealerScreen
from tables.services.chips import bring_chips
from tables.services.corrections import undo_hand
from tables.services.hands import settle_hand
from tables.services.opening import button_here
from tables.services.seating import choose_entry, hold_seat, leave_seat
from tests.support.owner import as_owner
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses


def screen(house: House) -> DealerScreen:
    return dealer_screen(room_id=house.room_id, number=1)


def next_positions(house: House) -> tuple[int, int | None, int, tuple[int, ...]]:
    """Return button, blinds and the dealing order of the next hand."""
    (next_one, *_) = screen(house).ahead
    assert next_one.button
    assert next_one.big_blind
    return next_one.button, next_one.small_blind, next_one.big_blind, next_one.dealt_in


def play(house: House, *winners: int) -> Hand:
    """Play the next hand as it is expected."""
    button, small, big, dealt_in = next_positions(house)
    return house.settle(
        20_00, winners=winners or (dealt_in[0],), button=button, small_blind=small, big_blind=big, dealt_in=dealt_in
    )


def goes(house: House, hand: Hand, seat: int) -> None:
    seating = hand.table.seating_set.get(seat_number=seat, left_at=None)
    house.tap(leave_seat, table_id=hand.table_id, seating_id=seating.pk, stack_cents=100_00)


@pytest.mark.rule("H4.15", "H4.17")
def test_the_winner_of_the_hand_gets_the_button(house):
    with as_owner():
        Game.objects.update(button=ButtonRule.TO_THE_WINNER)
    house.open(Lee=1, Kai=2, Timo=3, Mika=5)
    play(house, 3)
    assert next_positions(house)[:3] == (3, 5, 1)

    shared = play(house, 1, 2)
    assert next_positions(house)[:3] == (1, 2, 3)

    house.tap(undo_hand, house.cast.anna, table_id=shared.table_id, hand_id=shared.hand_id)
    assert next_positions(house)[:3] == (3, 5, 1)
    house.tap(button_here, house.cast.anna, table_id=shared.table_id, seat_number=5)
    assert (next_positions(house)[0], screen(house).won_button) == (5, 5)


@pytest.mark.rule("H4.16", "H4.17")
def test_with_two_buttons_the_second_goes_to_the_winner_and_the_first_rotates(house):
    with as_owner():
        Game.objects.update(button=ButtonRule.TWO_BUTTONS)
    house.open(Lee=1, Kai=2, Timo=3, Mika=5)
    first = next_positions(house)[0]
    assert screen(house).betting_button == first

    play(house, 3)

    assert (next_positions(house)[0], screen(house).betting_button) == (1, 3)
    play(house, 2, 5)
    assert (next_positions(house)[0], screen(house).betting_button) == (2, 5)
    assert len(screen(house).ahead) > 1


def test_a_game_whose_button_rotates_tells_the_tablet_of_no_other(house):
    house.open(Lee=1, Kai=2, Timo=3)
    play(house, 3)

    assert (screen(house).won_button, screen(house).betting_button) == (None, None)


# Three players in seats 1, 2 and 5; the hand before: button in 1, blinds in 2 and 5.


@pytest.fixture
def three(house: House) -> Hand:
    house.open(Lee=1, Kai=2, Timo=5)
    return house.settle(20_00, winners=(1,), button=1, small_blind=2, big_blind=5, dealt_in=(2, 5, 1))


@pytest.mark.rule("H4.51", "H4.52", "H4.53")
@pytest.mark.parametrize(
    ("leaves", "expected"),
    [
        pytest.param(1, (5, 5, 2, (2, 5)), id="the-larger-blind-has-the-button"),
        pytest.param(2, (5, 5, 1, (1, 5)), id="also-when-the-smaller-one-leaves"),
        pytest.param(5, (2, 2, 1, (1, 2)), id="else-the-smaller-one"),
    ],
)
def test_three_become_two(house, three, leaves, expected):
    goes(house, three, leaves)

    assert next_positions(house) == expected


@pytest.mark.rule("H4.51")
def test_who_is_away_counts_as_gone_and_comes_back_into_three(house, three):
    lee = three.table.seating_set.get(seat_number=1)
    house.tap(hold_seat, house.cast.anna, table_id=three.table_id, seating_id=lee.pk, is_held=True)
    assert next_positions(house) == (5, 5, 2, (2, 5))
    play(house)

    house.tap(hold_seat, house.cast.anna, table_id=three.table_id, seating_id=lee.pk, is_held=False, entry="posts")
    hands = [play(house) for _ in range(3)]

    assert [hand.seats.count() for hand in hands][-1] == 3
    assert len({hand.big_blind_seat for hand in hands}) == 3


@pytest.mark.rule("H4.51", "H4.53")
def test_two_become_three_and_the_newcomer_pays_before_the_button(house, three):
    goes(house, three, 2)
    play(house)
    house.seat("Mika", 3)

    seen = [next_positions(house)]
    for _ in range(4):
        play(house)
        seen.append(next_positions(house))

    dealt = [3 in each[3] for each in seen]
    assert dealt[-1]
    first = dealt.index(True)
    assert seen[first][2] == 3
    assert 3 not in {each[0] for each in seen[: first + 1]}


@pytest.mark.rule("H4.31", "H1.60")
@pytest.mark.parametrize("in_a_hand", [False, True])
@pytest.mark.parametrize(
    ("players", "seat"), [((1, 4), 2), ((1, 4), 6), ((1, 3, 5), 2), ((1, 3, 5), 4), ((1, 3, 5), 8)]
)
def test_who_posts_is_dealt_in_with_the_hand_that_was_promised(
    house: House, players: tuple[int, ...], seat: int, *, in_a_hand: bool
) -> None:
    """Of two players the newcomer between button and big blind comes in a hand later."""
    house.open(1, **dict(zip(("Lee", "Kai", "Timo"), players, strict=False)))
    play(house)
    if in_a_hand:
        house.deal()
    newcomer = house.seat("Mika", seat, chips=0)
    assert not screen(house).seats[seat - 1].has_chips
    house.tap(bring_chips, table_id=house.table_id(), seating_id=newcomer.pk, chips_cents=200_00)
    promised = screen(house).seats[seat - 1].joins_hand

    house.tap(choose_entry, table_id=house.table_id(), seating_id=newcomer.pk, entry="posts")
    if in_a_hand:
        (begun,) = house.table().hands.filter(status="dealt")
        house.tap(settle_hand, table_id=house.table_id(), hand=LoggedHand(begun.hand_id, winners=((players[0],),)))
    hands = [play(house) for _ in range(3)]

    joined = next(hand.number for hand in hands if hand.seats.filter(player=newcomer.player).exists())
    assert joined == promised
