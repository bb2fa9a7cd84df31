"""What a jackpot machine keeps beside the house: what each pool has to hold, in cents, by plain addition."""

from collections import Counter
from dataclasses import dataclass, field

SEED = 1_000_00
DROP = 1_00
# Which share of the sum each is paid of six, in hundredths of a per cent (H7.31, H7.32): loser, winner, each of four.
PAID = {1: (4000, 2000, 500), 2: (1000, 500, 100)}


@dataclass
class PoolBook:
    """One pool: what came in and went out, and what its sum comes to."""

    code: str
    at_once: bool
    seed: int = SEED
    takings: int = 0  # collected and not yet in the sum; negative where later drops have to cover it
    joined: int = 0
    won: int = 0
    corrected: int = 0
    moved: int = 0
    pending: int = 0
    covered: int = 0
    joins: list[tuple[int, int]] = field(default_factory=list)  # after how many claims were called, and how much
    ended: bool = False
    heir: "PoolBook | None" = None

    @property
    def sum(self) -> int:
        return self.seed + self.joined - self.won + self.corrected + self.moved

    def joined_since(self, calls: int) -> int:
        return sum(cents for called, cents in self.joins if called >= calls)

    @property
    def open_heir(self) -> "PoolBook | None":
        if not self.ended:
            return self
        return self.heir.open_heir if self.heir else None


@dataclass
class HandBook:
    """One hand of the day: at which table, what it dropped by the log, and into which pool that was collected."""

    table: int
    row: int
    cents: int = DROP
    fed: PoolBook | None = None
    is_over: bool = False


@dataclass
class ClaimBook:
    """One claim that is open: in which pool, and how many were called before it and with it."""

    id: int
    pool: PoolBook
    calls: int
    category: int
    hand: HandBook
    status: str = "called"
    is_disputed: bool = False

    @property
    def is_past_the_table(self) -> bool:
        """Whether its table deals on."""
        return self.status == "verified" or self.is_disputed


@dataclass
class Jackpots:
    """All of it. `lies` is what lies in the boxes alone: (code of the game, pool that had got it or None, cents)."""

    pools: dict[str, PoolBook]
    calls: int = 0
    hands: list[HandBook] = field(default_factory=list)
    lies: list[tuple[str, PoolBook | None, int]] = field(default_factory=list)
    claims: list[ClaimBook] = field(default_factory=list)

    def fed_by(self, code: str) -> PoolBook:
        """The pool of a code, else the book's first: what players paid in lies nowhere for nobody."""
        found = self.pools[code].open_heir or self.pools["bad-beat"].open_heir
        return found or next(pool for pool in self.pools.values() if not pool.ended)

    def target(self, code: str, fed: PoolBook | None, cents: int) -> PoolBook:
        if fed is None:
            return self.fed_by(code)
        return fed.open_heir or (fed if cents < 0 else self.fed_by(code))

    def dropped(self, hand: HandBook, cents: int, code: str) -> None:
        if cents:
            self.lies.append((code, hand.fed, cents))

    def _by_target(self) -> list[tuple[str, PoolBook | None, int, PoolBook]]:
        sums: Counter[tuple[str, str]] = Counter()
        for code, fed, cents in self.lies:
            sums[code, fed.code if fed else ""] += cents
        return [
            (code, self.pools.get(fed), cents, self.target(code, self.pools.get(fed), cents))
            for (code, fed), cents in sums.items()
            if cents
        ]

    def waits_for(self, pool: PoolBook) -> int:
        return sum(cents for _code, _fed, cents, target in self._by_target() if target is pool)

    def collect(self, among: list[PoolBook], codes: dict[int, str]) -> None:
        """Collect what lies for these pools, and add it to their sums; `codes` are what the tables' games name."""
        for code, fed, cents, target in self._by_target():
            if target not in among:
                continue
            target.takings += cents
            self.lies = [each for each in self.lies if each[:2] != (code, fed)]
            if fed is None:
                for hand in self.hands:
                    if codes[hand.table] == code and hand.fed is None:
                        hand.fed = target
        for pool in among:
            if pool.ended:
                self.cover(pool)
            elif pool.takings > 0:
                pool.joined += pool.takings
                pool.joins.append((self.calls, pool.takings))
                pool.takings = 0

    def cover(self, pool: PoolBook) -> None:
        """The house covers what was taken back of a pool that ends: its sum does not fall for it."""
        lacks = max(-pool.takings, 0)
        pool.takings += lacks
        pool.covered += lacks

    def pay(self, claim: ClaimBook) -> int:
        """Have a claim leave its pool's sum, the house fill it up to the guarantee, and return what is paid."""
        pool = claim.pool
        joined = min(pool.joined_since(claim.calls), pool.sum)
        of = max(pool.sum - joined, 0)
        loser, winner, other = PAID[claim.category]
        paid = of * loser // 10_000 + of * winner // 10_000 + 4 * (of * other // 10_000)
        pool.won += paid
        pool.pending += paid
        pool.seed += max(SEED + joined - pool.sum, 0)
        return paid
