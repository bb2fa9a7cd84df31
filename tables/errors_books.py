"""What is refused about the room's rule book, and by it."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from casino.errors import Refusal
from casino.money import MoneyFormat
from casino.rulebooks import RuleBook

# What may be wrong with a text, as `casino.rulebooks.checking` has it.
_WRONG: dict[str, str | Promise] = {
    "toml": _("Line %(line)s cannot be read: %(says)s."),
    "unknown_key": _("Line %(line)s: there is no key “%(key)s”."),
    "unknown_key_near": _("Line %(line)s: there is no key “%(key)s”. Did you mean “%(nearest)s”?"),
    "missing_key": _("Line %(line)s: the key “%(key)s” is missing."),
    "value": _("Line %(line)s: “%(key)s” cannot be this: %(says)s."),
    "venue": _("Line %(line)s: “%(key)s” is above what the licence allows at this venue."),
    "sentence": _("Line %(line)s: nothing can be filled in at “%(key)s”. A percent sign is written twice: %%%%."),
    "sentence_names": _(
        "Line %(line)s: only this can be filled in at “%(key)s”: %(says)s. A percent sign is written twice: %%%%."
    ),
}


def say_wrong(wrong: dict[str, Any], book: RuleBook | None = None) -> str:
    """
    Return one thing that is wrong with a text as a sentence: its line, its key, the nearest valid one.

    What the licence forbids is led by the clause that `book` has for it.
    """
    code = wrong["code"]
    if code == "unknown_key" and wrong["nearest"]:
        code = "unknown_key_near"
    elif code == "sentence" and wrong["says"]:
        code = "sentence_names"
    sentence = str(_WRONG[code]) % {**wrong, "says": str(wrong["says"]).rstrip(".")}
    return book.leads("above_venue", sentence) if book and code == "venue" else sentence


class BookWrong(Refusal):
    """
    The text is no rule book: `wrong` holds all that is wrong with it, as `casino.rulebooks.checking.Wrong` as dicts.

    Its sentence has the first of them; the page shows all.
    """

    code = "book_wrong"
    sentence = _("This is no rule book yet.")

    def text(self, money: MoneyFormat, *, book: RuleBook | None = None) -> str:
        """Return the first thing that is wrong, and how many more there are."""
        first, *more = self.data["wrong"]
        sentence = say_wrong(first, book)
        if more:
            sentence += " " + ngettext("%(n)s more is listed below.", "%(n)s more are listed below.", len(more)) % {
                "n": len(more)
            }
        return sentence


class BookOtherCurrency(Refusal):
    """Accounts, deposits and chips have the room's currency; a book of another one cannot hold here."""

    code = "book_other_currency"
    sentence = _("This book counts in %(of_book)s, and the room’s accounts in %(of_room)s.")


class BookNotOpen(Refusal):
    """What is asked for or approved stands still: whoever signs has seen this text."""

    code = "book_not_open"
    status = 409
    sentence = _("The next rule book waits for its signature or its moment. Withdraw it first, then change it.")


class BookNotRequested(Refusal):
    """Nothing waits for a signature."""

    code = "book_not_asked"
    status = 409
    sentence = _("No rule book waits for a signature.")


class BookUnchanged(Refusal):
    """There is nothing to sign."""

    code = "book_unchanged"
    sentence = _("The next rule book says what the present one says. Change something first.")


class BookReachesBack(Refusal):
    """A change never reaches back into what has begun (L-P23)."""

    code = "book_reaches_back"
    sentence = _("A rule book holds from a moment that is still to come. Choose a later one.")


class BookNeedsAnotherManager(Refusal):
    """Who asks never approves."""

    code = "book_needs_another_manager"
    sentence = _("A rule book is signed by a second manager, not by the one who asks for it.")


class GamesNotKept(Refusal):
    """The database refuses a game of the book, which the book's own rules let pass: the room goes on as it was."""

    code = "games_not_kept"
    sentence = _(
        "The games of this book cannot be kept: a name or a figure of one is beyond what the room’s tables hold."
    )


class AboveVenue(Refusal):
    """The licence sets the highest opening stake and the seats at this kind of venue (L-P93, L-P48)."""

    code = "above_venue"
    sentence = _("%(game)s opens with up to %(stake)s. The licence allows %(most)s at this venue.")


class TooManySeats(Refusal):
    """The licence, or the room's book, allows fewer seats at a table (L-P48)."""

    code = "too_many_seats"
    sentence = _("%(game)s has %(seats)s seats. At this venue a table has %(most)s at most.")
