"""
One table tonight: its felt, the hand that is being played there, and what of the felt the log does not know yet.

The dealer's tablet is here too: without a connection its taps wait in order, and are sent with their times.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from casino.poker.charged_pots import ChargedPots, ChargePolicy, charge_pots
from casino.poker.drop import drop_from_dict
from casino.poker.rake import rake_from_dict
from casino.poker.seats import clockwise
from casino.poker.split import split_pot
from casino.simulation.broken import Broken
from casino.simulation.cards import Played, rake_of
from casino.simulation.felt import Sitter, TableFelt
from casino.simulation.front_door import Answer, Device
from casino.simulation.jackpots import Dropped

Then = Callable[[Answer], None]


def _drop_from_dict(terms: Mapping[str, Any]) -> ChargePolicy:
    """Return how hands pay a drop; which jackpot it feeds and what may be paid instead is no hand's business."""
    return drop_from_dict({name: terms[name] for name in ("kind", "charge_cents", "participants_min")})


@dataclass(frozen=True)
class Waiting:
    """A tap that waits on the tablet for its connection."""

    path: str
    body: Mapping[str, Any]
    id: UUID
    tapped_at: str
    then: Then


@dataclass
class HandOnFelt:
    """A hand that is being played, as its dealer knows it."""

    id: UUID
    played: Played
    button: int
    positions: dict[str, Any]
    participants: int
    # The name of the table's game.
    game: str
    # Which taps have been made: "dealt", then "flop".
    taps: list[str] = field(default_factory=list)
    number: int | None = None


@dataclass
class Table:
    """A table, and what its dealer and the floor know of it."""

    felt: TableFelt
    game: dict[str, Any] = field(default_factory=dict)
    is_open: bool = False
    # The log's id of what the table runs, as its tablet shows it: each hand names it.
    opening_id: int = 0
    was_drawn: bool = False
    # The last orbit was announced.
    is_closing: bool = False
    # Number and opening of the main game's table, for a must-move game.
    feeds: tuple[int, int] | None = None
    hand: HandOnFelt | None = None
    hands_dealt: int = 0
    # The newest settled hand, for an undo: its number and what was dropped.
    newest: int | None = None
    # Rake and drop that lie in the boxes of hands whose settlement has not been answered: by hand id.
    unlogged: dict[UUID, tuple[int, int]] = field(default_factory=dict)
    # Rake and drop of hands that were logged as not logged, until the floor supplies them: by hand number.
    not_logged: dict[int, tuple[int, int]] = field(default_factory=dict)
    # What the log says that each hand of tonight dropped, by hand number.
    drops: dict[int, Dropped] = field(default_factory=dict)
    # A bad beat was called, and nothing is dealt until the floor has looked.
    is_held: bool = False
    # On which days' ends it was counted through and differed from the log, until that is stated, or found.
    apart: set[int] = field(default_factory=set)
    # Chips of players who left uncounted: gone from here, and still in play for the log.
    uncounted: int = 0
    # Hands that stand settled in the log.
    settled: int = 0
    is_offline: bool = False
    waiting: list[Waiting] = field(default_factory=list)
    # Tablets that died with taps on them, before another one took the table over.
    left_on_dead_tablets: list[tuple[Device, list[Waiting]]] = field(default_factory=list)

    @property
    def number(self) -> int:
        return self.felt.number

    @property
    def api(self) -> str:
        return f"/api/v1/tables/{self.number}"

    @property
    def seats(self) -> int:
        return int(self.game["seats"])

    def free_seats(self) -> list[int]:
        """Return seats where nobody sits and to which nobody was called."""
        return [seat for seat in range(1, self.seats + 1) if seat not in {*self.felt.sitters, *self.felt.promised}]

    def sitters(self) -> list[Sitter]:
        """Return who sits here, by seat."""
        return [self.felt.sitters[seat] for seat in sorted(self.felt.sitters)]

    def everybody(self) -> list[Sitter]:
        """Return whose seats they are, who sits there and who is played over."""
        return [*self.sitters(), *self.felt.played_over.values()]

    def is_in_hand(self, seat: int) -> bool:
        """Say whether this seat was dealt into the hand that is being played."""
        return self.hand is not None and seat in self.hand.positions["dealt_in"]

    # What the dealer does with the chips

    def bets(self, hand: HandOnFelt) -> None:
        """Put the hand's bets into the middle; it is being played from now on."""
        for seat, cents in hand.played.put_in.items():
            self.felt.bet(seat, cents)
        self.hand = hand
        big_blind, sitters = hand.positions.get("big_blind"), self.felt.sitters
        if big_blind is None:
            self.felt.markers.loses_track()
            return
        self.felt.markers.deal(
            self.seats,
            dealt_in=[sitters[seat].seating for seat in hand.positions["dealt_in"]],
            big_blind=(big_blind, sitters[big_blind].player.id),
            away=self.felt.away(),
        )

    def settlement(self, hand: HandOnFelt, pots: tuple[int, ...]) -> ChargedPots:
        """Return what the tablet tells the dealer to take of these pots, as its page computes it by itself."""
        found = charge_pots(
            pots=pots,
            participants=hand.participants,
            beyond_initial_deal=hand.played.is_beyond_initial_deal,
            charges=self._charges(),
        )
        if found.of("rake") != rake_of(sum(pots), self.game["rake"]):
            raise Broken("the rake of a hand", f"{found} of {pots}")
        return found

    def _charges(self) -> dict[str, ChargePolicy]:
        read: dict[str, Callable[[Mapping[str, Any]], ChargePolicy]] = {"rake": rake_from_dict, "drop": _drop_from_dict}
        return {kind: policy(self.game[kind]) for kind, policy in read.items() if self.game[kind]}

    def pays(self, hand: HandOnFelt, *, rake: int, drop: int) -> None:
        """
        Take rake and drop into the boxes and push what is left of each pot to who won it.

        Of a hand that is logged again only what its boxes lack moves; less than nothing comes back out of them.
        """
        self.felt.drop(rake=rake, drop=drop)
        if rake or drop:
            self.unlogged[hand.id] = (rake, drop)
        played = hand.played
        if not played.is_beyond_initial_deal:
            self.felt.push(played.winners[0][0], self.felt.middle)
        else:
            found = self.settlement(hand, played.pots)
            for cents, winners in zip(found.push_by_pot, played.winners, strict=True):
                ordered = clockwise(winners, after=hand.button)
                shares = split_pot(cents, winners_clockwise_from_button=ordered, unit_cents=self.game["chip_cents"])
                for seat, share in shares.items():
                    self.felt.push(seat, share)
        if self.felt.middle:
            raise Broken("the simulator", f"{self.felt.middle} cents are left in the pot of table {self.number}")
        self.hand = None
        self.hands_dealt += 1
        self.felt.markers.played()

    # What the log has been told

    def was_logged(self, hand: HandOnFelt, number: int, *, drop: int) -> None:
        """Note that a hand's settlement is in the log, and so what it put into the boxes."""
        self.unlogged.pop(hand.id, None)
        self.drops[number] = Dropped(hand.game, drop)
        self.settled += 1

    def was_not_logged(self, hand: HandOnFelt, number: int) -> None:
        """Note that the log has a hand as not logged: nothing of what it put into the boxes."""
        self.not_logged[number] = self.unlogged.pop(hand.id, (0, 0))
        self.drops[number] = Dropped(hand.game)

    def was_supplied(self, number: int) -> None:
        """Note that the floor has supplied what a hand that was not logged put into the boxes."""
        _rake, self.drops[number].cents = self.not_logged.pop(number)
        self.settled += 1

    def was_voided(self, number: int) -> None:
        """A settled hand counts no more; what was dropped of it stays in its box, and the house says so."""
        if number in self.drops:
            self.drops[number].cents = 0
        self.settled -= 1
