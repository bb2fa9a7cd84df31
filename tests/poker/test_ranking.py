"""What hands are worth, held against a ranking of our own that looks at nothing but the definitions."""

import random
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.poker.cards import DECK, RANKS, SameCard, cards_of, height
from casino.poker.ranking import Made, Worth, WrongCards, rank_hand, worth_of
from casino.poker.variants import Variant, shape_of


def judged(five: Sequence[str], *, soko: bool = False) -> tuple[int, ...]:
    """Rank five cards by the definitions alone: what they make as a number, then what decides."""
    ranks = [height(card) for card in five]
    groups = sorted(((ranks.count(each), each) for each in set(ranks)), reverse=True)
    shape, decide = tuple(number for number, _rank in groups), tuple(rank for _number, rank in groups)
    is_flush = len({card[1] for card in five}) == 1
    is_spread = len(groups) == 5
    straight = max((top for top in range(5, 15) if is_spread and run(top, 5) == set(ranks)), default=0)
    if straight:
        return (10 if is_flush else 6, straight)
    if shape[0] == 4:
        return (9, *decide)
    if shape == (3, 2):
        return (8, *decide)
    if is_flush:
        return (7, *decide)
    if shape[0] == 3:
        return (5, *decide)
    if shape[:2] == (2, 2):
        return (4, *decide)
    if soko and (four := four_of_suit(five)):
        return (3, *four)
    if soko and (four := four_in_a_row(five)):
        return (2, *four)
    return (1 if shape[0] == 2 else 0, *decide)


def run(top: int, length: int) -> set[int]:
    return {14 if each == 1 else each for each in range(top, top - length, -1)}


def four_of_suit(five: Sequence[str]) -> tuple[int, ...]:
    for suit in "shdc":
        of_suit = sorted((height(card) for card in five if card[1] == suit), reverse=True)
        if len(of_suit) == 4:
            return (*of_suit, next(height(card) for card in five if card[1] != suit))
    return ()


def four_in_a_row(five: Sequence[str]) -> tuple[int, ...]:
    found = [
        (top, height(fifth))
        for top in range(4, 15)
        for fifth in five
        if {height(card) for card in five if card != fifth} == run(top, 4)
    ]
    return max(found, default=())


def every_five() -> list[tuple[str, ...]]:
    """Return five cards of every combination of ranks, of several suits and, where they differ, of one."""
    ranks = [each for each in combinations_with_replacement(RANKS, 5) if max(map(each.count, each)) < 5]
    mixed = [tuple(f"{rank}{'shdcs'[place]}" for place, rank in enumerate(each)) for each in ranks]
    # Five with a pair or more have as many suits as that takes; the first card and the last may be the same one.
    mixed = [five if len(set(five)) == 5 else (*five[:4], f"{five[4][0]}h") for five in mixed]
    return [five for five in mixed if len(set(five)) == 5] + [
        tuple(f"{rank}s" for rank in each) for each in ranks if len(set(each)) == 5
    ]


@pytest.mark.rule("L-P52", "L-P53", "L-P56", "L-P57", "L-P58", "L-P59", "L-P60", "L-P61", "L-P62", "L-P50")
def test_every_five_stands_where_the_definitions_put_it():
    fives = every_five()

    ours = sorted(fives, key=lambda five: (worth_of(five).made.order, worth_of(five).ranks))
    places = [judged(five) for five in ours]

    assert len(set(places)) == len({worth_of(five) for five in fives}) == 7462
    assert places == sorted(places)


@pytest.mark.rule("H6.36", "L-P54", "L-P55")
def test_every_five_of_soko_stands_where_the_definitions_put_it():
    chance = random.Random(6)
    fives = [tuple(chance.sample(DECK, 5)) for _ in range(1500)]
    # Enough of those that only Sökö knows.
    fives += [(*four, chance.choice(DECK[26:])) for four in combinations(DECK[:7], 4)]
    fives += [
        (f"{RANKS[at]}s", f"{RANKS[at + 1]}d", f"{RANKS[at + 2]}h", f"{RANKS[at + 3]}c", "7h") for at in range(10)
    ]
    fives = [five for five in fives if len(set(five)) == 5]

    worths = [worth_of(five, four_card_hands=True) for five in fives]

    assert {worth.made for worth in worths} >= {Made.FOUR_STRAIGHT, Made.FOUR_FLUSH}
    by_worth = sorted(range(len(fives)), key=lambda at: (worths[at].made.order, worths[at].ranks))
    places = [judged(fives[at], soko=True) for at in by_worth]
    assert places == sorted(places)
    assert len(set(places)) == len(set(worths))


@pytest.mark.rule("H6.36", "H6.37")
def test_sokos_hands_in_the_order_of_the_rules():
    # E-H6.36a, and above it the order that all games share.
    ascending = [
        "As Kh Qd 9c 7s",
        "As Ah Kd Qc 9s",
        "As 2h 3d 4c 9s",
        "Js Qh Kd Ac 2s",
        "6s 4s 3s 2s 9h",
        "2s 2h 3d 3c 4s",
        "2s 2h 2d 3c 4s",
        "2s 3h 4d 5c 6s",
        "2s 3s 4s 5s 7s",
        "2s 2h 2d 3c 3s",
        "2s 2h 2d 2c 3s",
        "2s 3s 4s 5s 6s",
    ]

    worths = [rank_hand(Variant.SOKO, cards_of(text)).worth for text in ascending]

    assert worths == sorted(worths)
    assert len(set(worths)) == len(ascending)


@pytest.mark.rule("H6.36")
@pytest.mark.parametrize(
    ("cards", "worth", "counted"),
    [
        pytest.param("9s 8s 7s 6s 2d", Worth(Made.FOUR_FLUSH, (9, 8, 7, 6, 2)), "9s 8s 7s 6s 2d", id="E-H6.36b"),
        pytest.param("9s 8s 5s 2s 9h", Worth(Made.FOUR_FLUSH, (9, 8, 5, 2, 9)), "9s 8s 5s 2s 9h", id="E-H6.36c"),
        pytest.param("8s 7h 6d 5c 8d", Worth(Made.FOUR_STRAIGHT, (8, 8)), "8s 7h 6d 5c 8d", id="E-H6.36d"),
        pytest.param("2c 4d Ah 3s Kd", Worth(Made.FOUR_STRAIGHT, (4, 13)), "4d 3s 2c Ah Kd", id="the-ace-is-low-too"),
    ],
)
def test_four_cards_make_a_hand_of_soko(cards, worth, counted):
    hand = rank_hand(Variant.SOKO, cards_of(cards))

    assert hand.worth == worth
    assert hand.cards == cards_of(counted)


@pytest.mark.rule("H6.38")
@pytest.mark.parametrize(
    ("first", "second", "is_split"),
    [
        pytest.param("Js Td 9c 8h 2c", "Jh Tc 9d 8s Kd", False, id="E-H6.38a"),
        pytest.param("Js Td 9c 8h Kc", "Jh Tc 9d 8s Kd", True, id="E-H6.38b"),
    ],
)
def test_the_fifth_card_decides(first, second, is_split):
    one, other = (rank_hand(Variant.SOKO, cards_of(text)).worth for text in (first, second))

    assert one <= other
    assert (one == other) is is_split


@pytest.mark.rule("H6.4", "H6.14", "H6.28", "H6.30", "H6.32", "H6.65", "L-P36", "H7.11")
@pytest.mark.parametrize("seed", range(40))
def test_the_best_five_of_seven_are_found(seed):
    seven = random.Random(seed).sample(DECK, 7)

    hand = rank_hand(Variant.HOLDEM, seven[:2], seven[2:])
    stud = rank_hand(Variant.STUD, seven)

    assert judged(hand.cards) == max(judged(five) for five in combinations(seven, 5))
    assert stud.worth == hand.worth
    assert set(hand.own) == set(hand.cards) & set(seven[:2])


@pytest.mark.rule("H6.19", "H6.21", "H6.23", "H6.89")
@pytest.mark.parametrize("variant", [Variant.OMAHA, Variant.OMAHA_HI_LO, Variant.OMAHA_5, Variant.COURCHEVEL])
@given(data=st.data())
def test_omaha_plays_exactly_two_of_its_own(variant, data):
    own_number = shape_of(variant).own
    cards = data.draw(st.lists(st.sampled_from(DECK), min_size=own_number + 5, max_size=own_number + 5, unique=True))
    own, board = cards[:own_number], cards[own_number:]

    hand = rank_hand(variant, own, board)

    ways = [(*two, *three) for two in combinations(own, 2) for three in combinations(board, 3)]
    assert judged(hand.cards) == max(map(judged, ways))
    assert len(hand.own) == hand.own_needed == 2


@pytest.mark.rule("H7.11")
@pytest.mark.parametrize(
    ("own", "board", "best_own", "needed"),
    [
        ("As Ad", "Ah Kd Kh 5c Ks", 2, 2),
        # The board's own aces and kings are as good as two of the hand (A-H7.4).
        ("Qh 7c", "Ah Ad As Kc Kd", 0, 0),
        ("Ac Kh", "Ah Ad Ks Kd 2c", 2, 1),
        ("Kc 2s", "Ah Ad As Ac 3d", 1, 1),
        ("2c 3c", "As Ks Qs Js Ts", 0, 0),
    ],
)
def test_of_equal_hands_the_one_with_most_own_cards_is_named(own, board, best_own, needed):
    hand = rank_hand(Variant.HOLDEM, cards_of(own), cards_of(board))

    assert len(hand.own) == best_own
    assert hand.own_needed == needed


@pytest.mark.rule("H6.70", "H6.73")
def test_a_stud_player_without_a_last_card_plays_the_community_card():
    six, community = cards_of("As Ad Ah 2c 3d 5h"), cards_of("Ac")

    assert rank_hand(Variant.STUD, six, community).worth.made is Made.FOUR
    # Who has seven of their own does not play it.
    assert rank_hand(Variant.STUD, (*six, "9s"), community).worth.made is Made.THREE
    assert rank_hand(Variant.STUD, six[:5], cards_of("Ac 9s")).worth.made is Made.FOUR


@pytest.mark.parametrize(
    ("variant", "own", "board", "where"),
    [
        (Variant.HOLDEM, "As", "2s 3s 4s 5s 7d", "own"),
        (Variant.HOLDEM, "As Ad", "2s 3s 4s 5s", "board"),
        (Variant.OMAHA, "As Ad", "2s 3s 4s 5s 7d", "own"),
        (Variant.SOKO, "As Ad 2s 3s 4s", "5s", "board"),
        (Variant.STUD, "As Ad 2s 3s", "5s 6s 7s", "own"),
        (Variant.STUD, "As Ad 2s 3s 4s 5s", "", "board"),
        (Variant.STUD, "As Ad 2s 3s 4s 5s 6s", "7s 8s 9s", "board"),
    ],
)
def test_what_the_variant_does_not_deal_is_no_hand(variant, own, board, where):
    with pytest.raises(WrongCards) as wrong:
        rank_hand(variant, cards_of(own), cards_of(board))

    assert wrong.value.where == where


def test_no_card_lies_in_hand_and_board():
    with pytest.raises(SameCard):
        rank_hand(Variant.HOLDEM, cards_of("As Ad"), cards_of("As 3s 4s 5s 7d"))
