"""A hand as a dealer logs it, and how it differs from what the table's state asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from casino.poker.blinds import NextHand


@dataclass(frozen=True)
class LoggedHand:
    """
    One hand, whole: it stands alone, whether or not Deal and Flop arrived before it.

    Amounts are cents, seats are numbers from 1. `pots` are in order of formation with uncalled chips
    returned; the total alone is one pot; none means that it was won in the initial deal. `winners` has
    one tuple of seats per pot, or a single one for all. `pot_is_at_least`: the dealer pressed "maximum".
    `dealt_in`, `button`, `small_blind` and `big_blind` are as the tablet showed them; None and empty
    mean "as asked". What was taken is what lies in the boxes; None means what was due.
    """

    hand_id: UUID
    winners: tuple[tuple[int, ...], ...]
    pots: tuple[int, ...] = ()
    pot_is_at_least: bool = False
    dealt_in: tuple[int, ...] = ()
    button: int | None = None
    small_blind: int | None = None
    big_blind: int | None = None
    rake_taken_cents: int | None = None
    drop_taken_cents: int | None = None
    dealt_at: datetime | None = None
    beyond_initial_deal_at: datetime | None = None

    @property
    def is_beyond_initial_deal(self) -> bool:
        """A pot typed says that there was a flop, whether or not Flop was tapped (H1.90)."""
        return bool(self.pots) or self.beyond_initial_deal_at is not None

    @property
    def pot_cents(self) -> int | None:
        return sum(self.pots) if self.pots else None

    def winners_of(self, index: int) -> tuple[int, ...]:
        """Return the seats that shared this pot."""
        return self.winners[index] if index < len(self.winners) else self.winners[-1]


@dataclass(frozen=True)
class Positions:
    """Where the button and the blinds of one hand were, and who was dealt in."""

    button: int
    small_blind: int | None
    big_blind: int
    dealt_in: tuple[int, ...]


def positions_on_the_felt(hand: LoggedHand, asked: Positions | None) -> Positions | None:
    """
    Return where the hand was played: as the tablet showed it, else as asked; None when nobody says.

    The felt wins: what the tablet showed is taken even where the table's state says otherwise.
    """
    if hand.button is not None and hand.big_blind is not None:
        dealt_in = hand.dealt_in or (asked.dealt_in if asked else ())
        return Positions(hand.button, hand.small_blind, hand.big_blind, dealt_in)
    if asked is None:
        return None
    return Positions(asked.button, asked.small_blind, asked.big_blind, hand.dealt_in or asked.dealt_in)


def positions_asked(asked: NextHand | None) -> Positions | None:
    """Return the positions that the rules ask for."""
    return Positions(asked.button, asked.small_blind, asked.big_blind, asked.dealt_in) if asked else None


def differences(played: Positions, asked: Positions | None, *, seated: Sequence[int]) -> list[str]:
    """Return codes for what does not agree between the felt and the log; the floor judges them."""
    found = []
    if asked is not None:
        if (played.button, played.small_blind, played.big_blind) != (asked.button, asked.small_blind, asked.big_blind):
            found.append("positions")
        if set(played.dealt_in) != set(asked.dealt_in):
            found.append("dealt_in")
    if set(played.dealt_in) - set(seated):
        found.append("empty_seat_dealt_in")
    return found
