"""Cards drawn for seats when there are too few (H2.10), in the order that a draw for the button has too (H4.22)."""

from collections.abc import Mapping

from pokerkit import Card, RankOrder, Suit

# Spades over hearts over diamonds over clubs.
BRIDGE_RANK_ORDER = (Suit.CLUB, Suit.DIAMOND, Suit.HEART, Suit.SPADE)


def draw_order(cards: Mapping[int, str]) -> tuple[int, ...]:
    """
    Return the seats from the highest card to the lowest, equal ranks by Bridge Rank Order.

    `cards` holds one card per seat, as "As", "Td" or "10d"; an ace is high.

    :raises ValueError: nobody drew, a text is not one card, or a card was drawn twice.
    Rules: H2.10.
    """
    if not cards:
        raise ValueError("nobody drew a card")
    strengths = {seat: _strength(text) for seat, text in cards.items()}
    if len(set(strengths.values())) < len(strengths):
        raise ValueError("the same card was drawn twice")
    return tuple(sorted(strengths, key=lambda seat: strengths[seat], reverse=True))


def _strength(text: str) -> tuple[int, int]:
    try:
        cards = tuple(Card.parse(text))
    except ValueError as error:
        raise ValueError(f"{text!r} is not one card") from error
    if len(cards) != 1 or cards[0].unknown_status:
        raise ValueError(f"{text!r} is not one card")
    (card,) = cards
    return RankOrder.STANDARD.index(card.rank), BRIDGE_RANK_ORDER.index(card.suit)
