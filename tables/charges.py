"""
What is charged of a hand: the rake, a jackpot's drop, a promotion.

`tables` knows that hands have charges. What is due of a kind, by which terms of the book, into which of a table's boxes
it goes and what it is called belongs to whoever registers it, from an AppConfig: the rake is the tables' own
(`tables/rake.py`), the drop the jackpot's. Charges are taken in the order of registration, each from what the ones
before it left (A16). There are no signals.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from casino import field_names
from casino.ledger.chart import CHIPS, Kind, add_account
from casino.poker.charged_pots import ChargePolicy
from casino.poker.time_charge import TimeCharge, time_to_dict
from casino.rulebooks import Game as GameInBook
from casino.rulebooks import RuleBook
from casino.rulebooks.charges import register_terms
from tables.chart import OWNER
from tables.selectors.ladder import Ladder

Text = str | Promise
# What a kind of charge that says nothing else calls it.
_MISSING = _("missing in a box")


@dataclass(frozen=True)
class ChargeWords:
    """
    What a kind of charge is called, each text whole, for languages bend them: `name` behind an amount on the tablet
    ("1 € jackpot"), `title` alone, `column` over figures, `box` its box, `account` the ledger's word for it.

    `missing` is the ledger's word for what counts found missing in that box.
    `due_and_taken` heads both figures of a hand, `in_box` asks what lies there, `differs` takes %(due)s and %(taken)s.
    `tablet` says beside the hand whether it will be due, of %(amount)s, %(count)s and %(least)s: "yes", "no", "none",
    and "time" where it is paid by the time instead.

    `by_time` has what is said of that choice, where there is one: "title" heads it, "paying" tells a table that pays so
    (%(money)s, %(minutes)s), "paid" one that has paid until %(time)s; "lies" and "take" (%(amount)s) are on the buttons
    of the floor and of the tablet that take a period, "taken" (%(number)s, %(amount)s) is what the tablet says then.
    """

    name: Text
    title: Text
    column: Text
    box: Text
    account: Text
    due_and_taken: Text
    in_box: Text
    differs: Text
    missing: Text = _MISSING
    tablet: Mapping[str, Text] = field(default_factory=dict)
    by_time: Mapping[str, Text] = field(default_factory=dict)


@dataclass(frozen=True)
class OnTablet:
    """
    A charge as data that the tablet computes by, without a connection (static/brush/dealer/pots.js).

    `by` has (participants from, ladder), rising; hands of fewer participants than the first pay nothing, and an empty
    one says that this game does not charge it. `each_cents` is what each hand that pays it pays, where that is one sum.
    With `is_by_time` the table pays it by the time instead; hands that are dealt before `free_until` (ISO) pay none of
    it, for time was paid (H7.18).
    """

    kind: str
    by: tuple[tuple[int, Ladder], ...] = ()
    is_due_without_flop: bool = False
    each_cents: int | None = None
    is_by_time: bool = False
    free_until: str | None = None


@dataclass(frozen=True)
class ByTime:
    """What a table pays by the time instead of a charge of its hands, by the kind of that charge (H7.18)."""

    kind: str
    charge: TimeCharge

    def is_as(self, other: "ByTime | None") -> bool:
        """Say whether another game's is the same to who pays it, in whatever chip it is taken."""
        return other is not None and (self.kind, replace(self.charge, chip_cents=other.charge.chip_cents)) == (
            other.kind,
            other.charge,
        )

    def as_json(self) -> dict[str, Any]:
        """Return kind and charge as plain data, as an opening keeps them."""
        return {"kind": self.kind, "charge": time_to_dict(self.charge)}


class ChargeKind(Protocol):
    """
    One kind of charge. `code` names it in rows, calls ("rake_taken_cents") and on the tablet; `box` is the account of a
    table where it lies, which is no other kind's. `in_book` is what a game of a book says of it under `charges`; None
    for a kind that the schema has keys for.
    """

    code: str
    box: str
    words: ChargeWords

    @property
    def in_book(self) -> type[Struct] | None: ...

    def terms(self, game: GameInBook) -> dict[str, Any] | None:
        """Return what a game of the rule book says of it, as plain data for JSON; None where it is not charged."""
        ...

    def policy(self, terms: Mapping[str, Any]) -> ChargePolicy:
        """Return how hands are charged by these terms."""
        ...

    def by_time(self, terms: Mapping[str, Any]) -> tuple[TimeCharge, ...]:
        """Return what a whole table may agree to pay by the time instead (H7.18)."""
        ...

    def feeds(self, terms: Mapping[str, Any], book: RuleBook) -> str:
        """
        Return the code of what this charge pays into by these terms of that book (a jackpot), "" where it always goes
        to the same. Time that was paid instead of a charge for one jackpot is not paid for another (H7.18).
        """
        ...

    def on_tablet(self, terms: Mapping[str, Any]) -> OnTablet:
        """Return the same as data that the tablet computes by."""
        ...

    def posted(self, terms: Mapping[str, Any] | None, money: "Money") -> str:
        """Return a sentence for the sheet of what the house charges, or nothing (L-P22)."""
        ...


class Money(Protocol):
    """Writes cents as the room does."""

    def __call__(self, cents: int, /) -> str: ...


_kinds: dict[str, ChargeKind] = {}
_emptying: list[str] = []


def register(kind: ChargeKind) -> None:
    """
    Charge hands of this kind from now on, after those registered before it.

    Its box becomes an account of tables, and so does what counts of it find missing.
    """
    assert kind.code not in _kinds, f"{kind.code} is registered twice"
    _kinds[kind.code] = kind
    if kind.in_book is not None:
        register_terms(kind.code, kind.in_book)
    add_account(OWNER, kind.box, Kind(CHIPS, kind.words.account))
    add_account(OWNER, missing_account(kind.code), Kind(CHIPS, kind.words.missing))
    field_names.name_field(taken_name(kind.code).removesuffix("_cents"), kind.words.box)


def name_emptying(kind: str) -> None:
    """Make a kind of transfer known by which boxes are emptied: what it takes out of them is no charge."""
    _emptying.append(kind)


def emptying() -> list[str]:
    """Return the kinds of transfers by which boxes are emptied."""
    return list(_emptying)


def charge_kinds() -> Iterator[ChargeKind]:
    """Yield every kind of charge, in the order in which they are taken."""
    yield from _kinds.values()


def charge_codes() -> tuple[str, ...]:
    """Return the codes of all kinds, in that order."""
    return tuple(_kinds)


def charges_in_book(game: GameInBook) -> dict[str, dict[str, Any]]:
    """Return what a game of the rule book charges of hands, by kind, as `Game.charges` keeps it."""
    by_code = {kind.code: kind.terms(game) for kind in charge_kinds()}
    return {code: terms for code, terms in by_code.items() if terms is not None}


def policies_of(charges: Mapping[str, Any]) -> dict[str, ChargePolicy]:
    """Return how hands are charged by `Game.charges`, by kind, in the order in which they are taken."""
    return {kind.code: kind.policy(charges[kind.code]) for kind in charge_kinds() if kind.code in charges}


def alternatives(charges: Mapping[str, Any]) -> list[ByTime]:
    """Return what of `Game.charges` a whole table may agree to pay by the time instead (H7.18)."""
    return [
        ByTime(kind.code, charge)
        for kind in charge_kinds()
        if kind.code in charges
        for charge in kind.by_time(charges[kind.code])
    ]


def kind_of(code: str) -> ChargeKind:
    """Return a kind of charge by its code."""
    return _kinds[code]


def on_tablet(
    charges: Mapping[str, Any], *, by_time: str = "", free_until: Mapping[str, str] | None = None
) -> tuple[OnTablet, ...]:
    """
    Return every kind of `Game.charges` as data for the tablet; one that the game does not have has no ladder.

    `by_time` is the kind that the table pays by the time instead, `free_until` as `Opening` keeps it.
    """
    free = free_until or {}
    return tuple(
        replace(kind.on_tablet(charges[kind.code]), free_until=free.get(kind.code))
        if kind.code in charges and kind.code != by_time
        else OnTablet(kind.code, is_by_time=kind.code == by_time)
        for kind in charge_kinds()
    )


def missing_account(code: str) -> str:
    """Return a table's account of what counts found missing in boxes of a kind; negative: there was too much."""
    return f"{code}_over_short"


def due_name(code: str) -> str:
    """Return how calls and to-dos name what was due of a kind: "rake_due_cents"."""
    return f"{code}_due_cents"


def taken_name(code: str) -> str:
    """Return how calls and to-dos name what was taken: "rake_taken_cents"."""
    return f"{code}_taken_cents"


def cents_name(code: str) -> str:
    """Return how answers name the amount of a kind, where only one is meant: "rake_cents"."""
    return f"{code}_cents"
