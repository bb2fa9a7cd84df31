"""What a hand keeps so that an undo can restore the button, the blinds and missed blind markers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from casino.poker.positions import Entry


@dataclass(frozen=True)
class InTurn:
    """
    What a hand keeps from which button and blinds go on. One that came late, or whose button nobody knew, has none.

    `last` is what its opening kept of the hand before, None before the first, and `button_here` where the dealer had
    said that the button is. `entries` are the entries from before, by seating, of all whom the hand changes; `missed`
    their missed blind markers before and after. `passed` are seatings of players away whom the button passed;
    `gives_back` the seats that go back as it ends: who plays over there, by the holder, both as seatings.
    """

    last: Mapping[str, Any] | None
    button_here: int | None
    entries: Mapping[int, str]
    missed: Mapping[int, tuple[str, str]]
    passed: tuple[int, ...] = ()
    gives_back: Mapping[int, int | None] = field(default_factory=dict)

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Self | None:
        """Return what `Hand.before` holds; None of a hand that moved nothing, of which it holds nothing."""
        if not kept:
            return None
        return cls(
            last=kept["last"],
            button_here=kept["button_here"],
            entries={int(key): entry for key, entry in kept["entries"].items()},
            # Hands of before have no markers of their own.
            missed={int(key): (was, after) for key, (was, after) in kept.get("missed", {}).items()},
            passed=tuple(kept.get("passed", ())),
            gives_back={int(key): over for key, over in kept.get("gives_back", {}).items()},
        )

    def kept(self) -> dict[str, Any]:
        """Return the state before a hand as plain data, as `Hand.before` keeps it."""
        row: dict[str, Any] = {
            "last": self.last,
            "button_here": self.button_here,
            "entries": {str(key): entry for key, entry in self.entries.items()},
            "missed": {str(key): list(markers) for key, markers in self.missed.items()},
        }
        if self.passed:
            row["passed"] = list(self.passed)
        if self.gives_back:
            row["gives_back"] = {str(key): over for key, over in self.gives_back.items()}
        return row

    @property
    def laid_down(self) -> dict[int, str]:
        """The missed-blind markers that lie before seats after this hand, by seating; whoever was dealt in has none."""
        return {key: after for key, (_, after) in self.missed.items() if after}

    @property
    def chosen_since(self) -> frozenset[int]:
        """
        The seatings that got markers with the hand and were waiting when it was dealt. Whose player is back since has
        chosen a way into the blinds meanwhile, and keeps it (H4.39-H4.42).
        """
        return frozenset(key for key in self.laid_down if self.entries[key] == Entry.WAITS)
