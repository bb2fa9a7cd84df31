"""What is wrong with a pack, what was proved of it, and what could not be."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from casino.reports.pack.script.packs import Pack


class Checks:
    """What was found so far."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.about: dict[str, Any] = {}
        self.wrong: list[str] = []
        self.unproved: list[str] = []
        self.proved: Counter[str] = Counter()

    def part(self, name: str, verify: Callable[[], None]) -> None:
        """Verify one part; whatever cannot be read there is wrong too."""
        try:
            verify()
        except Exception as problem:
            # Whatever somebody wrote there, and zlib's error, which is no other's.
            self.wrong.append(f"{name} cannot be read: {type(problem).__name__} {problem}")

    def must(self, holds: bool, sentence: str, proves: str = "") -> None:
        if not holds:
            self.wrong.append(sentence)
        elif proves:
            self.proved[proves] += 1
