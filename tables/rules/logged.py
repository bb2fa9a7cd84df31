"""A hand as a dealer logs it, and how it differs from what the table's state expects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from casino.errors import Malformed
from casino.poker.positions import NextHand, Post, PostKind
from tables.errors import NoSuchSeat
from tables.errors_hands import WinnerNamedTwice, WinnersOfEachPot

# Ten million in minor units: more than lies on any table is a slip of the finger.
POTS_CENTS_MAX = 10**9


@dataclass(frozen=True)
class LoggedHand:
    """
    One hand, whole: it stands alone, whether or not Deal and Flop arrived before it.

    Amounts are cents, seats are numbers from 1. `pots` are in order of formation with uncalled chips
    returned; the total alone is one pot; none means that it was won in the initial deal. `winners` has
    one tuple of seats per pot, or a single one for all. `pot_is_at_least`: the dealer pressed "maximum".
    `dealt_in`, `button`, `small_blind` and `big_blind` are as the tablet showed them, each by itself; None and empty
    mean "as expected", and no small blind beside both others that there was none. `taken` is what lies in the boxes by
    kind of charge; a kind that is not named took what was due. `opening_id` is the game that the tablet showed; None:
    it did not say, and the moment tells. `again_of` is the undone hand that this one logs again: what was taken for it
    lies in the boxes, and is part of what this one took.
    """

    hand_id: UUID
    winners: tuple[tuple[int, ...], ...]
    pots: tuple[int, ...] = ()
    pot_is_at_least: bool = False
    dealt_in: tuple[int, ...] = ()
    button: int | None = None
    small_blind: int | None = None
    big_blind: int | None = None
    taken: Mapping[str, int] = field(default_factory=dict)
    dealt_at: datetime | None = None
    beyond_initial_deal_at: datetime | None = None
    is_without_flop: bool = False
    opening_id: int | None = None
    again_of: UUID | None = None

    @property
    def is_beyond_initial_deal(self) -> bool:
        """
        A pot typed says that there was a flop, whether or not Flop was tapped (H1.90).

        Where the rake is due without one too (RA8), pots are typed either way, and `is_without_flop` tells them apart.
        """
        return not self.is_without_flop and (bool(self.pots) or self.beyond_initial_deal_at is not None)

    @property
    def pot_cents(self) -> int | None:
        return sum(self.pots) if self.pots else None

    def fits(self, seats: int) -> bool:
        """Say whether a table of so many seats has every seat that the hand names."""
        named = {seat for winners in self.winners for seat in winners} | set(self.dealt_in)
        named |= {seat for seat in (self.button, self.small_blind, self.big_blind) if seat is not None}
        return all(1 <= seat <= seats for seat in named)

    def played_at(self, tapped_at: datetime) -> datetime:
        """Return when it was dealt, as far as the tap that brings it can say."""
        return min(self.dealt_at or tapped_at, tapped_at)

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


@dataclass(frozen=True)
class Played:
    """Seat numbers of a hand as the tablet sent them: None where it named none, or the small blind was dead."""

    button: int | None
    small_blind: int | None
    big_blind: int | None
    dealt_in: tuple[int, ...]

    @property
    def positions(self) -> Positions | None:
        """Return the hand's positions, None where button or big blind is unknown: then no next hand follows."""
        if self.button is None or self.big_blind is None:
            return None
        return Positions(self.button, self.small_blind, self.big_blind, self.dealt_in)


def check_seats(hand: LoggedHand, *, seats: int) -> None:
    """
    Check that a hand names seats of its table only.

    :raises NoSuchSeat: it names another.
    """
    if not hand.fits(seats):
        raise NoSuchSeat(seats=seats)


def check_readable(hand: LoggedHand, *, seats: int) -> None:
    """
    Check that a settled hand can be read at all.

    :raises Malformed: no winner is named, an amount is negative, or the pots are beyond `POTS_CENTS_MAX` together.
    :raises WinnersOfEachPot, WinnerNamedTwice: nobody could say which pot went where.
    :raises NoSuchSeat: it names a seat that the table does not have.
    """
    if not hand.winners or not all(hand.winners):
        raise Malformed(field="winners")
    if len(hand.winners) not in {1, max(len(hand.pots), 1)}:
        raise WinnersOfEachPot(lists=len(hand.winners), pots=len(hand.pots))
    twice = next((seat for seats in hand.winners for seat in seats if seats.count(seat) > 1), None)
    if twice is not None:
        raise WinnerNamedTwice(seat_number=twice)
    if any(cents < 0 for cents in (*hand.pots, *hand.taken.values())):
        raise Malformed(field="pots")
    if max(sum(hand.pots), *hand.taken.values(), 0) > POTS_CENTS_MAX:
        raise Malformed(field="pots")
    check_seats(hand, seats=seats)


def positions_played(hand: LoggedHand, expected: Positions | Played | None) -> Played:
    """
    Return where the hand was played: each position as the tablet showed it, else as expected.

    The felt wins: what the tablet showed is taken even where the table's state says otherwise.
    """
    button, small_blind, big_blind = hand.button, hand.small_blind, hand.big_blind
    if expected is not None:
        if small_blind is None and (button is None or big_blind is None) and expected.small_blind != big_blind:
            small_blind = expected.small_blind
        button, big_blind = button or expected.button, big_blind or expected.big_blind
    return Played(button, small_blind, big_blind, hand.dealt_in or (expected.dealt_in if expected else ()))


def positions_of(expected: NextHand | None) -> Positions | None:
    """Return the positions of the hand that the rules expect."""
    return Positions(expected.button, expected.small_blind, expected.big_blind, expected.dealt_in) if expected else None


def posts_of(played: Played, expected: NextHand | None, *, small_blind_cents: int, big_blind_cents: int) -> list[Post]:
    """
    Return what was posted: the blinds where they were on the felt, and as expected what newcomers, those who missed
    blinds and straddlers put in (H4.9, H4.18, H4.31, H4.40, H4.42).
    """
    posts = []
    if played.big_blind is not None:
        posts.append(Post(played.big_blind, PostKind.BIG_BLIND, big_blind_cents))
    if played.small_blind is not None:
        posts.append(Post(played.small_blind, PostKind.SMALL_BLIND, small_blind_cents))
    blinds = {post.seat_number for post in posts}
    others = [post for post in expected.posts if post.seat_number not in blinds] if expected else []
    return [*posts, *(post for post in others if post.kind not in {PostKind.SMALL_BLIND, PostKind.BIG_BLIND})]


def differences(played: Played, expected: Positions | None, *, seated: Sequence[int]) -> list[str]:
    """Return codes for what does not agree between the felt and the log; the floor judges them."""
    differing = [] if played.positions else ["positions_unsaid"]
    if expected is not None:
        on_felt, by_rule = ((each.button, each.small_blind, each.big_blind) for each in (played, expected))
        if on_felt != by_rule:
            differing.append("positions")
        if set(played.dealt_in) != set(expected.dealt_in):
            differing.append("dealt_in")
    if set(played.dealt_in) - set(seated):
        differing.append("empty_seat_dealt_in")
    return differing
