"""
Who holds the button and posts the blinds of the next hand (H4.26-H4.32, H4.51-H4.53, A36, A37, A41).

Facts in, decision out. A table is its occupants (who sits where, and whether they are in rotation)
and its last hand (who held what). `next_hand` decides; `after` and `as_last` give the facts from
which the hand after it is decided, so a dealer's tablet without a connection can go on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from casino.poker.placement import Facts, Placement, felt_placement, first_placement, rotated_placement
from casino.poker.seats import clockwise


class Entry(StrEnum):
    """How far a person has come into the rotation."""

    IN = "in"  # in rotation
    WAITS = "waits"  # new player who waits for the own big blind (H4.30)
    POSTS = "posts"  # new player who posts a new player's blind on the next hand (H4.31)


class PostKind(StrEnum):
    """What a post is called on the felt."""

    SMALL_BLIND = "small_blind"
    BIG_BLIND = "big_blind"
    NEW_PLAYER = "new_player"


@dataclass(frozen=True)
class Occupant:
    """
    A person in a seat at this moment.

    `is_held`: the seat is held, its player is not dealt in for now and counts as absent (A37). The
    blinds that an absent player misses will stand beside it.
    """

    seat_number: int
    player_id: int
    entry: Entry = Entry.IN
    is_held: bool = False


@dataclass(frozen=True)
class LastHand:
    """
    Who held what on the hand before. The small blind is None where it was dead; the button's player
    is None where the felt had the button at an empty seat.
    """

    button_seat: int
    button_player_id: int | None
    small_blind_seat: int | None
    small_blind_player_id: int | None
    big_blind_seat: int
    big_blind_player_id: int
    was_heads_up: bool = False


@dataclass(frozen=True)
class Post:
    """
    Chips owed before the deal, in cents: `live_cents` count towards the bet (H4.8, H4.31), `dead_cents`
    go straight into the pot.
    """

    seat_number: int
    kind: PostKind
    live_cents: int
    dead_cents: int = 0


@dataclass(frozen=True)
class NextHand:
    """
    Seat numbers of the next hand. `dealt_in` is the dealing order, the button last (H4.1, H4.5, H4.53);
    `waiting` are the occupied seats that get no cards: newcomers who wait, and held seats.
    """

    button: int
    small_blind: int | None
    big_blind: int
    dealt_in: tuple[int, ...]
    posts: tuple[Post, ...]
    waiting: tuple[int, ...]

    @property
    def is_heads_up(self) -> bool:
        """Whether two play: the button then posts the small blind (H4.52)."""
        return len(self.dealt_in) == 2


def next_hand(
    occupants: Sequence[Occupant],
    last: LastHand | None,
    *,
    small_blind_cents: int,
    big_blind_cents: int,
    seats: int,
    first_button: int | None = None,
) -> NextHand | None:
    """
    Return the button, the blinds and who is dealt in on the next hand; None while fewer than two can play.

    `last` is None before the first hand: everybody there took part in the draw or came in time (A36), and
    `first_button` is the seat that won it (H4.22). Without a draw the highest seat has the button, as
    in tournaments, where nothing is drawn. `first_button` is not looked at later. `seats` is the table's size.

    :raises ValueError: a seat outside the table, or two people in one seat, or one in two.
    Rules: H2.2, H4.6, H4.9, H4.26-H4.32, H4.51-H4.53, A36, A37, A41.
    """
    _check(occupants, seats=seats)
    facts = _facts(occupants, last)
    if len(facts.present) < 2:
        return None
    if last is None:
        placement = first_placement(facts.present, button=first_button if first_button is not None else seats)
    else:
        placement = rotated_placement(facts)
    return _hand(placement, occupants, small_blind_cents=small_blind_cents, big_blind_cents=big_blind_cents)


def with_button_here(
    occupants: Sequence[Occupant],
    last: LastHand | None,
    *,
    seat_number: int,
    small_blind_cents: int,
    big_blind_cents: int,
    seats: int,
) -> NextHand | None:
    """
    Return the next hand with the button where the dealer says it lies: the felt wins.

    The blinds follow from it clockwise (H4.9): the small blind to the next player in rotation, the big
    blind to the next one there. `seat_number` may be empty: with three or more the button lies there, with
    two it belongs to the nearest player in rotation counter-clockwise, who posts the small blind (H4.52).

    :raises ValueError: as `next_hand`, or `seat_number` is outside the table.
    """
    _check(occupants, seats=seats)
    if not 1 <= seat_number <= seats:
        raise ValueError(f"seat {seat_number} is outside a table of {seats}")
    facts = _facts(occupants, last)
    if len(facts.present) < 2:
        return None
    placement = felt_placement(facts, button=seat_number)
    return _hand(placement, occupants, small_blind_cents=small_blind_cents, big_blind_cents=big_blind_cents)


def as_last(hand: NextHand, occupants: Sequence[Occupant]) -> LastHand:
    """
    Return `hand` as the hand before the next one; `occupants` are those who sat there when it was dealt.

    :raises KeyError: a blind's seat has no occupant.
    """
    players = {o.seat_number: o.player_id for o in occupants}
    return LastHand(
        button_seat=hand.button,
        button_player_id=players.get(hand.button),
        small_blind_seat=hand.small_blind,
        small_blind_player_id=None if hand.small_blind is None else players[hand.small_blind],
        big_blind_seat=hand.big_blind,
        big_blind_player_id=players[hand.big_blind],
        was_heads_up=hand.is_heads_up,
    )


def after(hand: NextHand, occupants: Sequence[Occupant]) -> tuple[Occupant, ...]:
    """
    Return the occupants once `hand` was played: whoever was dealt in is in rotation (H4.30, H4.31).

    Not for a void hand: there everybody owes what they owed before it (H3.19).
    """
    dealt_in = set(hand.dealt_in)
    return tuple(replace(o, entry=Entry.IN) if o.seat_number in dealt_in else o for o in occupants)


def hands_ahead(
    occupants: Sequence[Occupant],
    last: LastHand | None,
    *,
    count: int,
    small_blind_cents: int,
    big_blind_cents: int,
    seats: int,
    first_button: int | None = None,
) -> tuple[NextHand, ...]:
    """
    Return what the next `count` hands ask if nobody comes or goes; empty while fewer than two can play.

    It travels with the dealer's page, which goes on with it when the connection is gone.
    """
    hands: list[NextHand] = []
    while len(hands) < count:
        hand = next_hand(
            occupants,
            last,
            small_blind_cents=small_blind_cents,
            big_blind_cents=big_blind_cents,
            seats=seats,
            first_button=first_button,
        )
        if hand is None:
            break
        hands.append(hand)
        occupants, last = after(hand, occupants), as_last(hand, occupants)
    return tuple(hands)


def _check(occupants: Sequence[Occupant], *, seats: int) -> None:
    numbers = [o.seat_number for o in occupants]
    if any(not 1 <= number <= seats for number in numbers):
        raise ValueError(f"a seat of {sorted(numbers)} is outside a table of {seats}")
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"two people in one seat: {sorted(numbers)}")
    if len({o.player_id for o in occupants}) < len(occupants):
        raise ValueError("one person in two seats")


def _facts(occupants: Sequence[Occupant], last: LastHand | None) -> Facts:
    there = {o.seat_number: o for o in occupants if not o.is_held}

    def still(seat: int | None, player_id: int | None) -> int | None:
        # A seat counts as its player's only while that same person is in it: a newcomer in a blind's seat
        # has paid nothing.
        return seat if seat is not None and seat in there and there[seat].player_id == player_id else None

    held_last = (
        still(last.button_seat, last.button_player_id) if last else None,
        still(last.small_blind_seat, last.small_blind_player_id) if last else None,
        still(last.big_blind_seat, last.big_blind_player_id) if last else None,
    )
    rotating = {seat for seat, o in there.items() if last is None or o.entry is Entry.IN or seat in held_last}
    return Facts(
        present=frozenset(there),
        rotating=frozenset(rotating),
        posting=frozenset(seat for seat, o in there.items() if o.entry is Entry.POSTS and seat not in rotating),
        button_seat=last.button_seat if last else 0,
        big_blind_seat=last.big_blind_seat if last else 0,
        button=held_last[0],
        small_blind=held_last[1],
        big_blind=held_last[2],
    )


def _hand(
    placement: Placement, occupants: Sequence[Occupant], *, small_blind_cents: int, big_blind_cents: int
) -> NextHand:
    posts = [Post(placement.big_blind, PostKind.BIG_BLIND, big_blind_cents)]
    if placement.small_blind is not None:
        posts.insert(0, Post(placement.small_blind, PostKind.SMALL_BLIND, small_blind_cents))
    posts += (
        Post(seat, PostKind.NEW_PLAYER, big_blind_cents)
        for seat in clockwise(placement.newcomers, after=placement.big_blind)
    )
    return NextHand(
        button=placement.button,
        small_blind=placement.small_blind,
        big_blind=placement.big_blind,
        dealt_in=clockwise(placement.dealt_in, after=placement.button),
        posts=tuple(posts),
        waiting=tuple(sorted({o.seat_number for o in occupants} - placement.dealt_in)),
    )
