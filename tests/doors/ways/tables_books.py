"""The rule book's ways from a first edit to its signature, by both doors: Mari asks, Petra signs."""

from collections.abc import Callable

from casino.rooms.models import NextBook, RuleBookVersion
from tests.doors.way import Finders, NewestOf, Way
from tests.tables.conftest import House
from tests.tables.test_books import Office

B, BOOK = "/rule-books/", "rule-book/"
NEWEST: NewestOf = {"book": NextBook}


def _text(house: House) -> str:
    newest = RuleBookVersion.objects.order_by("-number")[0]
    return newest.text.replace("maximum_cents = 10_00", "maximum_cents = 8_00")


NAMES: Finders = {"text": _text, "typed_text": lambda house: _text(house).replace("\n", "\r\n")}


def _office(*steps: str) -> Callable[[House], None]:
    def before(house: House) -> None:
        office = Office(house)
        for step in steps:
            getattr(office, step)()

    return before


def _requested_by_petra(house: House) -> None:
    office = Office(house)
    office.mari = office.petra
    office.edit()
    office.ask()


WAYS = [
    Way(B + "edit/", BOOK + "edit", {"text": "{typed_text}"}, {"text": "{text}"}, "book"),
    Way(B + "discard/", BOOK + "discard", version="book", before=_office("edit")),
    Way(
        B + "ask/",
        BOOK + "ask",
        {"holds_from": "2026-11-21T06:00"},
        {"holds_from": "2026-11-21T06:00:00+02:00"},
        "book",
        _office("edit"),
    ),
    Way(
        B + "approve/",
        BOOK + "approve",
        {"next_book_id": "{book}", "username": "petra", "pin": "{mari_pin}"},
        {"next_book_id": "{book}", "second": {"username": "petra", "pin": "{mari_pin}"}},
        "book",
        _office("edit", "ask"),
    ),
    Way(
        B + "approve/",
        BOOK + "approve",
        {"next_book_id": "{book}", "username": "", "pin": ""},
        {"next_book_id": "{book}"},
        version="book",
        before=_requested_by_petra,
        id="by one's own sign-in",
    ),
    Way(B + "refuse/", BOOK + "refuse", version="book", before=_requested_by_petra),
    Way(B + "withdraw/", BOOK + "withdraw", version="book", before=_office("edit", "ask")),
]
