"""
What each jackpot really holds: by the drops of hands that were played, the printed tables and plain addition. Cents.

Nothing here has heard of the house's pools. Which game feeds which jackpot is what the simulated room's book says, and
what a claim pays is read off the tables as they are printed (H7.31, H7.32), in 100,000ths of the sum.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from casino.simulation.broken import Broken
from casino.simulation.cards import BadBeat
from casino.simulation.felt import Player
from casino.simulation.promotions import BLOCKS

SEED = 1_000_00
PARTICIPANTS_MIN = 6
# By how many share it: the losing hand's first two columns, by participants; the winning one's; the others'.
LOSERS = {6: (40_000, 22_500), 7: (40_000, 22_000), 8: (40_000, 21_667), 9: (40_000, 21_429), 10: (40_000, 21_250)}
WINNERS = (20_000,)
OTHERS = {6: 5_000, 7: 4_000, 8: 3_330, 9: 2_857, 10: 2_500}
SECOND_LOSERS, SECOND_WINNERS, SECOND_OTHERS = (10_000, 5_500), (5_000, 3_000), 1_000
# The book's first takes what names no other, and what nobody else is there for.
FIRST = "bad-beat"
FEEDS = {"No limit hold'em 2/2": "small", "No limit hold'em 5/5": "high"}


def added_to(book: str) -> str:
    """
    Return the demo room's book with two jackpots more, one of each for a game, and two promotions; the house takes its
    seeds back.
    """
    text = book.replace("seed_is_recovered = false", "seed_is_recovered = true")
    begun, ended = text.index("[[jackpots]]"), text.index("[[games]]")
    jackpot = text[begun:ended]
    more = "".join(
        jackpot.replace(f'"{FIRST}"', f'"{code}"').replace('"Bad beat jackpot"', f'"{code.capitalize()} jackpot"')
        for code in FEEDS.values()
    )
    head, *games = text[ended:].split("[[games]]")
    for at, game in enumerate(games):
        for name, code in FEEDS.items():
            if f'"{name}"' in game:
                games[at] = game.replace('kind = "per_hand"', f'kind = "per_hand", jackpot = "{code}"')
                assert games[at] != game, f"{name} drops for no jackpot"
    return text[:ended] + more + "[[games]]".join([head, *games]) + BLOCKS


@dataclass
class Dropped:
    """What the log says that one hand of tonight dropped, under which game, and in which jackpots it lies by now."""

    game: str
    cents: int = 0
    lies: list[tuple["Pool", int]] = field(default_factory=list)


@dataclass
class Pool:
    """One jackpot. `lines` are what came and went, by what the report calls it; `waits` was collected alone."""

    code: str
    lines: Counter[str] = field(default_factory=Counter)
    waits: int = 0
    pending: int = 0
    # After how many claims so much joined the sum: no claim of before is paid of it (A-H7.6).
    joins: list[tuple[int, int]] = field(default_factory=list)
    # When the newest of it did, by the house's clock.
    joined_at: datetime | None = None
    is_open: bool = True
    heir: "Pool | None" = None

    @property
    def sum(self) -> int:
        return self.lines.total()

    @property
    def seed_left(self) -> int:
        """Return what the house has put in and not taken back, what it covered included."""
        return self.lines["seed"] + self.lines["seed_recovered"] + self.covered

    covered: int = 0

    @property
    def end(self) -> "Pool":
        """Return the jackpot to which its money has gone in the end, itself where it went to none."""
        return self.heir.end if self.heir else self

    def joined_since(self, calls: int) -> int:
        """Return what of the sum has joined it after a claim."""
        return min(sum(cents for called, cents in self.joins if called >= calls), self.sum)


@dataclass
class Share:
    """What one player is to get: of a claim, or at a jackpot's end (`claim` 0). `slip` waits for it at the cage."""

    pool: Pool
    player: Player
    cents: int
    slip: int
    claim: int = 0
    id: int = 0
    is_paid: bool = False
    is_disputed: bool = False


@dataclass
class Claim:
    """
    A bad beat that was called: which hand, who was in it, what they held, and how far its claim is.

    `felt_hit_at` is the moment of the hit on the felt, `hit` the one that the house has computed, None before the
    hands are entered. `was_talked_about`: somebody spoke of their cards in mid-hand (L-P45).
    """

    id: int
    table: int
    hand: int
    pool: Pool
    calls: int
    beat: BadBeat
    seats: dict[int, Player]
    # The seats of those who hold the beat's hands, in its order.
    holders: list[int]
    away: list[int]
    felt_hit_at: datetime
    was_talked_about: bool = False
    is_thrown_in: bool = False
    hit: datetime | None = None
    status: str = "called"
    is_disputed: bool = False
    is_void: bool = False
    verified_by: str = ""
    walked: bool = False
    # On which evening it was called.
    night: int = 0

    @property
    def participants(self) -> int:
        return len(self.seats) - len(self.away)

    @property
    def is_open(self) -> bool:
        return self.status in {"called", "entered", "verified"}

    @property
    def holds_the_table(self) -> bool:
        return self.status in {"called", "entered"} and not self.is_disputed

    @property
    def verdict(self) -> str:
        """Return what the rules make of it (H7.3, H7.6, H7.20-H7.29, A-H7.5, L-P45)."""
        if not self.beat.category or self.is_thrown_in or self.participants < PARTICIPANTS_MIN:
            return "fails"
        return "decide" if self.was_talked_about else "qualifies"

    def shares(self, of: int) -> dict[int, int]:
        """Return what each seat is paid of a sum, each rounded down to the cent (A-H7.10)."""
        is_first, losers, winners = self.beat.category == 1, self.beat.losers, self.beat.winners
        loser = (LOSERS[self.participants] if is_first else SECOND_LOSERS)[losers - 1]
        winner = (WINNERS if is_first else SECOND_WINNERS)[winners - 1]
        other = OTHERS[self.participants] if is_first else SECOND_OTHERS
        parts = dict.fromkeys(sorted(set(self.seats) - set(self.away)), other)
        parts |= dict.fromkeys(self.holders[:winners], winner)
        parts |= dict.fromkeys(self.holders[winners : winners + losers], loser)
        return {seat: of * part // 100_000 for seat, part in parts.items()}


@dataclass
class Jackpots:
    """All jackpots of the house, everything that was called, and whatever is still to be paid."""

    pools: dict[str, Pool] = field(
        default_factory=lambda: {code: Pool(code, Counter(seed=SEED)) for code in (FIRST, *FEEDS.values())}
    )
    claims: list[Claim] = field(default_factory=list)
    shares: list[Share] = field(default_factory=list)
    calls: int = 0
    # How often each thing was played.
    played: Counter[str] = field(default_factory=Counter)

    def open_pools(self) -> list[Pool]:
        """Return the jackpots that have not ended."""
        return [pool for pool in self.pools.values() if pool.is_open]

    def open_claims(self) -> list[Claim]:
        """Return the claims that nobody has decided, in the order in which they were called."""
        return [claim for claim in self.claims if claim.is_open]

    def fed_by(self, game: str) -> Pool:
        """Return which jackpot a game feeds now; where its own was paid out, the first, or whichever is left."""
        for code in (FEEDS.get(game, FIRST), FIRST):
            if (pool := self.pools[code].end).is_open:
                return pool
        return self.open_pools()[0]

    def before(self, claim: Claim) -> list[Claim]:
        """Return the open claims of the same jackpot that were hit before this one, or may have been (A-H7.7)."""
        assert claim.hit is not None
        others = [other for other in self.open_claims() if other.pool is claim.pool and other is not claim]
        return [other for other in others if other.hit is None or other.hit <= claim.hit]

    def voided(self, table: int, hand: int) -> None:
        """Mark the claims of a voided hand: nothing is paid for them any more."""
        for claim in self.claims:
            if (claim.table, claim.hand) == (table, hand):
                claim.is_void = True

    def collect(self, drops: Iterable[Dropped], among: Iterable[Pool]) -> None:
        """Collect what hands dropped for these jackpots and is not in them yet, and add it to their sums."""
        among = list(among)
        for drop in drops:
            for pool, cents in self._goes(drop):
                if pool in among:
                    pool.waits += cents
                    drop.lies.append((pool, cents))
        for pool in among:
            if not pool.is_open:
                # Nobody drops for it any more: the house covers what was taken back.
                pool.covered += max(-pool.waits, 0)
                pool.waits = max(pool.waits, 0)
            elif pool.waits > 0:
                pool.lines["takings"] += pool.waits
                pool.joins.append((self.calls, pool.waits))
                pool.waits = 0

    def _goes(self, drop: Dropped) -> list[tuple[Pool, int]]:
        left = drop.cents - sum(cents for _, cents in drop.lies)
        if not left:
            return []
        # What is taken back of a hand comes from where its drop went, or from whoever has that money.
        return [(drop.lies[0][0].end if drop.lies else self.fed_by(drop.game), left)]

    def uncollected(self, drops: Iterable[Dropped], pool: Pool) -> int:
        """Return what was dropped for a jackpot and would join it now."""
        return pool.waits + sum(cents for drop in drops for to, cents in self._goes(drop) if to is pool)

    def payable(self, claim: Claim) -> int:
        """Return the sum of which a claim is paid."""
        return claim.pool.sum - claim.pool.joined_since(claim.calls)

    def approve(self, claim: Claim) -> dict[int, int]:
        """Take a claim's shares out of its jackpot, have the house fill up what is left, and return them by seat."""
        pool, of, joined = claim.pool, self.payable(claim), claim.pool.joined_since(claim.calls)
        shares = {seat: cents for seat, cents in claim.shares(of).items() if cents}
        paid = sum(shares.values())
        pool.lines["claims"] -= paid
        pool.pending += paid
        pool.lines["seed"] += max(SEED + joined - pool.sum, 0)
        return shares

    def pay(self, share: Share) -> None:
        """Pay a share over the counter, once."""
        if share.is_paid:
            raise Broken("the simulator", f"{share} is paid twice")
        share.is_paid = True
        share.pool.pending -= share.cents
