"""The rake as a charge of a hand: the tables' own (H1.82-H1.87, H1.90)."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from casino.poker.rake import RakePolicy, rake_from_dict, rake_to_dict
from casino.poker.time_charge import TimeCharge
from casino.rulebooks import Game as GameInBook
from casino.rulebooks import RuleBook
from tables.charges import ChargeWords, Money, OnTablet
from tables.selectors.ladder import ladder_of


class Rake:
    """What the house takes from pots; a game without it takes nothing from them (H1.91)."""

    code = "rake"
    box = "rake_box"
    in_book = None
    words = ChargeWords(
        name=pgettext_lazy("rake", "rake"),
        title=_("Rake"),
        column=_("Rake"),
        box=_("Rake box"),
        account=_("rake box"),
        due_and_taken=_("Rake due · taken"),
        missing=_("missing in the rake box"),
        in_box=_("Rake that lies in the box"),
        differs=_("Rake %(due)s was due, %(taken)s was taken."),
    )

    def terms(self, game: GameInBook) -> dict[str, Any] | None:
        return rake_to_dict(game.rake_policy) if game.rake_policy else None

    def policy(self, terms: Mapping[str, Any]) -> RakePolicy:
        return rake_from_dict(terms)

    def by_time(self, terms: Mapping[str, Any]) -> tuple[TimeCharge, ...]:
        """Return nothing: where time is paid instead of a rake, that is the game (L-P17)."""
        return ()

    def feeds(self, terms: Mapping[str, Any], book: RuleBook) -> str:
        """Return nothing: every rake is the house's."""
        return ""

    def on_tablet(self, terms: Mapping[str, Any]) -> OnTablet:
        """Return the ladders of short tables (U95) and then the one of all others."""
        policy = self.policy(terms)
        begins = [0, *(short.participants_max + 1 for short in policy.relief)]
        ways = [*(short.way for short in policy.relief), policy.way]
        by = tuple((least, ladder_of(way)) for least, way in zip(begins, ways, strict=True))
        return OnTablet(self.code, by, is_due_without_flop=policy.is_due_without_flop)

    def posted(self, terms: Mapping[str, Any] | None, money: Money) -> str:
        """Return nothing: the sheet has each rake whole, with its ladder."""
        return ""
