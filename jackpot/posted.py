"""A jackpot's rules in words and figures, as they are announced: read from the very book that judges and pays by it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import groupby

from babel.numbers import format_decimal

from casino.hand_words import VARIANT_NAMES, hand_words
from casino.rulebooks.jackpots import Category, Jackpot, PaysBy
from jackpot.rules.payout import law_shares

# As many losers and winners as sheets print.
COLUMNS = (1, 2, 3, 4)


@dataclass(frozen=True)
class PostedHand:
    """What has to lose in some variants: their names, the least hand, how many own cards play, the clause."""

    variants: str
    hand: str
    own_cards: int
    clause: str


@dataclass(frozen=True)
class PostedShares:
    """What each gets with so many players ("6–10"), in per cent as the room writes it: by number of losers, winners."""

    players: str
    losers: Sequence[str]
    winners: Sequence[str]
    other: str


@dataclass(frozen=True)
class PostedCategory:
    """One category, from 1, with the clause of its table."""

    number: int
    clause: str
    hands: Sequence[PostedHand]
    shares: Sequence[PostedShares]


@dataclass(frozen=True)
class PostedJackpot:
    """One jackpot and its categories, the highest first."""

    jackpot: Jackpot
    categories: Sequence[PostedCategory]


def posted(jackpot: Jackpot, *, locale: str) -> PostedJackpot:
    """Return a jackpot as it is announced, in the active language and the room's figures (L-P31, L-P32)."""
    categories = [
        PostedCategory(number, each.clause or "", tuple(_hands(each)), tuple(_shares(each, jackpot, locale)))
        for number, each in enumerate(jackpot.categories, start=1)
    ]
    return PostedJackpot(jackpot, categories)


def _hands(category: Category) -> Iterator[PostedHand]:
    for each in category.criteria:
        names = ", ".join(str(VARIANT_NAMES[variant]) for variant in each.variants)
        yield PostedHand(names, hand_words(each.least), each.own_cards_min, each.clause or "")


def _shares(category: Category, jackpot: Jackpot, locale: str) -> Iterator[PostedShares]:
    """Yield a row for each number of players, one for several that are alike."""
    rows = [
        (players, _row(category, players, jackpot.pays_by))
        for players in range(jackpot.participants_min, jackpot.players_max + 1)
    ]
    for (losers, winners, other), same in groupby(rows, key=lambda row: row[1]):
        numbers = [players for players, _shares in same]
        label = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
        yield PostedShares(
            label,
            [_per_cent(each, locale) for each in losers],
            [_per_cent(each, locale) for each in winners],
            _per_cent(other, locale),
        )


def _row(
    category: Category, players: int, pays_by: PaysBy
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...], Fraction]:
    row = category.row(players) if pays_by is PaysBy.PRINTED else None
    if row is not None:
        return tuple(map(Fraction, row.loser)), tuple(map(Fraction, row.winner)), Fraction(row.other)
    by_number = [law_shares(category.law, participants=players, losers=each, winners=each) for each in COLUMNS]
    return tuple(each[0] for each in by_number), tuple(each[1] for each in by_number), by_number[0][2]


def _per_cent(share: Fraction, locale: str) -> str:
    value = Decimal(share.numerator) / share.denominator / 1000
    return str(format_decimal(value, "#,##0.###", locale=locale))
