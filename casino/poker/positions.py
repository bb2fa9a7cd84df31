"""
What lies on a table between two hands: who sits where, who held what on the hand before, and what the next one asks.

Plain facts; `casino.poker.blinds` decides with them. Amounts are cents, seats are numbers from 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from casino.poker.missed import Missed
from casino.poker.seats import clockwise
from casino.poker.straddles import Straddle


class Entry(StrEnum):
    """How far a person has come into the rotation."""

    IN = "in"  # in rotation
    WAITS = "waits"  # waits for the own big blind: new (H4.30), or with missed blinds (H4.39, H4.41)
    POSTS = "posts"  # posts on the next hand: a new player's blind (H4.31), or what was missed (H4.40, H4.42)
    STRADDLES = "straddles"  # comes in with a live straddle when next after the big blind (H4.34, H4.43)


class ButtonRule(StrEnum):
    """What becomes of the button after a hand."""

    ROTATES = "rotates"  # H4.6, A37
    TO_THE_WINNER = "to_the_winner"  # blinds and dealing order follow it (H4.15)
    TWO_BUTTONS = "two_buttons"  # one rotates; the other, for the betting order, goes to the winner (H4.16)


class PostKind(StrEnum):
    """What a post is called on the felt."""

    SMALL_BLIND = "small_blind"
    BIG_BLIND = "big_blind"
    NEW_PLAYER = "new_player"
    MISSED = "missed"
    STRADDLE = "straddle"


@dataclass(frozen=True)
class Occupant:
    """
    A person in a seat at this moment.

    `is_held`: the seat is held, its player is not dealt in for now and counts as absent (A37). `missed` are the
    blinds missed so far (H4.36). `straddles`: whenever the player may, until it is cancelled (H4.18).
    """

    seat_number: int
    player_id: int
    entry: Entry = Entry.IN
    is_held: bool = False
    missed: Missed = Missed.NONE
    straddles: bool = False


@dataclass(frozen=True)
class LastHand:
    """
    Who held what on the hand before. The small blind is None where it was dead; the button's player
    is None where the felt had the button at an empty seat. `winner_seats` shared its main pot (A33), empty where nobody
    knows; `betting_button_seat` is where the second of two buttons lay (H4.16).
    """

    button_seat: int
    button_player_id: int | None
    small_blind_seat: int | None
    small_blind_player_id: int | None
    big_blind_seat: int
    big_blind_player_id: int
    was_heads_up: bool = False
    winner_seats: tuple[int, ...] = ()
    betting_button_seat: int | None = None

    def __post_init__(self) -> None:
        # JSON knows lists only.
        object.__setattr__(self, "winner_seats", tuple(self.winner_seats))

    @classmethod
    def played(
        cls,
        players: Mapping[int, int],
        *,
        button: int,
        small_blind: int | None,
        big_blind: int,
        was_heads_up: bool,
        winner_seats: tuple[int, ...] = (),
        betting_button: int | None = None,
    ) -> "LastHand":
        """Return a hand that was played at these seats; `players` are the ids of who sat there, by seat."""
        return cls(
            button_seat=button,
            button_player_id=players.get(button),
            small_blind_seat=small_blind,
            small_blind_player_id=None if small_blind is None else players.get(small_blind),
            big_blind_seat=big_blind,
            big_blind_player_id=players.get(big_blind, 0),
            was_heads_up=was_heads_up,
            winner_seats=winner_seats,
            betting_button_seat=betting_button,
        )

    def as_if_posted_by(self, holders: Mapping[int, int]) -> "LastHand":
        """Return it as if holders had posted what was paid in their seats: their ids, by those of who played there."""
        button, small, big = self.button_player_id, self.small_blind_player_id, self.big_blind_player_id
        return replace(
            self,
            button_player_id=None if button is None else holders.get(button, button),
            small_blind_player_id=None if small is None else holders.get(small, small),
            big_blind_player_id=holders.get(big, big),
        )

    def won_button(self, *, before: int) -> int:
        """
        Return where a button that lay at `before` goes that the winner gets: of several who share the pot to the next
        after it (H4.17, A33). Where nobody knows who won it stays.
        """
        return clockwise(self.winner_seats, after=before)[0] if self.winner_seats else before


@dataclass(frozen=True)
class BlindTerms:
    """
    What a game's blinds are, in cents, how many seats its tables have, its straddles, and whose the button is.

    A hand takes `players_min` players; two who are left of a hand of more play one without a third (U13), or on and on
    where `may_two_go_on` (UA1).
    """

    small_blind_cents: int
    big_blind_cents: int
    seats: int
    straddle: Straddle = Straddle.OFF
    button: ButtonRule = ButtonRule.ROTATES
    players_min: int = 2
    may_two_go_on: bool = False


@dataclass(frozen=True)
class Post:
    """
    Chips owed before the deal, in cents: `live_cents` count towards the bet (H4.8, H4.31), `dead_cents`
    go straight into the pot (H4.40).
    """

    seat_number: int
    kind: PostKind
    live_cents: int
    dead_cents: int = 0


@dataclass(frozen=True)
class NextHand:
    """
    Seat numbers of the next hand. `dealt_in` is the dealing order, the button last (H4.1, H4.5, H4.53);
    `waiting` are the occupied seats that get no cards: newcomers who wait, and held seats. `first_to_act` opens the
    first betting round. `missed` are the markers that the dealer lays down with this hand: (seat, all that lie there
    then), of absent players whose turn for a blind it is (H4.36). `betting_button` sets the order of betting where two
    buttons lie on the table (H4.16), else it is None.
    """

    button: int
    small_blind: int | None
    big_blind: int
    dealt_in: tuple[int, ...]
    posts: tuple[Post, ...]
    waiting: tuple[int, ...]
    first_to_act: int
    missed: tuple[tuple[int, Missed], ...] = ()
    betting_button: int | None = None

    @property
    def is_heads_up(self) -> bool:
        """Whether two play: the button then posts the small blind (H4.52)."""
        return len(self.dealt_in) == 2
