"""Button and blinds: the source's tables hand by hand, then the cases that A37 and A41 derive."""

import pytest

from casino.poker.blinds import after, as_last, hands_ahead, next_hand, with_button_here
from casino.poker.positions import BlindTerms, Entry, LastHand, NextHand, Occupant, Post, PostKind

SMALL, BIG = 2_00, 4_00
TERMS = BlindTerms(SMALL, BIG, seats=10)


def sat(*seats: int, **others: Entry) -> tuple[Occupant, ...]:
    """People in rotation at `seats` (player 101 in seat 1 ...); `n3=WAITS`: a newcomer (player 203) in seat 3."""
    rotating = [Occupant(seat, 100 + seat) for seat in seats]
    newcomers = [Occupant(int(name[1:]), 200 + int(name[1:]), entry) for name, entry in others.items()]
    return (*rotating, *newcomers)


def held(occupants: tuple[Occupant, ...], *seats: int) -> tuple[Occupant, ...]:
    return tuple(
        Occupant(o.seat_number, o.player_id, o.entry, is_held=True) if o.seat_number in seats else o for o in occupants
    )


def played(button: int, small: int | None, big: int) -> LastHand:
    """A last hand whose blinds and button were the seats' old players."""
    return LastHand(
        button_seat=button,
        button_player_id=100 + button,
        small_blind_seat=small,
        small_blind_player_id=None if small is None else 100 + small,
        big_blind_seat=big,
        big_blind_player_id=100 + big,
        was_heads_up=button == small,
    )


def deal(occupants: tuple[Occupant, ...], last: LastHand | None, first_button: int | None = None) -> NextHand:
    hand = next_hand(occupants, last, terms=TERMS, first_button=first_button)
    assert hand is not None
    return hand


def places(hand: NextHand) -> tuple[int, int | None, int]:
    return hand.button, hand.small_blind, hand.big_blind


def run(occupants: tuple[Occupant, ...], last: LastHand, count: int) -> list[tuple[int, int | None, int]]:
    hands = hands_ahead(occupants, last, count=count, terms=TERMS)
    return [places(hand) for hand in hands]


WAITS, POSTS = Entry.WAITS, Entry.POSTS
FROM_THREE = BlindTerms(SMALL, BIG, seats=6, players_min=3)
HAND_1 = played(1, 2, 3)


@pytest.mark.rule("H1.2")
def test_deal_blinds_and_betting_go_round_clockwise_and_so_does_the_button():
    seats, hands = (1, 2, 3, 5, 8), hands_ahead(sat(1, 2, 3, 5, 8), HAND_1, count=5, terms=TERMS)

    for index, hand in enumerate(hands):
        # From the button of hand 1 in seat 1: one player further with each hand.
        round_table = [seats[(index + 1 + step) % 5] for step in range(5)]
        assert [hand.button, hand.small_blind, hand.big_blind, hand.first_to_act] == round_table[:4]
        assert list(hand.dealt_in) == [*round_table[1:], round_table[0]]


@pytest.mark.rule("H4.2", "H4.26", "H4.27", "H4.28", "H4.29")
@pytest.mark.parametrize(
    ("occupants", "expected"),
    [
        pytest.param(sat(1, 2, 4, 5), [(2, None, 4), (2, 4, 5), (4, 5, 1)], id="E-H4.28a"),
        pytest.param(sat(1, 2, 4, 5, n3=WAITS), [(2, None, 3), (2, 3, 4), (3, 4, 5)], id="E-H4.29a"),
        pytest.param(sat(1, 2, 4, 5, n3=POSTS), [(2, None, 3), (2, 3, 4), (3, 4, 5)], id="E-H4.29a-asked-to-post"),
        pytest.param(held(sat(1, 2, 3, 4, 5), 3), [(2, None, 4), (2, 4, 5), (4, 5, 1)], id="E-H4.28a-held-not-gone"),
    ],
)
def test_the_small_blind_dies_with_the_player_who_left_and_the_button_waits(occupants, expected):
    assert run(occupants, HAND_1, 3) == expected


@pytest.mark.rule("H4.6", "H4.9", "H4.28")
@pytest.mark.parametrize(
    ("occupants", "expected"),
    [
        pytest.param(sat(1, 2, 3, 4, 5), (2, 3, 4), id="nobody-left"),
        pytest.param(sat(1, 3, 4, 5), (1, 3, 4), id="A37-small-blind-left"),
        pytest.param(sat(1, 4, 5), (1, None, 4), id="A37-both-blinds-left"),
        pytest.param(sat(2, 3, 4, 5), (2, 3, 4), id="A37-button-left"),
        pytest.param(sat(3, 4, 5), (5, 3, 4), id="A37-button-and-small-blind-left"),
        pytest.param(sat(4, 5, 6), (6, None, 4), id="A37-all-three-left"),
        pytest.param(held(sat(1, 2, 3, 4, 5), 2), (1, 3, 4), id="A37-small-blind-held"),
        pytest.param(sat(3, 4, 5, n1=POSTS), (5, 3, 4), id="a-newcomer-in-the-buttons-seat-does-not-get-it"),
    ],
)
def test_button_and_small_blind_follow_the_big_blind(occupants, expected):
    assert places(deal(occupants, HAND_1)) == expected


@pytest.mark.rule("H4.30")
def test_a_waiting_newcomer_is_dealt_in_by_the_own_big_blind():
    occupants = sat(1, 2, 3, 5, n4=WAITS, n6=WAITS)

    first = deal(occupants, HAND_1)
    second = deal(after(first, occupants), as_last(first, occupants))

    assert (first.big_blind, first.waiting) == (4, (6,))
    assert [post.kind for post in first.posts] == [PostKind.SMALL_BLIND, PostKind.BIG_BLIND]
    assert (second.big_blind, second.waiting) == (5, (6,))


@pytest.mark.rule("H4.31", "H4.8")
def test_a_posting_newcomer_pays_a_live_big_blind_and_is_dealt_in_at_once():
    occupants = sat(1, 2, 3, 4, n5=POSTS)

    hand = deal(occupants, HAND_1)

    assert hand.dealt_in == (3, 4, 5, 1, 2)
    assert hand.posts == (
        Post(3, PostKind.SMALL_BLIND, SMALL),
        Post(4, PostKind.BIG_BLIND, BIG),
        Post(5, PostKind.NEW_PLAYER, BIG),
    )
    assert {o.entry for o in after(hand, occupants)} == {Entry.IN}


@pytest.mark.rule("H4.31")
def test_a_posting_newcomer_whose_turn_it_is_posts_once():
    hand = deal(sat(1, 2, 3, 5, n4=POSTS), HAND_1)

    assert [post for post in hand.posts if post.seat_number == 4] == [Post(4, PostKind.BIG_BLIND, BIG)]


@pytest.mark.rule("H4.32")
def test_a_newcomer_between_button_and_small_blind_does_not_get_the_button_next():
    occupants = sat(1, 3, 4, 5, n2=POSTS)

    came_in = deal(occupants, played(5, 1, 3))
    following = deal(after(came_in, occupants), as_last(came_in, occupants))

    assert places(came_in) == (1, 3, 4)
    assert came_in.dealt_in == (2, 3, 4, 5, 1)
    assert following.button == 3


@pytest.mark.rule("H4.22", "H4.24", "H4.1", "H4.5")
def test_the_first_hand_starts_from_the_draw_and_nobody_owes_a_new_players_blind():
    hand = deal(sat(2, 5, 7, 9), None, first_button=7)

    assert places(hand) == (7, 9, 2)
    assert hand.dealt_in == (9, 2, 5, 7)
    assert len(hand.posts) == 2


@pytest.mark.rule("H4.24", "H4.30", "H4.31")
def test_who_came_during_a_first_hand_that_was_undone_is_new_and_posts_or_waits():
    hand = deal(sat(2, 5, 7, n8=WAITS, n9=POSTS), None, first_button=7)

    assert (places(hand), hand.dealt_in, hand.waiting) == ((7, 2, 5), (9, 2, 5, 7), (8,))
    assert [(post.seat_number, post.live_cents) for post in hand.posts][-1] == (9, TERMS.big_blind_cents)
    # Of two the button posts the small blind: nobody comes in beside them (A41).
    assert deal(sat(2, 5, n9=POSTS), None, first_button=2).dealt_in == (5, 2)
    # Where the first players have all gone those who are there begin together (A36).
    assert deal(sat(2, n7=WAITS, n9=POSTS), None, first_button=2).dealt_in == (7, 9, 2)


@pytest.mark.rule("H4.22")
@pytest.mark.parametrize(("first_button", "expected"), [(6, (5, 9, 2)), (None, (9, 2, 5))])
def test_a_button_nobody_holds_goes_to_the_nearest_player_counter_clockwise(first_button, expected):
    assert places(deal(sat(2, 5, 9), None, first_button=first_button)) == expected


@pytest.mark.rule("H4.51", "H4.52", "H4.53")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        pytest.param((1, 3), (3, 3, 1), id="the-larger-blind-has-the-button"),
        pytest.param((2, 3), (3, 3, 2), id="both-blinds-stayed"),
        pytest.param((1, 2), (2, 2, 1), id="A41-the-big-blind-left"),
        pytest.param((1, 4), (1, 1, 4), id="A41-neither-posted-the-button-stays"),
        pytest.param((4, 5), (5, 5, 4), id="A41-neither-posted-the-button-left"),
    ],
)
def test_two_who_are_left(seats, expected):
    hand = deal(sat(*seats), HAND_1)

    assert places(hand) == expected
    assert hand.dealt_in == (hand.big_blind, hand.button)
    assert hand.posts == (
        Post(hand.button, PostKind.SMALL_BLIND, SMALL),
        Post(hand.big_blind, PostKind.BIG_BLIND, BIG),
    )


@pytest.mark.rule("H4.52")
def test_two_take_turns():
    assert run(sat(2, 6), played(2, 2, 6), 3) == [(6, 6, 2), (2, 2, 6), (6, 6, 2)]


@pytest.mark.rule("H4.51")
@pytest.mark.parametrize("entry", [WAITS, POSTS])
@pytest.mark.parametrize(
    ("newcomer", "expected"),
    [
        pytest.param("n7", [(1, 5, 7), (5, 7, 1)], id="A41-behind-the-big-blind"),
        pytest.param("n3", [(5, 5, 1), (5, 1, 3), (1, 3, 5)], id="A41-between-button-and-big-blind"),
    ],
)
def test_two_become_three(newcomer, entry, expected):
    assert run(sat(1, 5, **{newcomer: entry}), played(1, 1, 5), len(expected)) == expected


@pytest.mark.rule("H4.51", "H4.30")
@pytest.mark.parametrize(
    ("occupants", "last", "expected"),
    [
        pytest.param(sat(3, 5, n4=WAITS), played(1, 3, 5), (5, 5, 3), id="three-drop-to-two-and-one-waits"),
        pytest.param(sat(3, 5, n4=POSTS), played(1, 3, 5), (5, 5, 3), id="three-drop-to-two-and-one-would-post"),
        pytest.param(sat(3, n1=POSTS, n8=WAITS), HAND_1, (3, 3, 8), id="only-the-big-blind-is-left"),
        pytest.param(sat(2, n3=WAITS, n8=POSTS), HAND_1, (2, None, 3), id="only-the-small-blind-is-left"),
        pytest.param(sat(2, n5=WAITS), HAND_1, (2, 2, 5), id="the-small-blind-and-one-who-waits"),
        pytest.param(sat(4, n5=WAITS, n6=POSTS), HAND_1, (4, 4, 5), id="one-is-left-and-it-was-their-turn"),
        pytest.param(sat(n4=WAITS, n6=WAITS), HAND_1, (6, 6, 4), id="all-new-two"),
        pytest.param(sat(n4=WAITS, n6=POSTS, n8=WAITS), HAND_1, (6, 8, 4), id="all-new-three"),
        pytest.param(sat(1, 2, 4), played(1, 3, 4), (2, 4, 1), id="it-is-the-buttons-turn-for-the-big-blind"),
    ],
)
def test_a_hand_is_found_for_tables_that_no_clause_thought_of(occupants, last, expected):
    assert places(deal(occupants, last)) == expected


@pytest.mark.rule("H2.2")
def test_nobody_plays_alone():
    alone = held(sat(1, 2, 3), 2, 3)

    assert next_hand(alone, HAND_1, terms=TERMS) is None
    assert hands_ahead(alone, HAND_1, count=3, terms=TERMS) == ()


def test_a_held_seat_gets_no_cards_and_is_said_to_wait():
    hand = deal(held(sat(1, 2, 3, 4, 5), 5), HAND_1)

    assert 5 not in hand.dealt_in
    assert hand.waiting == (5,)


def here(occupants: tuple[Occupant, ...], seat: int, last: LastHand | None = HAND_1) -> NextHand:
    hand = with_button_here(occupants, last, seat_number=seat, terms=TERMS)
    assert hand is not None
    return hand


@pytest.mark.rule("H4.9")
@pytest.mark.parametrize(
    ("occupants", "seat", "expected"),
    [
        pytest.param(sat(1, 2, 3, 4, 5), 4, (4, 5, 1), id="blinds-follow-clockwise"),
        pytest.param(sat(1, 2, 4, 5), 3, (3, 4, 5), id="an-empty-seat"),
        pytest.param(sat(1, 2, 5, n3=WAITS), 2, (2, 5, 1), id="a-waiting-newcomer-is-no-small-blind"),
        pytest.param(sat(1, 2, 5, n6=WAITS), 2, (2, 5, 6), id="but-may-be-the-big-blind"),
        pytest.param(sat(2, 6), 6, (6, 6, 2), id="two"),
        pytest.param(sat(2, 6), 4, (2, 2, 6), id="two-and-an-empty-seat"),
        pytest.param(sat(1, 3, n2=POSTS), 1, (1, 1, 3), id="a-newcomer-before-the-only-other-player"),
        pytest.param(sat(4, n2=WAITS, n3=WAITS), 1, (4, 4, 2), id="one-in-rotation-and-an-empty-seat"),
        pytest.param(sat(n2=WAITS, n3=WAITS, n4=POSTS), 3, (3, 4, 2), id="nobody-in-rotation"),
    ],
)
def test_the_felt_says_where_the_button_is(occupants, seat, expected):
    assert places(here(occupants, seat)) == expected


@pytest.mark.rule("H4.31")
def test_a_newcomer_whom_the_felt_has_on_the_button_pays_for_coming_in():
    hand = here(sat(1, 2, 3, n5=WAITS), 5)

    assert places(hand) == (5, 1, 2)
    assert hand.posts[-1] == Post(5, PostKind.NEW_PLAYER, BIG)


def test_the_hand_after_an_empty_button_seat_goes_on_from_its_blinds():
    occupants = sat(1, 2, 4, 5)
    hand = here(occupants, 3)

    last = as_last(hand, occupants)

    assert last.button_player_id is None
    assert places(deal(occupants, last)) == (4, 5, 1)


@pytest.mark.parametrize(
    "occupants",
    [
        pytest.param(sat(1, 11), id="seat-outside"),
        pytest.param((Occupant(1, 101), Occupant(1, 102)), id="two-in-one-seat"),
        pytest.param((Occupant(1, 101), Occupant(2, 101)), id="one-in-two-seats"),
    ],
)
def test_an_impossible_table_is_an_error(occupants):
    with pytest.raises(ValueError, match="seat"):
        deal(occupants, HAND_1)


# ---- houses that deal from three players on


@pytest.mark.rule("U5", "U12")
def test_from_three_players_on_the_first_two_who_sit_down_are_dealt_nothing():
    assert next_hand(sat(1, 2), None, terms=FROM_THREE) is None
    assert with_button_here(sat(1, 2), None, seat_number=1, terms=FROM_THREE) is None
    assert next_hand(held(sat(1, 2, 5), 5), None, terms=FROM_THREE) is None
    hand = next_hand(sat(1, 2, 5), None, terms=FROM_THREE, first_button=2)
    assert hand is not None
    assert (places(hand), hand.dealt_in) == ((2, 5, 1), (5, 1, 2))


@pytest.mark.rule("U9", "U13", "U-R5")
@pytest.mark.parametrize(
    ("goes_on", "expected"), [pytest.param(False, 1, id="UA1"), pytest.param(True, 4, id="UA1-on")]
)
def test_two_who_are_left_of_three_play_one_hand_and_more_where_the_house_lets_them(goes_on, expected):
    terms = BlindTerms(SMALL, BIG, seats=6, players_min=3, may_two_go_on=goes_on)

    hands = hands_ahead(sat(2, 3), HAND_1, count=4, terms=terms)

    assert len(hands) == expected
    assert all(hand.button == hand.small_blind != hand.big_blind for hand in hands)


@pytest.mark.rule("U11", "U12", "U13")
def test_two_of_whom_one_is_new_are_not_left_of_a_hand_of_three():
    assert next_hand(sat(2, n5=WAITS), HAND_1, terms=FROM_THREE) is None
    assert next_hand(sat(2, 3, n5=WAITS), HAND_1, terms=FROM_THREE) is not None


@pytest.mark.rule("U8", "U-R4a", "U-R4b", "U-R4c")
def test_button_and_blinds_go_on_clockwise_and_the_small_blind_is_dead_where_the_big_one_has_left():
    assert run(sat(1, 2, 3, 5), HAND_1, 2) == [(2, 3, 5), (3, 5, 1)]
    assert run(sat(1, 2, 5), HAND_1, 1) == [(2, None, 5)]
