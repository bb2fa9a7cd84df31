"""
How the house says no.

A refusal is a class: a code for machines, data, and a sentence fit to read aloud, with the clause
where a rule refuses. Refusals are stored and logged as code and data; the sentence is written anew
for whoever reads it, in their language. Each app keeps its own refusals in its `errors.py`.
"""

from collections.abc import Container, Iterable
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from casino import field_names
from casino.money import NO_ROOM, MoneyFormat, format_cents, format_count
from casino.rulebooks import RuleBook, reasons

# What refusals are as machines read them (RFC 9457).
PROBLEM_TYPE = "application/problem+json"
_by_code: dict[str, type["Refusal"]] = {}


class Refusal(Exception):
    """
    The house refuses, and nothing has changed.

    Subclasses set `code` and `sentence` (a lazy text with named placeholders). Where one code has several reasons,
    they are its `reasons`, and `reason` in its data is the one; the book in force says on which clause it stands. A
    `clause` in its data was named by somebody on staff. Keyword arguments become `data`; a value named `..._cents` is
    written as money under the name without that ending, and `days` as a room writes how many there are. `for_eyes`
    names the permission that reading it takes ("read.exclusions"): whoever lacks it is told to see the floor.
    """

    code: ClassVar[str] = ""
    for_eyes: ClassVar[str] = ""
    status: ClassVar[int] = 422
    sentence: ClassVar[str | Promise] = ""
    reasons: ClassVar[Iterable[str]] = ()

    def __init_subclass__(cls) -> None:
        if cls.code:
            assert _by_code.get(cls.code, cls).__qualname__ == cls.__qualname__, f"two refusals say {cls.code}"
            _by_code[cls.code] = cls
            reasons.register(cls.code, *cls.reasons, sentence=lambda: cls.sentence)

    def __init__(self, **data: Any) -> None:
        super().__init__(self.code, data)
        self.data = data

    @classmethod
    def sentences(cls) -> tuple[str | Promise, ...]:
        """Return all that it may say, before that is filled in."""
        return (cls.sentence,)

    @property
    def fitting_sentence(self) -> str | Promise:
        """The sentence that fits its data, before that is filled in."""
        return self.sentence

    @property
    def reason(self) -> str:
        """By what a book knows why this is refused."""
        return str(self.data.get("reason", self.code))

    def clause_at(self, book: RuleBook | None) -> str:
        """Return the clause that refuses, by a book's own id; "" where it has none."""
        return str(self.data.get("clause", "")) or (book.clauses.get(self.reason, "") if book else "")

    def named(self) -> dict[str, str]:
        """Return what the sentence names beside its data, as people call it now."""
        return {}

    def text(self, money: MoneyFormat, *, book: RuleBook | None = None) -> str:
        """
        Return the sentence in the active language, led by its clause in that book: `H2.14: A new player ...`.

        It is the house's own where the book has one in that language that its data can fill. Amounts are written as
        `money` says: of the room whose reader it is for.
        """
        values = self.data | self.named()
        for name, value in self.data.items():
            if name.endswith("_cents") and isinstance(value, int):
                values[name.removesuffix("_cents")] = format_cents(value, currency=money.currency, locale=money.locale)
        if isinstance(days := values.get("days"), int):
            values["days"] = format_count(days, locale=money.locale)
        if isinstance(what := values.get("what"), str):
            # Refusals are stored in English words ("table"); the reader's language is looked up here.
            values["what"] = gettext(what)
        if isinstance(field := values.get("field"), str):
            values["field"] = field_names.words_of(field)
        own = book.sentences.get(get_language() or "", {}) if book else {}  # type: ignore[call-overload]
        sentence = own.get(self.reason, "")
        # A version that holds since before sentences were read may hold anything.
        text = (sentence if sentence and reasons.is_fit(sentence, values) else str(self.fitting_sentence)) % values
        clause = self.clause_at(book)
        return f"{clause}: {text}" if clause else text

    def for_reader(self, may: Container[str]) -> "Refusal":
        """Return what somebody who may do these things is told: this, or to see the floor."""
        return SeeTheFloor() if self.for_eyes and self.for_eyes not in may else self

    def __str__(self) -> str:
        return self.text(NO_ROOM)


def stored_refusal(code: str, data: dict[str, Any]) -> Refusal:
    """Return the refusal that was stored as `code` and `data`. Unknown codes are an error in the code."""
    return _by_code[code](**data)


def all_refusals() -> dict[str, type[Refusal]]:
    """Return every refusal that the house can give, by its code."""
    return dict(_by_code)


class Malformed(Refusal):
    """The tap itself cannot be read: a missing field, an amount that is none."""

    code = "malformed"
    status = 400
    sentence = _("“%(field)s” is missing or cannot be read.")


class UnseenCharacters(Refusal):
    """A name with characters that nobody sees: two such names would look the same."""

    code = "unseen_characters"
    status = 400
    sentence = _("“%(field)s” holds characters that nobody can see. Type it anew, letter by letter.")


class SeeTheFloor(Refusal):
    """The house refuses, and why is nobody's business at this screen: players read it too."""

    code = "see_the_floor"
    sentence = _("See the floor.")


class NotFound(Refusal):
    """No such thing, or none that this person may know of."""

    code = "not_found"
    status = 404
    sentence = _("That does not exist here, or not any more.")


class NotPermitted(Refusal):
    """The person may not do this."""

    code = "not_permitted"
    status = 403
    sentence = _("Your role does not allow this. Ask the floor.")


class Stale(Refusal):
    """What the tap decided on has changed since the screen showed it."""

    code = "stale"
    status = 409
    sentence = _("This has changed since your screen showed it. Look again and repeat.")


class Busy(Refusal):
    """A lock was not to be had in time, or the database is away for a moment."""

    code = "busy"
    status = 503
    sentence = _("The room is busy at this very moment. Nothing was done; try again.")


class DiskFull(Refusal):
    """The database can store nothing more; what is tapped waits on its tablet until somebody makes room."""

    code = "disk_full"
    status = 503
    sentence = _("The server’s disk is full. Nothing was done; tell the manager, and try again when there is room.")


def problem_document(code: str, status: int, detail: str, data: dict[str, Any], clause: str | None) -> dict[str, Any]:
    """Return a refusal as machines read it (RFC 9457); `type` is a path in the API's own documentation."""
    return {
        "type": f"/api/docs/problems/#{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "detail": detail,
        "code": code,
        "data": data,
        "clause": clause,
    }
