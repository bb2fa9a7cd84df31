"""A bad-beat jackpot as a house's rule book says it: who may win it, with which hands, and how it is shared."""

from enum import StrEnum
from itertools import product
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from casino.poker.cards import RANKS
from casino.poker.ranking import Made, Worth
from casino.poker.variants import Variant
from casino.rulebooks.units import Cents, ClauseId, Code, Seats, Text

# Hundred-thousandths of the sum: the printed tables are per cents of three decimals.
WHOLE = 100_000
Share: TypeAlias = Annotated[int, Meta(ge=0, le=WHOLE)]
Shares: TypeAlias = Annotated[tuple[Share, ...], Meta(min_length=1, max_length=12)]


class OwnCards(StrEnum):
    """When a player uses own cards: where some of the best fives hold them, or where all of them do (A-H7.4)."""

    MAY_PLAY = "may_play"
    MUST_PLAY = "must_play"


class PaysBy(StrEnum):
    """What is paid: what the tables print, or what the law behind them comes to (A-H7.10)."""

    PRINTED = "printed"
    FORMULA = "formula"


class Joins(StrEnum):
    """When what hands have paid joins the sum: with the close of the gaming day (H7.17), or at once."""

    DAY_END = "day_end"
    AT_ONCE = "at_once"


class LeastHand(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    A least hand in these variants, and the clause that says so.

    `ranks` are the ranks that decide, the first first: "AK" of a full house is three aces and two kings; those that are
    left out may be any ("A": any pair with them). It plays `own_cards_min` own cards at least.
    """

    variants: Annotated[tuple[Variant, ...], Meta(min_length=1)]
    made: Made
    ranks: Annotated[str, Meta(pattern="^[2-9TJQKA]{1,5}$")]
    own_cards_min: Annotated[int, Meta(ge=0, le=5)] = 0
    clause: ClauseId | None = None

    @property
    def least(self) -> Worth:
        """The hand from which on it is met; hands with more ranks named are above it, as they may be any."""
        return Worth(self.made, tuple(RANKS.index(rank) + 2 for rank in self.ranks))


class Criterion(LeastHand, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What has to lose in some variants; the winner plays `winner_own_cards_min` own cards at least (A-H7.3)."""

    winner_own_cards_min: Annotated[int, Meta(ge=0, le=5)] = 0


class Law(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    What the printed shares come from, in 100,000ths: the losing hand's part, the winning hand's, and the others'.

    `others` is shared by all participants but two, or each gets `other`: one of the two is 0. Players who share a hand
    divide its part, and one share of the others' for each of them beyond the first.
    """

    loser: Share
    winner: Share
    others: Share = 0
    other: Share = 0

    def __post_init__(self) -> None:
        if self.others and self.other:
            raise ValueError("others is what they share and other what each gets; it is one of them")


class PrintedRow(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    A row of the printed table for hands of so many participants, in 100,000ths of the sum.

    `loser` is each loser's share where there is one, where there are two, and so on; `winner` likewise.
    """

    players: Annotated[tuple[Seats, ...], Meta(min_length=1)]
    loser: Shares
    winner: Shares
    other: Share

    def __post_init__(self) -> None:
        # A misprint is paid as printed (A-H7.10), but nothing pays more than there is.
        for players, (losers, loser), (winners, winner) in product(
            self.players, enumerate(self.loser, start=1), enumerate(self.winner, start=1)
        ):
            others = players - losers - winners
            if others >= 0 and losers * loser + winners * winner + others * self.other > WHOLE:
                raise ValueError(
                    f"with {players} players, {losers} of them losers and {winners} winners, it would pay more than "
                    "the whole sum"
                )


class Category(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One of a jackpot's categories: which hands it takes, and how it pays; `clause` is that of its table."""

    criteria: Annotated[tuple[Criterion, ...], Meta(min_length=1)]
    law: Law
    rows: tuple[PrintedRow, ...] = ()
    clause: ClauseId | None = None

    def __post_init__(self) -> None:
        variants = [variant for each in self.criteria for variant in each.variants]
        if len(set(variants)) < len(variants):
            raise ValueError("criteria: a variant has two of them in one category")
        players = [number for each in self.rows for number in each.players]
        if len(set(players)) < len(players):
            raise ValueError("rows: the same number of players has two rows")

    def criterion(self, variant: Variant) -> Criterion | None:
        """Return what has to lose in a variant, None where nothing can."""
        return next((each for each in self.criteria if variant in each.variants), None)

    def row(self, players: int) -> PrintedRow | None:
        """Return the printed row of so many participants, None where none is printed."""
        return next((each for each in self.rows if players in each.players), None)


class Jackpot(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    A bad-beat jackpot. `categories` are in their order, the highest first: it alone pays (A-H7.2).

    A hand takes part with `participants_min` players who got cards at their seats, and `players_max` at most. The house
    guarantees `seed_cents`; what it put in it may take back with `seed_is_recovered`, out of what lies above that: no
    clause says so, and without the setting it stays. `takings_join` says when the day's takings join the sum.
    `hands_must_be_shown`: a hand that was thrown in does not count (A-H7.5).
    """

    code: Code
    name: Text
    participants_min: Seats
    players_max: Seats
    seed_cents: Cents
    seed_is_recovered: bool = False
    takings_join: Joins = Joins.DAY_END
    hands_must_be_shown: bool = True
    own_cards: OwnCards = OwnCards.MAY_PLAY
    pays_by: PaysBy = PaysBy.PRINTED
    categories: Annotated[tuple[Category, ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        if self.participants_min > self.players_max:
            raise ValueError("participants_min is above players_max: nobody could win it")
        for number, category in enumerate(self.categories, start=1):
            law = category.law
            # With as many winners and losers as there can be: nobody is paid more than there is.
            if law.loser + law.winner + max(law.others, law.other * (self.players_max - 2)) > WHOLE:
                raise ValueError(f"category {number} would pay more than the whole sum")

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The variants in which it can be won, in the order of the game's own list."""
        won = {variant for category in self.categories for each in category.criteria for variant in each.variants}
        return tuple(variant for variant in Variant if variant in won)
