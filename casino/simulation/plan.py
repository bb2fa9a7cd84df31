"""What is to be played, and what is said of a night that broke."""

from dataclasses import dataclass

from django.conf import settings

from casino.rulebooks import text_of
from casino.simulation import deliveries, fills, jackpots, racks, tips, vault
from casino.simulation.behaviours import all_faults
from casino.simulation.broken import Broken

# What nights may be meant for, and what the demo room's book says then.
BOOKS = {
    "jackpots": jackpots.added_to,
    "racks": racks.added_to,
    "one_step": fills.in_one_step,
    "own_tips": tips.added_to,
    "daily_vault": vault.added_to,
    "deliveries": deliveries.added_to,
}


@dataclass(frozen=True)
class Plan:
    """What is to be played. `until` stops after that step; checks of screens and proofs come every so many steps."""

    seed: int
    nights: int = 1
    # Of play, by the night's own count: twenty such nights pass on two cores in about a quarter of an hour.
    hours: float = 0.5
    tables: int = 3
    until: int | None = None
    screens_every: int = 20
    proof_every: int = 400
    # From this step on everything is checked after every step: for finding the shortest prefix that fails.
    all_checks_from: int | None = None
    # The switches of the faults that may happen.
    faults: frozenset[str] = frozenset()
    # Several jackpots, and what becomes of them: bad beats, claims, shares, corrections, ends.
    jackpots: bool = False
    # Chips lie in dealers' racks, which are taken over at pushes.
    racks: bool = False
    # Two fill and empty a rack at once; elsewhere all of it goes by slips.
    one_step: bool = False
    # Tips are each dealer's own, who takes the box along at the push.
    own_tips: bool = False
    # No day closes before two have counted the vault, or a manager carries that over.
    daily_vault: bool = False
    # Chips that a seat has paid for are on their way until somebody says that they came.
    deliveries: bool = False

    @property
    def of(self) -> list[str]:
        """Return what the nights are meant for, by the names of `BOOKS`."""
        return [name for name in BOOKS if getattr(self, name)]

    def book(self) -> str:
        """Return the text of the room's rule book, "" for the demo room's own."""
        text = text_of(settings.ROOM_BOOK)
        for name in self.of:
            text = BOOKS[name](text)
        return text if self.of else ""

    def replay(self, step: int) -> str:
        """Return the line that plays this again, up to a step."""
        words = ["manage.py simulate", f"--seed {self.seed}", f"--nights {self.nights}", f"--hours {self.hours:g}"]
        words += [f"--tables {self.tables}", f"--faults {faults_option(self.faults)}", f"--until {step}"]
        words += [f"--{name.replace('_', '-')}" for name in self.of]
        return " ".join(words)


def faults_option(faults: frozenset[str]) -> str:
    """Return switches as the command line names them."""
    return "all" if faults == all_faults() else ",".join(sorted(faults)) or "none"


class Failed(Exception):
    """A night that broke: at which step, what held last, and the line that replays it."""

    def __init__(self, plan: Plan, step: int, doing: str, broken: Broken, *, sound_until: int, log: str) -> None:
        self.step, self.doing, self.broken, self.sound_until = step, doing, broken, sound_until
        lines = [
            f"seed {plan.seed}, step {step} ({doing}): {broken.check}",
            f"  {broken.seen}",
            f"  all checks held after step {sound_until}",
            f"  replay: {plan.replay(step)}",
        ]
        super().__init__("\n".join([*lines, *([f"  the house's log ends:\n{log}"] if log else [])]))
