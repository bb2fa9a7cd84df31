"""A charge that nobody has heard of: one chip of each hand over a pot, for a promotion of the house."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from casino import field_names, rest
from casino.ledger import chart
from casino.poker.charges import Charge, spread
from casino.poker.time_charge import TimeCharge
from casino.rulebooks import Game as GameInBook
from casino.rulebooks import RuleBook
from tables import charges
from tables.charges import ChargeWords, Money, OnTablet
from tables.selectors.ladder import Ladder

OVER_CENTS = 50_00


@contextmanager
def registered() -> Iterator[None]:
    """Have hands be charged a promotion for a moment; its registration is all that is taken back."""
    before = (charges._kinds, chart.CHART["table"], field_names._WORDS)
    charges._kinds, field_names._WORDS = {**before[0]}, {**before[2]}
    chart.CHART["table"] = replace(before[1], accounts={**before[1].accounts})
    charges.register(Promotion())
    # Bodies name what is charged, and are made once: an app registers before the first of them.
    rest._form.cache_clear()
    try:
        yield
    finally:
        rest._form.cache_clear()
        charges._kinds, chart.CHART["table"], field_names._WORDS = before


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
        return {"over_cents": OVER_CENTS, "chip_cents": game.smallest_chip_cents}

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
