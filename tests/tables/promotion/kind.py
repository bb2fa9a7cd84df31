"""A charge that nobody has heard of: one chip of each hand over a pot, for a promotion of the house."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from casino import field_names, rest
from casino.ledger import chart
from casino.poker.charges import Charge, spread
from casino.poker.time_charge import TimeCharge
from casino.rulebooks import Game as GameInBook
from casino.rulebooks import RuleBook
from casino.rulebooks import charges as in_books
from casino.rulebooks.units import PositiveCents
from tables import charges
from tables.charges import ChargeWords, Money, OnTablet
from tables.selectors.ladder import Ladder


class PromotionTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One chip of each hand whose pots hold so much, in cents."""

    over_cents: PositiveCents
    chip_cents: PositiveCents


IN_BOOK = "charges.promotion = { over_cents = 50_00, chip_cents = 1_00 }"


@contextmanager
def registered() -> Iterator[None]:
    """Have hands be charged a promotion for a moment; its registration is all that is taken back."""
    before = (charges._kinds, chart.CHART["table"], field_names._WORDS, in_books._REGISTERED)
    charges._kinds, field_names._WORDS, in_books._REGISTERED = {**before[0]}, {**before[2]}, {**before[3]}
    chart.CHART["table"] = replace(before[1], accounts={**before[1].accounts})
    charges.register(Promotion())
    # Bodies name what is charged, and are made once: an app registers before the first of them.
    rest._form.cache_clear()
    try:
        yield
    finally:
        rest._form.cache_clear()
        charges._kinds, chart.CHART["table"], field_names._WORDS, in_books._REGISTERED = before


@dataclass(frozen=True)
class OneChip:
    """One chip of each hand with a flop whose pots hold so much."""

    over_cents: int
    chip_cents: int
    is_due_without_flop: bool = False

    def due_by_pot(self, pots: Sequence[int], *, participants: int, beyond_initial_deal: bool) -> tuple[int, ...]:
        is_due = beyond_initial_deal and sum(pots) >= self.over_cents
        return spread([Charge(0, self.chip_cents)] if is_due else [], pots)

    def due_of_unknown_pot(self, *, participants: int, beyond_initial_deal: bool) -> int:
        return 0

    def is_more_due_above(self, cents: int, *, participants: int, beyond_initial_deal: bool) -> bool:
        return beyond_initial_deal and cents < self.over_cents


class Promotion:
    code = "promotion"
    box = "promotion_box"
    in_book = PromotionTerms
    words = ChargeWords(
        name="promotion",
        title="Promotion",
        column="Promotion",
        box="Promotion box",
        account="promotion box",
        due_and_taken="Promotion due · taken",
        in_box="Promotion that lies in the box",
        differs="Promotion %(due)s was due, %(taken)s was taken.",
        tablet={"yes": "promotion: %(amount)s over %(least)s players", "none": "no promotion"},
    )

    def terms(self, game: GameInBook) -> dict[str, Any] | None:
        terms = game.other_charges.get(self.code)
        return None if terms is None else asdict(terms)

    def policy(self, terms: Mapping[str, Any]) -> OneChip:
        return OneChip(**terms)

    def by_time(self, terms: Mapping[str, Any]) -> tuple[TimeCharge, ...]:
        return ()

    def feeds(self, terms: Mapping[str, Any], book: RuleBook) -> str:
        return ""

    def on_tablet(self, terms: Mapping[str, Any]) -> OnTablet:
        ladder = Ladder(((0, 0), (terms["over_cents"], terms["chip_cents"])), maximum_from=terms["over_cents"])
        return OnTablet(self.code, ((0, ladder),), each_cents=terms["chip_cents"])

    def posted(self, terms: Mapping[str, Any] | None, money: Money) -> str:
        return f"Promotion: {money(terms['chip_cents'])} a hand." if terms else ""
