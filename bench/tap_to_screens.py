# ruff: noqa: T201 - figures are printed for people.
"""
Tap to every screen: from the tablet's POST leaving to the last of N sockets having the new fragment.

The room is as a room is: nearly all sockets are displays and phones on the lobby, half of them in Finnish, some are
the floor's, and one is the tablet that taps. Each of them hears an audience that the tap, a settled hand, changes.

The limit is the sum of the tap's raw parts, measured beside it, tap by tap: the commit alone (the same rows by prepared
statements), and a bare ASGI server that broadcasts the same bytes to as many sockets from memory.

Six tables are open; at the end forty, for floor and lobby show every table.
"""

import sys
import time
import uuid
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from bench.evening import Evening, begun, instance, open_table, settlement
from bench.live_commit import Commit
from bench.live_crowd import Ears, Web, heard, web
from bench.report import Row, show
from casino.simulation.front_door import Tap
from casino.simulation.screens import sockets

SIZES = (50, 500, 1_000, 2_000)
PLAYERS = 8
TABLES, MORE_TABLES = 6, 40
ROUNDS, TAPS = 3, 100
WARM_UP_TAPS = 8
POT_CENTS = 20_00
# The newest hand's minute stands on the lobby's wall; in a room so fast it is another one with every tap.
SPEED = 600.0


@dataclass(frozen=True)
class Group:
    """Sockets of one kind: what they hear, in which language, and which share of all they are (0: one socket)."""

    audience: str
    language: str
    share: float
    device: str = ""

    def count(self, sockets: int) -> int:
        """Return how many of so many sockets are of this kind."""
        return max(1, round(sockets * self.share))


GROUPS = (
    Group("table.1.dealer", "en", 0, "tablet"),
    Group("floor", "en", 0.02, "floor"),
    Group("lobby", "fi", 0.48),
    Group("lobby", "en", 0.5),
)


@dataclass(frozen=True)
class Times:
    """One tap and its raw parts, in milliseconds."""

    ours: float
    answered: float
    commit: float
    bare: float

    @property
    def parts(self) -> float:
        return self.commit + self.bare


class Screens:
    """The same crowd twice: at the house, and at the bare server."""

    def __init__(self, evening: Evening, bare: Web) -> None:
        self._evening, self._bare_web = evening, bare
        self.ours, self.bare = Ears(evening.url), Ears(bare.url)
        self._open = dict.fromkeys(GROUPS, 0)

    def grow(self, count: int) -> None:
        """Open sockets until there are so many, and give the bare server the bytes that ours sends."""
        for group in GROUPS:
            more = group.count(count) - self._open[group]
            self.ours.open(more, [group.audience], language=group.language, cookie=self._cookie(group))
            self.bare.open(more, [group.audience], language=group.language)
            self._open[group] += more
        self._bare_web.ask("PUT", "/frames", {query(group): self._frame(group) for group in GROUPS})

    def close(self) -> None:
        """Close all sockets."""
        self.ours.close()
        self.bare.close()

    def _frame(self, group: Group) -> str:
        url, connect = self._evening.url, sockets()
        address = f"{url.replace('http', 'ws', 1)}/live/?{query(group)}"
        with connect(address, origin=url, additional_headers={"Cookie": self._cookie(group)}, compression=None) as one:
            while True:
                frame = str(one.recv())
                if '"fragment"' in frame:
                    return frame

    def _cookie(self, group: Group) -> str:
        staff = self._evening.staff
        devices = {"tablet": staff.tablets[1], "floor": staff.floor}
        held = devices[group.device].cookies if group.device else {}
        return "; ".join(f"{name}={value}" for name, value in held.items())


def query(group: Group) -> str:
    """Return what a group's sockets ask for."""
    return heard([group.audience], group.language)


def tap(evening: Evening, screens: Screens, commit: Commit) -> tuple[float, float]:
    """Settle a hand; return the milliseconds until the last screen shows it, and until the tablet had its answer."""
    tablet = evening.staff.tablets[1]
    hand = Tap("/api/v1/tables/1/hands/settle", settlement(pot_cents=POT_CENTS), tablet.headers_of(uuid.uuid4()))
    # A snapshot is new when it knows of this transaction or a later one.
    screens.ours.await_news(commit.newest())
    begun = time.perf_counter()
    answer = tablet.send(hand)
    assert answer.is_done, answer.text
    return 1000 * (screens.ours.last() - begun), 1000 * answer.seconds


def broadcast(bare: Web, screens: Screens) -> float:
    """Have the bare server send; return the milliseconds until the last socket has it."""
    screens.bare.await_news()
    begun = time.perf_counter()
    bare.ask("POST", "/broadcast")
    return 1000 * (screens.bare.last() - begun)


def measured(evening: Evening, screens: Screens, bare: Web, commit: Commit, taps: int) -> list[Times]:
    """Tap so often, each tap with its raw parts right after it."""
    found = []
    for number in range(WARM_UP_TAPS + taps):
        ours, answered = tap(evening, screens, commit)
        times = Times(ours, answered, 1000 * commit.seconds(), broadcast(bare, screens))
        if number >= WARM_UP_TAPS:
            found.append(times)
    return found


def percentile(values: Sequence[float], share: float) -> float:
    """Return how much this share of the values is at most."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def rows(count: int, rounds: Sequence[Sequence[Times]], *, tables: int = TABLES) -> list[Row]:
    """Return p50 and p99 of one size, of each round, each beside the same percentile of the sum of the raw parts."""
    found = []
    what = f"{count:,} screens" if tables == TABLES else f"{count:,} screens, {tables} tables"
    for name, share in (("p50", 0.5), ("p99", 0.99)):
        ours = [percentile([each.ours for each in times], share) for times in rounds]
        parts = [percentile([each.parts for each in times], share) for times in rounds]
        goal = 2.0 if (what, name) == ("1,000 screens", "p99") else None
        found.append(Row(f"{what}, {name}", "ms", ours, parts, better="less", goal=goal))
        if (what, name) == ("50 screens", "p99"):
            found.append(Row(f"{what}, p99 alone", "ms", ours, better="less", goal=50.0))
    times = [each for taps in rounds for each in taps]
    middle = [percentile([getattr(each, part) for each in times], 0.5) for part in ("answered", "commit", "bare")]
    print(
        "{}: the tablet's answer {:.1f} ms, the commit alone {:.1f}, a bare broadcast {:.1f}".format(what, *middle),
        file=sys.stderr,
    )
    return found


def main() -> None:
    """Measure every size in one house, smallest first."""
    with ExitStack() as open_now:
        ours = open_now.enter_context(instance(speed=SPEED))
        evening = begun(ours, tables=MORE_TABLES)
        for number in range(1, TABLES + 1):
            open_table(evening, number, players=PLAYERS)
        open_now.callback(evening.staff.go_home)
        bare = open_now.enter_context(web("bench.live_bare:application"))
        commit = Commit(ours.owner_url)
        open_now.callback(commit.close)
        screens = Screens(evening, bare)
        open_now.callback(screens.close)
        table = []
        for count in SIZES:
            screens.grow(count)
            if not commit.count:
                since = commit.newest()
                tap(evening, screens, commit)
                commit.learn(since=since)
                print(f"one tap writes {commit.count} rows", file=sys.stderr)
            table += rows(count, [measured(evening, screens, bare, commit, TAPS) for _ in range(ROUNDS)])
        for number in range(TABLES + 1, MORE_TABLES + 1):
            open_table(evening, number, players=PLAYERS)
        rounds = [measured(evening, screens, bare, commit, TAPS) for _ in range(ROUNDS)]
        table += rows(SIZES[-1], rounds, tables=MORE_TABLES)
    show("Tap to every screen", table)


if __name__ == "__main__":
    main()
