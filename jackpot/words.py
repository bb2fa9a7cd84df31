"""What is said of a judged hand, in the reader's language."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.hand_words import VARIANT_NAMES, hand_words
from casino.poker.ranking import Worth
from casino.poker.variants import Variant
from casino.rulebooks import RuleBook
from jackpot.models import Movement
from jackpot.rules.claims import Point, Reason, Role, Verdict

# Where a criterion is met, and where it is not.
_SENTENCES: dict[Reason, tuple[str | Promise, str | Promise]] = {
    Reason.CASH_GAME: (
        _("A cash game."),
        _("A tournament: no jackpot belongs to it."),
    ),
    Reason.VARIANT: (
        _("The jackpot can be won at %(variant)s."),
        _("The jackpot cannot be won at %(variant)s."),
    ),
    Reason.PLAYERS_MIN: (
        _("Players who took part: %(players)s. At least %(least)s are needed."),
        _("Players who took part: %(players)s. At least %(least)s are needed."),
    ),
    Reason.PLAYERS_MAX: (
        _("Players who took part: %(players)s. At most %(most)s may."),
        _("Players who took part: %(players)s. At most %(most)s may."),
    ),
    Reason.TWO_HANDS: (
        _("Hands that were shown: %(hands)s. Two are needed."),
        _("Hands that were shown: %(hands)s. Two are needed."),
    ),
    Reason.BEATEN: (
        _("A better hand won: %(by)s."),
        _("No hand was beaten: %(hand)s is the best of each."),
    ),
    Reason.STRONG: (
        _("Category %(category)s: %(least)s or better lost."),
        _("Category %(category)s: %(least)s or better has to lose. The best that lost is: %(hand)s."),
    ),
    Reason.OWN_CARDS: (
        _("Category %(category)s: own cards in the losing hand, at least %(least)s."),
        _("Category %(category)s: the losing hand does not play %(least)s own cards."),
    ),
    Reason.WINNER_OWN_CARDS: (
        _("Category %(category)s: own cards in the winning hand, at least %(least)s."),
        _("Category %(category)s: the winning hand does not play %(least)s own cards."),
    ),
    Reason.NO_TALK: (
        _("Nobody spoke of their cards during the hand."),
        _("Somebody spoke of their cards during the hand: the house may refuse."),
    ),
    Reason.TWO_BEST: (
        _("Of the hands shown (%(hands)s) the two best count; the rest are paid as others."),
        "",
    ),
    Reason.TIED: (
        _("Equal hands share. Losers: %(losers)s. Winners: %(winners)s."),
        "",
    ),
    Reason.HI_LO: (
        _("Hi-lo: the high hands alone are compared."),
        "",
    ),
}
VERDICTS = {
    Verdict.QUALIFIES: _("It qualifies"),
    Verdict.DECIDE: _("The house decides"),
    Verdict.FAILS: _("It does not qualify"),
}
ROLES = {Role.WINNER: _("winner"), Role.LOSER: _("loser"), Role.OTHER: _("other")}
# What changed a pool's sum.
MOVEMENTS: dict[str, str | Promise] = {
    Movement.Kind.SEED: _("Put in by the house"),
    Movement.Kind.TAKINGS: _("Takings of the day"),
    Movement.Kind.CLAIM: _("The jackpot was won"),
    Movement.Kind.CORRECTION: _("Corrected, signed by two"),
    Movement.Kind.SEED_RECOVERED: _("Taken back by the house, signed by two"),
    Movement.Kind.MOVED_OUT: _("Moved to another jackpot"),
    Movement.Kind.MOVED_IN: _("Moved here from another jackpot"),
    Movement.Kind.PAID_OUT: _("Paid out at the jackpot's end"),
}
CORRECTIONS: dict[str, str | Promise] = {
    Movement.Reason.TAKINGS: _("The day’s takings were counted wrong"),
    Movement.Reason.DROPS: _("Hands had dropped too much or too little"),
    Movement.Reason.CLAIM: _("A claim was paid wrongly"),
    Movement.Reason.OPENING: _("The sum that was carried over was wrong"),
    Movement.Reason.COMPLAINT: _("A complaint was upheld"),
    Movement.Reason.AUTHORITY: _("The authority ordered it"),
}
_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


@dataclass(frozen=True)
class CriterionLine:
    """One criterion as it is read: the clause on which it stands here, "" for none, and its sentence."""

    reason: str
    is_met: bool
    category: int
    clause: str
    sentence: str


@dataclass(frozen=True)
class ShownCard:
    """A card on a screen: its code, its rank as people write it, the sign of its suit, whose it is."""

    code: str
    rank: str
    suit: str
    is_own: bool = True


def movement_words(movement: Movement, names: Mapping[int, str]) -> str:
    """Return what changed a sum, and why, or to which other jackpot; `names` by the pools' ids."""
    words, about = str(MOVEMENTS[movement.kind]), movement.about
    more = CORRECTIONS.get(about.get("reason", ""), "") or names.get(about.get("to") or about.get("from") or 0, "")
    return f"{words}: {more}" if more else words


def line_of(point: Point, book: RuleBook) -> CriterionLine:
    """Return a criterion in the active language, with its own clause or the one that the book names for it."""
    values = {name: _in_words(value) for name, value in point.data.items()} | {"category": point.category}
    sentence = str(_SENTENCES[point.reason][0 if point.is_met else 1]) % values
    clause = point.clause or book.clauses.get(point.reason, "")
    return CriterionLine(point.reason.value, point.is_met, point.category, clause, sentence)


def shown_card(card: str, *, is_own: bool = True) -> ShownCard:
    """Return a card as a screen shows it: 10♠ for "Ts"."""
    return ShownCard(card, "10" if card[0] == "T" else card[0], _SUITS[card[1]], is_own)


def _in_words(value: object) -> object:
    if isinstance(value, Worth):
        # In the middle of a sentence.
        words = hand_words(value)
        return words[:1].lower() + words[1:]
    return VARIANT_NAMES[value] if isinstance(value, Variant) else value
