"""What a table's rule book decides of its game: resolved once for an opening, and taken along from there."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from casino.poker.buyins import BuyInLimits
from casino.poker.charged_pots import ChargePolicy
from casino.poker.missed import Missed
from casino.poker.positions import BlindTerms, ButtonRule
from casino.poker.straddles import Straddle
from casino.poker.table_change import Stakes
from casino.poker.time_charge import TimeCharge
from casino.rooms.selectors import rule_book, rule_book_in_force
from casino.rulebooks.absence import Absence
from casino.rulebooks.dealers import Dealers
from casino.rulebooks.schema import Moving, Structure, Timers
from tables.charges import ByTime, policies_of
from tables.rules.buying import quick_amounts
from tables.rules.entry import WayIn, ways_in

if TYPE_CHECKING:
    from tables.models import Game, Table


@dataclass(frozen=True)
class Terms:
    """
    What holds at a table from its opening on, whatever book comes into force meanwhile (L-P23).

    `stakes`, `blinds` and `buy_ins` have the game's amounts, in cents, its seats and the house's readings of its limits
    (A7, A8); `quick_buy_ins` are one tap away, in cents. `charges` is what a hand pays, by kind, in the order in which
    it is taken; `time_charge` what is paid instead, None for nothing: of the rake, or of the charge whose kind is
    `time_kind` where the whole table agreed to that (H7.18).
    `may_post_to_come_in`: False where everybody waits for the big blind (U11, U36). The rest is the book's own, of
    tables: how long an absent player's seat is held, the clock and the long break, dealers' turns, and what who comes
    here from another table brings and pays.

    How long a call and a penalty last, which venue's limits hold, how much anybody brings at once and from which sum on
    two sign is the room's, by the book in force as it happens, and not in here.
    """

    stakes: Stakes
    blinds: BlindTerms
    may_post_to_come_in: bool
    buy_ins: BuyInLimits
    quick_buy_ins: tuple[int, ...]
    charges: Mapping[str, ChargePolicy]
    time_charge: TimeCharge | None
    time_kind: str
    absence: Absence
    timers: Timers
    dealers: Dealers
    moving: Moving

    @property
    def seats(self) -> int:
        """Return how many seats the table has."""
        return self.blinds.seats

    @property
    def is_every_pot_typed(self) -> bool:
        """Say whether something is due of hands without a flop too (RA8)."""
        return any(policy.is_due_without_flop for policy in self.charges.values())

    def ways_in(self, missed: str = "") -> tuple[WayIn, ...]:
        """Return how a player with these missed blinds comes into the blinds, the way that costs nothing first."""
        return ways_in(Missed(missed), terms=self.blinds, may_post=self.may_post_to_come_in)


def dealers_at(table: "Table", *, at: datetime) -> Dealers:
    """
    Return what holds at a table of dealers and their racks; of their tips `selectors.tip_boxes.tips_at` does.

    While it runs that is what the book of its opening says (L-P23), as its tablet shows; else the book in force. No
    query where the table's opening has been read and so has the book.
    """
    if table.opening is not None:
        return table.opening.terms.dealers
    return rule_book_in_force(table.room_id, at=at)[1].dealers


def terms_of(game: "Game", version_id: int, *, by_time: ByTime | None = None, has_cash_plays: bool = True) -> Terms:
    """
    Return the terms of a game opened under this version of the rule book. No query once that has been read.

    `by_time` is what the table pays by the time instead of a charge of its hands. `has_cash_plays`: this one sells out
    of its rack, where the book lets tables.
    """
    kind = by_time.kind if by_time else ""
    book = rule_book(version_id)
    buy_ins = BuyInLimits(
        min_cents=game.buy_in_min_cents,
        max_cents=game.buy_in_max_cents,
        big_blind_cents=game.big_blind_cents,
        below_blind=book.settings.stack_below_big_blind,
        minimum_limits=book.settings.buy_in_minimum_limits,
        short_min_cents=_short_min_cents(game, percent=book.settings.pot_limit_short_buy_in_percent),
    )
    return Terms(
        stakes=Stakes(
            game.structure,
            game.small_blind_cents,
            game.big_blind_cents,
            game.buy_in_min_cents,
            game.buy_in_max_cents,
            game.family,
        ),
        blinds=BlindTerms(
            game.small_blind_cents,
            game.big_blind_cents,
            game.seats,
            straddle=Straddle(game.straddle),
            button=ButtonRule(game.button),
            players_min=game.players_min,
            may_two_go_on=game.may_two_go_on,
        ),
        may_post_to_come_in=game.may_post_to_come_in,
        buy_ins=buy_ins,
        quick_buy_ins=quick_amounts(buy_ins, usual_big_blinds=book.cage.usual_buy_in_big_blinds),
        charges=policies_of({code: terms for code, terms in game.charges.items() if code != kind}),
        time_charge=by_time.charge if by_time else game.time_policy,
        time_kind=kind,
        absence=book.absence,
        timers=book.timers,
        dealers=book.dealers if has_cash_plays else _without_cash_plays(book.dealers),
        moving=book.moving,
    )


def _short_min_cents(game: "Game", *, percent: int) -> int:
    """Return the least short buy-in in cents, up to the next cent; 0 where the game has none (H2.19, H2.20)."""
    return -(-game.buy_in_min_cents * percent // 100) if game.structure == Structure.POT_LIMIT else 0


def _without_cash_plays(dealers: Dealers) -> Dealers:
    return msgspec.structs.replace(dealers, rack=msgspec.structs.replace(dealers.rack, sells=False))
