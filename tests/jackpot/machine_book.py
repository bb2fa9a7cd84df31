"""What a jackpot machine keeps beside the house: what each pool has to hold, in cents, by plain addition."""

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

    @property
    def end(self) -> "PoolBook":
        """Who has its money, or paid it out."""
        return self.heir.end if self.heir else self


@dataclass
class DropBook:
    """
    The drop of one hand, however often it is put right: at which table, what the log says of it now, and in which pools
    it lies, oldest first. What the log says beyond that lies in the box alone.
    """

    table: int
    logged: int = DROP
    lies: list[tuple[PoolBook, int]] = field(default_factory=list)

    @property
    def in_box(self) -> int:
        return self.logged - sum(cents for _pool, cents in self.lies)


@dataclass
class HandBook:
    """One hand of the day: at which table, its row, and its drop, which the hands have that it was logged as before."""

    table: int
    row: int
    drop: DropBook
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


def _with(lies: list[tuple[PoolBook, int]], target: PoolBook, cents: int) -> list[tuple[PoolBook, int]]:
    """A drop's parts after so many cents went to a pool, or less than none came back from it: the newest first."""
    if cents > 0:
        return [*lies, (target, cents)]
    left: list[tuple[PoolBook, int]] = []
    for pool, there in reversed(lies):
        back = min(there, -cents) if pool.end is target else 0
        cents += back
        left.append((pool, there - back))
    return left[::-1]


@dataclass
class Jackpots:
    """All of it; `drops` are those of the day, and `feeds` is what the games of the tables name."""

    pools: dict[str, PoolBook]
    feeds: dict[int, str]
    calls: int = 0
    hands: list[HandBook] = field(default_factory=list)
    drops: list[DropBook] = field(default_factory=list)
    claims: list[ClaimBook] = field(default_factory=list)

    def fed_by(self, code: str) -> PoolBook:
        """The pool of a code, else the book's first: what players paid in lies nowhere for nobody."""
        found = self.pools[code].open_heir or self.pools["bad-beat"].open_heir
        return found or next(pool for pool in self.pools.values() if not pool.ended)

    def played(self, table: int, row: int) -> HandBook:
        self.drops.append(DropBook(table))
        self.hands.append(hand := HandBook(table, row, self.drops[-1]))
        return hand

    def _goes(self, drop: DropBook) -> list[tuple[PoolBook, int]]:
        """
        Where what lies in the box alone goes: to whoever has the money of the pool that the hand fed, or feeds now. A
        pool that got something gives it back, the newest first, or whoever has its money; the house for one that
        was paid out.
        """
        left = drop.in_box
        if left >= 0:
            first = drop.lies[0][0].open_heir if drop.lies else None
            return [(first or self.fed_by(self.feeds[drop.table]), left)] if left else []
        goes = []
        for pool, cents in reversed(drop.lies):
            back = max(-cents, left)
            goes.append((pool.open_heir or pool.end, back))
            left -= back
        return [(pool, back) for pool, back in goes if back]

    def collect(self, among: list[PoolBook]) -> None:
        """Collect what lies in the boxes for these pools, and add it to their sums."""
        for drop in self.drops:
            for target, cents in self._goes(drop):
                if target in among:
                    target.takings += cents
                    drop.lies = _with(drop.lies, target, cents)
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
