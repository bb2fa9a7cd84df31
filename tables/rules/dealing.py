"""What follows from a hand as it was dealt and who sat there: decided first, written afterwards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from casino.poker.positions import BlindTerms, NextHand, Post
from tables.rules.logged import LoggedHand, Played, differences, positions_of, positions_played, posts_of


@dataclass(frozen=True)
class DealtIn:
    """A player who got cards, and what was posted there, in cents: live in front, dead to the pot."""

    seat_number: int
    player_id: int
    post: str = ""
    live_cents: int = 0
    dead_cents: int = 0


@dataclass(frozen=True)
class Dealing:
    """Where a hand was dealt, to whom, and codes for what of it the floor has to judge."""

    played: Played
    dealt_in: tuple[DealtIn, ...]
    to_judge: tuple[str, ...]

    @property
    def players(self) -> dict[int, int]:
        """Who was dealt in: player ids by seat."""
        return {each.seat_number: each.player_id for each in self.dealt_in}


def dealing_of(
    hand: LoggedHand,
    *,
    seated: Mapping[int, int],
    expected: NextHand | None,
    blinds: BlindTerms,
    is_table_held: bool = False,
) -> Dealing:
    """
    Return a hand as it was dealt, in the order in which it names the seats: the felt wins.

    `seated` are the ids of the players who sat there then, by seat: nobody is dealt into an empty one. `expected` is
    what the rules asked for, None where too few could play or nobody knows any more. `is_table_held`: the hand before
    waited for the floor.

    Rules: H4.9, H4.18, H4.31, H4.40, H4.42.
    """
    by_rule = positions_of(expected)
    played = positions_played(hand, by_rule)
    posts = posts_of(
        played, expected, small_blind_cents=blinds.small_blind_cents, big_blind_cents=blinds.big_blind_cents
    )
    post_at = {post.seat_number: post for post in posts}
    # Named twice, a seat is dealt in once: a fact is not refused for it, and the database takes no second row.
    dealt_in = tuple(
        _dealt_in(seat, seated[seat], post_at.get(seat)) for seat in dict.fromkeys(played.dealt_in) if seat in seated
    )
    differs = differences(played, by_rule, seated=list(seated))
    return Dealing(played, dealt_in, (*differs, "while_held") if is_table_held else tuple(differs))


def _dealt_in(seat: int, player_id: int, post: Post | None) -> DealtIn:
    if post is None:
        return DealtIn(seat, player_id)
    return DealtIn(seat, player_id, post.kind.value, post.live_cents, post.dead_cents)


def dealt_in_really(
    before: Mapping[int, DealtIn], *, named: Sequence[int], seated: Mapping[int, int]
) -> tuple[DealtIn, ...]:
    """
    Return who was dealt into a hand that is put right: as `before`, by seat, or where seats are named those of them,
    and whoever sat there then (`seated`, player ids by seat).

    Whoever is written in one seat is not looked for in another: seats may have been changed around the deal.
    """
    written = {each.player_id for seat, each in before.items() if seat in named}
    others = {seat: DealtIn(seat, player) for seat, player in seated.items() if player not in written}
    by_seat = {**others, **before}
    return tuple(by_seat[seat] for seat in dict.fromkeys(named or before) if seat in by_seat)
