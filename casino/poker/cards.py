"""Playing cards as texts: a rank and a suit, "As", "Td"."""

import re
from collections.abc import Collection, Iterable

RANKS = "23456789TJQKA"
# Spades first, as the cards of a deck are laid out: spades, hearts, diamonds, clubs.
SUITS = "shdc"
DECK = tuple(f"{rank}{suit}" for suit in SUITS for rank in reversed(RANKS))

_SIGNS = str.maketrans("♠♥♦♣", SUITS)
_CARD = re.compile(r"(10|[2-9TJQKA])([SHDC♠♥♦♣])", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,]+")


class NoCard(ValueError):
    """What was written is no card; `text` is the part that is none."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is not a card")
        self.text = text


class SameCard(ValueError):
    """A card lies in two places."""

    def __init__(self, card: str) -> None:
        super().__init__(f"{card} lies in two places")
        self.card = card


def cards_of(text: str) -> tuple[str, ...]:
    """
    Return the cards of a text in their order: "as10♦, Kh" is ("As", "Td", "Kh").

    :raises NoCard: a part of it is none.
    """
    cards: list[str] = []
    for part in filter(None, _BETWEEN.split(text)):
        at = 0
        while at < len(part):
            if (match := _CARD.match(part, at)) is None:
                raise NoCard(part[at : at + 12])
            rank, suit = match.groups()
            cards.append(("T" if rank == "10" else rank.upper()) + suit.lower().translate(_SIGNS))
            at = match.end()
    return tuple(cards)


def must_differ(cards: Iterable[str]) -> None:
    """:raises SameCard: one deck is in play, and a card is named twice (L-P49)."""
    seen: set[str] = set()
    for card in cards:
        if card in seen:
            raise SameCard(card)
        seen.add(card)


def height(card: str) -> int:
    """Return the rank of a card as a number: 2 to 14, the ace high."""
    return RANKS.index(card[0]) + 2


def same_suit(cards: Collection[str]) -> bool:
    """Return whether all cards are of one suit."""
    return len({card[1] for card in cards}) == 1
