"""
Who else takes from a settled hand.

`tables` knows rake. Whatever more a hand pays into (a jackpot, a promotion) belongs to apps that tables
does not know: they add a collector here in their AppConfig, and it is asked inside the settling
transaction. This is the one extension point; there are no signals.
"""

from collections.abc import Callable

from tables.models import Hand

# Takes the settled hand, returns (kind of the table's account it goes to, cents).
Collector = Callable[[Hand], tuple[str, int]]
_collectors: list[Collector] = []


def add_collector(collector: Collector) -> None:
    """Ask this collector at every settlement from now on."""
    if collector not in _collectors:
        _collectors.append(collector)


def collected(hand: Hand) -> dict[str, int]:
    """Return what the collectors take from this hand: cents by kind of account."""
    into: dict[str, int] = {}
    for collector in _collectors:
        kind, cents = collector(hand)
        into[kind] = into.get(kind, 0) + cents
    return into
