"""What the rule book says of a promotion, and at which games it is played."""

from collections.abc import Iterable

from casino.promotions.errors import NoHighHand, NoPromotion
from casino.promotions.models import Period
from casino.rooms.selectors import rule_book
from casino.rulebooks import RuleBook
from casino.rulebooks.promotions import HighHand, Promotion


def promotion_of(book: RuleBook, code: str) -> Promotion:
    """Return a book's promotion by its code. :raises NoPromotion: it has none such."""
    promotion = _in(book, code)
    if promotion is None:
        raise NoPromotion
    return promotion


def _in(book: RuleBook, code: str) -> Promotion | None:
    return next((each for each in book.promotions if each.code == code), None)


def terms_of(period: Period) -> tuple[RuleBook, Promotion | None]:
    """
    Return what holds for a period: the book under which it was opened, whatever the one in force says now, and the
    promotion as it stands there. None where that book has none such, which keeps no screen from showing the rest.
    """
    book = rule_book(period.rule_book_version_id)
    return book, _in(book, period.fund.code)


def high_hand_of(period: Period) -> tuple[RuleBook, HighHand]:
    """Return the same of a high hand. :raises NoHighHand: the period is one of splash pots."""
    book, terms = terms_of(period)
    if not isinstance(terms, HighHand):
        raise NoHighHand
    return book, terms


def game_names(book: RuleBook, promotion: Promotion | None) -> frozenset[str]:
    """Return what the games are called at which it is played, none of no promotion."""
    if promotion is None:
        return frozenset()
    return frozenset(game.name for game in book.games if game.code in promotion.games)


def name_of(books: Iterable[RuleBook], code: str) -> str:
    """Return what a promotion is called in the first of these books that has it, else its code."""
    return next((each.name for book in books for each in book.promotions if each.code == code), code)
