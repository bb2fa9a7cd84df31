"""Which cards make a hand in each variant (chapter 6)."""

from dataclasses import dataclass
from enum import StrEnum


class Variant(StrEnum):
    """The variants whose high hands are ranked. Of those dealt high and low it is the high hand (H6.89)."""

    HOLDEM = "holdem"
    OMAHA = "omaha"
    OMAHA_HI_LO = "omaha_hi_lo"
    OMAHA_5 = "omaha_5"
    COURCHEVEL = "courchevel"
    STUD = "stud"
    STUD_HI_LO = "stud_hi_lo"
    SOKO = "soko"
    AVIATION = "aviation"
    PINEAPPLE = "pineapple"
    CRAZY_PINEAPPLE = "crazy_pineapple"

    @property
    def is_hi_lo(self) -> bool:
        """Whether the pot is divided between the highest and the lowest hand (H6.87)."""
        return self in {Variant.OMAHA_HI_LO, Variant.STUD_HI_LO}

    @property
    def high(self) -> "Variant":
        """The variant by whose rules the high hand is formed: of Omaha hi-lo, Omaha (H6.89)."""
        return {Variant.OMAHA_HI_LO: Variant.OMAHA, Variant.STUD_HI_LO: Variant.STUD}.get(self, self)


@dataclass(frozen=True)
class Shape:
    """
    How many cards a player holds at the end of a hand and how many lie on the board, and which may be played.

    `own_played` is how many of the own cards make the hand, exactly; None: any. `has_four_card_hands`: four cards to a
    straight or flush count (H6.36). `own_missing_max`: so many own cards may have been dealt as community cards
    instead, where the deck ran short, and only those play them who lack a card of their own (H6.70, H6.73, A-H6.7).
    """

    own: int
    board: int
    own_played: int | None = None
    has_four_card_hands: bool = False
    own_missing_max: int = 0


_HOLDEM = Shape(own=2, board=5)
_SHAPES = {
    Variant.HOLDEM: _HOLDEM,  # H6.4
    Variant.OMAHA: Shape(own=4, board=5, own_played=2),  # H6.19
    Variant.OMAHA_5: Shape(own=5, board=5, own_played=2),  # H6.21
    Variant.COURCHEVEL: Shape(own=5, board=5, own_played=2),  # H6.23
    Variant.STUD: Shape(own=7, board=0, own_missing_max=2),  # H6.65
    Variant.SOKO: Shape(own=5, board=0, has_four_card_hands=True),  # H6.36, H6.37
    # What is left after the discards (H6.28, H6.30, H6.32).
    Variant.AVIATION: _HOLDEM,
    Variant.PINEAPPLE: _HOLDEM,
    Variant.CRAZY_PINEAPPLE: _HOLDEM,
}


def shape_of(variant: Variant) -> Shape:
    """Return which cards make a hand of this variant."""
    return _SHAPES[variant.high]
