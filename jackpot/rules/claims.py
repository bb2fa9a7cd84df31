"""
Whether a hand wins a jackpot, criterion by criterion.

Each point names its reason as a code; the book in force says on which clause that stands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from casino.poker.cards import must_differ
from casino.poker.ranking import RankedHand, rank_hand
from casino.poker.variants import Variant
from casino.rulebooks.jackpots import Category, Criterion, Jackpot, OwnCards, PaysBy


class Reason(StrEnum):
    """What is asked of a hand, in the order in which it is judged; the last three are said and ask nothing."""

    CASH_GAME = "jackpot_cash_game"
    VARIANT = "jackpot_variant"
    PLAYERS_MIN = "jackpot_players_min"
    PLAYERS_MAX = "jackpot_players_max"
    TWO_HANDS = "jackpot_two_hands"
    BEATEN = "jackpot_beaten"
    STRONG = "jackpot_strong"
    OWN_CARDS = "jackpot_own_cards"
    WINNER_OWN_CARDS = "jackpot_winner_own_cards"
    NO_TALK = "jackpot_no_talk"
    TWO_BEST = "jackpot_two_best"
    TIED = "jackpot_tied"
    HI_LO = "jackpot_hi_lo"


class Role(StrEnum):
    """What somebody is paid as; whoever is not named by a hand is one of the others."""

    WINNER = "winner"
    LOSER = "loser"
    OTHER = "other"


class Verdict(StrEnum):
    """What becomes of a claim. `DECIDE`: the rules leave it to the house (L-P45, A-H7.11)."""

    QUALIFIES = "qualifies"
    DECIDE = "decide"
    FAILS = "fails"


@dataclass(frozen=True)
class ShownHand:
    """One player's cards at the end of a hand; `is_shown` is False where they were thrown in (A-H7.5)."""

    cards: tuple[str, ...]
    is_shown: bool = True


@dataclass(frozen=True)
class PlayedHand:
    """
    A hand as it ended. `dealt_in` players got cards, `away` of them were not at their seats (H7.4).

    `was_talked_about`: somebody spoke of their own cards while the hand was played, and it bore on the play (L-P45).
    """

    variant: Variant
    board: tuple[str, ...]
    hands: tuple[ShownHand, ...]
    dealt_in: int
    away: int = 0
    is_tournament: bool = False
    was_talked_about: bool = False

    @property
    def participants(self) -> int:
        """How many took part: they got cards and were at their seats (H7.4, A-H7.13)."""
        return self.dealt_in - self.away


@dataclass(frozen=True)
class Point:
    """
    One criterion: its reason, whether it is met, what to say of it, and a clause of its own where it has one.

    `category` is the one that it is asked for, from 1; 0 where it is asked for any.
    """

    reason: Reason
    is_met: bool
    data: dict[str, Any] = field(default_factory=dict)
    clause: str = ""
    category: int = 0


@dataclass(frozen=True)
class Judged:
    """
    What became of a claim: its points, each hand in the order of the claim with its role, and the category it meets.

    `category` counts from 1, 0 where none is met; `hands` is empty where nothing can be won in the variant.
    """

    verdict: Verdict
    points: tuple[Point, ...]
    hands: tuple[tuple[RankedHand, Role], ...] = ()
    category: int = 0

    def number_of(self, role: Role) -> int:
        """Return how many of the hands have a role."""
        return sum(each is role for _hand, each in self.hands)


class TooManyHands(ValueError):
    """More hands were shown than players took part."""


def judge(played: PlayedHand, jackpot: Jackpot) -> Judged:
    """
    Judge a claim by a jackpot's criteria, the best hand of each formed first (H7.11).

    :raises TooManyHands: more hands than participants.
    :raises SameCard, WrongCards: the cards are none that the variant deals.
    Rules: H7.1-H7.4, H7.6, H7.8, H7.9, H7.11-H7.13, H7.20-H7.30, L-P29-L-P32, L-P34, L-P36-L-P38, L-P45.
    """
    if len(played.hands) > played.participants:
        raise TooManyHands
    must_differ((*played.board, *(card for hand in played.hands for card in hand.cards)))
    hands = [rank_hand(played.variant, each.cards, played.board) for each in played.hands]
    counted = [
        hand for hand, each in zip(hands, played.hands, strict=True) if each.is_shown or not jackpot.hands_must_be_shown
    ]
    general = tuple(_general(played, jackpot, len(counted)))
    if played.variant not in jackpot.variants or len(counted) < 2:
        return Judged(Verdict.FAILS, general)
    met = _meet(played, jackpot, counted)
    points = (*general, *met.points, *_remarks(played, counted, met))
    roles = tuple((hand, _role(hand, counted, met)) for hand in hands)
    unmet = {point.reason for point in points if not point.is_met and point.category in {0, met.category}}
    verdict = Verdict.FAILS if unmet - {Reason.NO_TALK} or not met.category else Verdict.QUALIFIES
    if verdict is Verdict.QUALIFIES and (unmet or _is_untabled(jackpot, played, met)):
        verdict = Verdict.DECIDE
    return Judged(verdict, points, roles, met.category)


@dataclass(frozen=True)
class _Met:
    """The category that is met, 0 for none, its winners and losers, and what was asked on the way."""

    points: tuple[Point, ...]
    category: int = 0
    winners: tuple[RankedHand, ...] = ()
    losers: tuple[RankedHand, ...] = ()


def _general(played: PlayedHand, jackpot: Jackpot, counted: int) -> Iterator[Point]:
    players = {"players": played.participants, "away": played.away}
    yield Point(Reason.CASH_GAME, not played.is_tournament)
    yield Point(Reason.VARIANT, played.variant in jackpot.variants, {"variant": played.variant})
    least, most = jackpot.participants_min, jackpot.players_max
    yield Point(Reason.PLAYERS_MIN, played.participants >= least, {**players, "least": least})
    yield Point(Reason.PLAYERS_MAX, played.participants <= most, {**players, "most": most})
    yield Point(Reason.TWO_HANDS, counted >= 2, {"hands": counted, "thrown_in": len(played.hands) - counted})
    yield Point(Reason.NO_TALK, not played.was_talked_about)


def _meet(played: PlayedHand, jackpot: Jackpot, hands: Sequence[RankedHand]) -> _Met:
    """Return the highest category that is met; a hand of the first is one of the second too (A-H7.2)."""
    best = max(hand.worth for hand in hands)
    winners = tuple(hand for hand in hands if hand.worth == best)
    losing = [hand for hand in hands if hand.worth < best]
    if not losing:
        return _Met((Point(Reason.BEATEN, False, {"hand": best}),), winners=winners)
    points = [Point(Reason.BEATEN, True, {"hand": max(hand.worth for hand in losing), "by": best})]
    for number, category in enumerate(jackpot.categories, start=1):
        if (criterion := category.criterion(played.variant)) is None:
            continue
        tried, losers = _ask(criterion, jackpot.own_cards, winners, losing, number)
        points += tried
        if all(point.is_met for point in tried):
            return _Met(tuple(points), number, winners, losers)
    return _Met(tuple(points), winners=winners)


def _ask(
    criterion: Criterion, own_cards: OwnCards, winners: Sequence[RankedHand], losing: Sequence[RankedHand], number: int
) -> tuple[list[Point], tuple[RankedHand, ...]]:
    """
    Return what a category asks, and its losers: who share the best losing hand that meets it.

    A better hand that does not meet it, for want of an own card, is not the one that qualifies (H7.12).
    """
    clause = criterion.clause or ""
    strong = [hand for hand in losing if hand.worth >= criterion.least]
    figures = {"hand": max(hand.worth for hand in losing), "least": criterion.least}
    points = [Point(Reason.STRONG, bool(strong), figures, clause, number)]
    least = criterion.own_cards_min
    fit = [hand for hand in strong if _own_played(hand, own_cards) >= least]
    if strong and least:
        points.append(Point(Reason.OWN_CARDS, bool(fit), {"least": least}, clause, number))
    if fit and (least := criterion.winner_own_cards_min):
        has_played = any(_own_played(hand, own_cards) >= least for hand in winners)
        points.append(Point(Reason.WINNER_OWN_CARDS, has_played, {"least": least}, clause, number))
    second = max((hand.worth for hand in fit), default=None)
    return points, tuple(hand for hand in fit if hand.worth == second)


def _own_played(hand: RankedHand, own_cards: OwnCards) -> int:
    return len(hand.own) if own_cards is OwnCards.MAY_PLAY else hand.own_needed


def _remarks(played: PlayedHand, hands: Sequence[RankedHand], met: _Met) -> Iterator[Point]:
    """Yield what is worth saying of a claim that meets a category."""
    if not met.category:
        return
    if len(met.winners) + len(met.losers) < len(hands):
        yield Point(Reason.TWO_BEST, True, {"hands": len(hands)})
    if len(met.winners) > 1 or len(met.losers) > 1:
        yield Point(Reason.TIED, True, {"winners": len(met.winners), "losers": len(met.losers)})
    if played.variant.is_hi_lo:
        yield Point(Reason.HI_LO, True)


def _role(hand: RankedHand, counted: Sequence[RankedHand], met: _Met) -> Role:
    # By identity: two players may hold equal fives, and a hand that was thrown in is nobody's but its own.
    if not any(hand is each for each in counted):
        return Role.OTHER
    if any(hand is each for each in met.losers):
        return Role.LOSER
    return Role.WINNER if any(hand is each for each in met.winners) else Role.OTHER


def _is_untabled(jackpot: Jackpot, played: PlayedHand, met: _Met) -> bool:
    """
    Return whether the printed tables say nothing of so many (A-H7.11).

    Who pays by the formula needs no row for so many participants; more who share a hand than a row tells of are the
    house's to decide either way.
    """
    row = _category(jackpot, met.category).row(played.participants)
    if row is None:
        return jackpot.pays_by is PaysBy.PRINTED
    return len(met.losers) > len(row.loser) or len(met.winners) > len(row.winner)


def _category(jackpot: Jackpot, number: int) -> Category:
    return jackpot.categories[number - 1]
