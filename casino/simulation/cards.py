"""One hand as the cards fall: who puts in how much, which pots form, who wins them. Pure; amounts are cents."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

NO_FLOP_SHARE = 0.25
TIE_SHARE = 0.08
CONTENDERS_MAX = 4


@dataclass(frozen=True)
class BadBeat:
    """
    Cards as they were shown at the end of a hold'em hand: the winners' hands first, then the losers'.

    `category` is the one of H7.22 and H7.27 that it meets, 0 for none.
    """

    board: str
    hands: tuple[str, ...]
    category: int
    winners: int = 1
    losers: int = 1


# Just at the lines, and just below them.
BAD_BEATS = (
    BadBeat("As Ah Kd 7c 7d", ("7h 7s", "Ac Kc"), 1),
    BadBeat("Ah Kd Kh 5c Ks", ("Kc 2d", "As Ad"), 1),
    BadBeat("Ah Ad As 7c 7d", ("7h 7s", "Kc Kd", "Kh Ks"), 1, losers=2),
    BadBeat("9h 8h 7h 6d 6c", ("Jh Th", "6h 6s", "Ac Ad"), 1),
    BadBeat("Ah Qd 4s Qh Qs", ("Qc 9d", "Ac Ad"), 2),
    BadBeat("As Ah Jd 7c 7d", ("7h 7s", "Ac Jc"), 2),
    BadBeat("Ah Ad As 7c 2d", ("Kc Kd", "Kh Ks", "Jc Jd"), 2, winners=2),
    BadBeat("Ah Ad As 7c 2d", ("Kc Kd", "Kh Ks", "Qc Qd", "Qh Qs"), 2, winners=2, losers=2),
)
NO_BAD_BEATS = (
    BadBeat("As Ah Td 7c 7d", ("7h 7s", "Ac Tc"), 0),
    # The losing hand plays one card of its own (H7.27), or none (E-H7.22b); two hands tie (E-H7.13a).
    BadBeat("As Ad Ah Kc 7d", ("Ac 2s", "Kd 3c"), 0),
    BadBeat("Ah Ad As Kc Kd", ("Ac 2s", "Qh 7c"), 0),
    BadBeat("As Ah Kd 7c 2s", ("Ac Kc", "Ad Kh"), 0),
)


@dataclass(frozen=True)
class Played:
    """What happened: chips put in by seat, and the pots in order of formation with who shares each."""

    put_in: Mapping[int, int]
    pots: tuple[int, ...]
    winners: tuple[tuple[int, ...], ...]
    is_beyond_initial_deal: bool


def play(
    rng: random.Random,
    *,
    stacks: Mapping[int, int],
    posts: Mapping[int, int],
    big_blind: int,
    chip: int,
    to_the_end: bool = False,
) -> Played:
    """
    Play a hand between the seats of `stacks`, who all have chips; `posts` are the blinds by seat.

    An uncalled excess stays with whoever bet it. Without a flop there are no pots to log: one seat takes it all.
    `to_the_end`: there is a flop.
    """
    seats = sorted(stacks)
    posted = {seat: min(stacks[seat], posts.get(seat, 0)) for seat in seats}
    if not to_the_end and rng.random() < NO_FLOP_SHARE:
        winner = rng.choice(seats)
        others = max(cents for seat, cents in posted.items() if seat != winner)
        put_in = {**posted, winner: min(stacks[winner], max(others, min(posted[winner], others)))}
        return Played(_without_nothing(put_in), (), ((winner,),), False)

    contenders = sorted(rng.sample(seats, rng.randint(2, min(CONTENDERS_MAX, len(seats)))))
    bet = big_blind + chip * int(rng.expovariate(1 / 25))
    if rng.random() < 0.06:
        bet = max(stacks[seat] for seat in contenders)
    put_in = {seat: min(stacks[seat], max(bet, posted[seat])) for seat in contenders}
    # What nobody can call goes back.
    called = sorted(put_in.values())[-2]
    put_in = {seat: min(cents, called) for seat, cents in put_in.items()}
    for seat in seats:
        if seat not in contenders:
            limped = rng.choice([posted[seat], max(posted[seat], min(stacks[seat], big_blind))])
            put_in[seat] = min(limped, called)
    levels = sorted({put_in[seat] for seat in contenders})
    strength = {seat: rng.random() for seat in contenders}
    if rng.random() < TIE_SHARE:
        strength = dict.fromkeys(contenders, 1.0)
    pots, winners, below = [], [], 0
    for level in levels:
        pots.append(sum(min(cents, level) - min(cents, below) for cents in put_in.values()))
        winners.append(_best([seat for seat in contenders if put_in[seat] >= level], strength))
        below = level
    return Played(_without_nothing(put_in), tuple(pots), tuple(winners), True)


def rake_of(total_cents: int, policy: Mapping[str, int] | None) -> int:
    """Return the rake of a hand in cents, computed by other code than the house's, whose sum is held against it."""
    if policy is None:
        return 0
    due = total_cents // policy["block_cents"] * policy["charge_cents"]
    most = policy.get("maximum_cents")
    return due if most is None else min(due, most)


def _best(seats: Sequence[int], strength: Mapping[int, float]) -> tuple[int, ...]:
    most = max(strength[seat] for seat in seats)
    return tuple(seat for seat in seats if strength[seat] == most)


def _without_nothing(put_in: Mapping[int, int]) -> dict[int, int]:
    return {seat: cents for seat, cents in put_in.items() if cents}
