"""
What a hand of cards is worth: the best five of what a player may use, and which of them are the player's own.

PokerKit says what five cards are. It knows no Sökö, and not which of several equal fives holds most of the own cards
(A-H7.4); both are here.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, total_ordering
from itertools import combinations
from typing import Any

from pokerkit import Card, Label, StandardHighHand

from casino.poker.cards import height, must_differ, same_suit
from casino.poker.variants import Shape, Variant, shape_of


class Made(StrEnum):
    """What five cards make, from the lowest to the highest (L-P52 to L-P62); those of four cards are Sökö's alone."""

    HIGH_CARD = "high_card"
    PAIR = "pair"
    FOUR_STRAIGHT = "four_straight"
    FOUR_FLUSH = "four_flush"
    TWO_PAIR = "two_pair"
    THREE = "three"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full_house"
    FOUR = "four"
    STRAIGHT_FLUSH = "straight_flush"

    @property
    def order(self) -> int:
        """Its place among all, the lowest 0."""
        return tuple(Made).index(self)


_MADE = {
    Label.HIGH_CARD: Made.HIGH_CARD,
    Label.ONE_PAIR: Made.PAIR,
    Label.TWO_PAIR: Made.TWO_PAIR,
    Label.THREE_OF_A_KIND: Made.THREE,
    Label.STRAIGHT: Made.STRAIGHT,
    Label.FLUSH: Made.FLUSH,
    Label.FULL_HOUSE: Made.FULL_HOUSE,
    Label.FOUR_OF_A_KIND: Made.FOUR,
    Label.STRAIGHT_FLUSH: Made.STRAIGHT_FLUSH,
}


@total_ordering
@dataclass(frozen=True)
class Worth:
    """
    What five cards are worth. `ranks` are what decides between two that make the same, the first first: three aces and
    two kings are (14, 13); the ace of A-2-3-4-5 is 1, and a straight's highest card stands for all of it.
    """

    made: Made
    ranks: tuple[int, ...]

    def __lt__(self, other: "Worth") -> bool:
        return (self.made.order, self.ranks) < (other.made.order, other.ranks)


@dataclass(frozen=True)
class RankedHand:
    """
    A player's best five cards, highest first as they count, and those of them that are the player's own.

    `own_needed` is how many own cards it takes at the least: an equal five with no more of them is as good (A-H7.4).
    """

    worth: Worth
    cards: tuple[str, ...]
    own: tuple[str, ...]
    own_needed: int


class WrongCards(ValueError):
    """So many cards make no hand of this variant; `where` is "own" or "board", `expected` and `got` are counts."""

    def __init__(self, where: str, *, expected: int, got: int) -> None:
        super().__init__(f"{where}: {got} cards, and not {expected}")
        self.where, self.expected, self.got = where, expected, got


def rank_hand(variant: Variant, own: Sequence[str], board: Sequence[str] = ()) -> RankedHand:
    """
    Return the best hand of a player, as H7.11 has it formed; of equal ones the five with most of the own cards.

    `own` and `board` are cards as `cards_of` writes them, at the end of the hand and after every discard.

    :raises WrongCards: more or fewer than the variant deals.
    :raises SameCard: a card lies in two places.
    """
    shape = shape_of(variant)
    board = _played(shape, own, board)
    must_differ((*own, *board))
    ways = [(worth_of(five, four_card_hands=shape.has_four_card_hands), five) for five in _fives(shape, own, board)]
    best = max(worth for worth, _five in ways)
    mine = frozenset(own)
    fives = [five for worth, five in ways if worth == best]
    most = max(fives, key=lambda five: len(mine.intersection(five)))
    least = min(len(mine.intersection(five)) for five in fives)
    cards = _as_counted(most, best)
    return RankedHand(best, cards, tuple(card for card in cards if card in mine), least)


def _played(shape: Shape, own: Sequence[str], board: Sequence[str]) -> Sequence[str]:
    """Return the cards of the board that this player may play. :raises WrongCards: as `rank_hand`."""
    missing = shape.own - len(own)
    if not 0 <= missing <= shape.own_missing_max:
        raise WrongCards("own", expected=shape.own, got=len(own))
    common = shape.board + missing
    if len(board) != common and not (shape.own_missing_max and missing == 0 and len(board) <= shape.own_missing_max):
        raise WrongCards("board", expected=common, got=len(board))
    return board[:common]


def _fives(shape: Shape, own: Sequence[str], board: Sequence[str]) -> Iterator[tuple[str, ...]]:
    if shape.own_played is None:
        yield from combinations((*own, *board), 5)
        return
    for mine in combinations(own, shape.own_played):
        for common in combinations(board, 5 - shape.own_played):
            yield *mine, *common


def worth_of(five: Sequence[str], *, four_card_hands: bool = False) -> Worth:
    """
    Return what five cards are worth by themselves; with `four_card_hands` as in Sökö.

    Rules: L-P52-L-P62, H6.36-H6.38 (A-H6.5: the ace is low in a four-card straight too).
    """
    made = _MADE[StandardHighHand.lookup.get_entry(tuple(map(_known, five))).label]
    heights = sorted(map(height, five), reverse=True)
    if made in {Made.STRAIGHT, Made.STRAIGHT_FLUSH}:
        return Worth(made, (_top_of_straight(heights),))
    if four_card_hands and made in {Made.HIGH_CARD, Made.PAIR} and (four := _four_card_hand(five)):
        return four
    count = Counter(heights)
    ranks = tuple(sorted(count, key=lambda each: (count[each], each), reverse=True))
    return Worth(made, ranks)


def _four_card_hand(five: Sequence[str]) -> Worth | None:
    """Return the four-card flush or else the highest four-card straight among five cards, with the fifth card last."""
    for four in combinations(five, 4):
        if same_suit(four):
            (fifth,) = set(five) - set(four)
            return Worth(Made.FOUR_FLUSH, (*sorted(map(height, four), reverse=True), height(fifth)))
    straights: list[tuple[int, int]] = []
    for four in combinations(five, 4):
        heights = sorted(map(height, four), reverse=True)
        if top := _top_of_straight(heights):
            (fifth,) = set(five) - set(four)
            straights.append((top, height(fifth)))
    return Worth(Made.FOUR_STRAIGHT, max(straights)) if straights else None


def _top_of_straight(heights: Sequence[int]) -> int:
    """Return the highest card of a straight of these, from the highest down; 0 where they are none."""
    if len(set(heights)) < len(heights):
        return 0
    if heights[0] - heights[-1] == len(heights) - 1:
        return heights[0]
    low = sorted((1 if each == 14 else each for each in heights), reverse=True)
    return low[0] if low[0] - low[-1] == len(low) - 1 else 0


def _as_counted(five: Sequence[str], worth: Worth) -> tuple[str, ...]:
    """Return the cards in the order in which they count."""
    if worth.made is Made.FOUR_FLUSH:
        (suit,) = [suit for suit, number in Counter(card[1] for card in five).items() if number == 4]
        return tuple(sorted(five, key=lambda card: (card[1] == suit, height(card)), reverse=True))
    if worth.made in {Made.STRAIGHT, Made.STRAIGHT_FLUSH, Made.FOUR_STRAIGHT}:
        top = worth.ranks[0]
        run = [14 if each == 1 else each for each in range(top, max(top - 5, 0), -1)]
        run = run[:4] if worth.made is Made.FOUR_STRAIGHT else run
        cards = [next(card for card in five if height(card) == each) for each in run]
        return (*cards, *(card for card in five if card not in cards))
    count = Counter(map(height, five))
    return tuple(sorted(five, key=lambda card: (count[height(card)], height(card)), reverse=True))


@cache
def _known(card: str) -> Any:
    (known,) = Card.parse(card)
    return known
