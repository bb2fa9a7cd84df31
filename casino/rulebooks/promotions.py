"""Promotions as a house's rule book says them: what is won in a period, by what, and what becomes of it unwon."""

from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from casino.poker.variants import Variant
from casino.rulebooks.jackpots import LeastHand
from casino.rulebooks.units import Code, Minutes, PositiveCents, Text

Games = Annotated[tuple[Code, ...], Meta(min_length=1)]


class Ties(StrEnum):
    """Who wins with equal hands: whoever showed theirs first, or all of them in equal shares."""

    FIRST = "first"
    SHARED = "shared"


class Unwon(StrEnum):
    """What becomes of a period's amount that nobody has won: it stays in the fund, or the next period pays it too."""

    STAYS = "stays"
    ROLLS_OVER = "rolls_over"


class HighHand(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    The best hand that is shown in a period of so many minutes wins `amount_cents` out of the promotion's fund.

    It is played in these `games`, by their codes. `criteria` say from which hand on one takes part, by variant.
    """

    code: Code
    name: Text
    games: Games
    period_minutes: Minutes
    amount_cents: PositiveCents
    ties: Ties = Ties.FIRST
    unwon: Unwon = Unwon.STAYS
    criteria: Annotated[tuple[LeastHand, ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        variants = [variant for each in self.criteria for variant in each.variants]
        if len(set(variants)) < len(variants):
            raise ValueError("criteria: a variant has two of them")

    def criterion(self, variant: Variant) -> LeastHand | None:
        """Return from which hand on one takes part in a variant, None where nobody can."""
        return next((each for each in self.criteria if variant in each.variants), None)


class Moments(StrEnum):
    """When pots are splashed in a period: at drawn moments that nobody foresees, or evenly, by the clock."""

    DRAWN = "drawn"
    TIMED = "timed"


class SplashPot(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    In a period of so many minutes the house puts chips into `splashes` pots, `each_cents` into each.

    `moments` says when; the table is drawn in either case, among those that play one of these `games` then.
    """

    code: Code
    name: Text
    games: Games
    period_minutes: Minutes
    splashes: Annotated[int, Meta(ge=1, le=60)]
    each_cents: PositiveCents
    moments: Moments = Moments.DRAWN

    @property
    def amount_cents(self) -> int:
        """What one period promises: all its splashes."""
        return self.splashes * self.each_cents


Promotion: TypeAlias = HighHand | SplashPot
