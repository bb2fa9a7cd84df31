"""The jackpot's drop as a charge of a hand: it lies in the table's jackpot box until the day's end (H1.88, H7.16)."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.poker.drop import DropPolicy, drop_from_dict, drop_to_dict
from casino.poker.time_charge import TimeCharge, time_from_dict, time_to_dict
from casino.rulebooks import Game as GameInBook
from casino.rulebooks import RuleBook
from tables.charges import ChargeWords, Money, OnTablet
from tables.selectors.ladder import Ladder

# Under which key a game's terms name the jackpot that its drops feed; those without it feed the book's first.
FEEDS = "jackpot"
# And what the table may pay by the time instead.
_BY_TIME = "by_time"


class Drop:
    """What hands with enough players pay into the jackpot; a game without it is not attached to one."""

    code = "drop"
    box = "jackpot_box"
    in_book = None
    words = ChargeWords(
        name=gettext_lazy("jackpot"),
        title=gettext_lazy("Jackpot drop"),
        column=gettext_lazy("Drop"),
        box=gettext_lazy("Jackpot box"),
        account=gettext_lazy("jackpot box"),
        due_and_taken=gettext_lazy("Drop due · taken"),
        missing=gettext_lazy("missing in the jackpot box"),
        in_box=gettext_lazy("Drop that lies in the box"),
        differs=gettext_lazy("Jackpot drop %(due)s was due, %(taken)s was taken."),
        tablet={
            "yes": gettext_lazy("jackpot drop %(amount)s: %(count)s play, %(least)s needed"),
            "no": gettext_lazy("no jackpot drop: %(count)s play, %(least)s needed"),
            "none": gettext_lazy("no jackpot at this table"),
            "time": gettext_lazy("jackpot: paid by the time"),
        },
        by_time={
            "title": gettext_lazy("Jackpot by the time"),
            "paying": gettext_lazy(
                "This table pays %(money)s into the jackpot for each started %(minutes)s minutes, and no jackpot drop "
                "from its hands; the rake goes on."
            ),
            "paid": gettext_lazy(
                "The jackpot is paid by the time until %(time)s: hands dealt before pay no jackpot drop; "
                "the rake goes on."
            ),
            "lies": gettext_lazy("It lies in the jackpot box"),
            "take": gettext_lazy("%(amount)s into the jackpot box"),
            "taken": gettext_lazy("Time charge %(number)s: %(amount)s is in the jackpot box."),
        },
    )

    def terms(self, game: GameInBook) -> dict[str, Any] | None:
        if game.drop is None:
            return None
        # Only where the book names one: games of before it could stay what they are.
        named: dict[str, Any] = {FEEDS: game.drop.jackpot} if game.drop.jackpot else {}
        if game.drop_by_time:
            named[_BY_TIME] = [time_to_dict(each) for each in game.drop_by_time]
        return drop_to_dict(game.drop.policy()) | named

    def policy(self, terms: Mapping[str, Any]) -> DropPolicy:
        return drop_from_dict({name: value for name, value in terms.items() if name not in {FEEDS, _BY_TIME}})

    def by_time(self, terms: Mapping[str, Any]) -> tuple[TimeCharge, ...]:
        """Return what the table may pay by the time instead (H7.18)."""
        return tuple(time_from_dict(each) for each in terms.get(_BY_TIME, ()))

    def feeds(self, terms: Mapping[str, Any], book: RuleBook) -> str:
        """Return the code of the jackpot: the one that the terms name, else the book's first."""
        return str(terms.get(FEEDS) or next((each.code for each in book.jackpots), ""))

    def on_tablet(self, terms: Mapping[str, Any]) -> OnTablet:
        """Return the drop as a ladder of one step: pots that together hold less than the drop pay none (A16)."""
        policy = self.policy(terms)
        ladder = Ladder(((0, 0), (policy.charge_cents, policy.charge_cents)))
        return OnTablet(self.code, ((policy.participants_min, ladder),), each_cents=policy.charge_cents)

    def posted(self, terms: Mapping[str, Any] | None, money: Money) -> str:
        if terms is None:
            return _("No jackpot at this game.")
        policy = self.policy(terms)
        by_hand = _("Jackpot drop: %(money)s from each hand with a flop and %(n)s players or more.") % {
            "money": money(policy.charge_cents),
            "n": policy.participants_min,
        }
        instead = [
            _("Or %(money)s from the table for each started %(minutes)s minutes, where all its players agree.")
            % {"money": money(each.due_cents), "minutes": each.period_minutes}
            for each in self.by_time(terms)
        ]
        return " ".join([by_hand, *instead])
