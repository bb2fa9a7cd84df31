"""
A plain book of what is where in the cage, kept by hand beside the ledger.

No code of the house: what a slip moves is said here once more, in other words.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

# How each kind of slip may be paid, as the cage has always done it.
PAID_BY = {
    "buy_in": {"cash", "card", "deposit"},
    "cash_out": {"cash", "deposit"},
    "deposit": {"cash", "card"},
    "withdrawal": {"cash"},
}


@dataclass
class Window:
    """One drawer: whether it is open, who opened it, paid from it or reversed there since, how many slips it gave."""

    row: int
    number: int
    is_open: bool
    version: int
    slips: int = 0
    payers: set[str] = field(default_factory=set)
    reversers: set[str] = field(default_factory=set)
    # Who opened the house opened the first one.
    opener: str = "mari"
    # How often it was too short since it was opened.
    shorts: int = 0


@dataclass
class Paper:
    """One slip."""

    row: int
    kind: str
    amount: int
    player: int | None
    method: str = ""
    status: str = "requested"
    drawer: Window | None = None
    payer: str = ""
    # The how manieth gaming day it was paid on.
    day: int = 0
    is_signed: bool = False
    version: int = 1
    # When a buy-in was asked for: the same within 15 seconds is a tap made twice.
    requested_at: datetime | None = None

    def waits_for_signature(self, day: int) -> bool:
        """Say whether it moved a deposit on a day, and its player has not signed it."""
        moves_deposit = self.kind in ("deposit", "withdrawal") or self.method == "deposit"
        return moves_deposit and (self.status, self.day, self.is_signed) == ("paid", day, False)


class Book(Counter[tuple[str, int, str]]):
    """Balances by owner, its id, and kind."""

    def __init__(self, room_id: int, found: Mapping[tuple[str, int, str], int]) -> None:
        super().__init__(found)
        self.room_id = room_id

    def vault(self, kind: str, cents: int) -> None:
        self["house", self.room_id, kind] += cents

    def drawer(self, window: Window, kind: str, cents: int) -> None:
        self["drawer", window.row, kind] += cents

    def owed(self, player: int | None) -> int:
        return self["player", player or 0, "deposit"]

    def money(self, window: Window, paper: Paper, cents: int) -> None:
        """A player gives that much (negative: is given), by the way the slip was paid."""
        if paper.method == "deposit":
            self.owe(window, paper.player, -cents)
        else:
            self.drawer(window, "card_slips" if paper.method == "card" else "cash", cents)
            self.drawer(window, "outside", -cents)

    def owe(self, window: Window, player: int | None, cents: int) -> None:
        self["player", player or 0, "deposit"] += cents
        self.drawer(window, "deposits_held", -cents)

    def chips(self, window: Window, cents: int) -> None:
        """That much in chips goes over the counter to a player (negative: comes back)."""
        self.drawer(window, "chips", -cents)
        self.drawer(window, "hands", cents)

    def write(self, paper: Paper, *, times: int = 1) -> None:
        """Write a paid slip into the book; with -1 as times take it out again."""
        window, cents = paper.drawer, paper.amount * times
        assert window is not None
        if paper.kind == "buy_in":
            self.money(window, paper, cents)
            self.chips(window, cents)
        elif paper.kind == "cash_out":
            self.money(window, paper, -cents)
            self.chips(window, -cents)
        elif paper.kind in ("fill", "credit"):
            into = cents if paper.kind == "fill" else -cents
            self.drawer(window, paper.method, into)
            self.vault(f"vault_{paper.method}", -into)
        else:
            signed = cents if paper.kind == "deposit" else -cents
            self.money(window, paper, signed)
            self.owe(window, paper.player, signed)

    def is_twin(self, paper: Paper, papers: Iterable[Paper], *, at: datetime) -> bool:
        """Say whether this buy-in is taken for one of the others, tapped twice."""
        return paper.kind == "buy_in" and paper.player is not None and any(
            (each.kind, each.player, each.amount) == (paper.kind, paper.player, paper.amount)
            and each.status in ("requested", "paid")
            and each.requested_at is not None and each.requested_at > at - timedelta(seconds=15)
            for each in papers
        )  # fmt: skip

    def out_of_drawer(self, paper: Paper, method: str) -> int:
        """Return how much cash paying this slip takes out of the drawer (negative: puts in)."""
        gives = {"buy_in": -1, "deposit": -1, "cash_out": 1, "withdrawal": 1, "fill": -1, "credit": 1}
        return gives[paper.kind] * paper.amount if method == "cash" else 0

    def off_deposit(self, paper: Paper, method: str) -> int:
        """Return what paying this slip takes off the player's deposit (negative: puts on it)."""
        by_kind = {"withdrawal": paper.amount, "deposit": -paper.amount}
        by_method = {"buy_in": paper.amount, "cash_out": -paper.amount}
        return by_kind.get(paper.kind, by_method.get(paper.kind, 0) if method == "deposit" else 0)
