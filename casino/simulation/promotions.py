"""
What each promotion really holds: by the periods that were opened, the hands that were shown, and plain addition. Cents.

Nothing here has heard of the house's funds. What the simulated room's book says of its two promotions stands here too.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from casino.simulation.felt import Player

HIGH, SPLASH = "high-hand", "splash"
AMOUNT, EACH, SPLASHES = 100_01, 50_00, 2
GAMES = '["nlh-2-2", "nlh-2-4", "nlh-5-5"]'
# In the house's minutes, of which a second of the night has one.
BLOCKS = f"""
[[high_hands]]
code = "{HIGH}"
name = "High hand"
games = {GAMES}
period_minutes = 8
amount_cents = {AMOUNT}
ties = "shared"
unwon = "rolls_over"

[[high_hands.criteria]]
variants = ["holdem"]
made = "full_house"
ranks = "AT"
own_cards_min = 2

[[splash_pots]]
code = "{SPLASH}"
name = "Splash pot"
games = {GAMES}
period_minutes = 12
splashes = {SPLASHES}
each_cents = {EACH}
moments = "drawn"
"""


@dataclass(frozen=True)
class ShownCards:
    """A hold'em hand as it was shown: its own cards, the board, and which is better (0: it does not take part)."""

    cards: str
    board: str
    rank: int


SHOWN = (
    ShownCards("As Ad", "Ac Kh Ks 2d 7c", 2),
    ShownCards("Ah Ad", "As Kc Kd 3s 8h", 2),
    ShownCards("As Ah", "Ad Th Tc 4d 2s", 1),
    ShownCards("Qc Qd", "Qh Qs Ah 2d 7c", 3),
    ShownCards("Kc Kd", "Kh Ks Ah 2d 7c", 4),
    ShownCards("Th Jh", "Qh Kh Ah 2d 7c", 5),
)
# Kings full, aces full of nines, and a board that plays alone.
TOO_LOW = (
    ShownCards("Kc Kd", "Kh 2d 2s 9c 7h", 0),
    ShownCards("As Ah", "Ad 9h 9c 4d 2s", 0),
    ShownCards("3c 2d", "As Ah Ad Kc Kd", 0),
)


@dataclass(frozen=True)
class Entry:
    """A hand that takes part: its row, whose it is."""

    id: int
    player: Player
    shown: ShownCards


@dataclass
class Period:
    """A period of high hands: when it ends, what it pays, and the hands that stand, as they were shown."""

    id: int
    begins_at: datetime
    ends_at: datetime
    cents: int
    carried: int = 0
    entries: list[Entry] = field(default_factory=list)
    is_open: bool = True

    def best(self) -> list[Entry]:
        """Return the best hands, of each player the first."""
        rank = max((entry.shown.rank for entry in self.entries), default=0)
        found: dict[int, Entry] = {}
        for entry in self.entries:
            if entry.shown.rank == rank:
                found.setdefault(entry.player.id, entry)
        return list(found.values())


@dataclass
class Prize:
    """What a player has won, and the slip that waits for it at the cage."""

    player: Player
    cents: int
    slip: int
    is_paid: bool = False


@dataclass
class Promotions:
    """The funds of both promotions, by what their accounts would say, and all that was played of them."""

    high: Counter[str] = field(default_factory=Counter)
    splash_put_in: int = 0
    splashed: int = 0
    # What nobody won and the next period pays.
    carried: int = 0
    periods: list[Period] = field(default_factory=list)
    prizes: list[Prize] = field(default_factory=list)
    played: Counter[str] = field(default_factory=Counter)

    def open_periods(self) -> list[Period]:
        """Return the periods that nobody has decided, in the order of time."""
        return sorted((each for each in self.periods if each.is_open), key=lambda each: (each.begins_at, each.id))

    def open(self, period: Period) -> None:
        """A period is opened: its money is promised, with what nobody has won before."""
        period.carried, self.carried = self.carried, 0
        period.cents += period.carried
        self._moves(period.cents, "free", "reserved")
        self.periods.append(period)

    def decide(self, period: Period) -> int:
        """Decide a period that has ended; return what each of the winners gets, 0 where there is none."""
        winners = period.best()
        if not winners:
            self._ends(period, rolls=period.cents)
            return 0
        each = period.cents // len(winners)
        self._ends(period, rolls=0)
        self._moves(each * len(winners), "free", "pending")
        return each

    def stand(self) -> tuple[Any, ...]:
        """Return how the high hand stands, for a decision that is taken back before anything else happens."""
        periods = [(each, each.cents, each.carried, each.is_open) for each in self.periods]
        return self.high.copy(), self.carried, periods, list(self.prizes)

    def take_back(self, stood: tuple[Any, ...]) -> None:
        """A decision was wrong: all is as it stood before."""
        self.high, self.carried, periods, self.prizes = stood
        for each, cents, carried, is_open in periods:
            each.cents, each.carried, each.is_open = cents, carried, is_open

    def call_off(self, period: Period) -> None:
        """Nobody wins a period; what was carried to it goes to the next."""
        self._ends(period, rolls=period.carried)

    def pay(self, prize: Prize) -> None:
        """A prize crosses the counter."""
        prize.is_paid = True
        self._moves(prize.cents, "pending", "paid")

    def _ends(self, period: Period, *, rolls: int) -> None:
        """All that a period promised is free again, but for what rolls over to the next."""
        period.is_open = False
        self._moves(period.cents, "reserved", "free")
        following = next((each for each in self.open_periods() if each.begins_at >= period.ends_at), None)
        if following is None:
            self.carried += rolls
            return
        following.cents += rolls
        following.carried += rolls
        self._moves(rolls, "free", "reserved")

    def _moves(self, cents: int, source: str, to: str) -> None:
        self.high[source] -= cents
        self.high[to] += cents
